"""Giving back the room that a catalog no longer needs."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from knowledge.catalog import database
from knowledge.catalog.inspection import free_bytes
from knowledge.errors import CatalogCorrupt

# A catalog that shrinks a little will grow again, and to compact one takes about as long as to copy it.
MIN_FREE_SHARE = 0.25
MIN_FREE_BYTES = 1024 * 1024


def reclaimable(path: Path) -> int:
    """How many bytes `compact` would free; 0 where it is not worth it, or where there is no catalog.

    Raises:
        CatalogError: the catalog cannot be read.
    """
    if not path.is_file() or not path.stat().st_size:
        return 0
    with closing(database.open_reader(path, traceless=True)) as connection, database.mapped_errors(path):
        size, free = free_bytes(connection)
    return free if free >= max(MIN_FREE_BYTES, MIN_FREE_SHARE * size) else 0


def compact(path: Path) -> int:
    """Rewrite a catalog without its free pages; returns how many bytes that freed.

    Readers go on meanwhile. What the catalog says stays the same.

    Raises:
        CatalogBusy: an index run is at it.
        CatalogError: the folder cannot be written, or there is no room for the copy.
    """
    with database.only_writer(path):
        before = path.stat().st_size
        with (
            database.mapped_errors(path),
            closing(
                sqlite3.connect(path, timeout=database.WRITE_TIMEOUT, isolation_level=None)
            ) as connection,
        ):
            if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise CatalogCorrupt(
                    "the catalog is damaged",
                    where=str(path),
                    remedy="Run 'prebrief index --full' to rebuild it",
                )
            connection.execute("VACUUM")
            database.checkpoint(connection, path)
        return max(0, before - path.stat().st_size)
