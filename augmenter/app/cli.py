"""The command ``prebrief``: finds the command's module, and turns errors into exit codes.

Exit codes: 0 done, 1 failed, 2 wrong usage. Only the module of the command that runs is imported.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from knowledge.errors import PrebriefError
from knowledge.version import VERSION

DONE, FAILED, USAGE = 0, 1, 2
INTERRUPTED = 130  # as shells report SIGINT

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
    "demo": "see the whole loop on this project or a small one",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    name = next((word for word in words if not word.startswith("-")), "")
    module = _module(name) if name in COMMANDS else None
    arguments = _parser(name, module).parse_args(words)
    if module is None:
        _parser("", None).print_help(sys.stderr)
        return USAGE
    try:
        return int(module.run(arguments))
    except PrebriefError as error:
        print(f"prebrief: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        sys.stderr.close()
        return DONE


def _module(name: str) -> ModuleType:
    return import_module(f"augmenter.app.commands.{name}")


def _parser(name: str, module: ModuleType | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="prebrief",
        description="Find what matters in a repository for a task, and put it into the task's prompt.",
        epilog="'prebrief COMMAND --help' tells more.",
    )
    parser.add_argument("--version", action="version", version=f"prebrief {VERSION}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    for command, help_text in COMMANDS.items():
        described = commands.add_parser(command, help=help_text, description=_sentence(help_text))
        if command == name and module is not None:
            module.add_arguments(described)
    return parser


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
