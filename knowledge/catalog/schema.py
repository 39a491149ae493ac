"""The catalog's schema as numbered migrations, applied in order and recorded in ``user_version``.

A migration is a list of statements, run one by one in the transaction of the run that needs it: a crash
leaves the old schema with the old content. (``executescript`` would commit before it starts.)
"""

from __future__ import annotations

import sqlite3
from enum import IntEnum

from knowledge.catalog import glossary

APPLICATION_ID = 0x50524542  # "PREB": tells a catalog from any other SQLite file
BAND_BITS = 40  # a band of row ids holds 2^40 rows; see Band


class Band(IntEnum):
    """Row ids are allotted by bands, so that one full-text query can be held to one kind of evidence.

    FTS5 applies a range of row ids while it reads its lists; a join with the evidence would cost a
    look-up for each of thousands of matches.
    """

    UNITS = 0  # functions and methods of implementation files
    CARDS = 1  # classes, modules, sections and documents of implementation files
    OTHER_UNITS = 2  # functions and methods of tests, examples, generated and vendored files
    OTHER_CARDS = 3  # the rest of those files, and changelogs
    GUIDANCE = 4  # rules, antipatterns, reports

    @property
    def first(self) -> int:
        """The lowest row id of the band."""
        return (self.value << BAND_BITS) + 1

    @property
    def last(self) -> int:
        """The highest row id of the band."""
        return (self.value + 1) << BAND_BITS


# What an older version wrote is dropped, not migrated: a catalog is rebuilt from its sources.
FIRST_VERSION = 4
_FIRST = (
    "CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """
    CREATE TABLE files (
        id INTEGER PRIMARY KEY,
        path TEXT NOT NULL UNIQUE,
        blob TEXT NOT NULL,              -- git's object name of the content; '' when skipped unread
        size INTEGER NOT NULL,
        mtime_ns INTEGER NOT NULL,       -- 0: look at the content again next time
        language TEXT NOT NULL,          -- '' when skipped
        source_kind TEXT NOT NULL,
        skip TEXT NOT NULL,              -- reason, or ''
        last_commit TEXT NOT NULL,
        last_commit_time INTEGER NOT NULL,
        inode INTEGER NOT NULL           -- all that tells a file moved over one of its size and time
    ) STRICT
    """,
    """
    CREATE TABLE evidence (
        rowid INTEGER PRIMARY KEY,       -- in the band of its kind
        file INTEGER NOT NULL,
        kind TEXT NOT NULL,
        part INTEGER NOT NULL,
        start_line INTEGER NOT NULL,
        end_line INTEGER NOT NULL,
        record BLOB NOT NULL             -- see knowledge.catalog.record
    ) STRICT
    """,
    "CREATE INDEX evidence_by_file ON evidence (file)",
    "CREATE INDEX evidence_by_kind ON evidence (kind) WHERE part = 0",
    """
    CREATE TABLE keys (
        key INTEGER NOT NULL,            -- of an id, a name or a relation; see knowledge.catalog.keys
        evidence INTEGER NOT NULL,
        PRIMARY KEY (key, evidence)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE guidance (
        evidence INTEGER PRIMARY KEY,
        statement TEXT NOT NULL,
        scope TEXT NOT NULL,             -- JSON list of globs
        tags TEXT NOT NULL,              -- JSON list
        terms TEXT NOT NULL,             -- JSON list
        evidence_count INTEGER NOT NULL,
        severity TEXT NOT NULL,
        expires TEXT NOT NULL            -- ISO date, or ''
    ) STRICT
    """,
    """
    CREATE TABLE events (
        path TEXT NOT NULL,
        line INTEGER NOT NULL,
        kind TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (path, line, kind)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE terms (
        term TEXT NOT NULL PRIMARY KEY,
        documents INTEGER NOT NULL       -- in how many evidence rows it occurs
    ) STRICT, WITHOUT ROWID
    """,
    # Without content of its own: the terms lie in the records, and are handed back for a row to be deleted.
    """
    CREATE VIRTUAL TABLE search USING fts5 (
        name, path, signature, doc, body,
        content = '',
        tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'"
    )
    """,
)

_HISTORY = (
    """
    CREATE TABLE past_paths (
        id INTEGER PRIMARY KEY,
        path TEXT NOT NULL UNIQUE        -- that a file has now, or had once
    ) STRICT
    """,
    """
    CREATE TABLE past_commits (
        position INTEGER PRIMARY KEY,    -- on the line of first parents: one more than its parent's
        name BLOB NOT NULL,              -- git's object name
        time INTEGER NOT NULL,           -- of the committer
        subject TEXT NOT NULL,
        terms INTEGER NOT NULL,          -- how many its message has; 0: it is not searched
        size INTEGER NOT NULL            -- bytes of its patch
    ) STRICT
    """,
    """
    CREATE TABLE past_changes (
        position INTEGER NOT NULL,       -- of a commit; one position stands for what is not committed
        path INTEGER NOT NULL,           -- after the commit
        before INTEGER NOT NULL,         -- path before it; 0: none; -1: it removed the file
        hunks BLOB,                      -- four numbers each; NULL: lines cannot be followed
        now INTEGER NOT NULL,            -- path that the file has now; 0: it is gone
        touched BLOB NOT NULL,           -- row ids of evidence
        PRIMARY KEY (position, path)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX past_changes_by_path ON past_changes (path, position)",
    """
    CREATE TABLE past_terms (
        term TEXT NOT NULL PRIMARY KEY,
        postings BLOB NOT NULL           -- see knowledge.catalog.postings
    ) STRICT, WITHOUT ROWID
    """,
)

# The first makes FIRST_VERSION, each one more.
MIGRATIONS: tuple[tuple[str, ...], ...] = (_FIRST, _HISTORY, glossary.SCHEMA)
SCHEMA_VERSION = FIRST_VERSION + len(MIGRATIONS) - 1


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a catalog from its version to the newest, one migration at a time, in the open transaction.

    Of a version before `FIRST_VERSION` nothing is kept.
    """
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version == 0:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    elif version < FIRST_VERSION:
        drop_all(connection)
    done = max(0, version - FIRST_VERSION + 1)
    for number, statements in enumerate(MIGRATIONS[done:], start=FIRST_VERSION + done):
        for statement in statements:
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {number}")


def drop_all(connection: sqlite3.Connection) -> None:
    """Drop every table, in the open transaction. Far quicker than to delete the full-text index's rows."""
    tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND (sql LIKE 'CREATE VIRTUAL%') = ?"
    for virtual in (1, 0):  # a virtual table takes its shadow tables along
        for (name,) in connection.execute(tables, (virtual,)).fetchall():
            connection.execute(f"DROP TABLE {name}")
    connection.execute("PRAGMA user_version = 0")
