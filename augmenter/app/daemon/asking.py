"""Asking the daemon how it is."""

from __future__ import annotations

import json
import os
import time
from typing import Any

from augmenter.app.client import Talk
from augmenter.app.daemon.places import lock_in, runtime_folder
from augmenter.app.daemon.protocol import ANSWER, FrameError, Request
from augmenter.app.wording import counted
from knowledge.errors import PrebriefError

PATIENCE_SECONDS = 3.0  # for what a daemon says of itself, which it answers at once


def ask_daemon(verb: str) -> dict[str, Any] | None:
    """What the daemon answers; None when there is none.

    Args:
        verb: `STATUS`, or `STOP`, which also lets it end.

    Raises:
        PrebriefError: it does not answer, or nothing that can be understood.
    """
    try:
        word, _, data = Talk(time.perf_counter()).ask(Request(verb), (b"", b"", b""), PATIENCE_SECONDS)
        if word != ANSWER:
            raise FrameError("it is of another version")
        status: dict[str, Any] = json.loads(data)
    except (FileNotFoundError, ConnectionRefusedError):
        return None
    except (OSError, FrameError, ValueError) as error:
        if not os.path.lexists(runtime_folder()):
            return None
        raise PrebriefError(
            f"the daemon does not answer: {error or 'it takes too long'}",
            where=runtime_folder(),
            remedy=f"End its process ('fuser {lock_in(runtime_folder())}' names it); hooks work without one",
        ) from None
    return status


def describe(status: dict[str, Any]) -> str:
    """The status, for people."""
    work, connections = status["work"], status["connections"]
    passed = ", ".join(f"{number} {reason}" for reason, number in work["passed"].items())
    lines = [
        f"Version {status['version']}, process {status['pid']}, for {status['seconds']:.0f} s,"
        f" {status['rss_mib']:.0f} MiB; {status['socket']}",
        f"{work['answered']} answered in {work['p50']:g} ms (p50) and {work['p99']:g} ms (p99);"
        f" passed through: {passed or 'none'}.",
        f"{counted(connections['let_in'], 'connection')}; {connections['turned_away']} turned away,"
        f" {connections['broken']} broken off, {connections['other_version']} of another version.",
    ]
    watched = {tree["project"]: tree for tree in status["trees"]}
    for project in work["projects"]:
        tree = watched.pop(project, None)
        told = f"watched by {tree['watched_by']}; indexed {tree['runs']} times" if tree else "not watched"
        lines.append(f"  {project}: {told}")
    return "\n".join(lines)
