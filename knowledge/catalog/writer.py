# ruff: noqa: S608 - only fixed names are put into statements, every value is bound
"""The catalog's only writer: one transaction for a whole run of the indexer."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

from knowledge.catalog import database, glossary, record
from knowledge.catalog.commit_writer import PastWriter
from knowledge.catalog.keys import id_key, keys_of
from knowledge.catalog.packed import PackedFile, PackedItem, pack
from knowledge.catalog.rows import (
    COUNTS,
    FIELDS,
    FILE_COLUMNS,
    FileRow,
    ParsedFile,
    file_of,
)
from knowledge.catalog.schema import Band, drop_all, migrate
from knowledge.errors import PrebriefError

# From this share of new rows on, the full-text index is merged into one piece before the commit. That takes
# no longer than what it would have merged later on its own, and queries are a fifth faster.
BULK_SHARE = 0.5
_FILE_CHANGES = ", ".join(f"{column} = excluded.{column}" for column in FILE_COLUMNS.split(", ")[1:])
_LENGTH_KEYS = tuple(f"length.{name}" for name in FIELDS)


class CatalogWriter:
    """Replaces, removes and restamps files in one transaction.

    Use as a context manager: leaving it normally commits, an exception leaves the previous catalog as it was.

    Attributes:
        past: writes past commits.
        rewritten: paths of the files whose evidence was replaced or removed so far.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._db = database.open_writer(path)
        try:
            with database.mapped_errors(path):
                self._next = {band: self._first_free(band) for band in Band}
        except BaseException:
            self._db.close()
            raise
        self._documents: Counter[str] = Counter()  # change of document frequency by term
        self._lengths: Counter[str] = Counter()  # change of the summed field lengths, in terms
        self._count = 0  # change of the number of evidence rows
        self._inserted = 0  # evidence rows
        self.past = PastWriter(self._db)
        self.rewritten: set[str] = set()

    def __enter__(self) -> CatalogWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            with database.mapped_errors(self._path):
                if kind is None:
                    self._commit()
                elif self._db.in_transaction:
                    self._db.execute("ROLLBACK")
        except PrebriefError:
            if kind is None:
                raise
        finally:
            self._db.close()
        if isinstance(error, sqlite3.Error):
            with database.mapped_errors(self._path):
                raise error

    def _commit(self) -> None:
        self._flush_statistics()
        self._db.execute("COMMIT")
        database.checkpoint(self._db, self._path)

    def meta(self) -> dict[str, str]:
        """All entries of the meta table."""
        return dict(self._db.execute("SELECT key, value FROM meta ORDER BY key"))

    def set_meta(self, entries: dict[str, str]) -> None:
        """Add or replace entries of the meta table; what is the same already is not written again."""
        self._db.executemany(
            "INSERT INTO meta VALUES (?, ?)"
            " ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value != excluded.value",
            sorted(entries.items()),
        )

    def files(self) -> dict[str, FileRow]:
        """Every known file by path."""
        with database.mapped_errors(self._path):
            rows = self._db.execute(f"SELECT {FILE_COLUMNS} FROM files")
            return {row[0]: file_of(row) for row in rows}

    def counts(self) -> dict[str, dict[str, int]]:
        """As `CatalogReader.counts`, of what this run has made of the catalog so far."""
        return {name: dict(self._db.execute(query)) for name, query in COUNTS.items()}

    def clear(self) -> None:
        """Forget everything; the catalog in readers' eyes stays until the commit."""
        drop_all(self._db)
        migrate(self._db)
        self._next = {band: band.first for band in Band}
        self._documents.clear()
        self._lengths.clear()
        self._count = 0

    def replace(self, parsed: ParsedFile | PackedFile) -> None:
        """Put a file's evidence in place of whatever it had. The file must have no `namesake`."""
        packed = pack(parsed) if isinstance(parsed, ParsedFile) else parsed
        self.remove([packed.row.path])
        self.restamp([packed.row])
        (file,) = self._db.execute("SELECT id FROM files WHERE path = ?", (packed.row.path,)).fetchone()
        for item in packed.items:
            self._insert(item, file)
        glossary.put(self._db, file, packed.glossary)
        self._db.executemany(
            "INSERT INTO events VALUES (?, ?, ?, ?)"
            " ON CONFLICT (path, line, kind) DO UPDATE SET count = count + excluded.count",
            [(packed.row.path, event.line, event.kind, event.count) for event in packed.events],
        )

    def namesake(self, packed: PackedFile) -> tuple[str, str] | None:
        """An id that evidence of another file has already, with that file's path; mostly there is none."""
        query = (
            f"SELECT {record.EVIDENCE_COLUMNS} FROM keys k JOIN evidence e ON e.rowid = k.evidence"
            " JOIN files f ON f.id = e.file WHERE k.key = ? AND f.path != ?"
        )
        for item in packed.items:
            for row in self._db.execute(query, (id_key(item.id), packed.row.path)):
                if (found := record.row_of(row).ranked()).id == item.id:
                    return (found.id, found.path)
        return None

    def remove(self, paths: Iterable[str]) -> None:
        """Forget files and all their evidence."""
        query = (
            f"SELECT {record.EVIDENCE_COLUMNS} FROM files f JOIN evidence e ON e.file = f.id WHERE f.path = ?"
        )
        for path in paths:
            self.rewritten.add(path)
            with database.mapped_errors(self._path):
                for row in self._db.execute(query, (path,)).fetchall():
                    self._delete(record.row_of(row))
                glossary.remove(self._db, path)
                self._db.execute("DELETE FROM events WHERE path = ?", (path,))
                self._db.execute("DELETE FROM files WHERE path = ?", (path,))

    def _delete(self, row: record.Row) -> None:
        rowid, fields = row.columns[0], row.fields
        keys = keys_of(row.ranked().id, record.aliases_of(row.lines), record.relations_of(row.lines))
        self._count_terms(fields, -1)
        self._db.execute(
            "INSERT INTO search (search, rowid, name, path, signature, doc, body)"
            " VALUES ('delete', ?, ?, ?, ?, ?, ?)",
            (rowid, *fields),
        )
        self._db.executemany(
            "DELETE FROM keys WHERE key = ? AND evidence = ?", [(key, rowid) for key in keys]
        )
        self._db.execute("DELETE FROM evidence WHERE rowid = ?", (rowid,))
        self._db.execute("DELETE FROM guidance WHERE evidence = ?", (rowid,))

    def restamp(self, rows: Iterable[FileRow]) -> None:
        """Write files' rows; their evidence stays as it is."""
        self._db.executemany(
            f"INSERT INTO files ({FILE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            f" ON CONFLICT (path) DO UPDATE SET {_FILE_CHANGES}",
            [
                (
                    row.path,
                    row.blob,
                    row.size,
                    row.mtime_ns,
                    row.language,
                    row.source_kind.value,
                    row.skip,
                    row.last_commit,
                    row.last_commit_time,
                    row.inode,
                )
                for row in rows
            ],
        )

    def _insert(self, item: PackedItem, file: int) -> None:
        rowid = self._next[item.band]
        self._next[item.band] += 1
        self._inserted += 1
        self._db.execute(
            "INSERT INTO evidence VALUES (?, ?, ?, ?, ?, ?, ?)",
            (rowid, file, item.kind, item.part, item.start, item.end, item.record),
        )
        fields = record.lines_of(item.record)[: len(FIELDS)]
        self._db.execute(
            "INSERT INTO search (rowid, name, path, signature, doc, body) VALUES (?, ?, ?, ?, ?, ?)",
            (rowid, *fields),
        )
        self._db.executemany("INSERT INTO keys VALUES (?, ?)", [(key, rowid) for key in item.keys])
        if item.guidance is not None:
            guidance = item.guidance
            self._db.execute(
                "INSERT INTO guidance VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    rowid,
                    guidance.statement,
                    json.dumps(guidance.scope),
                    json.dumps(guidance.tags),
                    json.dumps(guidance.terms),
                    guidance.evidence_count,
                    guidance.severity,
                    guidance.expires,
                ),
            )
        self._count_terms(fields, 1)

    def _count_terms(self, fields: Iterable[str], sign: int) -> None:
        distinct: set[str] = set()
        for key, text in zip(_LENGTH_KEYS, fields, strict=True):
            terms = text.split()
            distinct.update(terms)
            self._lengths[key] += sign * len(terms)
        self._count += sign
        counts = self._documents
        for term in distinct:
            counts[term] += sign

    def _flush_statistics(self) -> None:
        changes = sorted((term, change) for term, change in self._documents.items() if change)
        self._db.executemany(
            "INSERT INTO terms VALUES (?, ?)"
            " ON CONFLICT (term) DO UPDATE SET documents = documents + excluded.documents",
            changes,
        )
        self._db.executemany(
            "DELETE FROM terms WHERE term = ? AND documents <= 0",
            [(term,) for term, change in changes if change < 0],
        )
        sums = self.meta()
        totals = {key: str(int(sums.get(key, "0")) + self._lengths[key]) for key in _LENGTH_KEYS}
        count = int(sums.get("count", "0")) + self._count
        self.set_meta({**totals, "count": str(count)})
        if self._inserted and self._inserted >= BULK_SHARE * count:
            self._db.execute("INSERT INTO search (search) VALUES ('optimize')")

    def _first_free(self, band: Band) -> int:
        row = self._db.execute(
            "SELECT max(rowid) FROM evidence WHERE rowid BETWEEN ? AND ?", (band.first, band.last)
        ).fetchone()
        return band.first if row[0] is None else int(row[0]) + 1
