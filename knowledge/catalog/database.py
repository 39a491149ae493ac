"""Opening a catalog: for reading without ever waiting for a writer, and for writing as the only writer."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from knowledge.catalog.schema import APPLICATION_ID, SCHEMA_VERSION, migrate
from knowledge.errors import (
    CatalogBusy,
    CatalogCorrupt,
    CatalogError,
    CatalogMissing,
    CatalogTooNew,
    DeadlineExceeded,
    PrebriefError,
)

READ_TIMEOUT = 0.25  # seconds; a reader waits only for a recovery after a crash, and has a deadline of one
WRITE_TIMEOUT = 10.0  # seconds; another index run on the same view
PAGE_CACHE_KIB = 32 * 1024  # holds the hot pages of a large catalog's full-text index
MMAP_BYTES = 256 * 1024 * 1024  # reads go to the page cache without a copy

_REBUILD = "Run 'prebrief index --full' to rebuild it"
_NO_DATABASE = (
    "file is not a database",
    "malformed",
    "disk image",
    "unsupported file format",
    "no such table",
)


def open_reader(path: Path) -> sqlite3.Connection:
    """Open a catalog for reading.

    Raises:
        CatalogMissing: there is none, or it was never finished.
        CatalogTooNew: a newer version wrote it.
        CatalogCorrupt: the file is damaged or is no catalog.
        CatalogBusy: it is locked.
    """
    if not path.is_file():
        raise CatalogMissing("nothing is indexed yet", where=str(path), remedy="Run 'prebrief index'")
    with mapped_errors(path):
        connection = sqlite3.connect(_uri(path), uri=True, timeout=READ_TIMEOUT, isolation_level=None)
        try:
            _check_version(connection, path)
            connection.execute(f"PRAGMA cache_size = -{PAGE_CACHE_KIB}")
            connection.execute(f"PRAGMA mmap_size = {MMAP_BYTES}")
            if not connection.execute("SELECT 1 FROM meta WHERE key = 'fingerprint'").fetchone():
                raise CatalogMissing(
                    "no index run has finished yet", where=str(path), remedy="Run 'prebrief index'"
                )
        except BaseException:
            connection.close()
            raise
    return connection


def open_writer(path: Path) -> sqlite3.Connection:
    """Open a catalog for writing, create or migrate it, and take the write lock.

    The transaction that this begins is the whole run: committed at its end, or never.

    Raises:
        CatalogBusy: another run holds the lock.
        CatalogTooNew, CatalogCorrupt: as for reading.
    """
    with mapped_errors(path):
        connection = sqlite3.connect(path, timeout=WRITE_TIMEOUT, isolation_level=None)
        try:
            _check_writable_version(connection, path)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(f"PRAGMA cache_size = -{PAGE_CACHE_KIB}")
            migrate(connection)
            connection.execute("BEGIN IMMEDIATE")
        except BaseException:
            connection.close()
            raise
    return connection


def remove(path: Path) -> None:
    """Delete a catalog and its side files."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


@contextmanager
def mapped_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into this project's."""
    try:
        yield
    except sqlite3.Error as error:
        raise _mapped(error, path) from error


def _mapped(error: sqlite3.Error, path: Path) -> PrebriefError:
    text, where = str(error), str(path)
    if "interrupted" in text:
        return DeadlineExceeded("the deadline has passed", where=where, remedy="Raise dispatch.deadline_ms")
    if "locked" in text or "busy" in text:
        return CatalogBusy(
            "another process holds the catalog", where=where, remedy="Try again when it is done"
        )
    if any(sign in text for sign in _NO_DATABASE):
        return CatalogCorrupt(f"the catalog is damaged ({text})", where=where, remedy=_REBUILD)
    return CatalogError(
        f"the catalog cannot be used ({text})",
        where=where,
        remedy="Check the folder's permissions and free space",
    )


def _uri(path: Path) -> str:
    """A read-only address; immutable where nobody, we included, can write and no log is left to read.

    SQLite cannot open a WAL database in a folder it may not write to unless told that it will not change.
    """
    address = f"file:{quote(os.fsencode(path))}?mode=ro"
    log = path.with_name(path.name + "-wal")
    if not os.access(path.parent, os.W_OK) and not log.exists():
        return address + "&immutable=1"
    return address


def _check_version(connection: sqlite3.Connection, path: Path) -> None:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application not in (0, APPLICATION_ID):
        raise CatalogCorrupt("this SQLite file is not a catalog", where=str(path), remedy=_REBUILD)
    if version > SCHEMA_VERSION:
        raise CatalogTooNew(
            f"written by a newer version (schema {version}, this one knows {SCHEMA_VERSION})",
            where=str(path),
            remedy="Upgrade prebrief, or run 'prebrief index --full' to rebuild it for this version",
        )
    if application == 0 or version < SCHEMA_VERSION:
        raise CatalogMissing("indexed by an older version", where=str(path), remedy="Run 'prebrief index'")


def _check_writable_version(connection: sqlite3.Connection, path: Path) -> None:
    try:
        _check_version(connection, path)
    except CatalogMissing:
        return  # new or older: the migrations follow
