"""The records of the ledger: one receipt per dispatch, and what is linked to it later.

Every record is one line of canonical JSON and shares an envelope::

    {"v": 1, "type": "receipt", "time": "2026-01-31T12:00:00.000Z", "dispatch_id": "01…",
     "prev": "blake2b:…", "seq": 1, …}

``prev`` is the hash of the bytes of the line before (without its line end), `GENESIS` on the first;
``seq`` is the record's number in the ledger, from 1. Both are filled in by the ledger, as is ``time``
where it was left empty. What is stored holds no absolute path: a ledger can move to another machine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar, Literal, get_args

from knowledge.clock import is_dispatch_id

SCHEMA_VERSION = 1
GENESIS = "blake2b:" + "0" * 32

OutcomeStatus = Literal["success", "failure", "infra", "cancelled"]
LeftOutReason = Literal["budget", "limit", "duplicate", "session", "threshold", "conflict", "role"]
ProvenRung = Literal["delivered", "opened", "cited"]
HowUsed = Literal["identifier", "location", "stated"]
Scalar = str | int | float | bool | None

_TIME = r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)?$"
_DISPATCH_ID = r"^[0-7][0-9A-HJKMNP-TV-Z]{25}$"


class _Frozen:
    """What all parts of records share: nothing unknown and no infinite number is read into them.

    Plain dataclasses, for pydantic would add 100 ms to a dispatch: a line that is read
    is validated by it (`receipts.reading`), one that is written has been checked by mypy, by
    ``__post_init__`` and by `knowledge.hashing.canonical_json`, which refuses infinite numbers.
    """

    __slots__ = ()
    __pydantic_config__: ClassVar[Mapping[str, bool | str]] = {"extra": "forbid", "allow_inf_nan": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Envelope(_Frozen):
    """What every record says of itself. ``time`` is empty until it is appended."""

    v: Literal[1] = 1
    time: str = field(default="", metadata={"pattern": _TIME})
    prev: str = ""
    seq: int = 0

    def __post_init__(self) -> None:
        if self.time:
            _check_time(self.time)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Record(_Envelope):
    """A record that belongs to one dispatch."""

    dispatch_id: str = field(metadata={"pattern": _DISPATCH_ID})

    def __post_init__(self) -> None:
        _Envelope.__post_init__(self)  # not super(), which does not know the class that 'slots' made of this
        _check_dispatch_id(self.dispatch_id)


def _check_time(text: str) -> None:
    """Refuse what does not have the form of a time, or has it and is none."""
    if not re.fullmatch(_TIME, text):
        raise ValueError(f"time: not of the form 2026-01-31T12:00:00.000Z: {text!r}")
    datetime.fromisoformat(text)


def _check_dispatch_id(text: str) -> None:
    if not is_dispatch_id(text):
        raise ValueError(f"dispatch_id: not a ULID: {text!r}")


def _check_choice(value: object, allowed: object, name: str) -> None:
    if value not in get_args(allowed):
        raise ValueError(f"{name}: {value!r} is none of {', '.join(get_args(allowed))}")


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryRecord(_Frozen):
    """What was understood from the task; ``mentions`` by kind (``path``, ``symbol`` …)."""

    title: str = ""
    terms: tuple[str, ...] = ()
    intent: str = ""
    mentions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexRecord(_Frozen):
    """The index that was asked; ``as_of`` in seconds since the epoch."""

    fingerprint: str = ""
    head: str = ""
    as_of: int = 0
    stale: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightsRecord(_Frozen):
    """The weight profile that ranked."""

    profile: str = ""
    fingerprint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionsRecord(_Frozen):
    """What was asked for beside the task: all that a replay needs and the settings do not say."""

    patterns: int = 0
    rules: int = 0
    budget: int = 0
    bytes: int = 0
    format: str = "markdown"
    preamble: str | None = None
    templates: str = ""
    tags: tuple[str, ...] = ()
    off: bool = False
    filters: dict[str, tuple[str, ...]] = field(default_factory=dict)
    other: dict[str, Scalar] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class FactorRecord(_Frozen):
    """One named part of an item's relevance; ``contribution`` is what it added to the score."""

    value: float
    weight: float
    contribution: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedRecord(_Frozen):
    """One item that was put into the brief. Lines count from 1, both ends included."""

    id: str
    kind: str
    name: str
    path: str
    start: int
    end: int
    pattern_hash: str
    content_hash: str
    rank: int
    score: float
    factors: dict[str, FactorRecord] = field(default_factory=dict)
    channels: dict[str, int] = field(default_factory=dict)
    why: str = ""
    tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class GuidanceRecord(OfferedRecord):
    """A rule or warning that was put into the brief."""

    statement: str = ""
    evidence_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutRecord(_Frozen):
    """One item that was found and not offered."""

    id: str
    score: float
    reason: LeftOutReason

    def __post_init__(self) -> None:
        _check_choice(self.reason, LeftOutReason, "reason")


