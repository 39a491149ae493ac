"""Candidates: what the channels found, filtered, with its rank in each channel."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import TypeVar

from augmenter.channels.exact import ExactHit, exact
from augmenter.channels.lexical import CARD_BANDS, SIDE_BANDS, UNIT_BANDS, LexicalHit, lexical
from augmenter.channels.past import Lessons, Past, PastHit, dispatches, history, no_lessons
from augmenter.query import Query
from knowledge.catalog.reader import CatalogReader
from knowledge.catalog.record import Row
from knowledge.catalog.schema import Band
from knowledge.settings import ChannelSettings
from knowledge.types import STANDING, Evidence, Kind, SourceKind, Status

MIN_NARROWED = 20  # fewer candidates than this are no choice: the narrowing is taken back
SPARED_BY_NARROWING = 10  # the first so many by their words speak for themselves, whatever their tags
_COMPONENT = "component:"
_TELLING_APART = re.compile(r"(?:~\d+)?(?:@\d+)?$")  # what indexer.cards adds to an id: namesake, part


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
    statuses: frozenset[Status] = STANDING

    def admit(self, evidence: Evidence) -> bool:
        """Whether a piece of evidence passes."""
        return self.admits_kind(evidence) and self.admits_around(evidence)

    def admits_around(self, evidence: Evidence) -> bool:
        """Whether it passes but for its kind."""
        return (
            evidence.status in self.statuses
            and (not self.languages or evidence.language in self.languages)
            and (not self.source_kinds or evidence.source_kind in self.source_kinds)
            and self.admits_path(evidence.path)
        )

    def admits_kind(self, evidence: Evidence) -> bool:
        """Whether the kind of a piece of evidence passes."""
        return not self.kinds or evidence.kind in self.kinds

    def admits_path(self, path: str) -> bool:
        """Whether a path passes."""
        return not self.paths or any(fnmatchcase(path, glob) for glob in self.paths)

    @property
    def bands(self) -> tuple[Band, ...]:
        """The bands of the catalog that can hold what passes, or the cards of what holds it."""
        units = not self.kinds or Kind.UNIT in self.kinds
        bands = (*(UNIT_BANDS if units else ()), *CARD_BANDS)
        if not self.source_kinds:
            return bands
        wanted = {kind is SourceKind.IMPLEMENTATION for kind in self.source_kinds}
        return tuple(band for band in bands if (band not in SIDE_BANDS) in wanted)


EVERYTHING = Filters()
_Hit = TypeVar("_Hit")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing that may be offered.

    Attributes:
        evidence: what it is.
        lexical: how its words match, or None.
        exact: how it is mentioned, or None.
        channels: its rank in each channel that found it, from 1.
        history: how past commits point at it, or None.
        used: how past dispatches do, or None.
        row: as it lies in the catalog; None in tests.
    """

    evidence: Evidence
    lexical: LexicalHit | None = None
    exact: ExactHit | None = None
    channels: dict[str, int] = field(default_factory=dict)
    history: PastHit | None = None
    used: PastHit | None = None
    row: Row | None = None

    @property
    def coverage(self) -> float:
        """Share of the query's mass that its words cover."""
        return self.lexical.coverage if self.lexical else 0.0


@dataclass(frozen=True, slots=True)
class Gathered:
    """What the channels found.

    Attributes:
        candidates: what passes the filters, by (path, start, id).
        cards: of files and classes, whether or not they are asked for: evidence for their members.
        past: what past commits say of files.
    """

    candidates: list[Candidate]
    cards: list[Candidate] = field(default_factory=list)
    past: Past = field(default_factory=Past)


EVERY_CHANNEL = ChannelSettings()


def gather(
    query: Query,
    reader: CatalogReader,
    filters: Filters,
    switches: ChannelSettings = EVERY_CHANNEL,
    lessons: Lessons = no_lessons,
) -> Gathered:
    """Ask every channel that is switched on."""
    mentions, evidence = exact(query.mentions, reader) if switches.exact else ([], {})
    past = history(query, reader) if switches.history else Past()
    used, known = dispatches(query, reader, lessons) if switches.dispatches else ({}, {})
    named = frozenset({hit.rowid for hit in mentions} | past.hits.keys() | used.keys())
    words, rows = (
        lexical(query, reader, filters.bands, named) if switches.lexical else ([], reader.rows(named))
    )
    rows |= known
    found = _Found(
        {hit.rowid: hit for hit in words}, {hit.rowid: hit for hit in mentions}, past.hits, used, rows
    )
    evidence |= reader.ranked(
        rows[rowid] for rowid in found.rowids if rowid in rows and rowid not in evidence
    )
    every = _fold(found, evidence, filters)
    cards = [c for c in every if c.evidence.kind in (Kind.CLASS, Kind.MODULE)]
    return Gathered(_number([c for c in every if filters.admits_kind(c.evidence)]), cards, past)


