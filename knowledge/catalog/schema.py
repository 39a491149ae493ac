"""The catalog's schema as numbered migrations, applied in order and recorded in ``user_version``.

A migration is a list of statements, run one by one in the transaction of the run that needs it: a crash
leaves the old schema with the old content. (``executescript`` would commit before it starts.)
"""

from __future__ import annotations

import sqlite3
from enum import IntEnum

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


_M001_FIRST = (
    "CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """
    CREATE TABLE files (
        path TEXT NOT NULL PRIMARY KEY,
        blob TEXT NOT NULL,              -- git's object name of the content; '' when skipped unread
        size INTEGER NOT NULL,
        mtime_ns INTEGER NOT NULL,       -- 0: look at the content again next time
        language TEXT NOT NULL,          -- '' when skipped
        source_kind TEXT NOT NULL,
        skip TEXT NOT NULL,              -- reason, or ''
        last_commit TEXT NOT NULL,
        last_commit_time INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE evidence (
        rowid INTEGER PRIMARY KEY,       -- in the band of its kind
        id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        path TEXT NOT NULL,
        start_line INTEGER NOT NULL,
        end_line INTEGER NOT NULL,
        part INTEGER NOT NULL,
        signature TEXT NOT NULL,
        doc TEXT NOT NULL,
        content_hash TEXT NOT NULL,
        authority TEXT NOT NULL,
        status TEXT NOT NULL,
        tags TEXT NOT NULL,              -- JSON list
        quality REAL NOT NULL,
        quality_parts TEXT NOT NULL,     -- JSON object
        density REAL NOT NULL
    ) STRICT
    """,
    "CREATE INDEX evidence_by_path ON evidence (path)",
    """
    CREATE TABLE names (
        alias TEXT NOT NULL,             -- a dotted suffix of a qualified name, lower case
        evidence INTEGER NOT NULL,
        PRIMARY KEY (alias, evidence)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX names_by_evidence ON names (evidence)",
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
    """
    CREATE VIRTUAL TABLE search USING fts5 (
        name, path, signature, doc, body,
        tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'"
    )
    """,
)
_M002_INODES_AND_COUNTS = (
    # A file that another of the same size and time was moved over differs in nothing else that a stat tells.
    "ALTER TABLE files ADD COLUMN inode INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX evidence_by_kind ON evidence (kind) WHERE part = 0",
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (_M001_FIRST, _M002_INODES_AND_COUNTS)
SCHEMA_VERSION = len(MIGRATIONS)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a catalog from its version to the newest, one migration at a time, in the open transaction."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version == 0:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    for number, statements in enumerate(MIGRATIONS[version:], start=version + 1):
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