@dataclass(frozen=True, slots=True, kw_only=True)
class DegradedRecord(_Frozen):
    """Why the task went out unchanged, or with less than it could have had."""

    reason: str
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt(_Record):
    """What one dispatch was offered, and everything that led to it.

    Attributes:
        project: name of the project's folder (never its path).
        view: id of the view.
        task: the task's text, or None when the settings say not to keep it.
        task_hash: `knowledge.hashing.text_hash` of the text, kept or not.
        task_bytes: its length in UTF-8.
        task_redactions: secrets that were taken out of task and preamble before they were kept, by kind;
            such a text no longer has the task's hash.
        render_removals: what was taken out of the offered items when they were rendered, by kind; an index of
            this version holds nothing of the sort.
        versions: of ``prebrief``, ``python``, the catalog's ``schema`` …
        offered: the patterns, in the order of the brief.
        guidance: the rules and warnings, in the order of the brief.
        seen: what the agent's context window held before and is relevant here: content hash by evidence id.
        left_out: what was found good enough and yet not offered, best first.
        below_threshold: how many candidates stayed below the threshold.
        nearest_below: the first few of them, best first.
        coverage: share of the task's terms that the offered items cover, 0 to 1.
        tokens: estimated tokens of the context block.
        prompt_hash: `knowledge.hashing.text_hash` of the rendered prompt.
        context_hash: the same of the context block alone; ``""`` when nothing was offered. By it a host's
            transcript proves that the block is in an agent's context.
        rendered: whether the offered items are in the prompt that was handed back.
    """

    type: Literal["receipt"] = "receipt"
    project: str
    view: str = "main"
    agent: str = ""
    host: str = ""
    session: str = ""
    role: str = ""
    task_hash: str
    task: str | None = None
    task_bytes: int = 0
    task_redactions: dict[str, int] = field(default_factory=dict)
    render_removals: dict[str, int] = field(default_factory=dict)
    query: QueryRecord = QueryRecord()
    index: IndexRecord = IndexRecord()
    settings_fingerprint: str = ""
    weights: WeightsRecord = WeightsRecord()
    confidence_fingerprint: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    options: OptionsRecord = OptionsRecord()
    offered: tuple[OfferedRecord, ...] = ()
    guidance: tuple[GuidanceRecord, ...] = ()
    seen: dict[str, str] = field(default_factory=dict)
    left_out: tuple[LeftOutRecord, ...] = ()
    below_threshold: int = 0
    nearest_below: tuple[LeftOutRecord, ...] = ()
    abstained: bool = False
    coverage: float = 0.0
    budget: int = 0
    tokens: int = 0
    prompt_hash: str = ""
    context_hash: str = ""
    timings_ms: dict[str, float] = field(default_factory=dict)
    degraded: DegradedRecord | None = None
    rendered: bool = False

    @property
    def items(self) -> tuple[OfferedRecord, ...]:
        """Everything that was offered: the patterns, then the rules and warnings."""
        return (*self.offered, *self.guidance)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery(_Record):
    """Proof from a host that a brief, or single items of it, reached a rung of the ladder.

    Attributes:
        rung: how far: in the agent's context, looked at, or cited in its answer.
        source: who says so (a host's name).
        items: pattern hashes; empty means all that was offered.
    """

    type: Literal["delivery"] = "delivery"
    rung: ProvenRung = "delivered"
    source: str = ""
    items: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _Record.__post_init__(self)
        _check_choice(self.rung, ProvenRung, "rung")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome(_Record):
    """How the dispatch ended; the last outcome of a dispatch counts.

    Attributes:
        base: the commit the work started from, or empty.
        head: the commit it ended at, or empty.
        error: what the orchestrator reported, in its own words.
        error_class: its kind (``timeout``, ``test-failure`` …), or empty.
        source: who says so (``cli``, ``api``, a host's name).
    """

    type: Literal["outcome"] = "outcome"
    status: OutcomeStatus
    base: str = ""
    head: str = ""
    error: str = ""
    error_class: str = ""
    source: str = ""

    def __post_init__(self) -> None:
        _Record.__post_init__(self)
        _check_choice(self.status, OutcomeStatus, "status")


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedItem(_Frozen):
    """One offered item that was used, how that is known, and where (``path:line``)."""

    pattern_hash: str
    id: str
    how: HowUsed
    where: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_choice(self.how, HowUsed, "how")


@dataclass(frozen=True, slots=True, kw_only=True)
class Use(_Record):
    """What of the offered items was really used; no items means that use was looked for and not found.

    Attributes:
        source: what found it (``diff``, ``stated``).
        replaces: whether earlier records of use of the same dispatch no longer count.
    """

    type: Literal["use"] = "use"
    items: tuple[UsedItem, ...] = ()
    source: str = ""
    replaces: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit(_Envelope):
    """An operator's act: an approval, a pin, a redaction. ``dispatch_id`` may be empty."""

    type: Literal["audit"] = "audit"
    dispatch_id: str = field(default="", metadata={"pattern": rf"^$|{_DISPATCH_ID}"})
    action: str
    actor: str
    reason: str
    subject: str

    def __post_init__(self) -> None:
        _Envelope.__post_init__(self)
        if self.dispatch_id:
            _check_dispatch_id(self.dispatch_id)


Linked = Delivery | Outcome | Use | Audit
Record = Receipt | Linked


@dataclass(frozen=True, slots=True)
class NewerRecord:
    """A record that a newer Prebrief wrote: counted and kept, its content not understood.

    Attributes:
        v: its schema version.
        type: its type, or empty.
        dispatch_id: its dispatch, or empty.
        prev: the hash it carries of the line before.
        seq: its number in the ledger, or 0.
    """

    v: int
    type: str
    dispatch_id: str
    prev: str
    seq: int
