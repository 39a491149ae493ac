"""Giving back the room of a parse cache that nobody uses: `prebrief gc`'s part in it.

The cache keeps to its bound by itself. What it holds of projects that are gone stays until then, and pages
that became free are used again but never given back.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from knowledge.catalog.inspection import free_bytes
from knowledge.parse_cache import APPLICATION_ID, BUSY_TIMEOUT, FILE_NAME, SECONDS_PER_DAY
from knowledge.settings import MEBIBYTE
from knowledge.sqlite_header import read_header

UNUSED_DAYS = 90  # a project that nobody has indexed for a season is parsed anew in a minute
MIN_FREED = MEBIBYTE  # below, it is not worth to copy the file

_OLD = "SELECT coalesce(sum(size), 0) FROM parsed WHERE day < ?"
_FORGET = "DELETE FROM parsed WHERE day < ?"


def trim_cache(folder: Path, now: float, *, dry_run: bool = False) -> tuple[Path, int]:
    """Forget what no run has asked for in `UNUSED_DAYS`, and give its room back to the disk.

    Args:
        folder: the user's cache folder.
        now: seconds since the epoch.
        dry_run: only tell about how much that would free.

    Returns:
        The cache's file and the number of bytes; 0 also where there is no cache, or it is in use, or it is
        damaged: the next index run sees to that.
    """
    path = folder / FILE_NAME
    if not path.is_file():
        return path, 0
    last_day = int(now // SECONDS_PER_DAY) - UNUSED_DAYS
    address = f"{path.absolute().as_uri()}?mode={'ro' if dry_run else 'rw'}"
    try:
        with closing(
            sqlite3.connect(address, uri=True, timeout=BUSY_TIMEOUT, isolation_level=None)
        ) as connection:
            return path, _trim(connection, last_day, dry_run=dry_run)
    except sqlite3.Error:
        return path, 0


def _trim(connection: sqlite3.Connection, last_day: int, *, dry_run: bool) -> int:
    if read_header(connection)[0] != APPLICATION_ID:
        return 0
    size, free = free_bytes(connection)
    expected = free + int(connection.execute(_OLD, (last_day,)).fetchone()[0])
    if expected < MIN_FREED:
        return 0
    if dry_run:
        return expected
    connection.execute(_FORGET, (last_day,))
    connection.execute("VACUUM")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return max(0, size - free_bytes(connection)[0])
