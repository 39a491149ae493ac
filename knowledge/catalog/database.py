"""Opening a catalog: for reading without ever waiting for a writer, and for writing as the only writer."""

from __future__ import annotations

import os
import shutil
import sqlite3
import zlib
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
    DeadlineExceeded,
    PrebriefError,
)
from knowledge.locks import file_lock
from knowledge.sqlite_header import read_header, require_known

READ_TIMEOUT = 0.25  # seconds; a reader waits only for a recovery after a crash, and has a deadline of one
WRITE_TIMEOUT = 10.0  # seconds; another index run on the same view
# Holds the hot pages of a large catalog's full-text index. No memory mapping on top: it saves nothing that
# can be measured, and a mapped file that somebody truncates kills the process instead of raising an error.
PAGE_CACHE_KIB = 32 * 1024

_REBUILD = "Run 'prebrief index --full' to rebuild it"
_UPGRADE = "Upgrade prebrief, or run 'prebrief index --full' to rebuild it for this version"
_DAMAGED = frozenset({"SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_CONSTRAINT", "SQLITE_MISMATCH"})
# What SQLite and its driver report without a code of its own: a schema that is not the one its version says,
# a header from the future, text whose bytes were changed.
_DAMAGE_SIGNS = (
    *("no such table", "no such column", "no column", "already exists", "duplicate column"),
    *("unsupported file format", "could not decode"),
    *("vtable constructor failed", "fts5 file format"),
)


def open_reader(path: Path, *, traceless: bool = False) -> sqlite3.Connection:
    """Open a catalog for reading.

    Args:
        path: its file.
        traceless: leave no side files behind where there are none. Then a run that ends meanwhile is not
            noticed, and what was read may be torn: for looks that can be repeated.

    Raises:
        CatalogMissing: there is none, or it was never finished.
        CatalogTooNew: a newer version wrote it.
        CatalogCorrupt: the file is damaged or is no catalog.
        CatalogBusy: it is locked.
        CatalogError: it cannot be opened.
    """
    with mapped_errors(path):
        _require_file(path)
        address = _uri(path, traceless=traceless)
        connection = sqlite3.connect(address, uri=True, timeout=READ_TIMEOUT, isolation_level=None)
        try:
            if _version(connection, path) < SCHEMA_VERSION or not _is_finished(connection):
                raise CatalogMissing(
                    "no index run of this version has finished yet",
                    where=str(path),
                    remedy="Run 'prebrief index'",
                )
            connection.execute(f"PRAGMA cache_size = -{PAGE_CACHE_KIB}")
        except BaseException:
            connection.close()
            raise
    return connection


def open_writer(path: Path) -> sqlite3.Connection:
    """Open a catalog for writing, take the write lock, and create or migrate the schema.

    The transaction that this begins is the whole run: committed at its end, or never.

    Raises:
        CatalogBusy: another run holds the lock.
        CatalogTooNew, CatalogCorrupt: as for reading.
        CatalogError: it cannot be written.
    """
    with mapped_errors(path):
        _require_no_folder(path)
        connection = sqlite3.connect(path, timeout=WRITE_TIMEOUT, isolation_level=None)
        try:
            _version(connection, path)  # before anything is written into what may not be ours
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")  # in WAL mode safe but for the last commit
            connection.execute("PRAGMA secure_delete = ON")  # no deleted text stays in free pages
            connection.execute(f"PRAGMA cache_size = -{PAGE_CACHE_KIB}")
            connection.execute("BEGIN IMMEDIATE")
            _version(connection, path)  # again, now that nobody else can write
            migrate(connection)
        except BaseException:
            connection.close()
            raise
    return connection


def checkpoint(connection: sqlite3.Connection, path: Path) -> None:
    """Move what was committed from the log into the file, and empty the log unless a reader still needs it.

    The log of a full run is as large as the catalog, and would stay so for as long as anybody keeps the
    catalog open. Never waits: what cannot be moved now is left to the next run. An empty log is left alone:
    to readers even that would look like a change.
    """
    log = path.with_name(path.name + "-wal")
    if not log.exists() or not log.stat().st_size:
        return
    connection.execute("PRAGMA busy_timeout = 0")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@contextmanager
