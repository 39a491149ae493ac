"""The answer to a dispatch, and its JSON form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from augmenter.factors import Factor, Scored
from augmenter.guidance import Chosen
from knowledge.errors import PrebriefError
from knowledge.hashing import pattern_hash
from knowledge.jsonable import to_json
from knowledge.terms import split_identifier, stem, whole, word_terms, words
from knowledge.types import Evidence
from receipts.records import FactorRecord, GuidanceRecord, OfferedRecord

SCHEMA_VERSION = 1
SCORE_DIGITS = 6  # shown and stored; ranking compares more
SHOWN_TERMS = 6  # of the terms an item matched, the heaviest are named
SPELLED = 20_000  # characters of a task in which the spelling of its terms is looked up
NO_SPELLINGS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Degraded:
    """Why a task went out unchanged."""

    reason: str
    remedy: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Brief:
    """What an orchestrator gets back.

    Attributes:
        prompt: what to hand to the agent; the task itself when nothing was offered.
        context: the context block alone, for hosts that lay it beside the prompt; ``""`` when nothing was
            offered.
        dispatch_id: names the receipt; ``""`` when none was kept.
        offered: patterns in the brief, best first.
        rules: rules and warnings in the brief, best first.
        below_threshold: candidates that were found and not relevant enough.
        abstained: nothing was relevant enough to be offered.
        coverage: share of the task that the best pattern covers, in [0, 1].
        tokens: estimated tokens of the context block.
        degraded: why the task went out unchanged, or None.
        fingerprint: of the index.
        stale: whether the index is older than the tree.
        timings_ms: by step.
    """

    prompt: str
    context: str = ""
    dispatch_id: str = ""
    offered: tuple[OfferedRecord, ...] = ()
    rules: tuple[GuidanceRecord, ...] = ()
    below_threshold: int = 0
    abstained: bool = True
    coverage: float = 0.0
    tokens: int = 0
    degraded: Degraded | None = None
    fingerprint: str = ""
    stale: bool = False
    timings_ms: dict[str, float] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The document that ``prebrief augment --json`` prints."""
        degraded = self.degraded
        return {
            "schema_version": SCHEMA_VERSION,
            "dispatch_id": self.dispatch_id,
            "prompt": self.prompt,
            "context": self.context,
            "offered": to_json(self.offered),
            "rules": to_json(self.rules),
            "below_threshold": self.below_threshold,
            "abstained": self.abstained,
            "coverage": self.coverage,
            "tokens": self.tokens,
            "degraded": {"reason": degraded.reason, "remedy": degraded.remedy} if degraded else None,
            "index": {"fingerprint": self.fingerprint, "stale": self.stale},
            "timings_ms": self.timings_ms,
        }


def passed_through(task: str, degraded: Degraded, dispatch_id: str = "") -> Brief:
    """The brief of a dispatch in which something went wrong: the task, unchanged."""
    return Brief(prompt=task, dispatch_id=dispatch_id, degraded=degraded)


def degradation(error: Exception) -> Degraded:
    """What to tell of an error."""
    if isinstance(error, PrebriefError):
        return Degraded(error.reason, error.remedy or "Run 'prebrief index' and try again", str(error))
    return Degraded(
        "internal-error", "Report this with the log of 'prebrief augment --log-level debug'", repr(error)
    )


def offered_record(
    item: Scored, rank: int, tokens: int, spelled: Mapping[str, str] = NO_SPELLINGS
) -> OfferedRecord:
    """An offered pattern as brief and receipt tell it."""
    return OfferedRecord(
        **_common(item.candidate.evidence, rank, item.score, item.factors, tokens),
        channels=item.candidate.channels,
        why=explain_pattern(item, spelled),
    )


def guidance_record(item: Chosen, rank: int, tokens: int) -> GuidanceRecord:
    """An offered rule or warning as brief and receipt tell it."""
    return GuidanceRecord(
        **_common(item.evidence, rank, item.score, item.factors, tokens),
        channels={"guidance": rank},
        why=item.why,
        statement=item.guidance.statement,
        evidence_count=item.guidance.evidence_count,
    )


def _common(
    evidence: Evidence, rank: int, score: float, factors: Mapping[str, Factor], tokens: int
) -> dict[str, Any]:
    """What patterns and guidance are told by alike."""
    return {
        "id": evidence.id,
        "kind": evidence.kind.value,
        "name": evidence.name,
        "path": evidence.path,
        "start": evidence.start,
        "end": evidence.end,
        "pattern_hash": pattern_hash(evidence.id, evidence.content_hash),
        "content_hash": evidence.content_hash,
        "rank": rank,
        "score": round(score, SCORE_DIGITS),
        "factors": _factor_records(factors),
        "tokens": tokens,
    }


def _factor_records(factors: Mapping[str, Factor]) -> dict[str, FactorRecord]:
    return {
        name: FactorRecord(
            value=round(factor.value, SCORE_DIGITS),
            weight=factor.weight,
            contribution=round(factor.contribution, SCORE_DIGITS) + 0.0,  # which makes -0.0 zero
        )
        for name, factor in factors.items()
    }


def spellings(text: str, terms: Iterable[str]) -> dict[str, str]:
    """How a text spells some of its terms: they are stemmed, what people read need not be.

    Reads no further than to where all of them have been seen.
    """
    missing = set(terms)
    found: dict[str, str] = {}
    for word in dict.fromkeys(words(text[:SPELLED])):
        if not missing:
            break
        if missing.isdisjoint(word_terms(word).split()):
            continue
        spelled = [(stem(part), part) for part in split_identifier(word)]
        for term, spelling in (*spelled, (whole(word), word)):
            if term in missing:
                found[term] = spelling
                missing.remove(term)
    return found


def shown_terms(item: Scored) -> tuple[str, ...]:
    """The terms that an explanation names."""
    return item.candidate.lexical.matched[:SHOWN_TERMS] if item.candidate.lexical else ()


def explain_pattern(item: Scored, spelled: Mapping[str, str] = NO_SPELLINGS) -> str:
    """In words, why a pattern was offered.

    Args:
        item: the pattern.
        spelled: how the task spells its terms, see `spellings`.
    """
    candidate = item.candidate
    reasons: list[str] = []
    if candidate.exact:
        reasons.append(candidate.exact.reason)
    if candidate.lexical:
        named = ", ".join(spelled.get(term, term) for term in shown_terms(item))
        reasons.append(f"covers {candidate.coverage:.0%} of the task ({named})")
    reasons += [hit.reason for hit in (candidate.history, candidate.used) if hit]
    return "; ".join(reasons)
