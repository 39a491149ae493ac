# ruff: noqa: T201 - a command line
"""Try the real clients, or record what they send.

    python -m evals.clients record --host HOST --client PATH --work DIR
    python -m evals.clients try --host HOST --client PATH --work DIR

`try` indexes a small repository, installs Prebrief's hook there, has the client work in it and shows whether
the model got the brief. `record` writes what hooks are told as fixtures for the tests. PATH is the client's
program as npm installs it (node_modules/.bin/claude, codex or gemini), DIR a folder to play in. No model and
no network is involved, but a script on the loopback interface.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from evals.clients import claude_code, codex, gemini, situations
from evals.clients.client import Client
from evals.clients.recording import Situations, record
from evals.clients.stage import Stage, stage_folder
from evals.clients.trying import attempt
from evals.command import carried_out
from knowledge.errors import TaskError

CLIENTS: Mapping[str, tuple[Client, Situations]] = {
    "claude-code": (claude_code.CLIENT, situations.claude_code),
    "codex": (codex.CLIENT, situations.codex),
    "gemini": (gemini.CLIENT, situations.gemini),
}
FIXTURES = Path("tests/augmenter/hosts/fixtures")


def main(argv: Sequence[str] | None = None) -> int:
    """Record, or try."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.clients",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("action", choices=["record", "try"], help="what to do")
    parser.add_argument("--host", choices=list(CLIENTS), required=True, help="which client")
    parser.add_argument("--client", type=Path, required=True, help="its program")
    parser.add_argument("--work", type=Path, required=True, help="a folder to play in")
    parser.add_argument("--prebrief", type=Path, help="the program to try (default: this tree's own)")
    parser.add_argument("--fixtures", type=Path, default=FIXTURES, help="where recordings go")
    arguments = parser.parse_args(argv)
    return carried_out(lambda: _ACTIONS[arguments.action](arguments))


def _record(arguments: argparse.Namespace) -> None:
    client, played = CLIENTS[arguments.host]
    for name in record(client, arguments.client.resolve(), arguments.work, played, arguments.fixtures):
        print(name)


def _try(arguments: argparse.Namespace) -> None:
    client, played = CLIENTS[arguments.host]
    project = Stage(stage_folder(arguments.work), "").project
    situation = next(item for item in played(str(project)) if item.name == "agent")
    trial = attempt(client, arguments.client.resolve(), arguments.work, situation, arguments.prebrief)
    rows = [
        (client.host, trial.version, item.event, item.delivered, str(item.characters), item.receipt)
        for item in trial.deliveries
    ]
    for row in (_HEADINGS, *rows):
        print("  ".join(f"{cell:{width}}" for cell, width in zip(row, _WIDTHS, strict=True)).rstrip())
    if lost := [item.event for item in trial.deliveries if item.delivered == "no"]:
        raise TaskError(
            f"no brief reached the model: {', '.join(lost)}",
            where=client.host,
            remedy="See what 'prebrief hook test' says",
        )


_ACTIONS = {"record": _record, "try": _try}
_HEADINGS = ("host", "version", "event", "delivered", "characters", "receipt")
_WIDTHS = (11, 9, 9, 9, 10, 7)


if __name__ == "__main__":
    sys.exit(main())
