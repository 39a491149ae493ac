"""The records of the ledger: one receipt per dispatch, and what is linked to it later.

Every record is one line of canonical JSON and shares an envelope::

    {"v": 1, "type": "receipt", "time": "2026-01-31T12:00:00.000Z", "dispatch_id": "01…",
     "prev": "blake2b:…", "seq": 1, …}

``prev`` is the hash of the bytes of the line before (without its line end), `GENESIS` on the first;
``seq`` is the record's number in the ledger, from 1. Both are filled in by the ledger, as is ``time``
where it was left empty. What is stored holds no absolute path: a ledger can move to another machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

SCHEMA_VERSION = 1
GENESIS = "blake2b:" + "0" * 32

OutcomeStatus = Literal["success", "failure", "infra", "cancelled"]
LeftOutReason = Literal["budget", "limit", "duplicate", "session", "threshold", "conflict", "role"]
ProvenRung = Literal["delivered", "opened", "cited"]
HowUsed = Literal["identifier", "location", "stated"]
Scalar = str | int | float | bool | None


def _is_time(text: str) -> str:
    """Refuse what has the form of a time and is none; empty stands for: not given yet."""
    if text:
        datetime.fromisoformat(text)
    return text


Time = Annotated[str, Field(pattern=r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)?$"), AfterValidator(_is_time)]
DispatchId = Annotated[str, Field(pattern=r"^[0-7][0-9A-HJKMNP-TV-Z]{25}$")]


class _Frozen(BaseModel):
    # The validators are built at first use: an import in the path of a dispatch need not pay for all of them.
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)


class _Envelope(_Frozen):
    v: Literal[1] = 1
    time: Time = ""
    prev: str = ""
    seq: int = 0


class _Record(_Envelope):
    """A record that belongs to one dispatch."""

    dispatch_id: DispatchId


class QueryRecord(_Frozen):
    """What was understood from the task; ``mentions`` by kind (``path``, ``symbol`` …)."""

    title: str = ""
    terms: tuple[str, ...] = ()
    intent: str = ""
    mentions: dict[str, tuple[str, ...]] = {}
    tags: tuple[str, ...] = ()


class IndexRecord(_Frozen):
    """The index that was asked; ``as_of`` in seconds since the epoch."""

    fingerprint: str = ""
    head: str = ""
    as_of: int = 0
    stale: bool = False


class WeightsRecord(_Frozen):
    """The weight profile that ranked."""

    profile: str = ""
    fingerprint: str = ""


class OptionsRecord(_Frozen):
    """What was asked for beside the task: all that a replay needs and the settings do not say."""

    patterns: int = 0
    rules: int = 0
    budget: int = 0
    format: str = "markdown"
    preamble: str | None = None
    filters: dict[str, tuple[str, ...]] = {}
    other: dict[str, Scalar] = {}


class FactorRecord(_Frozen):
    """One named part of an item's relevance; ``contribution`` is what it added to the score."""

    value: float
    weight: float
    contribution: float


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
    factors: dict[str, FactorRecord] = {}
    channels: dict[str, int] = {}
    why: str = ""
    tokens: int = 0


class GuidanceRecord(OfferedRecord):
    """A rule or warning that was put into the brief."""

    statement: str = ""
    evidence_count: int = 0


class LeftOutRecord(_Frozen):
    """One item that was found and not offered."""

    id: str
    score: float
    reason: LeftOutReason


class DegradedRecord(_Frozen):
    """Why the task went out unchanged, or with less than it could have had."""

    reason: str
    remedy: str


class Receipt(_Record):
    """What one dispatch was offered, and everything that led to it.

    Attributes:
        project: name of the project's folder (never its path).
        view: id of the view.
        task: the task's text, or None when the settings say not to keep it.
        task_hash: `knowledge.hashing.text_hash` of the text, kept or not.
        task_bytes: its length in UTF-8.
        versions: of ``prebrief``, ``python``, the catalog's ``schema`` …
        offered: the patterns, in the order of the brief.
        guidance: the rules and warnings, in the order of the brief.
        left_out: what was found good enough and yet not offered, best first.
        below_threshold: how many candidates stayed below the threshold.
        nearest_below: the first few of them, best first.
        coverage: share of the task's terms that the offered items cover, 0 to 1.
        tokens: estimated tokens of the context block.
        prompt_hash: `knowledge.hashing.text_hash` of the rendered prompt.
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
    query: QueryRecord = QueryRecord()
    index: IndexRecord = IndexRecord()
    settings_fingerprint: str = ""
    weights: WeightsRecord = WeightsRecord()
    confidence_fingerprint: str = ""
    versions: dict[str, str] = {}
    options: OptionsRecord = OptionsRecord()
    offered: tuple[OfferedRecord, ...] = ()
    guidance: tuple[GuidanceRecord, ...] = ()
    left_out: tuple[LeftOutRecord, ...] = ()
    below_threshold: int = 0
    nearest_below: tuple[LeftOutRecord, ...] = ()
    abstained: bool = False
    coverage: float = 0.0
    budget: int = 0
    tokens: int = 0
    prompt_hash: str = ""
    timings_ms: dict[str, float] = {}
    degraded: DegradedRecord | None = None
    rendered: bool = False

    @property
    def items(self) -> tuple[OfferedRecord, ...]:
        """Everything that was offered: the patterns, then the rules and warnings."""
        return (*self.offered, *self.guidance)


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


class UsedItem(_Frozen):
    """One offered item that was used, how that is known, and where (``path:line``)."""

    pattern_hash: str
    id: str
    how: HowUsed
    where: tuple[str, ...] = ()


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


class Audit(_Envelope):
    """An operator's act: an approval, a pin, a redaction. ``dispatch_id`` may be empty."""

    type: Literal["audit"] = "audit"
    dispatch_id: DispatchId | Literal[""] = ""
    action: str
    actor: str
    reason: str
    subject: str


Linked = Delivery | Outcome | Use | Audit
Record = Receipt | Linked

RECORD: TypeAdapter[Record] = TypeAdapter(
    Annotated[Record, Field(discriminator="type")], config=ConfigDict(defer_build=True)
)


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
