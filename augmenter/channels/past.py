"""The channels of the past: commits whose messages, and dispatches whose tasks, were like this one.

What they touched, or used, is a candidate; the more alike and the fewer things at once, the stronger.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from augmenter.query import Query
from knowledge.catalog.reader import CatalogReader
from knowledge.catalog.record import Row
from knowledge.learned import PastDispatch

MAX_COMMITS = 20  # the first ones hold nearly all that later ones add
MAX_DISPATCHES = 10  # likewise
HALF_ALIKE = 12.0  # BM25 at which a message counts as half alike: two rare words in common
SUBJECT_LIMIT = 60  # characters of a commit's subject in a reason
SHORT_HASH = 10

Lessons = Callable[[Sequence[str], int], Sequence[PastDispatch]]


class PastHit(NamedTuple):
    """A candidate by what was done before.

    Attributes:
        rowid: in the catalog.
        strength: of the most telling commit or dispatch, in [0, 1].
        total: of all of them together, at least ``strength``.
        reason: the most telling one, in words.
    """

    rowid: int
    strength: float
    total: float
    reason: str


@dataclass(frozen=True, slots=True)
class Past:
    """What past commits say.

    Attributes:
        hits: by row id of the functions they touched.
        files: how strongly they point at a file, in [0, 1], by path.
    """

    hits: dict[int, PastHit] = field(default_factory=dict)
    files: dict[str, float] = field(default_factory=dict)


def history(query: Query, reader: CatalogReader) -> Past:
    """The functions and files that commits with messages like the task touched."""
    past = Past()
    for commit in reader.past(query.said, MAX_COMMITS):
        alike = _alike(commit.score)
        reason = f"touched by {commit.commit[:SHORT_HASH]} ({commit.subject[:SUBJECT_LIMIT]})"
        _count(past.hits, commit.touched, alike, reason)
        share = _share(alike, len(commit.paths))
        for path in commit.paths:
            past.files[path] = max(past.files.get(path, 0.0), share)
    return past


def dispatches(
    query: Query, reader: CatalogReader, lessons: Lessons
) -> tuple[dict[int, PastHit], dict[int, Row]]:
    """What successful dispatches of tasks like this one used, by row id, and the rows."""
    found = lessons(query.said, MAX_DISPATCHES)
    rows = reader.rows_by_id({name for one in found for name in one.used})
    hits: dict[int, PastHit] = {}
    for one in found:
        used = [rows[name].columns[0] for name in one.used if name in rows]
        _count(hits, used, _alike(one.score), f"used by dispatch {one.dispatch_id}")
    return hits, {row.columns[0]: row for row in rows.values()}


def _alike(score: float) -> float:
    return score / (score + HALF_ALIKE)


def _share(alike: float, count: int) -> float:
    """What one of so many things touched at once gets."""
    return alike / count**0.5 if count else 0.0


def _count(hits: dict[int, PastHit], rowids: Sequence[int], alike: float, reason: str) -> None:
    share = _share(alike, len(rowids))
    for rowid in rowids:
        held = hits.get(rowid)
        if held is None:
            hits[rowid] = PastHit(rowid, share, share, reason)
        else:
            best = max(held.strength, share)
            hits[rowid] = PastHit(
                rowid, best, held.total + share, reason if share > held.strength else held.reason
            )


def no_lessons(terms: Sequence[str], limit: int) -> Sequence[PastDispatch]:  # noqa: ARG001 - see Lessons
    """Of a project that has learned nothing."""
    return ()
