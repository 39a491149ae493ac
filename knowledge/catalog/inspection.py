"""A look at a whole catalog for people who want to know how it is: is it sound, what is in it, how large.

For `prebrief doctor` and `prebrief index --skipped`, never for a dispatch. Nothing is written, not even the
side files that a reader of SQLite leaves.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from knowledge.catalog import database
from knowledge.catalog.rows import COUNTS, FILE_COLUMNS, FileRow, file_of
from knowledge.errors import CatalogCorrupt

MAX_COMPLAINTS = 5  # of SQLite's about a damaged file; the first says all there is to know

_EVIDENCE = (
    "SELECT f.language, count(*) FROM evidence e JOIN files f ON f.id = e.file WHERE e.part = 0"
    " GROUP BY 1 ORDER BY 1"
)
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a catalog is like.

    Attributes:
        meta: what the last run noted.
        counts: files by language and by skip reason, evidence by kind, events by kind, past commits; and,
            as ``evidence``, evidence by language.
        complaints: what SQLite finds wrong with the file; empty when it is sound.
        size: of the file in bytes.
        free: bytes of it that hold nothing.
    """

    meta: dict[str, str]
    counts: dict[str, dict[str, int]]
    complaints: tuple[str, ...]
    size: int
    free: int


def inspect(path: Path) -> Inspection:
    """Look at a catalog: takes as long as it takes to read the file once.

    Raises:
        CatalogMissing, CatalogTooNew, CatalogCorrupt, CatalogBusy, CatalogError: it cannot be read at all.
    """
    found = _look(path, _inspect)
    return _look(path, _inspect) if found.complaints else found  # a run may have ended meanwhile


def list_files(path: Path) -> dict[str, FileRow]:
    """Every file that the last run saw, skipped ones included, by path.

    Raises:
        CatalogMissing, CatalogTooNew, CatalogCorrupt, CatalogBusy, CatalogError: it cannot be read.
    """
    return _look(path, _files)


def free_bytes(connection: sqlite3.Connection) -> tuple[int, int]:
    """The size of a database file, and how much of it holds nothing; in bytes."""
    page, pages, free = (
        int(connection.execute(f"PRAGMA {name}").fetchone()[0])
        for name in ("page_size", "page_count", "freelist_count")
    )
    return page * pages, page * free


def _look(path: Path, read: Callable[[sqlite3.Connection], _T]) -> _T:
    try:
        return _read(path, read)
    except CatalogCorrupt:
        return _read(path, read)  # torn by a run that ended meanwhile: then the second look finds it whole


def _read(path: Path, read: Callable[[sqlite3.Connection], _T]) -> _T:
    with closing(database.open_reader(path, traceless=True)) as connection, database.mapped_errors(path):
        return read(connection)


def _inspect(connection: sqlite3.Connection) -> Inspection:
    rows = connection.execute(f"PRAGMA quick_check({MAX_COMPLAINTS})").fetchall()
    complaints = tuple(str(row[0]) for row in rows if row[0] != "ok")
    size, free = free_bytes(connection)
    counts: dict[str, dict[str, int]] = {}
    meta: dict[str, str] = {}
    if not complaints:
        meta = dict(connection.execute("SELECT key, value FROM meta ORDER BY key"))
        queries = {**COUNTS, "evidence": _EVIDENCE}
        counts = {name: dict(connection.execute(query)) for name, query in queries.items()}
    return Inspection(meta, counts, complaints, size, free)


def _files(connection: sqlite3.Connection) -> dict[str, FileRow]:
    rows = map(file_of, connection.execute(f"SELECT {FILE_COLUMNS} FROM files ORDER BY path"))  # noqa: S608 (fixed)
    return {row.path: row for row in rows}
