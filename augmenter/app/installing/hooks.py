"""What a settings document says of hooks, whatever its form; and which of them are Prebrief's."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from knowledge.errors import ProjectError

COMMAND = "prebrief"

Handler = Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class Hook:
    """One command that a host calls on an event.

    Attributes:
        event: its name, as the host has it.
        handler: what the host is told: ``type``, ``command``, ``timeout`` …
        matcher: which occurrences of the event; None for all.
    """

    event: str
    handler: Handler = field(hash=False)
    matcher: str | None = None

    @property
    def command(self) -> str:
        """The command line."""
        return str(self.handler.get("command", ""))

    def group(self) -> dict[str, object]:
        """As it stands in the list of an event's hooks."""
        matcher = {} if self.matcher is None else {"matcher": self.matcher}
        return {**matcher, "hooks": [dict(self.handler)]}


IsOurs = Callable[[str], bool]


def hook_of(event: str, group: Mapping[str, object], handler: Mapping[str, object]) -> Hook:
    """A hook as a document tells it; what is not of a hook's form is left out."""
    matcher = group.get("matcher")
    known = {key: value for key, value in handler.items() if isinstance(value, str | int)}
    return Hook(event, known, matcher if isinstance(matcher, str) else None)


def command_line(executable: str, host: str) -> str:
    """The command line that a host is given.

    A missing executable is passed over in silence: settings are shared with people who don't have Prebrief.
    Whatever else goes wrong ends with 1, of which a host tells its user, and goes on. Left alone, wrong usage
    would end with 2 (when the executable is of a version that does not know the host), which makes Claude
    Code, Codex and Gemini CLI refuse the prompt; Gemini CLI refuses it even for 127, the shell's
    "not found".
    """
    quoted = shlex.quote(executable)
    return f"[ ! -x {quoted} ] || {quoted} hook run {host} || exit 1"


_RUN = re.compile(r"\bhook\s+run\s+(?P<host>[a-z-]+)")


def is_command_of(host: str) -> IsOurs:
    """Whether a command line is Prebrief's for a host: of this installation, or of another one."""
    return lambda command: host_of(command) == host and bool(executable_of(command))


def host_of(command: str) -> str:
    """The host of which a command line speaks; ``""`` for any other command line."""
    found = _RUN.search(command)
    return found["host"] if found else ""


def executable_of(command: str) -> str:
    """The executable that a command line calls as ``… hook run HOST``; ``""`` when it is not Prebrief's."""
    try:
        words = shlex.split(command)
    except ValueError:
        return ""
    for first, second, third in zip(words, words[1:], words[2:], strict=False):
        if (second, third) == ("hook", "run") and Path(first).name == COMMAND:
            return first
    return ""


def own_executable(argv: str) -> str:
    """The absolute path of this installation's command.

    A symbolic link (as pipx and package managers lay) stays one: it is what survives an update.

    Args:
        argv: how this process was called; otherwise, the command lies beside the interpreter.

    Raises:
        ProjectError: there is none.
    """
    beside = Path(sys.executable).parent / COMMAND
    for candidate in (Path(argv), beside):
        if candidate.name == COMMAND and candidate.is_file() and os.access(candidate, os.X_OK):
            return os.path.abspath(candidate)  # noqa: PTH100 - Path.resolve would follow the link
    raise ProjectError(
        "there is no command 'prebrief' that a host could call",
        where=str(beside),
        remedy="Install Prebrief into this environment, or call the 'prebrief' of another one",
    )


def own_or_none(argv: str) -> str:
    """As `own_executable`; ``""`` when there is none."""
    try:
        return own_executable(argv)
    except ProjectError:
        return ""
