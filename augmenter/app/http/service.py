"""What each operation does."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qsl

from pydantic import BaseModel, ValidationError

from augmenter.app.augmenter import Augmenter
from augmenter.app.daemon.workroom import Workroom
from augmenter.app.http.metrics import Metrics
from augmenter.app.http.models import (
    AugmentQuestion,
    Listing,
    OneProject,
    OutcomeQuestion,
    first_problem,
)
from augmenter.app.http.openapi import openapi_document
from augmenter.app.http.operations import DISPATCH, METRICS
from augmenter.app.http.pages import page_of
from augmenter.app.http.replies import Refusal, Reply, document
from augmenter.app.logs import Log
from augmenter.brief import SCHEMA_VERSION, Brief, degradation, passed_through
from knowledge.errors import ProjectError
from knowledge.jsonable import to_json
from knowledge.version import VERSION

READ_SECONDS = 10.0  # for what reads the ledger, of which gigabytes take seconds
OUTCOME_SECONDS = 30.0  # for what asks git for a difference, and reads it
MOST_PARAMETERS = 20  # in a query: there are three

Asked = TypeVar("Asked", bound=BaseModel)
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
        metrics: counts it.
        log: where defects go.
    """

    workroom: Workroom
    metrics: Metrics
    log: Log

    async def augment(self, call: Call) -> Reply:
        """Brief a task; once it could be read, it comes back, whatever happens."""
        asked = _parse(AugmentQuestion, call.body)
        ask = asked.ask()
        try:
            brief = await self._run(
                asked.root,
                lambda augmenter: augmenter.augment(asked.task, ask=ask),
                call.arrived + asked.deadline_ms / 1000,
            )
        except Exception as error:  # noqa: BLE001 - fail open: no project, too late, or a defect
            brief = self._passed(asked.task, error)
        self.metrics.dispatched(brief, time.monotonic() - call.arrived)
        return document(brief.as_json())

    async def outcome(self, call: Call) -> Reply:
        """Link an outcome to a dispatch."""
        asked = _parse(OutcomeQuestion, call.body)
        completed = await self._run(
            asked.root,
            lambda augmenter: augmenter.complete(
                call.parameters[DISPATCH],
                status=asked.status,
                base=asked.base,
                head=asked.head,
                diff=asked.diff or None,
                used=asked.used,
                error=asked.error,
                replace=asked.replace,
            ),
            call.arrived + OUTCOME_SECONDS,
        )
        return _told(to_json(completed))

    async def receipts(self, call: Call) -> Reply:
        """List receipts."""
        asked = _parse_query(Listing, call.query)
        page = await self._run(
            asked.root,
            lambda augmenter: page_of(augmenter.project.receipts, asked.limit, asked.before),
            call.arrived + READ_SECONDS,
        )
        return _told(to_json(page))

    async def receipt(self, call: Call) -> Reply:
        """Show a receipt with what is linked to it."""
        asked = _parse_query(OneProject, call.query)
        history = await self._run(
            asked.root,
            lambda augmenter: augmenter.history(call.parameters[DISPATCH]),
            call.arrived + READ_SECONDS,
        )
        return _told(to_json(history))

    async def health(self, _call: Call) -> Reply:
        """Say that we are there."""
        return document({"status": "ok", "version": VERSION})

    async def metrics_text(self, _call: Call) -> Reply:
        """Tell the figures."""
        return Reply(200, self.metrics.text().encode(), METRICS.media_type)

    async def openapi(self, _call: Call) -> Reply:
        """Describe the interface."""
        return document(openapi_document())

    async def _run(self, root: str, work: Callable[[Augmenter], T], deadline: float) -> T:
        """Do something with the Augmenter of a project that is in use.

        Whether a folder does not exist, or is nobody's project, is not told: what else there is on this
        machine is none of the callers' business.
        """

        def in_use(augmenter: Augmenter) -> T:
            if not augmenter.project.is_in_use:
                raise _no_project(root)
            return work(augmenter)

        try:
            return await self.workroom.run(Path(root), in_use, deadline)
        except ProjectError:
            raise _no_project(root) from None

    def _passed(self, task: str, error: Exception) -> Brief:
        degraded = degradation(error)
        self.log.warning("not briefed", reason=degraded.reason, detail=degraded.detail)
        return passed_through(task, degraded)


def _no_project(root: str) -> ProjectError:
    return ProjectError(
        "there is no project in use",
        where=root,
        remedy="Name a folder of one where 'prebrief init' or 'prebrief index' was run",
    )


def _told(fields: Mapping[str, Any]) -> Reply:
    return document({"schema_version": SCHEMA_VERSION, **fields})


def _parse(model: type[Asked], body: bytes) -> Asked:
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        raise first_problem(error) from None


def _parse_query(model: type[Asked], query: bytes) -> Asked:
    try:
        pairs = parse_qsl(
            query.decode("latin-1"),
            keep_blank_values=True,
            errors="surrogateescape",
            max_num_fields=MOST_PARAMETERS,
        )
    except ValueError:
        raise Refusal(422, "invalid", "the query has too many parameters") from None
    known = dict(pairs)
    if len(known) < len(pairs):
        raise Refusal(422, "invalid", "the query has a parameter twice", remedy="Give each once")
    try:
        return model.model_validate(known)
    except ValidationError as error:
        raise first_problem(error) from None
