"""What agents have been given, by context window, and which dispatch a host's later events belong to.

The working set: disposable, one small SQLite file for each project. A file that is damaged is made anew, as
if nothing had been given yet. Nobody waits long for it: a dispatch is worth more than not to be told twice.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from knowledge.errors import SessionError
from knowledge.hygiene import purify
from knowledge.sqlite_header import read_header

SCHEMA_VERSION = 1
_APPLICATION_ID = 0x5042_5353  # "PBSS": tells this file from any other SQLite file
LOCK_TIMEOUT = 0.1  # seconds; a write takes a fifth of a millisecond
MAX_AGE = 14 * 24 * 3600  # seconds; whoever resumes an older session finds it told again
MAX_ROWS = 100_000  # of each table, some 20 MB: ten thousand dispatches
SEPARATOR = ":"  # between a session and the contexts within it

# Two processes may both find the file empty: the second then finds that all is done.
_SCHEMA = f"""
PRAGMA application_id = {_APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
CREATE TABLE IF NOT EXISTS given (
    number INTEGER PRIMARY KEY,
    context TEXT NOT NULL,
    id TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    time INTEGER NOT NULL,
    UNIQUE (context, id)
) STRICT;
CREATE INDEX IF NOT EXISTS given_time ON given (time);
CREATE TABLE IF NOT EXISTS links (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    dispatch_id TEXT NOT NULL,
    time INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS links_time ON links (time);
"""
_TABLES = ("given", "links")
_REPLACE = "INSERT OR REPLACE INTO"
_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_ERROR", "SQLITE_CONSTRAINT", "SQLITE_MISMATCH")


class Sessions:
    """The working sets of a project.

    Args:
        path: the file; made at the first write.
        now: seconds since the epoch.
    """

    def __init__(self, path: Path, now: Callable[[], float]) -> None:
        self.path = path
        self._now = now

    def given(self, context: str) -> dict[str, str]:
        """What a context window holds: content hash by evidence id. Raises SessionError."""
        if not self.path.exists():
            return {}
        with self._connection() as connection:
            rows = connection.execute(
                "SELECT id, content_hash FROM given WHERE context = ? ORDER BY id", (_storable(context),)
            )
            return dict(rows.fetchall())

    def give(self, context: str, items: Iterable[tuple[str, str]]) -> None:
        """Note what a context window was given: evidence ids with content hashes. Raises SessionError."""
        time = int(self._now())
        window = _storable(context)
        rows = [(window, evidence_id, content_hash, time) for evidence_id, content_hash in items]
        self._write(
            "INSERT OR REPLACE INTO given (context, id, content_hash, time) VALUES (?, ?, ?, ?)", rows
        )

    def forget(self, session: str) -> None:
        """Forget what a session was given, in all of its context windows. Raises SessionError."""
        if not self.path.exists():
            return
        session = _storable(session)
        first, last = f"{session}{SEPARATOR}", f"{session}{chr(ord(SEPARATOR) + 1)}"
        self._write(
            "DELETE FROM given WHERE context = ? OR (context >= ? AND context < ?)", [(session, first, last)]
        )

    def link(self, key: str, dispatch_id: str) -> None:
        """Note by what name a host will speak of a dispatch. Raises SessionError."""
        row = (_storable(key), dispatch_id, int(self._now()))
        self._write(f"{_REPLACE} links (key, dispatch_id, time) VALUES (?, ?, ?)", [row])

    def dispatch_of(self, key: str) -> str:
        """The dispatch that a host speaks of; ``""`` for one that is not known. Raises SessionError."""
        if not self.path.exists():
            return ""
        with self._connection() as connection:
            found = connection.execute(
                "SELECT dispatch_id FROM links WHERE key = ?", (_storable(key),)
            ).fetchone()
        return str(found[0]) if found else ""

    def _write(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        if not rows:
            return
        with self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(statement, rows)
            for table in _TABLES:
                connection.execute(f"DELETE FROM {table} WHERE time < ?", (int(self._now()) - MAX_AGE,))  # noqa: S608
                connection.execute(
                    f"DELETE FROM {table} WHERE number <= (SELECT max(number) FROM {table}) - {MAX_ROWS}"  # noqa: S608
                )
            connection.execute("COMMIT")

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """The file, opened for one question; a damaged one is removed, and the question asked in vain."""
        try:
            with closing(_open(self.path)) as connection:
                yield connection
        except sqlite3.Error as error:
            if _is_damage(error):
                self._remove()
            raise SessionError(
                f"the working sets cannot be used: {error}",
                where=str(self.path),
                remedy="Nothing: what was given counts as not given"
                if _is_damage(error)
                else "See who holds the file, or whether it may be written",
            ) from None

    def _remove(self) -> None:
        for suffix in ("", "-journal"):
            try:
                os.unlink(f"{self.path}{suffix}")  # noqa: PTH108 - a suffix, no path
            except OSError:
                continue


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=LOCK_TIMEOUT, isolation_level=None)
    try:
        # Nothing here is worth a disk's sync: after a crash of the machine it is made anew.
        connection.execute("PRAGMA synchronous = OFF")
        application, version = read_header(connection)
        if (application, version) == (0, 0):
            connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
        elif (application, version) != (_APPLICATION_ID, SCHEMA_VERSION):
            raise sqlite3.DatabaseError(f"it is of another program or version ({version})")
    except BaseException:
        connection.close()
        raise
    return connection


def _storable(name: str) -> str:
    """A name as it may be kept: hosts and their users may call things whatever they like.

    Secrets are taken out, and lone surrogates, which are no UTF-8, are spelled.
    """
    pure = purify(name).text
    return pure if pure.isascii() else pure.encode("utf-8", "backslashreplace").decode("utf-8")


def _is_damage(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorname", "SQLITE_NOTADB").startswith(_DAMAGED)
