"""``prebrief receipts``."""

from __future__ import annotations

import argparse
import io
from dataclasses import asdict
from pathlib import Path

from augmenter.app.augmenter import Augmenter
from augmenter.app.common import open_augmenter, print_json, print_text
from augmenter.app.describe import headline, summary
from augmenter.app.options import add_action, add_dispatch_id, add_json, add_root, count
from knowledge.errors import LedgerError
from knowledge.jsonable import to_json
from receipts.export import export
from receipts.verify import Verification, verify


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    actions = parser.add_subparsers(metavar="ACTION", dest="action", required=True)
    listing = add_action(actions, "list", "the latest receipts, newest first")
    listing.add_argument("--limit", type=count, default=20, metavar="N", help="at most so many (default: 20)")
    show = add_action(actions, "show", "one receipt with all that is linked to it")
    add_dispatch_id(show)
    check = add_action(actions, "verify", "re-derive every hash; exit 1 when anything is wrong")
    out = add_action(actions, "export", "the whole ledger, or a time range, as NDJSON: a backup")
    out.add_argument("--output", metavar="FILE", help="write to a file (default: stdout)")
    out.add_argument("--since", metavar="TIME", help="leave out what is earlier (ISO 8601)")
    out.add_argument("--until", metavar="TIME", help="leave out what is later (ISO 8601)")
    for action in (listing, check, out):
        add_root(action)
    for action in (listing, check):
        add_json(action)


def run(arguments: argparse.Namespace) -> int:
    """Run the chosen action."""
    actions = {"list": _list, "show": _show, "verify": _verify, "export": _export}
    with open_augmenter(arguments) as augmenter:
        return actions[arguments.action](augmenter, arguments)


def _list(augmenter: Augmenter, arguments: argparse.Namespace) -> int:
    latest = augmenter.ledger().latest(arguments.limit)
    if arguments.json:
        print_json({"receipts": to_json(latest)})
    else:
        print_text("\n".join(headline(receipt) for receipt in latest) or "No receipts yet.")
    return 0


def _show(augmenter: Augmenter, arguments: argparse.Namespace) -> int:
    history = augmenter.history(arguments.dispatch_id)
    if arguments.json:
        print_json(
            {
                "receipt": to_json(history.receipt),
                "linked": to_json(history.linked),
            }
        )
    else:
        print_text(summary(history))
    return 0


def _verify(augmenter: Augmenter, arguments: argparse.Namespace) -> int:
    found = verify(augmenter.project.receipts)
    if arguments.json:
        print_json({**asdict(found), "ok": found.ok})
    else:
        print_text(_verdict(found))
    return 0 if found.ok else 1


def _verdict(found: Verification) -> str:
    lines = [f"Lines: {found.lines}, of which {found.receipts} receipts; segments: {found.segments}."]
    if found.newer:
        lines.append(f"Written by a newer version, only chained: {found.newer}.")
    lines += [f"  {problem.segment}:{problem.line}: {problem.what}" for problem in found.problems]
    lines += [f"  {where}: a line torn while it was written; nothing else is lost" for where in found.torn]
    lines.append("Everything re-derives." if found.ok else f"Problems: {len(found.problems)}.")
    return "\n".join(lines)


def _export(augmenter: Augmenter, arguments: argparse.Namespace) -> int:
    folder = augmenter.project.receipts
    if not arguments.output:
        text = io.StringIO()
        export(folder, text, arguments.since, arguments.until)
        print_text(text.getvalue())
        return 0
    try:
        with Path(arguments.output).open("w", encoding="utf-8") as out:
            written = export(folder, out, arguments.since, arguments.until)
    except OSError as error:
        raise LedgerError.of_system(
            "cannot be written", error, arguments.output, "Give a writable file"
        ) from None
    print_text(f"{written} records written to {arguments.output}.")
    return 0
