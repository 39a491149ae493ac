"""What learning derived from the ledger: a projection in one SQLite file, replaced as a whole.

Deleting it costs nothing but the time to replay the ledger. A missing file means that nothing has been
learned yet.
"""

from __future__ import annotations

import json
import os
import sqlite3
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from knowledge.catalog import postings
from knowledge.errors import CatalogBusy, CatalogCorrupt, CatalogError
from knowledge.hashing import fingerprint
from knowledge.locks import file_lock
from knowledge.sqlite_header import read_header, require_known

SCHEMA_VERSION = 2
FIRST_WITH_DISPATCHES = 2  # schema version
_APPLICATION_ID = 0x5042_4C4E  # "PBLN": tells this file from any other SQLite file
_LOCK_TIMEOUT = 10.0  # writing 100,000 items takes less than a second
_REMEDY = "Run 'prebrief learn': it is rebuilt from the receipts"
_UPGRADE = "Update Prebrief, or delete the file and run 'prebrief learn'"

_SCHEMA = f"""
PRAGMA application_id = {_APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
PRAGMA journal_mode = OFF;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE learned (
    id TEXT PRIMARY KEY,
    confidence REAL NOT NULL,
    offers INTEGER NOT NULL,
    deliveries INTEGER NOT NULL,
    uses INTEGER NOT NULL,
    successes INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    last_offered_time INTEGER NOT NULL,
    last_used_time INTEGER NOT NULL,
    content_hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE dispatches (
    position INTEGER PRIMARY KEY,  -- by time; of equals, the one whose id is last in order comes first
    dispatch_id TEXT NOT NULL,
    time INTEGER NOT NULL,
    used TEXT NOT NULL             -- JSON list of evidence ids
) STRICT;
CREATE TABLE dispatch_terms (
    term TEXT PRIMARY KEY,
    documents INTEGER NOT NULL,    -- how many dispatches have it
    postings BLOB NOT NULL         -- see knowledge.catalog.postings
) STRICT, WITHOUT ROWID;
"""
_SELECT = """
SELECT id, confidence, offers, deliveries, uses, successes, failures,
       last_offered_time, last_used_time, content_hash
FROM learned WHERE id IN ({})
"""
_SELECT_TERMS = "SELECT documents, term FROM dispatch_terms WHERE term IN ({})"
_DISPATCHES, _TERMS = "dispatches", "dispatch_terms"  # keys of the meta table: how many there are
# Postings of past dispatches that one question looks at, those of the rarest terms: half a millisecond. The
# terms that are left out then are those that most tasks have.
MAX_POSTINGS = 1_200
_BATCH = 500  # ids in one query; SQLite takes at least 999 parameters


@dataclass(frozen=True, slots=True)
class LearnedState:
    """What is known of one item of evidence from the dispatches that offered it.

    Times are those of the dispatches, in seconds since the epoch; 0 means never.

    Attributes:
        confidence: in [0.05, 1].
        offers: dispatches that offered it.
        deliveries: of these, those in which it reached the agent.
        uses: of these, those in which it was used, however they ended.
        successes: dispatches that used it and succeeded.
        failures: dispatches that used it and failed.
        last_offered_time: the last dispatch that offered it.
        last_used_time: the last dispatch that used it.
        content_hash: its content when it was last offered.
    """

    confidence: float
    offers: int = 0
    deliveries: int = 0
    uses: int = 0
    successes: int = 0
    failures: int = 0
    last_offered_time: int = 0
    last_used_time: int = 0
    content_hash: str = ""


@dataclass(frozen=True, slots=True)
class TaughtDispatch:
    """A dispatch that went well.

    Attributes:
        dispatch_id: whose.
        time: when, in seconds since the epoch.
        terms: of its task, as `knowledge.terms` makes them, repetitions kept.
        used: ids of the evidence that it used, in the order of its brief.
    """

    dispatch_id: str
    time: int
    terms: tuple[str, ...]
    used: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PastDispatch:
    """A dispatch that went well and whose task was like one that is asked for.

    Attributes:
        dispatch_id: whose.
        time: when, in seconds since the epoch.
        score: BM25 of its task; higher is better.
        used: ids of the evidence that it used, in the order of its brief; some may be gone.
    """

    dispatch_id: str
    time: int
    score: float
    used: tuple[str, ...]


