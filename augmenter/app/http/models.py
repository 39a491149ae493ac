"""The documents of the interface: they validate what comes in, and the OpenAPI document is made from them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from augmenter.app.ask import Ask
from augmenter.app.dispatching import DEADLINE_SECONDS
from augmenter.candidates import Filters
from augmenter.record import Sender
from knowledge.types import Kind, SourceKind
from receipts.records import (
    GuidanceRecord,
    Linked,
    OfferedRecord,
    OutcomeStatus,
    Receipt,
    UsedItem,
)

HOST = "http"  # by which receipts tell that a dispatch came from here
MOST_ITEMS = 1000  # in any list
MOST_TOKENS = 1_000_000
MOST_LISTED = 100  # receipts on one page; one has some 10 kB
MOST_MILLISECONDS = 60_000  # as `dispatch.deadline_ms` can be
DEADLINE_MILLISECONDS = round(DEADLINE_SECONDS * 1000)

DISPATCH_ID = r"[0-7][0-9A-HJKMNP-TV-Z]{25}"
Root = Annotated[
    str,
    Field(
        pattern=r"^/[^\x00]*$",
        max_length=4096,
        description="The root of a project in use, as an absolute path; of a worktree, its own.",
    ),
]
Name = Annotated[str, Field(max_length=200)]
Text = Annotated[str, Field(min_length=1, max_length=1000)]
Revision = Annotated[str, Field(pattern=r"^[^\x00]+$", max_length=1000)]
Count = Annotated[int, Field(ge=0, le=MOST_ITEMS)]
KindName = Literal["unit", "class", "module", "section", "document"]
SourceName = Literal["implementation", "test", "example", "generated", "vendored", "changelog"]
FormatName = Literal["markdown", "xml", "plain", "json"]


def _unsaid(schema: dict[str, Any]) -> None:
    """A default that stands for "not given" and could not be given."""
    del schema["default"]


class _Question(BaseModel):
    """What is asked: nothing unknown, and nothing converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Answer(BaseModel):
    """What is answered. Only described by this; a test holds what is really sent to it."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_serialization_defaults_required=True)


class FiltersAsked(_Question):
    """Only what passes all of these is offered; an empty list lets everything pass."""

    paths: list[Text] = Field(default=[], max_length=MOST_ITEMS, description="Globs; `*` crosses folders.")
    languages: list[Text] = Field(default=[], max_length=MOST_ITEMS)
    kinds: list[KindName] = Field(default=[], max_length=MOST_ITEMS)
    sources: list[SourceName] = Field(default=[], max_length=MOST_ITEMS)


class AugmentQuestion(_Question):
    """A task to brief, and how that differs from the project's settings: as `prebrief augment` has it."""

    root: Root
    task: str = Field(description="The task's text.")
    session: Name = Field(
        default="", description="The worker's session: what it was given is not given twice."
    )
    agent: Name = ""
    role: Name = ""
    patterns: Count | None = None
    rules: Count | None = None
    budget: int | None = Field(
        default=None, ge=0, le=MOST_TOKENS, description="Tokens the context block may take."
    )
    format: FormatName | None = None
    preamble: str | None = Field(default=None, description="Text that stands above everything.")
    filters: FiltersAsked = FiltersAsked()
    record: bool = Field(default=True, description="Whether a receipt is kept.")
    deadline_ms: int = Field(
        default=DEADLINE_MILLISECONDS,
        ge=1,
        le=MOST_MILLISECONDS,
        description="When the task goes out as it is, if it is not briefed; the settings may want it sooner.",
    )

    def ask(self) -> Ask:
        """As the pipeline understands it."""
        return Ask(
            sender=Sender(self.agent, HOST, self.session, self.role),
            preamble=self.preamble,
            patterns=self.patterns,
            rules=self.rules,
            budget=self.budget,
            format=self.format,
            filters=Filters(
                paths=tuple(self.filters.paths),
                languages=tuple(self.filters.languages),
                kinds=frozenset(Kind(kind) for kind in self.filters.kinds),
                source_kinds=frozenset(SourceKind(source) for source in self.filters.sources),
            ),
            record=self.record,
        )


