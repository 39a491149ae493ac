"""What the command lines of evaluations have in common."""

from __future__ import annotations

import sys
from collections.abc import Callable

from knowledge.errors import PrebriefError


def carried_out(action: Callable[[], None]) -> int:
    """Do it; what is wrong is said in one line on standard error.

    Returns:
        The exit code: 0 done, 1 failed.
    """
    try:
        action()
    except PrebriefError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def tell(text: str) -> None:
    """Say on standard error how far it is."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
