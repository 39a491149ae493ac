"""What can be asked: the one table that the router and the OpenAPI document are made from."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel

from augmenter.app.http.models import (
    AugmentAnswer,
    AugmentQuestion,
    HealthAnswer,
    HistoryAnswer,
    Listing,
    ListingAnswer,
    OneProject,
    OutcomeAnswer,
    OutcomeQuestion,
)

DISPATCH = "dispatch_id"  # the parameter in a path


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that can be asked.

    Attributes:
        name: by which code and metrics call it.
        method: of HTTP.
        path: as a template.
        summary: what it does.
        answer: the document that is answered; None for another one than ours.
        body: the document that is sent.
        query: the parameters of the query.
        refusals: statuses that it has beside those which all of its sort have.
        is_open: whether it needs no token.
        media_type: of the answer.
        takes_latest: whether ``last`` stands for the latest dispatch.
    """

    name: str
    method: str
    path: str
    summary: str
    answer: type[BaseModel] | None
    body: type[BaseModel] | None = None
    query: type[BaseModel] | None = None
    refusals: tuple[int, ...] = ()
    is_open: bool = False
    media_type: str = "application/json"
    takes_latest: bool = False

    @property
    def statuses(self) -> tuple[int, ...]:
        """All statuses that it can refuse with."""
        found = {403, 405, 431, 500, *self.refusals}
        if not self.is_open:
            found |= {401, 503}
        if self.body:
            found |= {400, 408, 413, 415, 422}
        if self.query:
            found |= {422}
        return tuple(sorted(found))


AUGMENT = Operation(
    "augment",
    "POST",
    "/v1/augment",
    "Brief a task. Whatever goes wrong, the task comes back unchanged, with the reason in `degraded`.",
    AugmentAnswer,
    body=AugmentQuestion,
)
OUTCOME = Operation(
    "outcome",
    "POST",
    f"/v1/dispatches/{{{DISPATCH}}}/outcome",
    "Record how a dispatch ended and what it used. Doing it again changes nothing.",
    OutcomeAnswer,
    body=OutcomeQuestion,
    refusals=(404, 409),
)
RECEIPTS = Operation(
    "receipts",
    "GET",
    "/v1/receipts",
    "The receipts of a project, a page at a time, the newest first.",
    ListingAnswer,
    query=Listing,
    refusals=(404,),
)
RECEIPT = Operation(
    "receipt",
    "GET",
    f"/v1/receipts/{{{DISPATCH}}}",
    "One receipt with all that is linked to it; `last` is the latest.",
    HistoryAnswer,
    query=OneProject,
    refusals=(404,),
    takes_latest=True,
)
HEALTH = Operation("health", "GET", "/health", "Whether the server is there.", HealthAnswer, is_open=True)
METRICS = Operation(
    "metrics",
    "GET",
    "/metrics",
    "Figures for Prometheus, in its text format.",
    None,
    media_type="text/plain; version=0.0.4; charset=utf-8",
)
OPENAPI = Operation("openapi", "GET", "/openapi.json", "This document.", None)

OPERATIONS = (AUGMENT, OUTCOME, RECEIPTS, RECEIPT, HEALTH, METRICS, OPENAPI)
OPEN_PATHS = frozenset(operation.path for operation in OPERATIONS if operation.is_open)
