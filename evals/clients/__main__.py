# ruff: noqa: T201 - a command line
"""Try the real clients, or record what they send.

    python -m evals.clients record --host HOST --client PATH --work DIR
    python -m evals.clients try --host HOST --client PATH --work DIR

PATH is the client's program as npm installs it (node_modules/.bin/claude, codex or gemini), DIR a folder to
play in. No model and no network is involved but a script on the loopback interface.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from evals.clients import claude_code, codex, gemini, situations
from evals.clients.client import Client
from evals.clients.recording import Situations, record
from evals.command import carried_out

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
    parser.add_argument("--fixtures", type=Path, default=FIXTURES, help="where recordings go")
    arguments = parser.parse_args(argv)
    return carried_out(lambda: _record(arguments))


def _record(arguments: argparse.Namespace) -> None:
    client, played = CLIENTS[arguments.host]
    for name in record(client, arguments.client.resolve(), arguments.work, played, arguments.fixtures):
        print(name)


if __name__ == "__main__":
    sys.exit(main())
