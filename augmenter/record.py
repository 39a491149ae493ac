"""From a finished dispatch to its receipt."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from augmenter.augment import Request, Result, Tools
from augmenter.brief import (
    SCORE_DIGITS,
    Brief,
    Degraded,
    guidance_record,
    offered_record,
    shown_terms,
    spellings,
)
from augmenter.candidates import Filters
from augmenter.factors import Scored
from augmenter.guidance import Chosen
from augmenter.pack import described_by, guidance_line, pattern_line
from knowledge.catalog.schema import SCHEMA_VERSION as CATALOG_SCHEMA
from knowledge.hashing import text_hash
from knowledge.hygiene import purified_line, purified_task
from knowledge.project import Project
from knowledge.settings import Settings
from knowledge.tokens import estimate_tokens
from knowledge.types import Clean, HygieneEvent, Kind, SourceKind, Status
from knowledge.version import VERSION
from receipts.records import (
    DegradedRecord,
    IndexRecord,
    LeftOutRecord,
    OptionsRecord,
    QueryRecord,
    Receipt,
    WeightsRecord,
)

PYTHON = ".".join(map(str, sys.version_info[:3]))  # the module that says it costs 1.5 ms to import
NEAREST_BELOW = 5  # of what stayed below the threshold, so many are named
LEFT_OUT_KEPT = 20  # of what was left out, so many are named


@dataclass(frozen=True, slots=True)
class Sender:
    """Who dispatched, as far as told."""

    agent: str = ""
    host: str = ""
    session: str = ""
    role: str = ""


NOBODY = Sender()


@dataclass(frozen=True, slots=True)
class Envelope:
    """What identifies a dispatch."""

    dispatch_id: str
    project: Project
    settings: Settings
    sender: Sender
    confidence_fingerprint: str = ""


def make_brief(result: Result, dispatch_id: str, fingerprint: str) -> Brief:
    """The answer to the orchestrator."""
    chosen = result.pack
    task = result.ranking.task
    shown = (term for item in chosen.patterns for term in shown_terms(item))
    spelled = spellings(f"{task.title}\n{task.prose}\n{task.code}", shown)
    return Brief(
        prompt=result.prompt,
        context=chosen.block,
        dispatch_id=dispatch_id,
        offered=tuple(
            offered_record(item, rank, _cost(item), spelled)
            for rank, item in enumerate(chosen.patterns, start=1)
        ),
        rules=tuple(
            guidance_record(item, rank, estimate_tokens(guidance_line(item).statement))
            for rank, item in enumerate(chosen.guidance, start=1)
        ),
        below_threshold=len(result.ranking.below),
        abstained=not chosen.block,
        coverage=round(chosen.coverage, SCORE_DIGITS),
        tokens=chosen.tokens,
        fingerprint=fingerprint,
        stale=result.stale,
        timings_ms=result.timings_ms,
    )


def make_receipt(brief: Brief, request: Request, result: Result, tools: Tools, envelope: Envelope) -> Receipt:
    """The record of a dispatch that went well."""
    meta = tools.reader.meta()
    ranking, query = result.ranking, result.ranking.query
    return replace(
        _base(request, envelope),
        query=QueryRecord(
            title=ranking.task.title if envelope.settings.dispatch.keep_task else "",
            terms=tuple(term.term for term in query.terms),
            intent=query.intent.value,
            mentions=_mentions(result),
            tags=query.tags,
        ),
        index=IndexRecord(
            fingerprint=brief.fingerprint,
            head=meta.get("head", ""),
            as_of=ranking.as_of,
            stale=brief.stale,
        ),
        weights=WeightsRecord(profile=tools.profile.name, fingerprint=tools.profile.fingerprint),
        offered=brief.offered,
        guidance=brief.rules,
        seen=dict(result.seen),
        left_out=tuple(_left_out(item) for item in result.pack.left_out[:LEFT_OUT_KEPT]),
        below_threshold=brief.below_threshold,
        nearest_below=tuple(_below(item) for item in ranking.below[:NEAREST_BELOW]),
        abstained=brief.abstained,
        coverage=brief.coverage,
        tokens=brief.tokens,
        prompt_hash=text_hash(brief.prompt),
        context_hash=text_hash(brief.context) if brief.context else "",
        timings_ms=brief.timings_ms,
        rendered=not brief.abstained,
        render_removals=removals(result.pack.patterns, result.pack.guidance),
    )


def make_degraded_receipt(request: Request, degraded: Degraded, envelope: Envelope) -> Receipt:
    """The record of a dispatch in which something went wrong."""
    return replace(
        _base(request, envelope),
        abstained=True,
        prompt_hash=text_hash(request.task),
        degraded=DegradedRecord(reason=degraded.reason, remedy=degraded.remedy),
    )


def make_off_receipt(request: Request, envelope: Envelope) -> Receipt:
    """The record of a dispatch for a role that is off."""
    base = _base(request, envelope)
    return replace(
        base,
        abstained=True,
        prompt_hash=text_hash(request.task),
        options=replace(base.options, off=True),
    )


def filters_record(filters: Filters) -> dict[str, tuple[str, ...]]:
    """Filters as a receipt keeps them, to be asked again by a replay; `filters_of` reads them."""
    return {
        "paths": filters.paths,
        "languages": filters.languages,
        "kinds": tuple(sorted(filters.kinds)),
        "source_kinds": tuple(sorted(filters.source_kinds)),
        "statuses": tuple(sorted(filters.statuses)),
    }


def filters_of(record: dict[str, tuple[str, ...]]) -> Filters:
    """The filters that `filters_record` kept."""
    return Filters(
        paths=record["paths"],
        languages=record["languages"],
        kinds=frozenset(Kind(kind) for kind in record["kinds"]),
        source_kinds=frozenset(SourceKind(kind) for kind in record["source_kinds"]),
        statuses=frozenset(Status(status) for status in record["statuses"]),
    )


def _base(request: Request, envelope: Envelope) -> Receipt:
    settings = envelope.settings
    kept = _kept(request.task) if settings.dispatch.keep_task else None
    preamble = _kept(request.preamble or "")
    return Receipt(
        dispatch_id=envelope.dispatch_id,
        project=envelope.project.root.name,
        view=envelope.project.view_id,
        agent=purified_line(envelope.sender.agent).text,
        host=envelope.sender.host,
        session=purified_line(envelope.sender.session).text,
        role=purified_line(envelope.sender.role).text,
        task_hash=text_hash(request.task),
        task=kept.text if kept else None,
        task_bytes=len(request.task.encode("utf-8", "surrogatepass")),
        task_redactions=_by_kind([*(kept.events if kept else ()), *preamble.events]),
        settings_fingerprint=settings.fingerprint,
        confidence_fingerprint=envelope.confidence_fingerprint,
        versions={"prebrief": VERSION, "python": PYTHON, "catalog": str(CATALOG_SCHEMA)},
        options=OptionsRecord(
            patterns=request.limits.patterns,
            rules=request.limits.rules,
            budget=request.limits.budget,
            format=request.format,
            bytes=request.limits.bytes,
            tags=request.tags,
            templates=request.templates,
            preamble=request.preamble and preamble.text,
            filters=filters_record(request.filters),
        ),
        budget=request.limits.budget,
    )


def _kept(text: str) -> Clean:
    """A text as the ledger keeps it: as it came, unless it holds a secret."""
    pure = purified_task(text)
    secrets = tuple(event for event in pure.events if event.kind.startswith("secret:"))
    return Clean(pure.text, secrets) if secrets else Clean(text)


def removals(patterns: Iterable[Scored], guidance: Iterable[Chosen]) -> dict[str, int]:
    """What rendering takes out of the offered items; the same texts as in the block, before they are cut."""
    shown = [
        text
        for item in patterns
        for text in (item.candidate.evidence.name, described_by(item.candidate.evidence))
    ]
    shown += [item.guidance.statement for item in guidance]
    return _by_kind(event for text in shown for event in purified_line(text).events)


def _by_kind(events: Iterable[HygieneEvent]) -> dict[str, int]:
    count: Counter[str] = Counter()
    for event in events:
        count[event.kind] += event.count
    return dict(sorted(count.items()))


def _mentions(result: Result) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for mention in result.ranking.query.mentions:
        line = f":{mention.line}" if mention.line else ""
        found.setdefault(mention.kind.value, []).append(f"{mention.path}{line} {mention.name}".strip())
    return {kind: tuple(values) for kind, values in sorted(found.items())}


def _cost(item: Scored) -> int:
    line = pattern_line(item)
    return estimate_tokens(f"- `{line.name}`: {line.description} `{line.path}:{line.start}-{line.end}`")


def _left_out(item: LeftOutRecord) -> LeftOutRecord:
    return replace(item, score=round(item.score, SCORE_DIGITS))


def _below(item: Scored) -> LeftOutRecord:
    return LeftOutRecord(
        id=item.candidate.evidence.id, score=round(item.score, SCORE_DIGITS), reason="threshold"
    )
