"""``prebrief hook``: one JSON object in, one out; it fails open, in time, and without a word on stderr."""

from __future__ import annotations

import argparse

from augmenter.app.common import read_stdin, write_bytes
from augmenter.app.hooks import answer_event
from augmenter.app.options import add_action
from augmenter.hosts.registry import NAMES
from knowledge.errors import TaskError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    actions = parser.add_subparsers(metavar="ACTION", dest="action", required=True)
    running = add_action(actions, "run", "brief one dispatch: JSON on stdin, JSON on stdout")
    running.add_argument("host", choices=NAMES, metavar="HOST", help="whose form of JSON")
    running.add_argument(
        "--root", metavar="DIR", default="", help="a folder of the project (default: the event's)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Answer one event. Always exits with 0: a hook must never block a dispatch."""
    try:
        event = read_stdin()
    except TaskError:
        event = b""  # which is answered as any event that cannot be used
    answer = answer_event(arguments.host, event, arguments.root)
    write_bytes(answer.stdout)
    return answer.exit_code
