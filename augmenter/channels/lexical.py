"""The lexical channel: full-text search finds candidates, BM25F over their fields orders them.

FTS5 scores every row that holds any of the terms, so it is asked for the telling terms only, within a
bound on how many rows these can touch; BM25F then weighs all terms, field by field, on what it found.

Source of BM25F: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009),
section 3.6, with the query terms weighted as in section 3.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from augmenter.query import Query, QueryTerm
from knowledge.catalog.reader import CatalogReader
from knowledge.catalog.rows import FIELDS, SearchText
from knowledge.catalog.schema import Band

MAX_MATCHED_ROWS = 8_000  # postings that one full-text query may touch: about 10 ms on one core
MAX_MATCH_TERMS = 24  # more terms find hardly any other rows and cost as much each
BAND_LIMITS = {Band.UNITS: 200, Band.CARDS: 60, Band.OTHER_UNITS: 30, Band.OTHER_CARDS: 20}
# What comes after all implementation anyway is looked for, unless the task asks for it, only when a brief
# could not be filled with good candidates otherwise, and with less effort.
SIDE_BANDS = frozenset({Band.OTHER_UNITS, Band.OTHER_CARDS})
SIDE_MATCHED_ROWS = 2_000
GOOD_COVERAGE = 0.35  # share of the task's mass
ENOUGH_GOOD = 5  # as many as a brief offers
KEPT = 150  # candidates whose evidence is read: many times what a brief can hold

K1 = 1.2  # how soon repetition stops to count; the usual value
# Name, path, signature, doc, body: what a thing is called, and where it lies, tells most.
FIELD_WEIGHTS = (4.0, 2.5, 2.0, 2.0, 1.0)
# Short fields are not to be punished for a few words more.
FIELD_LENGTH_B = (0.3, 0.2, 0.3, 0.5, 0.75)
# Here a word counts once: a constructor is not twice as much about its class for bearing its name twice.
NAMING_FIELDS = frozenset({"name", "path", "signature"})


@dataclass(frozen=True, slots=True)
class LexicalHit:
    """A candidate by its words.

    Attributes:
        rowid: in the catalog.
        score: BM25F, at least 0.
        coverage: share of the query's mass whose terms occur in it, in [0, 1].
        matched: the terms that occur in it, heaviest first.
    """

    rowid: int
    score: float
    coverage: float
    matched: tuple[str, ...]


def lexical(query: Query, reader: CatalogReader, bands: Sequence[Band]) -> list[LexicalHit]:
    """Candidates in the given bands, unordered; the caller breaks ties by (path, start, id)."""
    main = [band for band in bands if band not in SIDE_BANDS or query.asked]
    hits = _search(query, reader, main, MAX_MATCHED_ROWS)
    if sum(hit.coverage >= GOOD_COVERAGE for hit in hits) < ENOUGH_GOOD:
        hits += _search(query, reader, [band for band in bands if band not in main], SIDE_MATCHED_ROWS)
    return _best(hits)


def _search(query: Query, reader: CatalogReader, bands: Sequence[Band], bound: int) -> list[LexicalHit]:
    chosen = match_terms(query.terms, bound)
    rowids = [
        rowid for band in bands for rowid in reader.search(chosen, band, BAND_LIMITS[band], FIELD_WEIGHTS)
    ]
    return score_texts(query, reader.texts(rowids))


def _best(hits: list[LexicalHit]) -> list[LexicalHit]:
    """The `KEPT` best, and whatever ties with the last of them: no order of row ids decides."""
    if len(hits) <= KEPT:
        return hits
    cut = sorted((hit.score for hit in hits), reverse=True)[KEPT - 1]
    return [hit for hit in hits if hit.score >= cut]


def match_terms(terms: Sequence[QueryTerm], bound: int = MAX_MATCHED_ROWS) -> list[str]:
    """The terms to search by: heaviest first while the rows that hold them stay within the bound."""
    chosen: list[str] = []
    rows = 0
    for term in terms:
        if len(chosen) == MAX_MATCH_TERMS:
            break
        if chosen and rows + term.documents > bound:
            continue
        chosen.append(term.term)
        rows += term.documents
    return chosen


def score_texts(query: Query, texts: dict[int, SearchText]) -> list[LexicalHit]:
    """BM25F of each text; texts without any of the query's terms are left out."""
    mass = {term.term: term.mass for term in query.terms}
    total = query.mass
    hits: list[LexicalHit] = []
    for rowid, text in texts.items():
        frequencies = weighted_frequencies(text, mass, query.statistics.average_lengths)
        if not frequencies:
            continue
        score = sum(mass[term] * value / (K1 + value) for term, value in frequencies.items())
        covered = sum(mass[term] for term in frequencies)
        matched = tuple(sorted(frequencies, key=lambda term: (-mass[term], term)))
        hits.append(LexicalHit(rowid, score, covered / total if total else 0.0, matched))
    return hits


def weighted_frequencies(
    text: SearchText, wanted: dict[str, float], average_lengths: Sequence[float]
) -> dict[str, float]:
    """For each wanted term its frequency over the fields, weighted and normalised by field length."""
    frequencies: dict[str, float] = {}
    parameters = zip(FIELDS, text.fields, FIELD_WEIGHTS, FIELD_LENGTH_B, average_lengths, strict=True)
    for name, field, weight, b, average in parameters:
        words = field.split()
        step = weight / (1 - b + b * len(words) / average)
        found = [word for word in words if word in wanted]
        for word in dict.fromkeys(found) if name in NAMING_FIELDS else found:
            frequencies[word] = frequencies.get(word, 0.0) + step
    return frequencies
