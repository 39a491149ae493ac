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


_ROOT = "--root"
_LENGTHS = (3, 5)  # in words, of a call behind its executable: without a root, and with one
_BY_SHELL = ("`", "$(", "\n")  # what has a shell run more than one command, and stands within words


def is_command_of(host: str) -> IsOurs:
    """Whether a command line is Prebrief's for a host: of this installation, or of another one.

    That is what `command_line` makes, and the mere call. Whatever else calls us, somebody has written.
    """
    return lambda command: _call_of(command)[1] == host


def is_call_by_others(host: str) -> IsOurs:
    """Whether a command line calls Prebrief for a host, or seems to, and is not Prebrief's own."""
    call = re.compile(rf"(?<![\w.-]){COMMAND}['\"]*\s+hook\s+run\s+{host}(?![\w-])")
    is_ours = is_command_of(host)
    return lambda command: not is_ours(command) and call.search(command) is not None


def executable_of(command: str) -> str:
    """The executable that a command line of Prebrief's calls; ``""`` when it is not Prebrief's."""
    return _call_of(command)[0]


def _call_of(command: str) -> tuple[str, str]:
    """The executable and the host of a command line of Prebrief's; ``""`` of any other."""
    try:
        told = shlex.split(command)
    except ValueError:
        return "", ""
    for executable, host in zip(told[6:7], told[9:10], strict=False):
        if command == command_line(executable, host):
            return executable, host
    return _bare(command)


def _bare(command: str) -> tuple[str, str]:
    """As `_call_of`, for a line of nothing but ``X hook run HOST [--root DIR]``."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    executable, *words = list(lexer) or [""]
    if words[-1:] and words[-1].startswith(f"{_ROOT}="):
        words[-1:] = words[-1].split("=", 1)
    is_call = words[:2] == ["hook", "run"] and words[3:4] in ([], [_ROOT]) and len(words) in _LENGTHS
    is_ours = is_call and Path(executable).name == COMMAND and "=" not in executable
    return (executable, words[2]) if is_ours and not any(mark in command for mark in _BY_SHELL) else ("", "")


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
