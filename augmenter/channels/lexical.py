"""The lexical channel: full-text search finds candidates, BM25F over their fields orders them.

FTS5 scores every row that holds any of the terms, so it is asked for the telling terms only, within a
bound on how many rows these can touch; BM25F then weighs all terms, field by field, on what it found.

Source of BM25F: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009),
section 3.6, with the query terms weighted as in section 3.4.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from augmenter.query import Query, QueryTerm
from knowledge.catalog.reader import CatalogReader
from knowledge.catalog.record import Row
from knowledge.catalog.rows import FIELDS
from knowledge.catalog.schema import BAND_BITS, Band

MAX_MATCHED_ROWS = 6_000  # postings that one full-text query may touch: 8,000 find nothing more, 4 to 6 ms
MAX_MATCH_TERMS = 20  # more terms find hardly any other rows and cost as much each
# What is too common to be searched by alone, as most words are in a large repository, is searched by together
# when the telling terms leave most of the bound unused.
SPARE_SHARE = 0.5  # of the bound
MAX_GROUPS = 2  # each reads the whole lists of all its terms
MAX_GROUPED = 6  # of the common terms, the heaviest
TOGETHER = 4.0  # how much more often a task's words occur together than chance would have it
# Half as many again find another 0.3 answers in a hundred, for a fifth more time.
BAND_LIMITS = {Band.UNITS: 120, Band.CARDS: 20, Band.OTHER_UNITS: 30, Band.OTHER_CARDS: 20}
# What comes after all implementation anyway is looked for, unless the task asks for it, only when a brief
# could not be filled with good candidates otherwise, and with less effort.
UNIT_BANDS = (Band.UNITS, Band.OTHER_UNITS)
CARD_BANDS = (Band.CARDS, Band.OTHER_CARDS)
SIDE_BANDS = frozenset({Band.OTHER_UNITS, Band.OTHER_CARDS})
SIDE_MATCHED_ROWS = 2_000
GOOD_COVERAGE = 0.18  # share of the task's mass; as much as makes a task one about this repository
ENOUGH_GOOD = 5  # as many as a brief offers
# Candidates that are looked at closely: many times what a brief can hold.
KEPT_UNITS = 120
KEPT_CARDS = 20

K1 = 1.2  # how soon repetition stops to count; the usual value
# Name, path, signature, doc, body: what a thing is called, and where it lies, tells most.
FIELD_WEIGHTS = (4.0, 2.5, 2.0, 2.0, 1.0)
# Short fields are not to be punished for a few words more.
FIELD_LENGTH_B = (0.3, 0.2, 0.3, 0.5, 0.75)
# Here a word counts once: a constructor is not twice as much about its class for bearing its name twice.
NAMING_FIELDS = frozenset({"name", "path", "signature"})


class LexicalHit(NamedTuple):
    """A candidate by its words. A tuple: hundreds are made for each that is looked at.

    Attributes:
        rowid: in the catalog.
        score: BM25F, at least 0.
        coverage: share of the query's mass whose terms occur in it, in [0, 1].
        terms: the terms that occur in it.
        order: of the query's terms, the heaviest 0.
        matches: what `matches_of` found.
    """

    rowid: int
    score: float
    coverage: float
    terms: tuple[str, ...]
    order: Mapping[str, int] = MappingProxyType({})
    matches: Sequence[tuple[int, str, float]] = ()

    @property
    def matched(self) -> tuple[str, ...]:
        """The terms that occur in it, heaviest first."""
        return tuple(sorted(self.terms, key=lambda term: self.order.get(term, 0)))


def lexical(
    query: Query, reader: CatalogReader, bands: Sequence[Band], mentioned: Collection[int] = ()
) -> tuple[list[LexicalHit], dict[int, Row]]:
    """Candidates in the given bands, unordered, and their rows; the caller breaks ties by (path, start, id).

    Args:
        query: the task's.
        reader: the catalog.
        bands: where to look; side bands alone are looked into as thoroughly as others.
        mentioned: row ids of what the task mentions: judged by its words too, wherever it lies.
    """
    main = [band for band in bands if band not in SIDE_BANDS or query.asked] or list(bands)
    hits, rows = _search(query, reader, main, MAX_MATCHED_ROWS, mentioned)
    if sum(hit.coverage >= GOOD_COVERAGE for hit in hits) < ENOUGH_GOOD:
        rest = [band for band in bands if band not in main]
        side, side_rows = _search(query, reader, rest, SIDE_MATCHED_ROWS, ())
        hits += [hit for hit in side if hit.rowid not in rows]
        rows |= side_rows
    return _best(hits, mentioned), rows


def _search(
    query: Query, reader: CatalogReader, bands: Sequence[Band], bound: int, mentioned: Collection[int]
) -> tuple[list[LexicalHit], dict[int, Row]]:
    searched = clauses(query, bound)
    rowids = set(mentioned)
    for band in bands:
        rowids.update(reader.search(searched, band, BAND_LIMITS[band], FIELD_WEIGHTS))
    rows = reader.rows(rowids)
    return score_texts(query, ((rowid, row.fields) for rowid, row in rows.items())), rows


def _best(hits: list[LexicalHit], mentioned: Collection[int]) -> list[LexicalHit]:
    """The best functions, the best of the rest, and what is mentioned."""
    units = [hit for hit in hits if _is_unit(hit.rowid)]
    cards = [hit for hit in hits if not _is_unit(hit.rowid)]
    return [*_first(units, KEPT_UNITS, mentioned), *_first(cards, KEPT_CARDS, mentioned)]


def _first(hits: list[LexicalHit], count: int, mentioned: Collection[int]) -> list[LexicalHit]:
    """The best, and what ties with the last of them: no order of row ids decides."""
    if len(hits) <= count:
        return hits
    cut = sorted((hit.score for hit in hits), reverse=True)[count - 1]
    return [hit for hit in hits if hit.score >= cut or hit.rowid in mentioned]


def _is_unit(rowid: int) -> bool:
    return (rowid - 1) >> BAND_BITS in UNIT_BANDS


def clauses(query: Query, bound: int) -> list[str | tuple[str, ...]]:
    """What to search by: terms, and groups of terms that are wanted together.

    When neither stays within the bound, it is the heaviest term, whatever that costs.
    """
    chosen = match_terms(query.terms, bound)
    groups = match_groups(query.terms, chosen, bound, query.statistics.count)
    return [*chosen, *groups] or [term.term for term in query.terms[:1]]


def match_terms(terms: Sequence[QueryTerm], bound: int = MAX_MATCHED_ROWS) -> list[str]:
    """The terms to search by: heaviest first while the rows that hold them stay within the bound."""
    chosen: list[str] = []
    rows = 0
    for term in terms:
        if len(chosen) == MAX_MATCH_TERMS:
            break
        if rows + term.documents <= bound:
            chosen.append(term.term)
            rows += term.documents
    return chosen


def match_groups(
    terms: Sequence[QueryTerm], chosen: Collection[str], bound: int, count: int
) -> list[tuple[str, ...]]:
    """Groups of common terms, each as large as it takes for few enough rows to hold all of the group.

    Args:
        terms: the query's, heaviest first.
        chosen: those that are searched by alone.
        bound: rows that terms and groups may touch together, by estimate.
        count: rows of the catalog.
    """
    rows = sum(term.documents for term in terms if term.term in chosen)
    if len(chosen) == MAX_MATCH_TERMS or rows > bound * SPARE_SHARE:
        return []
    common = [term for term in terms if term.documents > bound - rows][:MAX_GROUPED]
    groups: list[tuple[str, ...]] = []
    for start in range(len(common)):
        group: list[str] = []
        expected = TOGETHER * count
        for term in common[start:]:
            group.append(term.term)
            expected *= term.documents / max(1, count)
            if len(group) > 1 and rows + expected <= bound:
                groups.append(tuple(group))
                rows += int(expected)
                break
        if len(groups) == MAX_GROUPS:
            break
    return groups


def score_texts(query: Query, texts: Iterable[tuple[int, Sequence[str]]]) -> list[LexicalHit]:
    """BM25F of texts, each given field by field; those without any of the query's terms are left out."""
    mass = {term.term: term.mass for term in query.terms}
    order = {term.term: number for number, term in enumerate(query.terms)}
    scales = field_scales(query.statistics.average_lengths)
    wanted, whole = frozenset(mass), query.mass
    hits: list[LexicalHit] = []
    for rowid, fields in texts:
        matches = matches_of(fields, wanted, scales)
        if not matches:
            continue
        frequencies: dict[str, float] = {}
        for number, term, frequency in matches:
            frequencies[term] = frequencies.get(term, 0.0) + FIELD_WEIGHTS[number] * frequency
        score = covered = 0.0
        for term, frequency in frequencies.items():
            worth = mass[term]
            covered += worth
            score += worth * frequency / (K1 + frequency)
        coverage = covered / whole if whole else 0.0
        hits.append(LexicalHit(rowid, score, coverage, tuple(frequencies), order, matches))
    return hits


