"""Whether the installed hooks of a host are what this version would install."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

from augmenter.app.findings import Finding, Level
from augmenter.app.installing.advice import calls_by_others, obstacles, own_words, told_twice
from augmenter.app.installing.files import read
from augmenter.app.installing.installation import Installed, installed
from augmenter.app.installing.plans import PLANS
from augmenter.app.wording import counted
from knowledge.errors import SettingsError
from knowledge.project import Project
from knowledge.version import VERSION

VERSION_SECONDS = 10.0  # how long another installation may take to tell its version


def inspect(host: str, project: Project, own: str, check: str = "installed") -> Iterator[Finding]:
    """What is to be said of the hooks of a host, in all files where it looks; nothing when there are none.

    Args:
        host: which.
        project: where it works.
        own: the path of this installation's command; ``""`` when it has none.
        check: the name of the findings.
    """
    found = list(installed(host, project.view_root))
    for item in found:
        if isinstance(item, SettingsError):
            yield Finding(check, Level.WARNING, f"{item.where}: {item.what}", item.remedy)
        elif item.hooks:
            yield from _look(item, own, check)
    files = list(filter(is_reading_hooks, found))
    for what in calls_by_others(files):
        yield Finding(check, Level.WARNING, f"{host}: {what}", "Take it out, unless you mean it")
    files = [file for file in files if file.hooks]
    if told_twice(host, [item.hooks for item in files]):
        names = " and ".join(item.place.shown for item in files)
        text = f"{host}: installed in {names}: each event is told more than once"
        last = files[-1].place
        option = "" if last.scope == "project" else f" --{last.scope}"
        yield Finding(check, Level.WARNING, text, f"prebrief hook uninstall {host}{option}")


def is_reading_hooks(item: Installed | SettingsError) -> TypeGuard[Installed]:
    """Whether an item of `installed` is hooks, of ours or of others, and no error."""
    return isinstance(item, Installed)


def _look(item: Installed, own: str, check: str) -> Iterator[Finding]:
    place, plan = item.place, PLANS[item.place.host]
    option = "" if place.scope == "project" else f" --{place.scope}"
    remedy = f"prebrief hook install {place.host}{option}"
    wrong = [*_wrong_executables(item, own)]
    missing = [event for event, _ in plan.events if event not in {hook.event for hook in item.hooks}]
    if missing:
        wrong.append((Level.WARNING, f"no hook for {', '.join(missing)}"))
    for level, what in wrong:
        yield Finding(check, level, f"{place.host}: {place.shown}: {what}", remedy)
    for what in obstacles(read(place.path), place):
        yield Finding(check, Level.WARNING, f"{place.host}: {place.shown}: {what}", "Edit the file")
    if not wrong:
        events = counted(len(item.hooks), "hook")
        yield Finding(check, Level.OK, f"{place.host}: {events} of this version in {place.shown}")


def _wrong_executables(item: Installed, own: str) -> Iterator[tuple[Level, str]]:
    for executable in own_words(item):
        if executable == own:
            continue
        if not (Path(executable).is_file() and os.access(executable, os.X_OK)):
            yield Level.PROBLEM, f"{executable} does not exist or is no executable, so nothing is briefed"
            continue
        version = _version_of(executable)
        if version != VERSION:
            told = version or "of an unknown version"
            yield Level.WARNING, f"{executable} is another installation ({told}, this one is {VERSION})"


def _version_of(executable: str) -> str:
    try:
        done = subprocess.run(
            [executable, "--version"], capture_output=True, timeout=VERSION_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    words = done.stdout.decode(errors="replace").split()
    return words[-1] if done.returncode == 0 and words else ""