class OutcomeQuestion(_Question):
    """How a dispatch ended, and what shows what of its brief was used: as `prebrief outcome` has it."""

    model_config = ConfigDict(
        json_schema_extra={
            "dependentRequired": {"head": ["base"]},
            "not": {"required": ["base", "diff"]},
        }
    )

    root: Root
    status: OutcomeStatus
    base: Revision = Field(default="", description="The commit before the work.", json_schema_extra=_unsaid)
    head: Revision = Field(
        default="", description="The commit after it; without one, the work tree.", json_schema_extra=_unsaid
    )
    diff: str = Field(default="", description="A unified diff, instead of `base`.", json_schema_extra=_unsaid)
    used: list[Text] = Field(
        default=[], max_length=MOST_ITEMS, description="Pattern hashes the agent says it used."
    )
    error: str = Field(default="", description="What went wrong.")
    replace: bool = Field(default=False, description="Supersede a different outcome.")

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if self.head and not self.base:
            raise ValueError("head needs base")
        if self.base and self.has_diff:
            raise ValueError("give base or diff, not both")
        return self

    @property
    def has_diff(self) -> bool:
        """Whether a diff was given, be it that nothing was changed."""
        return "diff" in self.model_fields_set


def _whole(text: object) -> object:
    """A number as a query spells it."""
    return int(text) if isinstance(text, str) and text.isdecimal() and text.isascii() else text


class OneProject(_Question):
    """Which project is meant."""

    root: Root


class Listing(OneProject):
    """Which receipts are wanted."""

    limit: Annotated[int, BeforeValidator(_whole)] = Field(
        default=20, ge=1, le=MOST_LISTED, description="At most so many, the newest first."
    )
    before: Annotated[str, Field(pattern=f"^{DISPATCH_ID}$")] = Field(
        default="",
        description="Only what is older than this one: `next` of the page before.",
        json_schema_extra=_unsaid,
    )


class DegradedTold(_Answer):
    """Why a task went out unchanged."""

    reason: str
    remedy: str


class IndexTold(_Answer):
    """The index that was asked."""

    fingerprint: str
    stale: bool


class AugmentAnswer(_Answer):
    """A brief: what `prebrief augment --json` prints."""

    schema_version: Literal[1]
    dispatch_id: str
    prompt: str
    context: str
    offered: list[OfferedRecord]
    rules: list[GuidanceRecord]
    below_threshold: int
    abstained: bool
    coverage: float
    tokens: int
    degraded: DegradedTold | None
    index: IndexTold
    timings_ms: dict[str, float]


class OutcomeAnswer(_Answer):
    """What recording an outcome did: what `prebrief outcome --json` prints."""

    schema_version: Literal[1]
    dispatch_id: str
    status: OutcomeStatus
    recorded: bool
    replaced: bool
    looked: bool
    used: list[UsedItem]


class HistoryAnswer(_Answer):
    """A receipt with all that is linked to it: what `prebrief receipts show --json` prints."""

    schema_version: Literal[1]
    receipt: Receipt
    linked: list[Annotated[Linked, Field(discriminator="type")]]


class ListingAnswer(_Answer):
    """A page of receipts, the newest first; `next` is null on the last one."""

    schema_version: Literal[1]
    receipts: list[Receipt]
    next: str | None


class HealthAnswer(_Answer):
    """The server is there."""

    status: Literal["ok"]
    version: str


class ErrorTold(_Answer):
    """What happened, where, and what to do next."""

    reason: str
    what: str
    where: str
    remedy: str


class ErrorAnswer(_Answer):
    """A request that was not served."""

    error: ErrorTold
