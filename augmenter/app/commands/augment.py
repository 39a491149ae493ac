"""``prebrief augment``: the path of a dispatch, on the command line. It fails open."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from augmenter.app.ask import Ask
from augmenter.app.common import print_json, print_text, read_file, read_text, write_bytes
from augmenter.app.desk import InProcess
from augmenter.app.dispatching import dispatch
from augmenter.app.logs import Log
from augmenter.app.options import add_json, add_root, count
from augmenter.app.streams import tell
from augmenter.candidates import Filters
from augmenter.record import Sender
from knowledge.types import Kind, SourceKind

STDIN = "-"
FORMATS = ("markdown", "xml", "plain", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_root(parser)
    add_json(parser)
    parser.add_argument(
        "task",
        nargs="?",
        default=STDIN,
        metavar="TASK",
        help="the task's text; - or nothing reads standard input",
    )
    parser.add_argument("--file", metavar="FILE", help="read the task from a file")
    parser.add_argument("--patterns", type=count, metavar="N", help="offer at most N patterns")
    parser.add_argument("--rules", type=count, metavar="N", help="offer at most N rules and warnings")
    parser.add_argument("--budget", type=count, metavar="TOKENS", help="tokens the context block may take")
    parser.add_argument("--format", choices=FORMATS, help="format of the brief")
    parser.add_argument("--preamble", metavar="TEXT", help="text that stands above everything")
    parser.add_argument("--path", action="append", default=[], metavar="GLOB", help="only from these paths")
    parser.add_argument(
        "--language", action="append", default=[], metavar="NAME", help="only of these languages"
    )
    parser.add_argument(
        "--kind", action="append", default=[], choices=[k.value for k in Kind if not k.is_guidance],
        help="only evidence of these kinds",
    )  # fmt: skip
    parser.add_argument(
        "--source", action="append", default=[], choices=[k.value for k in SourceKind],
        help="only from these kinds of source",
    )  # fmt: skip
    parser.add_argument(
        "--session",
        default="",
        metavar="NAME",
        help="the worker's session: what it was given is not given again",
    )
    parser.add_argument("--agent", default="", metavar="NAME", help="the agent that gets the brief")
    parser.add_argument(
        "--role",
        default="",
        metavar="NAME",
        help="that agent's role (default: by its name, see the settings)",
    )
    parser.add_argument("--no-record", action="store_true", help="leave no receipt")
    parser.add_argument(
        "--strict", action="store_true", help="exit with 1 when the task goes out unbriefed by a fault"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the brief; when anything goes wrong, the task.

    Raises:
        TaskError: the file with the task cannot be read: there is nothing to hand on.
    """
    if arguments.file and arguments.task != STDIN:
        arguments.wrong_usage("give TASK or --file, not both")
    task = read_file(arguments.file) if arguments.file else read_text(arguments.task)
    brief = dispatch(Path(arguments.root), task, _ask(arguments), InProcess(Log(_level(arguments))))
    if brief.degraded and not arguments.json and arguments.log_level != "silent":
        tell(f"prebrief: not briefed: {brief.degraded.detail}")
    if arguments.json:
        print_json(brief.as_json())
    else:
        _print_prompt(brief.prompt)
    return 1 if arguments.strict and brief.degraded else 0


def _level(arguments: argparse.Namespace) -> str:
    """What a degraded dispatch says is printed by `run`; the log adds what is asked for beyond."""
    return "error" if arguments.log_level == "warning" else arguments.log_level


def _ask(arguments: argparse.Namespace) -> Ask:
    return Ask(
        sender=Sender(arguments.agent, "cli", arguments.session, arguments.role),
        preamble=arguments.preamble,
        patterns=arguments.patterns,
        rules=arguments.rules,
        budget=arguments.budget,
        format=arguments.format,
        filters=Filters(
            paths=tuple(arguments.path),
            languages=tuple(arguments.language),
            kinds=frozenset(Kind(kind) for kind in arguments.kind),
            source_kinds=frozenset(SourceKind(kind) for kind in arguments.source),
        ),
        record=not arguments.no_record,
    )


def _print_prompt(prompt: str) -> None:
    """The prompt byte for byte; on a terminal with a line end after it."""
    if sys.stdout and sys.stdout.isatty():
        print_text(prompt)
    else:
        write_bytes(prompt.encode("utf-8", "surrogateescape"))
