"""Serving HTTP in the daemon's event loop."""

from __future__ import annotations

import argparse
import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from augmenter.app.daemon.workroom import Workroom
from augmenter.app.http.application import application
from augmenter.app.http.bodies import BODY_SECONDS, Intake
from augmenter.app.http.connections import HEAD_SECONDS, IDLE_SECONDS, impatient
from augmenter.app.http.guards import MOST_HEAD, Access
from augmenter.app.http.metrics import Trees
from augmenter.app.http.options import Address
from augmenter.app.http.tokens import token_file, token_of
from augmenter.app.logs import Log
from knowledge.errors import MissingExtra, PrebriefError

if TYPE_CHECKING:
    import uvicorn

LEAVE_SECONDS = 2  # for what is being answered when the daemon ends
BACKLOG = 256  # clients that wait to be let in


@dataclass(frozen=True, slots=True)
class HttpPlan:
    """How HTTP is to be served.

    Attributes:
        address: where.
        folder: the runtime folder, for the token.
        origins: of pages that may ask.
        is_remote_allowed: whether other machines may connect.
        log: where events go.
        head_seconds: how long the head of a request may take.
        body_seconds: likewise, its body.
    """

    address: Address
    folder: str
    origins: tuple[str, ...] = ()
    is_remote_allowed: bool = False
    log: Log = field(default_factory=lambda: Log("silent"))
    head_seconds: float = HEAD_SECONDS
    body_seconds: float = BODY_SECONDS


def plan_of(arguments: argparse.Namespace, folder: str, log: Log) -> HttpPlan:
    """The plan that a command line tells, if it can be carried out here.

    Args:
        arguments: with those of `augmenter.app.http.options`.
        folder: the runtime folder.
        log: where events go.

    Raises:
        MissingExtra: Starlette or uvicorn is not installed.
        PrebriefError: other machines could connect, and nobody has allowed that.
    """
    plan = HttpPlan(
        address=arguments.http,
        folder=folder,
        origins=tuple(arguments.allow_origin),
        is_remote_allowed=arguments.allow_remote,
        log=log,
    )
    _check_extra()
    _check_reach(plan)
    return plan


async def serve_http(plan: HttpPlan, workroom: Workroom, ending: asyncio.Event, trees: Trees) -> None:
    """Serve until an event is set; returns when what was begun is answered, or soon after.

    Args:
        plan: how.
        workroom: does the work.
        ending: the event.
        trees: tells which trees are watched.

    Raises:
        PrebriefError: the address cannot be had, or the token; or as `plan_of`.
    """
    _check_extra()
    _check_reach(plan)
    token = token_of(plan.folder)
    with _listening(plan.address) as listener:
        port = int(listener.getsockname()[1])
        access = Access(token, port, plan.origins, not plan.address.is_loopback)
        app = application(workroom, access, plan.log, trees=trees, intake=Intake(plan.body_seconds))
        server = _server(app, plan.head_seconds)
        if access.is_remote:
            plan.log.warning(
                "HTTP, unencrypted, can be reached from other machines", url=plan.address.url(port)
            )
        plan.log.info("serving HTTP", url=plan.address.url(port), token=token_file(plan.folder))
        await _until(ending, server, listener)


async def _until(ending: asyncio.Event, server: uvicorn.Server, listener: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    serving = loop.create_task(server.serve([listener]))
    waiting = loop.create_task(ending.wait())
    try:
        await asyncio.wait((serving, waiting), return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()
        server.should_exit = True
        await serving


def _server(app: object, head_seconds: float) -> uvicorn.Server:
    import uvicorn  # noqa: PLC0415 - an extra

    class Server(uvicorn.Server):
        """Leaves signals to the daemon, whose loop this is."""

        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

    return Server(
        uvicorn.Config(
            app,  # type: ignore[arg-type]  # an application of ASGI, by any other name
            http=impatient(head_seconds),
            ws="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            log_level="critical",  # what it has to say is said by us
            access_log=False,
            proxy_headers=False,
            server_header=False,
            backlog=BACKLOG,
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=LEAVE_SECONDS,
            h11_max_incomplete_event_size=MOST_HEAD,
        )
    )


@contextmanager
def _listening(address: Address) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    # Named, for only then does asyncio send at once what it writes: else a client's system delays answers by
    # 40 ms, until it has acknowledged their heads.
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            listener.bind((address.host, address.port))
            listener.listen(BACKLOG)
        except OSError as error:
            raise PrebriefError.of_system(
                "this address cannot be listened at", error, address.url(), "Give another --http"
            ) from None
        listener.setblocking(False)
        yield listener


def _check_extra() -> None:
    try:
        import starlette  # noqa: F401, PLC0415 - looked for
        import uvicorn  # noqa: F401, PLC0415 - likewise
    except ImportError as error:
        raise MissingExtra(
            f"serving HTTP needs {error.name}", remedy="Install it: pip install 'prebrief[serve]'"
        ) from None


def _check_reach(plan: HttpPlan) -> None:
    if not plan.address.is_loopback and not plan.is_remote_allowed:
        raise PrebriefError(
            "other machines could connect to this address",
            where=plan.address.url(),
            remedy="Give one of this machine (127.0.0.1 or [::1]), or say --allow-remote",
        )
