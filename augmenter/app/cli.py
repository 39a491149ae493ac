"""The command ``prebrief``, for orchestrators, operators and the nightly job.

Light: a hook ends before it needs what the other commands are made of, which is imported within functions.
"""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from augmenter.app.command_line import CommandLine

DISPATCHES = ("augment", "hook")  # the commands on the path of a dispatch
COMMANDS = {
    "init": "write a commented prebrief.toml",
    "index": "bring the index up to date",
    "augment": "brief a task",
    "explain": "why a dispatch was offered what it was offered",
    "replay": "brief a recorded task again and compare",
    "outcome": "record how a dispatch ended and what it used",
    "receipts": "list, show, verify or export receipts",
    "learn": "apply outcomes to confidence",
    "tune": "fit the ranking's weights to this project's history, where that is proved to help",
    "schedule": "run the nightly cycle on a schedule",
    "serve": "keep projects warm, so that hooks are answered in milliseconds",
    "hook": "what hosts call on their events, and its installation",
    "doctor": "what is indexed, is it fresh, is all in order; 1 when something does not work",
    "gc": "clear away what nobody needs any more; never receipts or audit records",
    "demo": "see the whole loop on this project; nothing of it is kept",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code.

    Args:
        argv: its words; None takes those of this process, which then is for this command alone.
    """
    words = sys.argv[1:] if argv is None else list(argv)
    if argv is None and words[:1] == ["hook"]:
        gc.disable()
    if words[:2] == ["hook", "run"]:
        from augmenter.app.client import run  # noqa: PLC0415 - see the module's text

        code = run(words[2:])
        if code is not None:
            return code if argv is not None else _end(code)
    return _run(words, is_alone=argv is None)


def _end(code: int) -> NoReturn:
    """End this process at once: to tidy up takes the interpreter a tenth of a hook's life, for nothing."""
    if sys.stderr is not None:
        sys.stderr.flush()
    os._exit(code)


def _run(words: Sequence[str], *, is_alone: bool) -> int:
    from augmenter.app.command_line import first_word, make_usable  # noqa: PLC0415 - see the module's text

    if not is_alone:
        return prebrief().run(words)
    make_usable()
    if first_word(words) in DISPATCHES:
        gc.disable()  # so short a life makes no garbage worth collecting; 5 % of it
    try:
        return prebrief().run(words)
    finally:
        gc.freeze()  # spares the interpreter's end a last look at all that was imported; 10 % of a dispatch


def prebrief() -> CommandLine:
    """The command line."""
    from augmenter.app.command_line import CommandLine  # noqa: PLC0415 - see the module's text

    return CommandLine(
        name="prebrief",
        description="Find what matters in a repository for a task, and put it into the task's prompt.",
        commands=COMMANDS,
        package="augmenter.app.commands",
    )
