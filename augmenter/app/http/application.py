"""The application: guards, then routes. Starlette is imported only where it is used: it is an extra."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from augmenter.app.daemon.workroom import Workroom
from augmenter.app.http.bodies import Gone, Intake, Message, Receive
from augmenter.app.http.finding import Finder
from augmenter.app.http.guards import Access
from augmenter.app.http.metrics import NOWHERE, Metrics, Trees
from augmenter.app.http.operations import (
    AUGMENT,
    HEALTH,
    METRICS,
    OPEN_PATHS,
    OPENAPI,
    OUTCOME,
    RECEIPT,
    RECEIPTS,
    Operation,
)
from augmenter.app.http.replies import Refusal, Reply, refusal
from augmenter.app.http.service import Call, Service
from augmenter.app.logs import Log
from knowledge.errors import PrebriefError

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

Scope = dict[str, Any]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Handler = Callable[[Call], Awaitable[Reply]]
_OPERATION = "prebrief.operation"  # in a scope: where the request led
_ARRIVED = "prebrief.arrived"


def no_trees() -> Sequence[dict[str, Any]]:
    """No tree is watched."""
    return ()


def application(
    workroom: Workroom,
    access: Access,
    log: Log,
    *,
    trees: Trees = no_trees,
    intake: Intake | None = None,
) -> Starlette:
    """The application, for any server of ASGI.

    Args:
        workroom: does the work.
        access: who may ask.
        log: where defects go.
        trees: tells which trees are watched.
        intake: takes bodies in; None for one with the usual bounds.
    """
    from starlette.applications import Starlette  # noqa: PLC0415 - see the module's text
    from starlette.exceptions import HTTPException  # noqa: PLC0415
    from starlette.middleware import Middleware  # noqa: PLC0415
    from starlette.routing import Route  # noqa: PLC0415

    metrics = Metrics(workroom.stats, trees)
    service = Service(workroom, Finder(), metrics, log)
    intake = intake or Intake()
    app = Starlette(
        routes=[
            Route(
                operation.path,
                _Endpoint(operation, handler, intake),
                methods=[operation.method],
                name=operation.name,
            )
            for operation, handler in _handlers(service).items()
        ],
        middleware=[Middleware(_Guard, access=access, intake=intake, metrics=metrics, log=log)],
        exception_handlers={HTTPException: _not_routed},
    )
    app.router.redirect_slashes = False
    return app


def _handlers(service: Service) -> Mapping[Operation, Handler]:
    return {
        AUGMENT: service.augment,
        OUTCOME: service.outcome,
        RECEIPTS: service.receipts,
        RECEIPT: service.receipt,
        HEALTH: service.health,
        METRICS: service.metrics_text,
        OPENAPI: service.openapi,
    }


class _Guard:
    """Lets in who may ask, counts what was answered, and answers what nobody else has."""

    def __init__(self, app: App, access: Access, intake: Intake, metrics: Metrics, log: Log) -> None:
        self._app = app
        self._access = access
        self._intake = intake
        self._metrics = metrics
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope[_ARRIVED] = time.monotonic()

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._metrics.answered(scope.get(_OPERATION, NOWHERE), scope["method"], message["status"])
            await send(message)

        try:
            self._access.check_caller(scope["headers"])
            if scope["path"] in OPEN_PATHS:
                await self._app(scope, receive, counted)
                return
            self._access.check_token(scope["headers"])
            with self._intake.admit():
                await self._app(scope, receive, counted)
        except Refusal as error:
            await deliver(refusal(error), counted)
        except Exception as error:  # noqa: BLE001 - a defect: told without a word about our insides
            self._log.error("request failed", operation=scope.get(_OPERATION, NOWHERE), exc_info=error)
            await deliver(refusal(error), counted)


@dataclass(frozen=True, slots=True)
class _Endpoint:
    """One operation, as an application of ASGI."""

    operation: Operation
    handler: Handler
    intake: Intake

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[_OPERATION] = self.operation.name
        body = bytearray()
        with self.intake.holding(body):
            try:
                if self.operation.body:
                    await self.intake.read(scope["headers"], receive, body)
                reply = await self.handler(
                    Call(scope["path_params"], scope["query_string"], bytes(body), scope[_ARRIVED])
                )
            except Gone:
                return
            except PrebriefError as error:
                reply = refusal(error)
        await deliver(reply, send)


async def deliver(reply: Reply, send: Send) -> None:
    """Send a reply."""
    await send({"type": "http.response.start", "status": reply.status, "headers": reply.all_headers})
    await send({"type": "http.response.body", "body": reply.body})


async def _not_routed(_request: Request, error: Exception) -> Response:
    """What the router says of requests that lead nowhere."""
    from starlette.exceptions import HTTPException  # noqa: PLC0415 - see the module's text
    from starlette.responses import Response  # noqa: PLC0415

    if not isinstance(error, HTTPException):
        raise error
    told = {
        404: ("not-found", "there is nothing under this path"),
        405: ("wrong-method", "this is not asked with this method"),
    }
    reason, what = told.get(error.status_code, ("refused", error.detail))
    headers = tuple((name.lower(), value) for name, value in (error.headers or {}).items())
    reply = refusal(
        Refusal(
            error.status_code, reason, what, remedy="GET /openapi.json tells what there is", headers=headers
        )
    )
    response = Response(reply.body, reply.status)
    response.raw_headers = reply.all_headers
    return response