class FieldScale(NamedTuple):
    """How the words of one field count.

    Attributes:
        base: divisor of a field without words.
        slope: what each word adds to the divisor.
        once: whether a word counts once only.
    """

    base: float
    slope: float
    once: bool


def field_scales(average_lengths: Sequence[float]) -> tuple[FieldScale, ...]:
    """The scales of the fields in a catalog, in the order of `FIELDS`."""
    parameters = zip(FIELDS, FIELD_LENGTH_B, average_lengths, strict=True)
    return tuple(FieldScale(1 - b, b / average, name in NAMING_FIELDS) for name, b, average in parameters)


def matches_of(
    fields: Sequence[str], wanted: frozenset[str], scales: Sequence[FieldScale]
) -> list[tuple[int, str, float]]:
    """The wanted terms that a text has: the field's number, the term, its frequency by the field's length."""
    matches: list[tuple[int, str, float]] = []
    is_wanted = wanted.__contains__
    for number, (field, (base, slope, once)) in enumerate(zip(fields, scales, strict=True)):
        words = field.split()
        found = list(filter(is_wanted, words))
        if not found:
            continue
        step = 1.0 / (base + slope * len(words))
        distinct = dict.fromkeys(found)
        if once or len(distinct) == len(found):
            matches += [(number, word, step) for word in distinct]
        else:
            matches += [(number, word, step * found.count(word)) for word in distinct]
    return matches
