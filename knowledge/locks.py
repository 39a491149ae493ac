"""One lock for many processes: advisory, on a file, released by the kernel when its holder dies."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from knowledge.errors import LedgerError, PrebriefError

# How long to sleep between two attempts: a holder keeps a lock for about a millisecond.
_FIRST_PAUSE = 0.0005
_LONGEST_PAUSE = 0.02


# Written here because the library for it, filelock, costs 45 ms of imports in the path of a dispatch.
@contextmanager
def file_lock(path: Path, timeout: float, *, error: type[PrebriefError] = LedgerError) -> Iterator[None]:
    """Hold an exclusive lock on ``path`` (created if need be) for the length of a ``with`` block.

    The lock excludes other processes and other threads of this one. It is not re-entrant.

    Args:
        path: the lock file; its folder must exist. It stays behind, empty.
        timeout: seconds to wait for another holder; 0 means one attempt.
        error: the class of error to raise.

    Raises:
        PrebriefError: of class ``error``; the lock is still held by another, or the file cannot be opened.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as problem:
        raise error.of_system("cannot be locked", problem, path, "Make the folder writable") from None
    try:
        _acquire(handle, path, timeout, error)
        yield
    finally:
        os.close(handle)  # which releases the lock


def _acquire(handle: int, path: Path, timeout: float, error: type[PrebriefError]) -> None:
    deadline = time.monotonic() + timeout
    pause = _FIRST_PAUSE
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            left = deadline - time.monotonic()
            if left <= 0:
                raise error(
                    f"another process has held this lock for more than {timeout:g} s",
                    where=str(path),
                    remedy="Try again when it has ended",
                ) from None
            time.sleep(min(pause, left))
            pause = min(pause * 2, _LONGEST_PAUSE)
        except OSError as problem:
            raise error.of_system(
                "cannot be locked", problem, path, "Keep the state folder on a file system that has locks"
            ) from None
        else:
            return
