"""What parsing made of file contents, kept for all projects of a user: a second clone need not parse again.

A cache and nothing else: bounded, what was not used for longest goes first; whatever is wrong with it (no
permission, a full disk, damage, another process that holds it), it is as if it were empty. It holds what
catalogs hold, hence no secrets, for its owner's eyes only.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import sys
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

from knowledge.catalog.packed import FORMAT
from knowledge.closing import Closing
from knowledge.settings import MEBIBYTE
from knowledge.sqlite_header import read_header

MAX_BYTES = 512 * MEBIBYTE  # some 50 repositories of django's size
KEPT_SHARE = 0.8  # of the bound, once it is passed: to tidy up at every entry would cost more
BUFFER_BYTES = 4 * MEBIBYTE  # written at once: the file is locked for milliseconds, not for a whole run
BUSY_TIMEOUT = 1.0  # seconds to wait for another run that writes
SECONDS_PER_DAY = 86_400
APPLICATION_ID = 0x5042_5043  # "PBPC": tells this file from any other SQLite file
VERSION = 1  # of the schema, and in the file's name: two versions in use keep out of each other's way

_PREFIX = "parsed-"
FILE_NAME = f"{_PREFIX}{VERSION}.sqlite"
_DIGEST_BYTES = 16
_OTHERS, _OTHERS_WRITE = 0o077, 0o022  # what a mode lets other users do
# What the same recipe may see otherwise in the same file: characters' classes and names' cases are Python's.
_INTERPRETER = f"{FORMAT} {sys.version_info[0]}.{sys.version_info[1]} {unicodedata.unidata_version}"
_SCHEMA = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {VERSION}",
    "CREATE TABLE parsed (key BLOB NOT NULL UNIQUE, day INTEGER NOT NULL, size INTEGER NOT NULL,"
    " check_sum BLOB NOT NULL, packed BLOB NOT NULL) STRICT",
    "CREATE INDEX parsed_by_day ON parsed (day, size)",
)
_TIDY = """
DELETE FROM parsed WHERE rowid IN (
    SELECT rowid FROM (
        SELECT rowid, sum(size) OVER (ORDER BY day DESC, rowid DESC) AS total FROM parsed
    ) WHERE total > ?
)
"""
_DAMAGED = frozenset({"SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_ERROR", "SQLITE_CONSTRAINT", ""})
_T = TypeVar("_T")


class ParseCache(Closing):
    """The packed files of one recipe.

    Args:
        folder: the user's cache folder, made if need be; None for a cache that keeps nothing.
        recipe: hash of everything but a file's path and content that its evidence depends on.
        now: seconds since the epoch, to tell what is used from what is not.
        write_only: give nothing, so that all is parsed anew and what is kept is replaced.
        max_bytes: the bound.
    """

    def __init__(
        self,
        folder: Path | None,
        recipe: str,
        now: float,
        *,
        write_only: bool = False,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self._recipe = f"{_INTERPRETER} {recipe}"
        self._today = int(now // SECONDS_PER_DAY)
        self._write_only = write_only
        self._max_bytes = max_bytes
        self._new: dict[bytes, bytes] = {}
        self._new_bytes = 0
        self._used: set[bytes] = set()
        self._path = folder / FILE_NAME if folder else None
        self._db: sqlite3.Connection | None = None
        if self._path is not None:
            self._db = self._guarded(_open, self._path) or self._guarded(_open, self._path)

    def get(self, blob: str, path: str) -> bytes | None:
        """The packed file of this content and path, or None."""
        if self._db is None or self._write_only:
            return None
        key = self._key(blob, path)
        row = self._guarded(self._find, key)
        if row is None or row[1] != _digest(row[0]):
            return None
        if row[2] != self._today:
            self._used.add(key)
        return row[0]

    def put(self, blob: str, path: str, packed: bytes) -> None:
        """Keep a packed file."""
        if self._db is None:
            return
        self._new[self._key(blob, path)] = packed
        self._new_bytes += len(packed)
        if self._new_bytes > BUFFER_BYTES:
            self._guarded(self._flush)

    def close(self) -> None:
        """Write what is still to be written, and let go of the file."""
        if self._new or self._used:
            self._guarded(self._flush)
        self._let_go()

    def _find(self, key: bytes) -> tuple[bytes, bytes, int] | None:
        query = "SELECT packed, check_sum, day FROM parsed WHERE key = ?"
        found: tuple[bytes, bytes, int] | None = self._connection.execute(query, (key,)).fetchone()
        return found

    def _flush(self) -> None:
        db = self._connection
        new = [(key, self._today, len(data), _digest(data), data) for key, data in self._new.items()]
        used = [(self._today, key) for key in sorted(self._used)]
        self._new.clear()
        self._used.clear()
        self._new_bytes = 0
        db.execute("BEGIN IMMEDIATE")
        db.executemany("INSERT OR REPLACE INTO parsed VALUES (?, ?, ?, ?, ?)", new)
        db.executemany("UPDATE parsed SET day = ? WHERE key = ?", used)
        if new and (db.execute("SELECT sum(size) FROM parsed").fetchone()[0] or 0) > self._max_bytes:
            db.execute(_TIDY, (int(self._max_bytes * KEPT_SHARE),))
        db.execute("COMMIT")

    def _key(self, blob: str, path: str) -> bytes:
        return _digest(f"{self._recipe}\0{blob}\0{path}".encode("utf-8", "surrogatepass"))

    @property
    def _connection(self) -> sqlite3.Connection:
        if self._db is None:
            raise sqlite3.ProgrammingError("closed")
        return self._db

    def _guarded(self, do: Callable[..., _T], *arguments: object) -> _T | None:
        """What ``do`` gives; None, and from now on an empty cache, when it cannot."""
        try:
            return do(*arguments)
        except OSError:
            self._let_go()
        except sqlite3.Error as error:
            self._let_go()
            name: str = getattr(error, "sqlite_errorname", "")
            if "_".join(name.split("_")[:2]) in _DAMAGED and self._path is not None:
                _remove(self._path)
        return None

    def _let_go(self) -> None:
        self._new.clear()
        self._used.clear()
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
            self._db = None


def _open(path: Path) -> sqlite3.Connection:
    _make_private(path)
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = OFF")  # what a power cut damages is made anew
        connection.execute("PRAGMA journal_mode = WAL")
        if read_header(connection) == (0, 0):
            _create(connection)
        if read_header(connection) != (APPLICATION_ID, VERSION):
            raise sqlite3.DatabaseError("not a parse cache")
    except BaseException:
        connection.close()
        raise
    return connection


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    if read_header(connection) == (0, 0):  # still, now that nobody else can write
        for statement in _SCHEMA:
            connection.execute(statement)
    connection.execute("COMMIT")


def _make_private(path: Path) -> None:
    """Make folder and file for their owner alone. Raises OSError when somebody else has a hand in them.

    A folder that is also used for something else (``/tmp``, the home) stays as it is.
    """
    folder = path.parent
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.stat()
    if found.st_uid != os.geteuid():
        raise PermissionError(f"{folder} belongs to somebody else")
    mode = stat.S_IMODE(found.st_mode)
    if mode & _OTHERS and not mode & stat.S_ISVTX and _holds_only_caches(folder):
        folder.chmod(0o700)
    elif mode & _OTHERS_WRITE:
        raise PermissionError(f"others may write to {folder}")
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        os.fchmod(handle, 0o600)
    finally:
        os.close(handle)


def _holds_only_caches(folder: Path) -> bool:
    return all(entry.name.startswith(_PREFIX) for entry in folder.iterdir())


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        with suppress(OSError):
            path.with_name(path.name + suffix).unlink()


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=_DIGEST_BYTES).digest()
