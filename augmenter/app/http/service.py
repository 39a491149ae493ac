"""What each operation does."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TypeVar

from augmenter.app.augmenter import Augmenter
from augmenter.app.completion import Completed
from augmenter.app.daemon.workroom import Workroom
from augmenter.app.http.finding import Finder
from augmenter.app.http.metrics import Metrics
from augmenter.app.http.models import (
    AugmentQuestion,
    Listing,
    OneProject,
    OutcomeQuestion,
)
from augmenter.app.http.openapi import openapi_document
from augmenter.app.http.operations import DISPATCH, METRICS
from augmenter.app.http.pages import Page, page_of
from augmenter.app.http.questions import INVALID, parse, read_object, read_query
from augmenter.app.http.replies import Refusal, Reply, document
from augmenter.app.logs import Log
from augmenter.brief import SCHEMA_VERSION, Brief, degradation, passed_through
from knowledge.errors import LedgerError, PrebriefError, TaskError
from knowledge.jsonable import to_json
from knowledge.version import VERSION
from learning.use import stated_use
from receipts.reading import DispatchHistory

READ_SECONDS = 10.0  # for what reads the ledger, of which gigabytes take seconds
OUTCOME_SECONDS = 30.0  # for what asks git for a difference, and reads it

# What is to be done, as the command line has it, and by HTTP. What is not here needs the command line
# (an index is made by it), or no command at all.
_REMEDIES = {
    "Give --replace to supersede it": 'Send "replace": true to supersede it',
    "Take one from 'prebrief receipts list'": "Take one from GET /v1/receipts",
    "Run 'prebrief augment'": "Ask POST /v1/augment for a brief first",
    "Give --diff FILE": 'Send the difference as "diff"',
    "Check --base and --head": 'Check "base" and "head"',
    "Give a text, as an argument or on standard input": 'Send a text as "task"',
}

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call:
    """A request that was let in.

    Attributes:
        parameters: from the path.
        query: as it came.
        body: likewise; empty where none is taken.
        arrived: when, by `time.monotonic`.
    """

    parameters: Mapping[str, str]
    query: bytes
    body: bytes
    arrived: float


@dataclass(frozen=True, slots=True)
class Service:
    """The operations, each by the name that it has in `augmenter.app.http.operations`.

    All methods raise PrebriefError for what is refused.

    Attributes:
        workroom: does the work.
        finder: looks whether a project may be asked about.
        metrics: counts it.
        log: where defects go.
    """

    workroom: Workroom
    finder: Finder
    metrics: Metrics
    log: Log

    async def augment(self, call: Call) -> Reply:
        """Brief a task; once it could be read, it comes back, whatever happens."""
        fields = read_object(call.body)
        try:
            brief = await self._briefed(parse(AugmentQuestion, fields), call.arrived)
        except Exception as error:  # fail open: wrong options, no project, too late, a defect
            task = fields.get("task")
            if not isinstance(task, str):
                raise
            brief = self._passed(task, error)
        self.metrics.dispatched(brief, time.monotonic() - call.arrived)
        return document(_brief_for_callers(brief).as_json())

    async def outcome(self, call: Call) -> Reply:
        """Link an outcome to a dispatch."""
        asked = parse(OutcomeQuestion, read_object(call.body))

        def work(augmenter: Augmenter) -> Completed:
            return _complete(augmenter, call.parameters[DISPATCH], asked)

        return await self._told(asked.root, work, call.arrived + OUTCOME_SECONDS)

    async def receipts(self, call: Call) -> Reply:
        """List receipts."""
        asked = parse(Listing, read_query(call.query))

        def work(augmenter: Augmenter) -> Page:
            return page_of(augmenter.project.receipts, asked.limit, asked.before)

        return await self._told(asked.root, work, call.arrived + READ_SECONDS)

    async def receipt(self, call: Call) -> Reply:
        """Show a receipt with what is linked to it."""
        asked = parse(OneProject, read_query(call.query))

        def work(augmenter: Augmenter) -> DispatchHistory:
            return augmenter.history(call.parameters[DISPATCH])

        return await self._told(asked.root, work, call.arrived + READ_SECONDS)

    async def health(self, _call: Call) -> Reply:
        """Say that we are there."""
        return document({"status": "ok", "version": VERSION})

    async def metrics_text(self, _call: Call) -> Reply:
        """Tell the figures."""
        return Reply(200, self.metrics.text().encode(), METRICS.media_type)

    async def openapi(self, _call: Call) -> Reply:
        """Describe the interface."""
        return _described()

    async def _briefed(self, asked: AugmentQuestion, arrived: float) -> Brief:
        ask = asked.ask()
        return await self._run(
            asked.root,
            lambda augmenter: augmenter.augment(asked.task, ask=ask),
            arrived + asked.deadline_ms / 1000,
        )

    async def _told(self, root: str, work: Callable[[Augmenter], object], deadline: float) -> Reply:
        """The fields of a piece of work's result, as a document: that is made by its thread, too."""

        def made(augmenter: Augmenter) -> Reply:
            return document({"schema_version": SCHEMA_VERSION, **to_json(work(augmenter))})

        try:
            return await self._run(root, made, deadline)
        except PrebriefError as error:
            raise _for_callers(error) from None

    async def _run(self, root: str, work: Callable[[Augmenter], T], deadline: float) -> T:
        """Do something with the Augmenter of a project that may be asked about."""
        await self.finder.check(root, deadline)
        return await self.workroom.run(Path(root), work, deadline)

    def _passed(self, task: str, error: Exception) -> Brief:
        if isinstance(error, Refusal) and error.status == INVALID:
            error = _wrong_option(error)
        degraded = degradation(error)
        self.log.warning("not briefed", reason=degraded.reason, detail=degraded.detail)
        return passed_through(task, degraded)


@cache
def _described() -> Reply:
    """The description, which stays as it is."""
    return document(openapi_document())


def _complete(augmenter: Augmenter, dispatch_id: str, asked: OutcomeQuestion) -> Completed:
    """Record an outcome. Raises PrebriefError."""
    receipt = augmenter.ledger().find(dispatch_id).receipt
    try:
        stated_use(receipt, asked.used)
    except LedgerError as error:  # the caller's doing, and not the ledger's
        raise Refusal(
            INVALID, "unknown-pattern", error.what, where="used", remedy="Take hashes from the brief"
        ) from None
    return augmenter.complete(
        dispatch_id,
        status=asked.status,
        base=asked.base,
        head=asked.head,
        diff=asked.diff if asked.has_diff else None,
        used=asked.used,
        error=asked.error,
        replace=asked.replace,
    )


def _for_callers(error: PrebriefError) -> PrebriefError:
    """The error with a remedy that a caller can follow; the same where there is none, or no other."""
    remedy = _REMEDIES.get(error.remedy)
    return type(error)(error.what, where=error.where, remedy=remedy) if remedy else error


def _brief_for_callers(brief: Brief) -> Brief:
    """The brief, with such a remedy likewise; its receipt is for the command line, and stays."""
    remedy = _REMEDIES.get(brief.degraded.remedy) if brief.degraded else None
    if brief.degraded is None or remedy is None:
        return brief
    return replace(brief, degraded=replace(brief.degraded, remedy=remedy))


def _wrong_option(error: Refusal) -> TaskError:
    """Of a refusal, what a brief can tell: its remedy alone."""
    named = f"'{error.where}' of the request" if error.where else "the request"
    return TaskError(error.what, where=error.where, remedy=f"Correct {named}: {error.what}")
