"""The command ``prebrief``, for orchestrators, operators and the nightly job."""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Sequence
from types import ModuleType

from augmenter.app.command_line import CommandLine, first_word, make_usable

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
    "hook": "brief a dispatch for a host: one JSON object in, one out",
    "doctor": "what is indexed, is it fresh, is all in order; 1 when something does not work",
    "gc": "clear away what nobody needs any more; never receipts or audit records",
    "demo": "see the whole loop on this project; nothing of it is kept",
}
PREBRIEF = CommandLine(
    name="prebrief",
    description="Find what matters in a repository for a task, and put it into the task's prompt.",
    commands=COMMANDS,
    package="augmenter.app.commands",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code.

    Args:
        argv: its words; None takes those of this process, which then is for this command alone.
    """
    if argv is not None:
        return PREBRIEF.run(argv)
    words = sys.argv[1:]
    make_usable()
    if first_word(words) in DISPATCHES:
        gc.disable()  # so short a life makes no garbage worth collecting; 5 % of it
    try:
        return PREBRIEF.run(words)
    finally:
        gc.freeze()  # spares the interpreter's end a last look at all that was imported; 10 % of a dispatch


def make_parser(name: str, module: ModuleType | None) -> argparse.ArgumentParser:
    """The parser of the command line, with the arguments of one command."""
    return PREBRIEF.parser(name, module)
