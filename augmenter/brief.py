"""The answer to a dispatch, and its JSON form."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from augmenter.factors import Scored
from augmenter.guidance import Chosen
from knowledge.errors import PrebriefError
from knowledge.hashing import pattern_hash
from receipts.records import FactorRecord, GuidanceRecord, OfferedRecord

SCHEMA_VERSION = 1
SCORE_DIGITS = 6  # shown and stored; ranking compares more


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
            "offered": [item.model_dump(mode="json") for item in self.offered],
            "rules": [item.model_dump(mode="json") for item in self.rules],
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


def offered_record(item: Scored, rank: int, tokens: int) -> OfferedRecord:
    """An offered pattern as brief and receipt tell it."""
    evidence = item.candidate.evidence
    return OfferedRecord(
        id=evidence.id,
        kind=evidence.kind.value,
        name=evidence.name,
        path=evidence.path,
        start=evidence.start,
        end=evidence.end,
        pattern_hash=pattern_hash(evidence.id, evidence.content_hash),
        content_hash=evidence.content_hash,
        rank=rank,
        score=round(item.score, SCORE_DIGITS),
        factors={
            name: FactorRecord(
                value=round(factor.value, SCORE_DIGITS),
                weight=factor.weight,
                contribution=round(factor.contribution, SCORE_DIGITS),
            )
            for name, factor in item.factors.items()
        },
        channels=item.candidate.channels,
        why=explain_pattern(item),
        tokens=tokens,
    )


def guidance_record(item: Chosen, rank: int, tokens: int) -> GuidanceRecord:
    """An offered rule or warning as brief and receipt tell it."""
    evidence = item.evidence
    return GuidanceRecord(
        id=evidence.id,
        kind=evidence.kind.value,
        name=evidence.name,
        path=evidence.path,
        start=evidence.start,
        end=evidence.end,
        pattern_hash=pattern_hash(evidence.id, evidence.content_hash),
        content_hash=evidence.content_hash,
        rank=rank,
        score=round(item.score, SCORE_DIGITS),
        factors={
            name: FactorRecord(
                value=round(part.value, SCORE_DIGITS),
                weight=part.weight,
                contribution=round(part.contribution, SCORE_DIGITS),
            )
            for name, part in item.factors.items()
        },
        channels={"guidance": rank},
        why=item.why,
        tokens=tokens,
        statement=item.guidance.statement,
        evidence_count=item.guidance.evidence_count,
    )


def explain_pattern(item: Scored) -> str:
    """In words, why a pattern was offered."""
    candidate = item.candidate
    reasons: list[str] = []
    if candidate.exact:
        reasons.append(candidate.exact.reason)
    if candidate.lexical:
        words = ", ".join(candidate.lexical.matched[:6])
        reasons.append(f"covers {candidate.coverage:.0%} of the task's terms ({words})")
    return "; ".join(reasons)
