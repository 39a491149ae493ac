"""Nothing twice: what an agent's context window holds is not offered to it again, unless it has changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from augmenter.factors import Scored
from augmenter.guidance import Chosen
from knowledge.hashing import text_hash
from knowledge.types import Evidence
from receipts.records import GuidanceRecord, OfferedRecord

NOTHING_SEEN: Mapping[str, str] = MappingProxyType({})

# Share of the best one's relevance that an item needs to take the place of what was given before: else a task
# that comes again brings up what is ever less to the point.
NEXT_BEST = 0.25


@dataclass(frozen=True, slots=True)
class Unseen:
    """What may be offered, parted from what was given before.

    Attributes:
        patterns: best first.
        guidance: best first.
        given: what was given before, best first, patterns before guidance.
        weak: patterns that are not relevant enough to take the place of what was given.
        changed: ids of what was given before with another content.
        seen: all that of the working set had a part in this: content hash by id, in order of the ids. With it
            alone the same comes out again.
    """

    patterns: list[Scored]
    guidance: list[Chosen]
    given: tuple[Scored | Chosen, ...] = ()
    weak: tuple[Scored, ...] = ()
    changed: frozenset[str] = frozenset()
    seen: Mapping[str, str] = field(default_factory=dict)


def unseen(patterns: list[Scored], guidance: list[Chosen], seen: Mapping[str, str]) -> Unseen:
    """Part what a context window has not been given from what it has.

    Args:
        patterns: all that are relevant, best first.
        guidance: all that fits, best first.
        seen: what the context window was given: content hash by id.
    """
    if not seen:
        return Unseen(patterns, guidance)
    items: list[Scored | Chosen] = [*patterns, *guidance]
    known = {_evidence(item).id: _content(item) for item in items if _evidence(item).id in seen}
    same = {name for name, content in known.items() if seen[name] == content}
    others = [item for item in patterns if _evidence(item).id not in same]
    enough = NEXT_BEST * max((item.relevance for item in patterns), default=0.0) if same else 0.0
    return Unseen(
        [item for item in others if item.relevance >= enough],
        [item for item in guidance if _evidence(item).id not in same],
        tuple(item for item in items if _evidence(item).id in same),
        tuple(item for item in others if item.relevance < enough),
        frozenset(known.keys() - same),
        {name: seen[name] for name in sorted(known)},
    )


def content_of(item: OfferedRecord | GuidanceRecord) -> str:
    """Hash of what an agent was given of an item."""
    if isinstance(item, GuidanceRecord):
        return _said(item.content_hash, item.statement)
    return item.content_hash


def _content(item: Scored | Chosen) -> str:
    if isinstance(item, Chosen):
        return _said(item.evidence.content_hash, item.guidance.statement)
    return item.candidate.evidence.content_hash


def _said(content_hash: str, statement: str) -> str:
    """Hash of a rule: its statement stands above what the content hash is of."""
    return text_hash(f"{content_hash}\0{statement}")


def _evidence(item: Scored | Chosen) -> Evidence:
    return item.candidate.evidence if isinstance(item, Scored) else item.evidence