def write_learned(
    path: Path,
    states: Mapping[str, LearnedState],
    ledger_head: str,
    policy: str,
    dispatches: Iterable[TaughtDispatch] = (),
) -> None:
    """Replace the projection. Readers see the old one or the new one, whole.

    Args:
        path: the file.
        states: by evidence id.
        ledger_head: hash of the last line that was learned from, or empty.
        policy: name of the learning policy.
        dispatches: that went well, each once.

    Raises:
        CatalogError: the folder cannot be written.
        CatalogBusy: another process has been writing for too long.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _not_written(path, str(error.strerror)) from None
    with file_lock(path.with_name(f"{path.name}.lock"), _LOCK_TIMEOUT, error=CatalogBusy):
        new = path.with_name(f"{path.name}.new")  # always the same: a killed writer leaves no litter
        try:
            new.unlink(missing_ok=True)
            _fill(new, states, ledger_head, policy, list(dispatches))
            _publish(new, path)
        except (OSError, sqlite3.Error) as error:
            raise _not_written(path, str(error)) from None


def read_learned(path: Path, ids: Collection[str]) -> dict[str, LearnedState]:
    """What is known of ``ids``, in order of id; ids of which nothing is known are left out.

    Raises:
        CatalogCorrupt: the file is damaged, or is something else.
        CatalogTooNew: it was written by a newer version.
    """
    if not path.exists():
        return {}
    with _reading(path) as connection:
        wanted = sorted(ids)
        batches = [wanted[at : at + _BATCH] for at in range(0, len(wanted), _BATCH)]
        return {row[0]: LearnedState(*row[1:]) for batch in batches for row in _select(connection, batch)}


def past_dispatches(path: Path, terms: Collection[str], limit: int) -> list[PastDispatch]:
    """The dispatches that went well with the tasks most like one: best first, then the newest, then by id.

    Args:
        path: the file.
        terms: of the task, as `knowledge.terms` makes them. The rarest count; the others only as long as few
            dispatches have them.
        limit: at most so many.

    Raises:
        CatalogCorrupt, CatalogTooNew: as `read_learned`.
    """
    if not terms or not path.exists():
        return []
    with _reading(path) as connection:
        if read_header(connection)[1] < FIRST_WITH_DISPATCHES:
            return []
        wanted = _rarest(connection, sorted(set(terms)))
        meta = dict(connection.execute("SELECT key, value FROM meta"))
        found = postings.best(
            _postings(connection, wanted), wanted, int(meta[_DISPATCHES]), int(meta[_TERMS]), limit
        )
        return [_past(connection, position, score) for score, position in found]


def learned_fingerprint(path: Path) -> str:
    """Hash of everything that was learned, and by which policy; empty when nothing was.

    It does not change when a replay of more receipts comes to the same.

    Raises:
        CatalogCorrupt, CatalogTooNew: as `read_learned`.
    """
    return _meta(path, "fingerprint")


def learned_head(path: Path) -> str:
    """Hash of the last line of the ledger that was learned from; empty when none was.

    Raises:
        CatalogCorrupt, CatalogTooNew: as `read_learned`.
    """
    return _meta(path, "ledger_head")


def _select(connection: sqlite3.Connection, ids: list[str]) -> list[tuple[Any, ...]]:
    marks = ",".join("?" * len(ids))
    return sorted(connection.execute(_SELECT.format(marks), ids))


def _meta(path: Path, key: str) -> str:
    if not path.exists():
        return ""
    with _reading(path) as connection:
        row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""


def _rarest(connection: sqlite3.Connection, terms: list[str]) -> list[str]:
    """The terms that dispatches have, rarest first, as long as they have few postings; at least one."""
    known: list[tuple[int, str]] = []
    for at in range(0, len(terms), _BATCH):
        batch = terms[at : at + _BATCH]
        known += connection.execute(_SELECT_TERMS.format(",".join("?" * len(batch))), batch)
    known.sort()
    sums = accumulate(count for count, _ in known)
    kept = [term for (_, term), total in zip(known, sums, strict=True) if total <= MAX_POSTINGS]
    return kept or [term for _, term in known[:1]]


def _postings(connection: sqlite3.Connection, terms: list[str]) -> dict[str, bytes]:
    query = "SELECT postings FROM dispatch_terms WHERE term = ?"
    return {term: connection.execute(query, (term,)).fetchone()[0] for term in terms}


def _past(connection: sqlite3.Connection, position: int, score: float) -> PastDispatch:
    query = "SELECT dispatch_id, time, used FROM dispatches WHERE position = ?"
    dispatch_id, time, used = connection.execute(query, (position,)).fetchone()
    return PastDispatch(dispatch_id, time, score, tuple(json.loads(used)))


def _fill(
    new: Path,
    states: Mapping[str, LearnedState],
    ledger_head: str,
    policy: str,
    dispatches: list[TaughtDispatch],
) -> None:
    rows = [(evidence_id, *astuple(states[evidence_id])) for evidence_id in sorted(states)]
    # Of equal scores, the search gives the higher position first: the newer or, at one time, the lower id.
    dispatches.sort(key=lambda one: one.dispatch_id, reverse=True)
    dispatches.sort(key=lambda one: one.time)
    meta = {
        "policy": policy,
        "ledger_head": ledger_head,
        "fingerprint": _fingerprint(rows, policy, dispatches),
        _DISPATCHES: str(len(dispatches)),
        _TERMS: str(sum(len(one.terms) for one in dispatches)),
    }
    with closing(sqlite3.connect(new)) as connection:
        connection.executescript(_SCHEMA)
        with connection:
            connection.executemany("INSERT INTO meta VALUES (?, ?)", sorted(meta.items()))
            connection.executemany("INSERT INTO learned VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
            _fill_dispatches(connection, dispatches)


def _fill_dispatches(connection: sqlite3.Connection, dispatches: list[TaughtDispatch]) -> None:
    index: dict[str, list[int]] = {}
    for position, one in enumerate(dispatches):
        for term, count in Counter(one.terms).items():
            index.setdefault(term, []).append(postings.posting(position, count, len(one.terms)))
    connection.executemany(
        "INSERT INTO dispatches VALUES (?, ?, ?, ?)",
        [(at, one.dispatch_id, one.time, json.dumps(one.used)) for at, one in enumerate(dispatches)],
    )
    connection.executemany(
        "INSERT INTO dispatch_terms VALUES (?, ?, ?)",
        [
            (term, len(index[term]), postings.merged(array("I"), index[term]).tobytes())
            for term in sorted(index)
        ],
    )


def _fingerprint(
    rows: list[tuple[str | int | float, ...]], policy: str, dispatches: list[TaughtDispatch]
) -> str:
    if not rows and not dispatches:
        return ""
    lessons = (repr(astuple(one)) for one in dispatches)
    return fingerprint([policy, *(repr(value) for row in rows for value in row), *lessons])


def _publish(new: Path, path: Path) -> None:
    handle = os.open(new, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    new.replace(path)


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    # The file is never written in place: no locks are needed, and a read-only folder will do.
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
        with closing(connection):
            _check(connection, path)
            yield connection
    except sqlite3.Error as error:
        raise CatalogCorrupt(
            f"what was learned cannot be read: {error}", where=str(path), remedy=_REMEDY
        ) from None


def _check(connection: sqlite3.Connection, path: Path) -> None:
    application, version = read_header(connection)
    if application != _APPLICATION_ID or version < 1:
        raise CatalogCorrupt("this is not a file of what was learned", where=str(path), remedy=_REMEDY)
    require_known(version, SCHEMA_VERSION, path, _UPGRADE)


def _not_written(path: Path, why: str) -> CatalogError:
    return CatalogError(
        f"what was learned cannot be written: {why}", where=str(path), remedy="Make the folder writable"
    )
