"""The command ``kb``, for agents and engineers; its JSON is camelCase."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from augmenter.app.command_line import CommandLine, make_usable

KB = CommandLine(
    name="kb",
    description="Ask a repository's knowledge, and check how well it answers.",
    commands={
        "evaluate": "measure retrieval on cases with known answers; 1 when it has become significantly worse",
    },
    package="augmenter.app.kb_commands",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code.

    Args:
        argv: its words; None takes those of this process.
    """
    if argv is not None:
        return KB.run(argv)
    words = sys.argv[1:]
    make_usable()
    return KB.run(words)
