"""Standard streams that may be closed, full, or without a reader. Light: every command imports it."""

from __future__ import annotations

import os
import sys
from typing import TextIO


def tell(line: str) -> None:
    """Write a line to standard error; whether anybody can read it makes no difference to what is done."""
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        forget(sys.stderr)


def forget(stream: TextIO) -> None:
    """Let what is still buffered go nowhere, or the interpreter complains of it at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