def only_writer(path: Path) -> Iterator[None]:
    """Hold off other index runs, also while the catalog's file itself is removed and made anew.

    Raises:
        CatalogBusy: another run is at it for longer than `WRITE_TIMEOUT`.
        CatalogError: the folder cannot be written.
    """
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise CatalogError(
            "the folder cannot be written", where=str(path.parent), remedy="Make the folder writable"
        )
    with file_lock(path.with_name(path.name + ".lock"), WRITE_TIMEOUT, error=CatalogBusy):
        yield


def remove(path: Path) -> None:
    """Delete a catalog, or what lies in its place, and its side files. Only for its `only_writer`.

    Raises:
        CatalogError: it cannot be deleted.
    """
    try:
        for suffix in ("", "-wal", "-shm", "-journal"):
            found = path.with_name(path.name + suffix)
            if found.is_dir() and not found.is_symlink():
                shutil.rmtree(found)
            else:
                found.unlink(missing_ok=True)
    except OSError as error:
        raise CatalogError.of_system(
            "the catalog cannot be deleted", error, path, "Delete it by hand; it can be rebuilt"
        ) from None


# SQLite's errors; no UTF-8 or broken JSON, an unknown kind, a broken record.
FAULTS = (sqlite3.Error, ValueError, KeyError, zlib.error)


@contextmanager
def mapped_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors, and stored values that are none of ours, into this project's errors."""
    try:
        yield
    except FAULTS as error:
        raise mapped(error, path) from error


def mapped(error: Exception, path: Path) -> PrebriefError:
    """What to tell of one of `FAULTS`."""
    return _mapped(error, path) if isinstance(error, sqlite3.Error) else _damaged(str(error), path)


def _mapped(error: sqlite3.Error, path: Path) -> PrebriefError:
    text, where = str(error), str(path)
    name: str = getattr(error, "sqlite_errorname", "")  # the driver's own errors have none
    primary = "_".join(name.split("_")[:2])
    if primary == "SQLITE_INTERRUPT":
        return DeadlineExceeded("the deadline has passed", where=where, remedy="Raise dispatch.deadline_ms")
    if primary in ("SQLITE_BUSY", "SQLITE_LOCKED"):
        return CatalogBusy(
            "another process holds the catalog", where=where, remedy="Try again when it is done"
        )
    if primary in _DAMAGED or any(sign in text.lower() for sign in _DAMAGE_SIGNS):
        return _damaged(text, path)
    return CatalogError(
        f"the catalog cannot be used ({text})",
        where=where,
        remedy="Check the folder's permissions and free space",
    )


def _damaged(text: str, path: Path) -> CatalogCorrupt:
    return CatalogCorrupt(f"the catalog is damaged ({text})", where=str(path), remedy=_REBUILD)


def _require_file(path: Path) -> None:
    _require_no_folder(path)
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        raise CatalogMissing(
            "nothing is indexed yet", where=str(path), remedy="Run 'prebrief index'"
        ) from None
    except OSError as error:
        raise CatalogError.of_system("the catalog cannot be read", error, path, "Make it readable") from None


def _require_no_folder(path: Path) -> None:
    if os.path.isdir(path):  # noqa: PTH112 (Path.is_dir raises where permissions are missing)
        raise CatalogCorrupt("a folder lies in the catalog's place", where=str(path), remedy=_REBUILD)


def _uri(path: Path, *, traceless: bool) -> str:
    """A read-only address; immutable where nobody, we included, can write and no log is left to read.

    SQLite cannot open a WAL database in a folder it may not write to unless told that it will not change;
    and otherwise it makes side files for a reader, too.
    """
    address = f"file:{quote(os.fsencode(path))}?mode=ro"
    log = path.with_name(path.name + "-wal")
    if (traceless or not os.access(path.parent, os.W_OK)) and not log.exists():
        return address + "&immutable=1"
    return address


def _version(connection: sqlite3.Connection, path: Path) -> int:
    """The version of the catalog's schema; 0 when the file is new."""
    application, version = read_header(connection)
    is_new = application == 0 and not connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
    if application != APPLICATION_ID and not is_new:
        raise CatalogCorrupt("this SQLite file is not a catalog", where=str(path), remedy=_REBUILD)
    require_known(version, SCHEMA_VERSION, path, _UPGRADE)
    return version


def _is_finished(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM meta WHERE key = 'fingerprint'").fetchone() is not None
