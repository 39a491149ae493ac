# ruff: noqa: S608 - only marks are put into statements, every value is bound
"""Past commits in the catalog: what they say, which files they changed, and which functions of today.

Commits lie on one line, that of first parents from HEAD down, at positions that rise by one; where the line
begins is not said. For each changed file its hunks are kept, too, so that what a commit touched can be found
again when lines have moved, without git (see `indexer.history`).

What is not committed has a position of its own, above all commits: the first step back from the lines of the
tree to those of HEAD.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
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

HUNKS, ROWS = "H", "q"  # types of packed numbers

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
    hunks: array[int] | None = field(default_factory=lambda: array(HUNKS))


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
    rows: dict[int, array[int]] = {position: array(ROWS) for _, position in ranked}
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
        lines = tuple(places[row] for row in array(ROWS, touched))
        yield ("" if position == UNCOMMITTED else top - position, *others, lines)
    for term, data in db("SELECT term, postings FROM past_terms ORDER BY term", ()):
        for position, count, length in map(postings.place, postings.unpack(data)):
            yield (term, top - position, count, length)
