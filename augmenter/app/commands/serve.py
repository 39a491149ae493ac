"""``prebrief serve``."""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from augmenter.app.common import answer, print_json, print_text
from augmenter.app.daemon.asking import ask_daemon, describe
from augmenter.app.daemon.places import runtime_folder
from augmenter.app.daemon.protocol import STATUS, STOP
from augmenter.app.daemon.starting import detach
from augmenter.app.http.options import add_options
from augmenter.app.logs import Log
from augmenter.app.options import add_json, add_root, count
from knowledge.errors import PrebriefError
from knowledge.version import VERSION

if TYPE_CHECKING:
    from augmenter.app.daemon.running import Companion

STOP_SECONDS = 15.0  # until it has ended: what it is at takes a second, an index run is broken off
START_SECONDS = 5.0  # until another one has left, if it is about to
PAUSE_SECONDS = 0.1  # between two looks


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_root(parser)
    parser.set_defaults(log_level="info")
    add_json(parser)
    asking = parser.add_mutually_exclusive_group()
    asking.add_argument("--status", action="store_true", help="tell how the running daemon is; 1 without one")
    asking.add_argument("--stop", action="store_true", help="let the running daemon end when it is done")
    parser.add_argument(
        "--idle",
        type=count,
        metavar="MINUTES",
        default=0,
        help="end when nothing was asked for so long (default: 0, never)",
    )
    parser.add_argument(
        "--no-watch", action="store_true", help="neither watch trees nor bring their indexes up to date"
    )
    parser.add_argument(
        "--detached", action="store_true", help="let go of the terminal, in silence: as hooks start it"
    )
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Serve, or ask who serves."""
    if arguments.status:
        return _tell_status(arguments)
    if arguments.stop:
        return _stop(arguments)
    if arguments.http_token:
        return _tell_token(arguments)
    folder, root = runtime_folder(), Path(arguments.root).absolute()  # before the working directory changes
    if arguments.detached:
        detach()
        arguments.log_level = "silent"
    return _serve(arguments, folder, root)


def _serve(arguments: argparse.Namespace, folder: str, root: Path) -> int:
    from augmenter.app.daemon.listening import Occupied  # noqa: PLC0415 - whoever only asks need not pay
    from augmenter.app.daemon.running import Plan, run_daemon  # noqa: PLC0415 - likewise

    log = Log(arguments.log_level)
    plan = Plan(
        folder=folder,
        log=log,
        root=root,
        idle_seconds=arguments.idle * 60 or float("inf"),
        watch=not arguments.no_watch,
        companions=_companions(arguments, folder, log),
    )
    patience = time.monotonic() + START_SECONDS
    while True:
        try:
            run_daemon(plan)
        except Occupied as error:
            if arguments.detached and _is_one_of_ours():
                return 0
            if time.monotonic() > patience or not arguments.detached:
                raise PrebriefError(
                    "a daemon is running already",
                    where=error.where,
                    remedy="End it first: 'prebrief serve --stop'",
                ) from None
            time.sleep(PAUSE_SECONDS)
        else:
            _let_threads_end()
            return 0


def _companions(arguments: argparse.Namespace, folder: str, log: Log) -> tuple[Companion, ...]:
    """HTTP, where it is wanted. Raises PrebriefError: it cannot be served as told."""
    if arguments.http is None:
        return ()
    from augmenter.app.http.serving import plan_of, serve_http  # noqa: PLC0415 - hooks' daemons need not pay

    return (partial(serve_http, plan_of(arguments, folder, log)),)


def _tell_token(arguments: argparse.Namespace) -> int:
    from augmenter.app.http.tokens import token_file, token_of  # noqa: PLC0415 - whoever serves need not pay

    token_of(runtime_folder())
    path = token_file(runtime_folder())
    answer(arguments, {"token_file": path}, path)
    return 0


def _is_one_of_ours() -> bool:
    status = ask_daemon(STATUS)
    return status is not None and status.get("version") == VERSION


def _let_threads_end() -> None:
    """End, even though a thread hangs in something for good."""
    if threading.active_count() > 1:
        with suppress(OSError, ValueError):  # nobody may be reading any more
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(0)


def _tell_status(arguments: argparse.Namespace) -> int:
    status = ask_daemon(STATUS)
    if status is None:
        answer(arguments, {"running": False}, "No daemon is running.")
        return 1
    if arguments.json:
        print_json({"running": True, **status})
    else:
        print_text(describe(status))
    return 0


def _stop(arguments: argparse.Namespace) -> int:
    was = ask_daemon(STOP)
    if was is not None:
        _wait_for_end()
    answer(
        arguments,
        {"was_running": was is not None},
        "No daemon is running." if was is None else f"The daemon (process {was['pid']}) has ended.",
    )
    return 0


def _wait_for_end() -> None:
    from augmenter.app.daemon.listening import only_daemon  # noqa: PLC0415 - whoever only asks need not pay

    with only_daemon(runtime_folder(), STOP_SECONDS):
        return