@dataclass(frozen=True, slots=True)
class _Found:
    """What each channel found, by row id."""

    lexical: dict[int, LexicalHit]
    exact: dict[int, ExactHit]
    history: dict[int, PastHit]
    used: dict[int, PastHit]
    rows: dict[int, Row]

    @property
    def rowids(self) -> set[int]:
        return self.lexical.keys() | self.exact.keys() | self.history.keys() | self.used.keys()

    def candidate(self, rowids: Sequence[int], evidence: Mapping[int, Evidence]) -> Candidate:
        """Of parts and namesakes the one that is mentioned or matches best, with what any of them has."""
        best = max(rowids, key=lambda r: (_strength(self.exact.get(r)), _score(self.lexical.get(r))))
        return Candidate(
            evidence[best],
            self.lexical.get(best) or _strongest(self.lexical, rowids, _score),
            self.exact.get(best),
            history=_strongest(self.history, rowids, _past),
            used=_strongest(self.used, rowids, _past),
            row=self.rows.get(best),
        )


def narrow(gathered: Gathered, query: Query) -> Gathered:
    """Leave out what belongs to other components only; all of it stays when too few would remain.

    Measured on the localisation benchmark: sparing the first by words costs nothing, narrowing without
    that loses one to three tasks in a hundred.
    """
    wanted = {tag for tag in query.tags if tag.startswith(_COMPONENT)}
    if not wanted:
        return gathered
    kept = [c for c in gathered.candidates if _is_spared(c) or _fits(c.evidence.tags, wanted)]
    return gathered if len(kept) < MIN_NARROWED else replace(gathered, candidates=kept)


def _is_spared(candidate: Candidate) -> bool:
    first = candidate.channels.get("lexical", SPARED_BY_NARROWING + 1) <= SPARED_BY_NARROWING
    return first or bool(candidate.exact or candidate.history or candidate.used)


def _fits(tags: Iterable[str], wanted: set[str]) -> bool:
    components = {tag for tag in tags if tag.startswith(_COMPONENT)}
    return not components or bool(components & wanted)


def _fold(found: _Found, evidence: dict[int, Evidence], filters: Filters) -> list[Candidate]:
    """One candidate for a thing: of its parts and namesakes, the one that is mentioned or matches best.

    Overloads of a function, or the parts of a long one, would take each other's places in a brief.
    """
    groups: dict[str, list[int]] = {}
    known = (rowid for rowid in found.rowids if rowid in evidence)
    for rowid in sorted(known, key=lambda rowid: evidence[rowid].sort_key):
        if filters.admits_around(evidence[rowid]):
            groups.setdefault(thing_id(evidence[rowid].id), []).append(rowid)
    folded = [found.candidate(rowids, evidence) for rowids in groups.values()]
    return sorted(folded, key=lambda c: c.evidence.sort_key)


def thing_id(evidence_id: str) -> str:
    """The id that the parts of a thing and its namesakes in the same file have in common."""
    is_one_of_some = "~" in evidence_id or "@" in evidence_id
    return _TELLING_APART.sub("", evidence_id) if is_one_of_some else evidence_id


def _strongest(
    hits: Mapping[int, _Hit], rowids: Sequence[int], strength: Callable[[_Hit], float]
) -> _Hit | None:
    return max((hits[rowid] for rowid in rowids if rowid in hits), key=strength, default=None)


def _past(hit: PastHit) -> float:
    return hit.strength


def _strength(hit: ExactHit | None) -> float:
    return hit.strength if hit else 0.0


def _score(hit: LexicalHit | None) -> float:
    return hit.score if hit else 0.0


def _number(found: list[Candidate]) -> list[Candidate]:
    """Give each candidate its rank in each channel."""
    channels: dict[str, Callable[[Candidate], float]] = {
        "exact": lambda c: _strength(c.exact),
        "lexical": lambda c: _score(c.lexical),
        "history": lambda c: c.history.strength if c.history else 0.0,
        "dispatches": lambda c: c.used.strength if c.used else 0.0,
    }
    ranks: dict[str, dict[str, int]] = {c.evidence.id: {} for c in found}
    for channel, strength in channels.items():
        ordered = sorted(
            (c for c in found if strength(c) > 0), key=lambda c: (-strength(c), c.evidence.sort_key)
        )
        for rank, candidate in enumerate(ordered, start=1):
            ranks[candidate.evidence.id][channel] = rank
    return [
        Candidate(c.evidence, c.lexical, c.exact, ranks[c.evidence.id], c.history, c.used, c.row)
        for c in found
    ]
