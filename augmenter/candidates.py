"""Candidates: what the channels found, filtered, with its rank in each channel."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from augmenter.channels.exact import ExactHit, exact
from augmenter.channels.lexical import SIDE_BANDS, LexicalHit, lexical
from augmenter.query import Query
from knowledge.catalog.reader import CatalogReader
from knowledge.catalog.schema import Band
from knowledge.types import Evidence, Kind, SourceKind, Status

MIN_NARROWED = 20  # fewer candidates than this are no choice: the narrowing is taken back
SPARED_BY_NARROWING = 10  # the first so many by their words speak for themselves, whatever their tags
UNIT_BANDS = (Band.UNITS, Band.OTHER_UNITS)
CARD_BANDS = (Band.CARDS, Band.OTHER_CARDS)
_COMPONENT = "component:"
_TELLING_APART = re.compile(r"(?:~\d+)?(?:@\d+)?$")  # what indexer.cards adds to an id: namesake, part
_STANDING = frozenset({Status.CURRENT, Status.DRAFT})


@dataclass(frozen=True, slots=True)
class Filters:
    """Hard filters: what does not pass is no candidate. Empty means no restriction.

    Attributes:
        paths: globs, matched against the whole path; ``*`` crosses folders.
        languages: names of languages.
        kinds: of evidence.
        source_kinds: kinds of source.
        statuses: of evidence; what is superseded, deprecated or expired is left out by default.
    """

    paths: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    kinds: frozenset[Kind] = frozenset()
    source_kinds: frozenset[SourceKind] = frozenset()
    statuses: frozenset[Status] = _STANDING

    def admit(self, evidence: Evidence) -> bool:
        """Whether a piece of evidence passes."""
        return (
            (not self.kinds or evidence.kind in self.kinds)
            and evidence.status in self.statuses
            and (not self.languages or evidence.language in self.languages)
            and (not self.source_kinds or evidence.source_kind in self.source_kinds)
            and self.admits_path(evidence.path)
        )

    def admits_path(self, path: str) -> bool:
        """Whether a path passes."""
        return not self.paths or any(fnmatchcase(path, glob) for glob in self.paths)

    @property
    def bands(self) -> tuple[Band, ...]:
        """The bands of the catalog that can hold what passes."""
        units = not self.kinds or Kind.UNIT in self.kinds
        cards = not self.kinds or bool(self.kinds - {Kind.UNIT})
        bands = (*(UNIT_BANDS if units else ()), *(CARD_BANDS if cards else ()))
        if not self.source_kinds:
            return bands
        wanted = {kind is SourceKind.IMPLEMENTATION for kind in self.source_kinds}
        return tuple(band for band in bands if (band not in SIDE_BANDS) in wanted)


EVERYTHING = Filters()


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing that may be offered.

    Attributes:
        evidence: what it is.
        lexical: how its words match, or None.
        exact: how it is mentioned, or None.
        channels: its rank in each channel that found it, from 1.
    """

    evidence: Evidence
    lexical: LexicalHit | None = None
    exact: ExactHit | None = None
    channels: dict[str, int] = field(default_factory=dict)

    @property
    def coverage(self) -> float:
        """Share of the query's mass that its words cover."""
        return self.lexical.coverage if self.lexical else 0.0


def gather(query: Query, reader: CatalogReader, filters: Filters) -> list[Candidate]:
    """All candidates that pass the filters, by (path, start, id)."""
    mentions, evidence = exact(query.mentions, reader)
    words, rows = lexical(query, reader, filters.bands, frozenset(hit.rowid for hit in mentions))
    evidence |= reader.ranked(rows[hit.rowid] for hit in words if hit.rowid not in evidence)
    return _number(_fold(words, mentions, evidence, filters))


def narrow(candidates: list[Candidate], query: Query) -> tuple[list[Candidate], bool]:
    """Leave out what belongs to other components only; widen again when too few remain.

    Measured on the localisation benchmark: sparing the first by words costs nothing, narrowing without
    that loses one to three tasks in a hundred.

    Returns:
        The candidates, and whether they were narrowed.
    """
    wanted = {tag for tag in query.tags if tag.startswith(_COMPONENT)}
    if not wanted:
        return candidates, False
    kept = [c for c in candidates if _is_spared(c) or _fits(c.evidence.tags, wanted)]
    if len(kept) < MIN_NARROWED or len(kept) == len(candidates):
        return candidates, False
    return kept, True


def _is_spared(candidate: Candidate) -> bool:
    first = candidate.channels.get("lexical", SPARED_BY_NARROWING + 1) <= SPARED_BY_NARROWING
    return first or candidate.exact is not None


def _fits(tags: Iterable[str], wanted: set[str]) -> bool:
    components = {tag for tag in tags if tag.startswith(_COMPONENT)}
    return not components or bool(components & wanted)


def _fold(
    words: list[LexicalHit], mentions: list[ExactHit], evidence: dict[int, Evidence], filters: Filters
) -> list[Candidate]:
    """One candidate for a thing: of its parts and namesakes, the one that is mentioned or matches best.

    Overloads of a function, or the parts of a long one, would take each other's places in a brief.
    """
    lexical_by, exact_by = {hit.rowid: hit for hit in words}, {hit.rowid: hit for hit in mentions}
    groups: dict[str, list[int]] = {}
    for rowid in sorted(lexical_by.keys() | exact_by.keys(), key=lambda rowid: evidence[rowid].sort_key):
        if filters.admit(evidence[rowid]):
            groups.setdefault(thing_id(evidence[rowid]), []).append(rowid)
    found: list[Candidate] = []
    for rowids in groups.values():
        hits = [lexical_by[rowid] for rowid in rowids if rowid in lexical_by]
        strongest = max(hits, key=lambda hit: hit.score, default=None)
        best = max(rowids, key=lambda rowid: (_strength(exact_by.get(rowid)), _score(lexical_by.get(rowid))))
        found.append(Candidate(evidence[best], lexical_by.get(best, strongest), exact_by.get(best)))
    return sorted(found, key=lambda c: c.evidence.sort_key)


def thing_id(evidence: Evidence) -> str:
    """The id that the parts of a thing and its namesakes in the same file have in common."""
    name = evidence.id
    return _TELLING_APART.sub("", name) if "~" in name or "@" in name else name


def _strength(hit: ExactHit | None) -> float:
    return hit.strength if hit else 0.0


def _score(hit: LexicalHit | None) -> float:
    return hit.score if hit else 0.0


def _number(found: list[Candidate]) -> list[Candidate]:
    """Give each candidate its rank in each channel."""
    channels: dict[str, Callable[[Candidate], float]] = {
        "exact": lambda c: _strength(c.exact),
        "lexical": lambda c: _score(c.lexical),
    }
    ranks: dict[str, dict[str, int]] = {c.evidence.id: {} for c in found}
    for channel, strength in channels.items():
        ordered = sorted(
            (c for c in found if strength(c) > 0), key=lambda c: (-strength(c), c.evidence.sort_key)
        )
        for rank, candidate in enumerate(ordered, start=1):
            ranks[candidate.evidence.id][channel] = rank
    return [Candidate(c.evidence, c.lexical, c.exact, ranks[c.evidence.id]) for c in found]
