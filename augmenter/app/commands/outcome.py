"""``prebrief outcome``."""

from __future__ import annotations

import argparse

from augmenter.app.common import answer, open_augmenter, read_file
from augmenter.app.completion import Completed
from augmenter.app.describe import used_line
from augmenter.app.options import add_dispatch_id
from knowledge.jsonable import to_json

STATUSES = ("success", "failure", "infra", "cancelled")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_dispatch_id(parser)
    parser.add_argument("--status", choices=STATUSES, required=True, help="how the dispatch ended")
    change = parser.add_mutually_exclusive_group()
    change.add_argument("--base", default="", metavar="REV", help="the commit before the work")
    parser.add_argument(
        "--head", default="", metavar="REV", help="the commit after it (default: the work tree)"
    )
    change.add_argument(
        "--diff", metavar="FILE", help="a unified diff instead of --base; - for standard input"
    )
    parser.add_argument(
        "--used", nargs="+", default=[], metavar="HASH", help="pattern hashes the agent says it used"
    )
    parser.add_argument("--error", default="", metavar="TEXT", help="what went wrong")
    parser.add_argument("--replace", action="store_true", help="supersede a different outcome")


def run(arguments: argparse.Namespace) -> int:
    """Record the outcome."""
    if arguments.head and not arguments.base:
        arguments.wrong_usage("--head needs --base")
    with open_augmenter(arguments) as augmenter:
        completed = augmenter.complete(
            augmenter.history(arguments.dispatch_id).receipt.dispatch_id,
            status=arguments.status,
            base=arguments.base,
            head=arguments.head,
            diff=read_file(arguments.diff) if arguments.diff else None,
            used=arguments.used,
            error=arguments.error,
            replace=arguments.replace,
        )
    answer(arguments, to_json(completed), describe(completed))
    return 0


def describe(completed: Completed) -> str:
    """What was recorded, for people."""
    done = "recorded" if completed.recorded else "was recorded already; nothing changed"
    lines = [f"{completed.dispatch_id}: {completed.status} {done}."]
    if completed.replaced:
        lines.append("  It takes the place of an earlier outcome, which stays in the ledger.")
    if not completed.looked:
        lines.append("  Use was not looked for: give --base, --diff or --used.")
    elif not completed.used:
        lines.append("  Nothing of the brief shows in the change.")
    return "\n".join([*lines, *(f"  {used_line(item)}" for item in completed.used)])
