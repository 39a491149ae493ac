"""Checks of the daemon: is there one, of this version, at a safe place, and does it do its work in time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from augmenter.app.daemon.asking import ask_daemon
from augmenter.app.daemon.places import is_off, runtime_folder, why_unsafe
from augmenter.app.daemon.protocol import STATUS
from augmenter.app.daemon.tally import LATE
from augmenter.app.findings import Finding, Level, Patient
from augmenter.app.wording import counted
from knowledge.errors import PrebriefError
from knowledge.version import VERSION

CHECK = "daemon"
MOST_MIB = 500  # of memory: with as many warm projects as there can be, all of them large
FEW = 0.02  # share of tasks that go out late without anybody's having to look into it
_STATUS, _STOP = "prebrief serve --status", "prebrief serve --stop"


def check_daemon(patient: Patient) -> Iterator[Finding]:
    """Whether hooks of this project find a daemon that answers them in time."""
    folder = runtime_folder()
    if is_off():
        yield Finding(CHECK, Level.OK, "PREBRIEF_DAEMON=off: hooks do their work by themselves")
    elif os.path.lexists(folder) and (problem := why_unsafe(folder)):
        text = f"{folder} is no safe place, and hooks do not look for a daemon there: {problem}"
        yield Finding(CHECK, Level.WARNING, text, "remove it, or name another folder in PREBRIEF_RUNTIME")
    else:
        try:
            status = ask_daemon(STATUS)
        except PrebriefError as error:
            yield Finding(CHECK, Level.WARNING, f"{error.where}: {error.what}", error.remedy)
            return
        yield from _of_status(status) if status else [_without(patient)]


def _without(patient: Patient) -> Finding:
    if patient.settings and not patient.settings.serve.autostart:
        return Finding(CHECK, Level.OK, "none is running, and the settings want none to be started")
    return Finding(CHECK, Level.OK, "none is running; the next hook starts one")


def _of_status(status: dict[str, Any]) -> Iterator[Finding]:
    if status["version"] != VERSION:
        text = f"one of version {status['version']} is running, which this version's hooks do not use"
        yield Finding(CHECK, Level.WARNING, text, _STOP)
        return
    work, mib = status["work"], status["rss_mib"]
    if mib > MOST_MIB:
        yield Finding(CHECK, Level.WARNING, f"it holds {mib:.0f} MiB of memory", _STOP)
    late = work["passed"].get(LATE, 0) + work["passed"].get("deadline-exceeded", 0)
    asked = work["answered"] + work["passed"].get(LATE, 0)
    if late > FEW * asked:
        text = f"{late} of {counted(asked, 'task')} went out unchanged because it was late"
        yield Finding(CHECK, Level.WARNING, text, _STATUS)
    for tree in status["trees"]:
        if tree["failures"]:
            text = f"{tree['project']} cannot be indexed: {tree['last']}"
            yield Finding(CHECK, Level.WARNING, text, f"prebrief index --root {tree['project']}")
    projects = counted(len(work["projects"]), "warm project")
    text = (
        f"version {status['version']}, {mib:.0f} MiB with {projects}; {work['answered']} answered,"
        f" half of them within {work['p50']:g} ms, 99 in 100 within {work['p99']:g} ms"
    )
    yield Finding(CHECK, Level.OK, text)
