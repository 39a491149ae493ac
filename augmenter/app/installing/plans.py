"""What each host is told to call, and when: the hooks that an install writes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from augmenter.app.installing.hooks import Hook, command_line
from knowledge.errors import SettingsError

CLAUDE_CODE, CODEX, GEMINI, GENERIC = "claude-code", "codex", "gemini", "generic"
SECONDS_OVER = (
    4  # the host's timeout, beyond the deadline: a cold interpreter on a busy machine starts in two
)
_MILLISECONDS = 1000
_MOST_SECONDS = {"Interrupt": 3}  # Codex warns of more at each start

Event = tuple[str, str | None]  # its name, and which occurrences of it; None for all


@dataclass(frozen=True, slots=True)
class Plan:
    """How a host calls Prebrief.

    Attributes:
        host: its name in ``prebrief hook run``.
        title: its name for people.
        events: on which it calls: only what versions of a year ago know, for Claude Code passes over a whole
            settings file in which there is an event that it does not know.
        newer: more events, of newer versions, that tell more of how the work ended.
        unit: of its timeouts, how many make a second.
        extra: what else it is told of each hook.
        joins_equals: whether it calls equal command lines of several files once.
        runner: by what it runs a command line; ``$SHELL`` stands for the user's.
        dispatches: the events that carry a task.
        after: what remains to be done once the hooks are written.
    """

    host: str
    title: str
    events: tuple[Event, ...]
    unit: int
    runner: tuple[str, ...]
    dispatches: tuple[str, ...]
    after: tuple[str, ...] = ()
    newer: tuple[Event, ...] = ()
    extra: Mapping[str, str] | None = None
    joins_equals: bool = False

    def hooks(self, executable: str, deadline_ms: int, *, with_newer: bool = False) -> list[Hook]:
        """The hooks to write.

        Args:
            executable: absolute path of the command.
            deadline_ms: how long a dispatch may take.
            with_newer: whether the host's version knows the newer events.

        Raises:
            SettingsError: the path cannot be written into a settings file.
        """
        command = command_line(executable, self.host)
        if not _is_text(command):
            raise SettingsError(
                "this path is no UTF-8, which settings files are",
                where=executable.encode("utf-8", "backslashreplace").decode(),
                remedy="Install Prebrief in a folder of another name",
            )
        seconds = math.ceil(deadline_ms / _MILLISECONDS) + SECONDS_OVER
        handler: dict[str, str | int] = {**(self.extra or {}), "type": "command", "command": command}
        events = (*self.events, *(self.newer if with_newer else ()))
        return [
            Hook(
                event,
                {**handler, "timeout": self.unit * min(seconds, _MOST_SECONDS.get(event, seconds))},
                matcher,
            )
            for event, matcher in events
        ]


_AGENTS = "Task|Agent"  # the tool that starts a sub-agent has had both names
_CONTEXT_LOST = "clear|compact"

PLANS: Mapping[str, Plan] = {
    CLAUDE_CODE: Plan(
        host=CLAUDE_CODE,
        title="Claude Code",
        events=(
            ("UserPromptSubmit", None),
            ("PreToolUse", _AGENTS),
            ("PostToolUse", _AGENTS),
            ("SubagentStop", None),
            ("Stop", None),
            ("SessionStart", _CONTEXT_LOST),
        ),
        newer=(("PostToolUseFailure", _AGENTS), ("StopFailure", None)),
        unit=1,
        runner=("/bin/sh", "-c"),
        joins_equals=True,
        dispatches=("UserPromptSubmit", "PreToolUse"),
        after=("Sessions that are running go on without it: restart them",),
    ),
    CODEX: Plan(
        host=CODEX,
        title="Codex CLI",
        events=(
            ("UserPromptSubmit", None),
            ("SubagentStop", None),
            ("Stop", None),
            ("SessionStart", _CONTEXT_LOST),
        ),
        newer=(("StopFailure", None), ("Interrupt", None)),
        unit=1,
        runner=("$SHELL", "-lc"),
        dispatches=("UserPromptSubmit",),
        after=("Codex runs a new or changed hook only once you have trusted it: start 'codex', type /hooks",),
    ),
    GEMINI: Plan(
        host=GEMINI,
        title="Gemini CLI",
        events=(
            ("BeforeAgent", None),
            ("AfterAgent", None),
            ("BeforeTool", "invoke_agent"),
            ("AfterTool", "invoke_agent"),
            ("SessionStart", "clear"),
        ),
        unit=_MILLISECONDS,
        extra={"name": "prebrief"},
        runner=("bash", "-c"),
        dispatches=("BeforeAgent", "BeforeTool"),
        after=("Sessions that are running go on without it: restart them",),
    ),
}


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
