"""The project's glossary in the catalog: a row for each entry, with the file that says so."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from knowledge.types import GlossaryEntry, Status

MAX_ENTRIES = 2_000  # that are read; a glossary of more is a dictionary, and a dispatch has no time for one

SCHEMA = (
    """
    CREATE TABLE glossary (
        id TEXT NOT NULL,
        term TEXT NOT NULL,
        aliases TEXT NOT NULL,           -- JSON list, as are names, paths and words
        meaning TEXT NOT NULL,
        names TEXT NOT NULL,
        paths TEXT NOT NULL,
        words TEXT NOT NULL,
        file INTEGER NOT NULL,
        start_line INTEGER NOT NULL,
        status TEXT NOT NULL,
        expires TEXT NOT NULL,           -- ISO date, or ''
        PRIMARY KEY (file, start_line)
    ) STRICT, WITHOUT ROWID
    """,
)
_SELECT = (
    "SELECT g.id, g.term, g.aliases, g.meaning, g.names, g.paths, g.words, f.path, g.start_line, g.status,"
    " g.expires FROM glossary g JOIN files f ON f.id = g.file ORDER BY f.path, g.start_line LIMIT ?"
)
_WITHOUT_BOUND = -1  # in SQLite's LIMIT

Query = Callable[[str, Sequence[object]], list[tuple[Any, ...]]]


def put(db: sqlite3.Connection, file: int, entries: Iterable[GlossaryEntry]) -> None:
    """Add a file's entries; it must have none."""
    for entry in entries:
        *before, _, start, status, expires = values_of(entry)
        row = (*before, file, start, status, expires)
        db.execute("INSERT INTO glossary VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)


def remove(db: sqlite3.Connection, path: str) -> None:
    """Forget a file's entries; while the file itself is still known."""
    db.execute("DELETE FROM glossary WHERE file IN (SELECT id FROM files WHERE path = ?)", (path,))


def entries(query: Query) -> list[GlossaryEntry]:
    """The entries by (path, line), at most `MAX_ENTRIES`."""
    return [entry_of(row) for row in query(_SELECT, (MAX_ENTRIES,))]


def told(query: Query) -> Iterator[tuple[object, ...]]:
    """All entries as rows, in the same order."""
    yield from query(_SELECT, (_WITHOUT_BOUND,))


def values_of(entry: GlossaryEntry) -> tuple[str | int, ...]:
    """An entry's fields in their order, lists as JSON: what `entry_of` reads."""
    return (
        entry.id,
        entry.term,
        json.dumps(entry.aliases),
        entry.meaning,
        json.dumps(entry.names),
        json.dumps(entry.paths),
        json.dumps(entry.words),
        entry.path,
        entry.start,
        entry.status.value,
        entry.expires,
    )


def entry_of(row: Sequence[Any]) -> GlossaryEntry:
    """The entry in a row, whose lists are JSON."""
    entry_id, term, aliases, meaning, names, paths, words, path, start, status, expires = row
    return GlossaryEntry(
        id=entry_id,
        term=term,
        aliases=tuple(json.loads(aliases)),
        meaning=meaning,
        names=tuple(json.loads(names)),
        paths=tuple(json.loads(paths)),
        words=tuple(json.loads(words)),
        path=path,
        start=start,
        status=Status(status),
        expires=expires,
    )
