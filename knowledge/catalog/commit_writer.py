# ruff: noqa: S608 - only fixed names are put into statements, every value is bound
"""Writing past commits: see `knowledge.catalog.commits`."""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from knowledge.catalog import postings
from knowledge.catalog.commits import COUNT, HUNKS, ROWS, TERMS, UNCOMMITTED, FileChange
from knowledge.types import Kind

_NEW, _GONE = 0, -1  # in place of the path before: the commit made the file, or removed it


@dataclass(frozen=True, slots=True)
class NewCommit:
    """A commit as it comes into the catalog.

    Attributes:
        name: git's full object name.
        time: of the committer.
        subject: what it says, in one line.
        terms: of its message, repetitions kept; none for one that is not to be found.
        size: bytes of its patch.
        changes: by file.
    """

    name: str
    time: int
    subject: str
    terms: tuple[str, ...]
    size: int
    changes: tuple[FileChange, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """What one commit did to a file, on the way back from what it is now.

    Attributes:
        position: the commit's.
        path: row id of the path that the file has after it.
        hunks: as in `FileChange`.
    """

    position: int
    path: int
    hunks: array[int] | None


class PastWriter:
    """The writer's part: in the transaction of `knowledge.catalog.writer.CatalogWriter`."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._paths: dict[str, int] = {}
        self._postings: dict[str, list[int]] = {}  # new ones by term
        self._has_removed = False
        self._silent: set[int] | None = None  # positions of commits that are not searched

    def positions(self) -> dict[str, int]:
        """Of all commits, by their full object names."""
        rows = self._db.execute("SELECT name, position FROM past_commits")
        return {name.hex(): position for name, position in rows}

    def clear(self) -> None:
        """Forget everything."""
        for table in ("past_paths", "past_commits", "past_changes", "past_terms"):
            self._db.execute(f"DELETE FROM {table}")
        self._paths.clear()
        self._postings.clear()

    def add(self, position: int, commit: NewCommit) -> None:
        """Put a commit at its place on the line."""
        self._silent = None
        counts = Counter(commit.terms)
        for term, count in counts.items():
            one = postings.posting(position, count, len(commit.terms))
            self._postings.setdefault(term, []).append(one)
        self._db.execute(
            "INSERT INTO past_commits VALUES (?, ?, ?, ?, ?, ?)",
            (
                position,
                bytes.fromhex(commit.name),
                commit.time,
                commit.subject,
                len(commit.terms),
                commit.size,
            ),
        )
        self._insert(position, commit.changes)

    def forget(self, low: int, high: int) -> set[str]:
        """Keep the commits at these positions only; the names of files that those above them changed."""
        found = self._names("position > ? AND position < ?", (high, UNCOMMITTED))
        gone = "position < ? OR (position > ? AND position < ?)"
        done = self._db.execute(f"DELETE FROM past_commits WHERE {gone}", (low, high, UNCOMMITTED))
        if done.rowcount:
            self._has_removed = True  # so that paths may be left that nothing names
            self._db.execute(f"DELETE FROM past_changes WHERE {gone}", (low, high, UNCOMMITTED))
            for term, data in self._db.execute("SELECT term, postings FROM past_terms").fetchall():
                within = postings.kept(postings.unpack(data), low, high).tobytes()
                if len(within) < len(data):
                    self._write(term, within)
        return found

    def trim(self, top: int, room: int) -> tuple[int, int]:
        """Keep the commits from a position down, without a gap, as far as there is room for their patches.

        Returns:
            The lowest position that is kept, and the room that is left, in bytes.
        """
        low = top + 1
        rows = self._db.execute("SELECT position, size FROM past_commits ORDER BY position DESC").fetchall()
        for position, size in rows:
            if position != low - 1 or size > room:
                break
            low, room = position, room - size
        self.forget(low, top)
        return low, room

    def put_uncommitted(self, changes: Iterable[FileChange]) -> set[str]:
        """Replace what is not committed; the names of files of which it says something else than before."""
        query = "SELECT path, before, hunks FROM past_changes WHERE position = ?"
        before = set(self._db.execute(query, (UNCOMMITTED,)).fetchall())
        now = {self._row(change) for change in changes}
        if before == now:
            return set()
        names = self._names("position = ?", (UNCOMMITTED,))
        self._db.execute("DELETE FROM past_changes WHERE position = ?", (UNCOMMITTED,))
        self._has_removed |= bool(before)
        self._insert_rows(UNCOMMITTED, sorted(now, key=lambda row: row[0]))
        return names | self._names("position = ?", (UNCOMMITTED,))

    def names_of(self, names: Collection[str]) -> set[str]:
        """What the files are called now that have, or once had, one of these names."""
        ids = self._ids(names)
        query = (
            "SELECT path FROM past_paths WHERE id IN (SELECT now FROM past_changes"
            " WHERE path IN (SELECT value FROM json_each(?)) OR before IN (SELECT value FROM json_each(?)))"
        )
        return {path for (path,) in self._db.execute(query, (ids, ids))}

    def files(self) -> list[str]:
        """The paths of all indexed files, sorted."""
        return [path for (path,) in self._db.execute("SELECT path FROM files WHERE skip = '' ORDER BY path")]

    def units(self, path: str) -> list[tuple[int, int, int]]:
        """The functions of a file in its parser's order: row id, first and last line."""
        return self._db.execute(
            "SELECT e.rowid, e.start_line, e.end_line FROM files f JOIN evidence e ON e.file = f.id"
            " WHERE f.path = ? AND e.kind = ? AND e.part = 0 ORDER BY e.rowid",
            (path, Kind.UNIT.value),
        ).fetchall()

    def trail(self, path: str) -> Iterator[Step]:
        """What was done to a file, newest first, up to where it was made."""
        query = (
            "SELECT position, before, hunks FROM past_changes WHERE path = ? AND position <= ?"
            " ORDER BY position DESC"
        )
        name, top = self._id(path, make=False), UNCOMMITTED
        while name:
            current, name = name, 0
            for position, before, hunks in self._db.execute(query, (current, top)):
                if before == _GONE:
                    return
                yield Step(position, current, None if hunks is None else array(HUNKS, hunks))
                if before != current:
                    name, top = before, position - 1
                    break

    def release(self, names: Collection[str]) -> None:
        """Let no change belong to a file of one of these names."""
        self._db.execute(
            "UPDATE past_changes SET now = 0, touched = x''"
            " WHERE now != 0 AND now IN (SELECT value FROM json_each(?))",
            (self._ids(names),),
        )

    def claim(self, path: str, steps: Iterable[tuple[Step, Collection[int]]]) -> None:
        """Let changes belong to a file, each with the row ids of what it touched.

        Of commits that are not searched these are not kept.
        """
        if self._silent is None:
            rows = self._db.execute("SELECT position FROM past_commits WHERE terms = 0")
            self._silent = {UNCOMMITTED, *(position for (position,) in rows)}
        name, silent = self._id(path, make=False), self._silent
        self._db.executemany(
            "UPDATE past_changes SET now = ?, touched = ? WHERE position = ? AND path = ?",
            [
                (name, b"" if step.position in silent else _packed(rows), step.position, step.path)
                for step, rows in steps
            ],
        )

    def finish(self) -> dict[str, str]:
        """Write what was put off; what is to be noted in the meta table."""
        if self._has_removed:
            self._db.execute(
                "DELETE FROM past_paths WHERE id NOT IN"
                " (SELECT path FROM past_changes UNION SELECT before FROM past_changes)"
            )
            self._paths.clear()
        for term in sorted(self._postings):
            self._write(term, postings.merged(self._read(term), self._postings[term]).tobytes())
        self._postings.clear()
        count, terms = self._db.execute(
            "SELECT count(*), coalesce(sum(terms), 0) FROM past_commits WHERE terms > 0"
        ).fetchone()
        return {COUNT: str(count), TERMS: str(terms)}

    def _read(self, term: str) -> array[int]:
        row = self._db.execute("SELECT postings FROM past_terms WHERE term = ?", (term,)).fetchone()
        return postings.unpack(row[0] if row else b"")

    def _write(self, term: str, found: bytes) -> None:
        if found:
            self._db.execute("INSERT OR REPLACE INTO past_terms VALUES (?, ?)", (term, found))
        else:
            self._db.execute("DELETE FROM past_terms WHERE term = ?", (term,))

    def _insert(self, position: int, changes: Iterable[FileChange]) -> None:
        self._insert_rows(position, map(self._row, changes))

    def _insert_rows(self, position: int, rows: Iterable[tuple[int, int, bytes | None]]) -> None:
        self._db.executemany(
            "INSERT INTO past_changes VALUES (?, ?, ?, ?, 0, x'')", [(position, *row) for row in rows]
        )

    def _row(self, change: FileChange) -> tuple[int, int, bytes | None]:
        path = self._id(change.path)
        if change.is_deleted:
            return path, _GONE, b""
        before = _NEW if change.before is None else self._id(change.before)
        return path, before, None if change.hunks is None else change.hunks.tobytes()

    def _names(self, where: str, values: tuple[int, ...]) -> set[str]:
        chosen = f"SELECT path FROM past_changes WHERE {where}"
        query = (
            f"SELECT path FROM past_paths WHERE id IN ({chosen} UNION {chosen.replace('path', 'before', 1)})"
        )
        return {path for (path,) in self._db.execute(query, (*values, *values))}

    def _ids(self, names: Iterable[str]) -> str:
        """The row ids of paths, as a JSON list."""
        return json.dumps([found for name in sorted(names) if (found := self._id(name, make=False))])

    def _id(self, path: str, *, make: bool = True) -> int:
        """The row id of a path; 0 where it is unknown and not made."""
        found = self._paths.get(path)
        if found is None:
            row = self._db.execute("SELECT id FROM past_paths WHERE path = ?", (path,)).fetchone()
            if row is None and not make:
                return 0
            insert = "INSERT INTO past_paths (path) VALUES (?) RETURNING id"
            (found,) = row or self._db.execute(insert, (path,)).fetchone()
            self._paths[path] = found
        return found


def _packed(rows: Collection[int]) -> bytes:
    return array(ROWS, rows).tobytes()
