"""A command with subcommands, each in a module of its own, of which only the one that runs is imported."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

from augmenter.app.options import add_action
from augmenter.app.streams import forget, tell
from knowledge.errors import PrebriefError
from knowledge.version import VERSION

DONE, FAILED, USAGE = 0, 1, 2
INTERRUPTED = 130  # as shells report SIGINT


@dataclass(frozen=True, slots=True)
class CommandLine:
    """What a console script understands.

    Attributes:
        name: of the console script.
        description: what it is for.
        commands: the subcommands, with a short help.
        package: where their modules are.
    """

    name: str
    description: str
    commands: Mapping[str, str]
    package: str

    def run(self, words: Sequence[str]) -> int:
        """Run one command; returns its exit code: 0 done, 1 failed, 2 wrong usage."""
        name = first_word(words)
        module = self.module(name) if name in self.commands else None
        arguments = self.parser(name, module).parse_args(words)
        if module is None:
            self.parser("", None).print_help(sys.stderr)
            return USAGE
        try:
            return int(module.run(arguments))
        except PrebriefError as error:
            tell(f"{self.name}: {error}")
            return FAILED
        except KeyboardInterrupt:
            return INTERRUPTED
        except BrokenPipeError:  # the reader of our output has gone, as `head` does
            forget(sys.stdout)
            return DONE

    def module(self, name: str) -> ModuleType:
        """The module of a command."""
        return import_module(f"{self.package}.{name}")

    def parser(self, name: str, module: ModuleType | None) -> argparse.ArgumentParser:
        """The parser of the command line, with the arguments of one command."""
        parser = argparse.ArgumentParser(
            prog=self.name,
            description=self.description,
            epilog=f"'{self.name} COMMAND --help' tells more.",
        )
        parser.add_argument("--version", action="version", version=f"{self.name} {VERSION}")
        actions = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
        for command, help_text in self.commands.items():
            described = add_action(actions, command, help_text)
            if command == name and module is not None:
                module.add_arguments(described)
        return parser


def first_word(words: Sequence[str]) -> str:
    """The first word that is no option: the command's name."""
    return next((word for word in words if not word.startswith("-")), "")


def make_usable() -> None:
    """Put right what whoever started this process has left it without."""
    if sys.stderr is None:  # closed
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 (for good)
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:  # then nobody learns how a program ended
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
