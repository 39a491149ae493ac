# ruff: noqa: S608 - only marks and fixed names are put into statements, every value is bound
"""Past commits in the catalog: what they say, which files they changed, and which functions of today.

Commits lie on one line, that of first parents from HEAD down, at positions that rise by one; where the line
begins is not said. For each changed file its hunks are kept, too, so that what a commit touched can be found
again when lines have moved, without git (see `indexer.history`).

What is not committed has a position of its own, above all commits: the first step back from the lines of the
tree to those of HEAD.
"""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from knowledge.catalog import postings
from knowledge.catalog.schema import Band
from knowledge.types import Kind

UNCOMMITTED = postings.MAX_POSITION + 1
FIRST_POSITION = 1 << 20  # of the newest commit in a catalog that has none: room above and below
MAX_QUERY_TERMS = 64
MAX_TOUCHED = 30  # functions of one kind of source; a commit that touches more says nothing of any of them
COUNT, TERMS = "past.commits", "past.terms"  # keys of the meta table: commits that are searched, their terms

_NEW, _GONE = 0, -1  # in place of the path before: the commit made the file, or removed it
_HUNKS, _ROWS = "H", "q"  # types of packed numbers

Query = Callable[[str, Sequence[object]], list[tuple[Any, ...]]]


@dataclass(slots=True)
class FileChange:
    """What a commit did to one file.

    Attributes:
        path: its name after the commit; of a deleted file, the one it had.
        before: its name before; None when there was no such file.
        is_deleted: whether it is gone.
        hunks: four numbers each, as a patch's ``@@`` has them: first line and number of lines before, and
            after; None where lines cannot be followed.
    """

    path: str
    before: str | None
    is_deleted: bool = False
    hunks: array[int] | None = field(default_factory=lambda: array(_HUNKS))


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
class PastCommit:
    """A past commit that is like a task.

    Attributes:
        commit: git's full object name.
        time: of the committer.
        subject: what it says, in one line.
        score: BM25 of its message; higher is better.
        touched: row ids of the functions that it touched, as far as they exist: first those of
            implementation files, then the others; of each none where it touched more than `MAX_TOUCHED`.
        paths: that the files which it changed have now, sorted.
    """

    commit: str
    time: int
    subject: str
    score: float
    touched: tuple[int, ...]
    paths: tuple[str, ...]


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
                yield Step(position, current, None if hunks is None else array(_HUNKS, hunks))
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
    return array(_ROWS, rows).tobytes()


def past(query: Query, terms: Sequence[str], limit: int) -> list[PastCommit]:
    """See `knowledge.catalog.reader.CatalogReader.past`."""
    wanted = list(dict.fromkeys(terms))[:MAX_QUERY_TERMS]
    if not wanted or limit < 1:
        return []
    lists: dict[str, bytes] = dict(
        query(f"SELECT term, postings FROM past_terms WHERE term IN ({_marks(wanted)})", wanted)
    )
    if not lists:
        return []
    sums: dict[str, str] = dict(query("SELECT key, value FROM meta WHERE key IN (?, ?)", (COUNT, TERMS)))
    ranked = postings.best(lists, wanted, int(sums.get(COUNT, "0")), int(sums.get(TERMS, "0")), limit)
    positions = [position for _, position in ranked]
    marks = _marks(positions)
    commits = query(
        f"SELECT position, name, time, subject FROM past_commits WHERE position IN ({marks})", positions
    )
    changes = query(
        "SELECT c.position, p.path, c.touched FROM past_changes c JOIN past_paths p ON p.id = c.now"
        f" WHERE c.position IN ({marks}) ORDER BY 1, 2",
        positions,
    )
    return _made(ranked, commits, changes)


def _made(
    ranked: list[tuple[float, int]], commits: list[tuple[Any, ...]], changes: list[tuple[Any, ...]]
) -> list[PastCommit]:
    rows: dict[int, array[int]] = {position: array(_ROWS) for _, position in ranked}
    paths: dict[int, list[str]] = {position: [] for _, position in ranked}
    for position, path, touched in changes:
        paths[position].append(path)
        rows[position].frombytes(touched)
    found = {position: others for position, *others in commits}
    return [
        PastCommit(name.hex(), time, subject, score, _few(rows[position]), tuple(paths[position]))
        for score, position in ranked
        for name, time, subject in [found[position]]
    ]


def _few(rows: array[int]) -> tuple[int, ...]:
    """Functions of implementation files, then the others; in the order of paths, and of each file its own."""
    own = tuple(row for row in rows if row <= Band.UNITS.last)
    others = tuple(row for row in rows if row > Band.UNITS.last)
    return sum((some for some in (own, others) if len(some) <= MAX_TOUCHED), ())


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


def told(db: Query) -> Iterator[tuple[object, ...]]:
    """All that a catalog says of past commits, in an order that does not depend on how it came about."""
    top = db("SELECT coalesce(max(position), 0) FROM past_commits", ())[0][0]
    for position, name, *others in db("SELECT * FROM past_commits ORDER BY position DESC", ()):
        yield (top - position, name.hex(), *others)
    places: dict[int, int] = dict(
        db("SELECT e.rowid, e.start_line FROM evidence e WHERE e.kind = ?", (Kind.UNIT.value,))
    )
    changes = db(
        "SELECT c.position, p.path, b.path, c.before < 0, c.hunks, n.path, c.touched FROM past_changes c"
        " JOIN past_paths p ON p.id = c.path LEFT JOIN past_paths b ON b.id = c.before"
        " LEFT JOIN past_paths n ON n.id = c.now ORDER BY c.position DESC, p.path",
        (),
    )
    for position, *others, touched in changes:
        lines = tuple(places[row] for row in array(_ROWS, touched))
        yield ("" if position == UNCOMMITTED else top - position, *others, lines)
    for term, data in db("SELECT term, postings FROM past_terms ORDER BY term", ()):
        for position, count, length in map(postings.place, postings.unpack(data)):
            yield (term, top - position, count, length)
