# ruff: noqa: T201 - a command line
"""Install the peers that live in environments of their own.

    python -m evals.peers install --work DIR

The others (bm25s, ripgrep) come with the extra ``bench``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from evals.command import carried_out, tell
from evals.peers.choice import environments


def main(argv: Sequence[str] | None = None) -> int:
    """Make the environments and print what is in them."""
    parser = argparse.ArgumentParser(prog="python -m evals.peers", description=__doc__)
    parser.add_argument("action", choices=["install"], help="make what is missing")
    parser.add_argument("--work", type=Path, required=True, help="the benchmark's folder for checkouts")
    arguments = parser.parse_args(argv)
    return carried_out(lambda: _install(arguments.work))


def _install(work: Path) -> None:
    made: dict[str, str] = {}
    for environment in environments(work):
        tell(f"{environment.name}: {environment.folder}")
        environment.install()
        made[environment.name] = environment.version()
    print(json.dumps(made, indent=2))


if __name__ == "__main__":
    sys.exit(main())
