"""The command ``prebrief``: finds the command's module, and turns errors into exit codes.

Exit codes: 0 done, 1 failed, 2 wrong usage. Only the module of the command that runs is imported.
"""

from __future__ import annotations

import argparse
import gc
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from augmenter.app.options import add_action
from augmenter.app.streams import forget, tell
from knowledge.errors import PrebriefError
from knowledge.version import VERSION

DONE, FAILED, USAGE = 0, 1, 2
INTERRUPTED = 130  # as shells report SIGINT

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
    "schedule": "run the nightly cycle on a schedule",
    "hook": "brief a dispatch for a host: one JSON object in, one out",
    "doctor": "what is indexed, is it fresh, is all in order; 1 when something does not work",
    "gc": "clear away what nobody needs any more; never receipts or audit records",
    "demo": "see the whole loop on this project; nothing of it is kept",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code.

    Args:
        argv: its words; None takes those of this process, which then is for this command alone.
    """
    if argv is not None:
        return _run(list(argv))
    words = sys.argv[1:]
    _make_usable()
    if _name(words) in DISPATCHES:
        gc.disable()  # so short a life makes no garbage worth collecting; 5 % of it
    try:
        return _run(words)
    finally:
        gc.freeze()  # spares the interpreter's end a last look at all that was imported; 10 % of a dispatch


def _run(words: list[str]) -> int:
    name = _name(words)
    module = _module(name) if name in COMMANDS else None
    arguments = make_parser(name, module).parse_args(words)
    if module is None:
        make_parser("", None).print_help(sys.stderr)
        return USAGE
    try:
        return int(module.run(arguments))
    except PrebriefError as error:
        tell(f"prebrief: {error}")
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        forget(sys.stdout)
        return DONE


def _name(words: Sequence[str]) -> str:
    return next((word for word in words if not word.startswith("-")), "")


def _make_usable() -> None:
    """Put right what whoever started this process has left it without."""
    if sys.stderr is None:  # closed
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 (for good)
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:  # then nobody learns how a program ended
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def _module(name: str) -> ModuleType:
    return import_module(f"augmenter.app.commands.{name}")


def make_parser(name: str, module: ModuleType | None) -> argparse.ArgumentParser:
    """The parser of the command line, with the arguments of one command."""
    parser = argparse.ArgumentParser(
        prog="prebrief",
        description="Find what matters in a repository for a task, and put it into the task's prompt.",
        epilog="'prebrief COMMAND --help' tells more.",
    )
    parser.add_argument("--version", action="version", version=f"prebrief {VERSION}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    for command, help_text in COMMANDS.items():
        described = add_action(commands, command, help_text)
        if command == name and module is not None:
            module.add_arguments(described)
    return parser
