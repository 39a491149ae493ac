"""Candidates: what the channels found, filtered, with its rank in each channel."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from augmenter.channels.exact import ExactHit, exact
from augmenter.channels.lexical import LexicalHit, lexical
from augmenter.query import Query
from knowledge.catalog.reader import CatalogReader
from knowledge.catalog.schema import Band
from knowledge.types import Evidence, Kind, SourceKind, Status

MIN_NARROWED = 20  # fewer candidates than this are no choice: the narrowing is taken back
UNIT_BANDS = (Band.UNITS, Band.OTHER_UNITS)
CARD_BANDS = (Band.CARDS, Band.OTHER_CARDS)
_COMPONENT = "component:"
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
        if not self.kinds:
            return (*UNIT_BANDS, *CARD_BANDS)
        units = UNIT_BANDS if Kind.UNIT in self.kinds else ()
        return (*units, *CARD_BANDS) if self.kinds - {Kind.UNIT} else units


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
    words = lexical(query, reader, filters.bands)
    missing = [hit.rowid for hit in words if hit.rowid not in evidence]
    evidence = {**evidence, **reader.evidence(missing)}
    found = _fold_parts(words, mentions, evidence, filters)
    return _number(found)


def narrow(candidates: list[Candidate], query: Query) -> tuple[list[Candidate], bool]:
    """Leave out what belongs to other components only; widen again when too few remain.

    Returns:
        The candidates, and whether they were narrowed.
    """
    wanted = {tag for tag in query.tags if tag.startswith(_COMPONENT)}
    if not wanted:
        return candidates, False
    kept = [c for c in candidates if c.exact or _fits(c.evidence.tags, wanted)]
    if len(kept) < MIN_NARROWED or len(kept) == len(candidates):
        return candidates, False
    return kept, True


def _fits(tags: Iterable[str], wanted: set[str]) -> bool:
    components = {tag for tag in tags if tag.startswith(_COMPONENT)}
    return not components or bool(components & wanted)


def _fold_parts(
    words: list[LexicalHit], mentions: list[ExactHit], evidence: dict[int, Evidence], filters: Filters
) -> list[Candidate]:
    """One candidate for a thing and its parts: the part, or the whole, whose words match best."""
    named = {evidence[hit.rowid].id: hit for hit in mentions if filters.admit(evidence[hit.rowid])}
    best: dict[str, LexicalHit] = {}
    for hit in words:
        item = evidence[hit.rowid]
        if not filters.admit(item):
            continue
        held = best.get(whole_id(item))
        if held is None or _better(hit, item, held, evidence[held.rowid]):
            best[whole_id(item)] = hit
    found = [Candidate(evidence[hit.rowid], hit, named.get(key)) for key, hit in best.items()]
    found += [Candidate(evidence[hit.rowid], None, hit) for key, hit in named.items() if key not in best]
    return sorted(found, key=lambda c: c.evidence.sort_key)


def whole_id(evidence: Evidence) -> str:
    """The id of the whole that a part belongs to; of a whole, its own."""
    return evidence.id.rpartition("@")[0] if evidence.part else evidence.id


def _better(hit: LexicalHit, item: Evidence, held: LexicalHit, holder: Evidence) -> bool:
    return (-hit.score, item.sort_key) < (-held.score, holder.sort_key)


def _number(found: list[Candidate]) -> list[Candidate]:
    """Give each candidate its rank in each channel."""
    channels: dict[str, Callable[[Candidate], float]] = {
        "exact": lambda c: c.exact.strength if c.exact else 0.0,
        "lexical": lambda c: c.lexical.score if c.lexical else 0.0,
    }
    ranks: dict[str, dict[str, int]] = {c.evidence.id: {} for c in found}
    for channel, strength in channels.items():
        ordered = sorted(
            (c for c in found if strength(c) > 0), key=lambda c: (-strength(c), c.evidence.sort_key)
        )
        for rank, candidate in enumerate(ordered, start=1):
            ranks[candidate.evidence.id][channel] = rank
    return [Candidate(c.evidence, c.lexical, c.exact, ranks[c.evidence.id]) for c in found]
