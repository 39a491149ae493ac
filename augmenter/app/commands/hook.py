"""``prebrief hook``: the command that hosts call on their events, and its installation.

``run`` is on the path of every dispatch: what only the other actions need is imported by them. It fails open,
in time, and without a word on stderr.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from augmenter.app.common import read_stdin, write_bytes
from augmenter.app.hooks import answer_event
from augmenter.app.options import add_action, add_json, add_root
from augmenter.hosts.registry import NAMES
from knowledge.errors import TaskError

if TYPE_CHECKING:
    from augmenter.app.installing.places import Scope


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    actions = parser.add_subparsers(metavar="ACTION", dest="action", required=True)
    running = add_action(actions, "run", "answer one event of a host: JSON on stdin, JSON on stdout")
    _add_host(running, "whose form of JSON")
    running.add_argument(
        "--root", metavar="DIR", default="", help="a folder of the project (default: the event's)"
    )
    for name, text in (
        ("install", "have a host call Prebrief on its events"),
        ("uninstall", "take Prebrief's hooks out of a host's settings"),
    ):
        action = add_action(actions, name, text)
        _add_host(action, "whose settings")
        _add_scope(action)
        if name == "install":
            action.add_argument(
                "--all-events",
                action="store_true",
                help="also events that only newer hosts know (an older Claude Code then ignores the file)",
            )
        action.add_argument("--dry-run", action="store_true", help="only show what would change, as a diff")
        add_root(action)
        add_json(action)
    test = add_action(
        actions, "test", "call the installed hooks as the host would; 1 when something is wrong"
    )
    _add_host(test, "whose hooks")
    add_root(test)
    add_json(test)


def _add_host(parser: argparse.ArgumentParser, help_text: str) -> None:
    parser.add_argument("host", choices=NAMES, metavar="HOST", help=help_text)
    parser.epilog = f"HOST is one of {', '.join(NAMES)}."


def _add_scope(parser: argparse.ArgumentParser) -> None:
    scope = parser.add_mutually_exclusive_group()
    scope.add_argument(
        "--user",
        dest="scope",
        action="store_const",
        const="user",
        default="project",
        help="in the user's settings, for all projects (default: in the project's)",
    )
    scope.add_argument(
        "--local",
        dest="scope",
        action="store_const",
        const="local",
        help="in the project's settings that are not shared (Claude Code)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the chosen action."""
    if arguments.action == "run":
        return _answer(arguments)
    from augmenter.app.installing import command  # noqa: PLC0415 - no event pays for it

    scope: Scope = getattr(arguments, "scope", "project")
    if arguments.action == "test":
        return command.test(arguments)
    if arguments.action == "install":
        return command.install(arguments, scope)
    return command.uninstall(arguments, scope)


def _answer(arguments: argparse.Namespace) -> int:
    """Answer one event. Always exits with 0: a hook must never block a dispatch."""
    try:
        event = read_stdin()
    except TaskError:
        event = b""  # which is answered as any event that cannot be used
    answer = answer_event(arguments.host, event, arguments.root)
    write_bytes(answer.stdout)
    return answer.exit_code
