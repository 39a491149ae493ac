# ruff: noqa: S608 - only fixed names, marks and numbers are put into statements, every text is bound
"""Reading the catalog: candidates by terms and by names, their evidence, statistics."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from knowledge.catalog import commits, database, glossary, record
from knowledge.catalog.keys import id_key, last_segment, name_key, names_end_alike, normal_name, relation_key
from knowledge.catalog.rows import (
    COUNTS,
    FIELDS,
    FILE_COLUMNS,
    FileRow,
    SearchText,
    file_of,
)
from knowledge.catalog.schema import Band
from knowledge.closing import Closing
from knowledge.types import Card, Evidence, GlossaryEntry, Guidance, Relation, RelationKind

PROGRESS_STEPS = 1_000  # virtual machine steps between two looks at the deadline: a hundred rows of a search
_CHUNK = 500  # bound parameters of one statement
_T = TypeVar("_T")
_GUIDANCE_COLUMNS = "g.statement, g.scope, g.tags, g.terms, g.evidence_count, g.severity, g.expires"
MAX_HELD = 5_000  # rows, which take 20 MB; a dispatch reads some hundreds
MAX_LOOKED_AT = 1_000  # things related to a name's last segment of which the whole name is compared
_DUMP_BEFORE = (
    "SELECT key, value FROM meta WHERE key NOT GLOB 'git_*' AND key NOT GLOB 'settings*' ORDER BY key",
    "SELECT path, blob, language, source_kind, skip, last_commit, last_commit_time FROM files ORDER BY path",
)
_DUMP_AFTER = (
    "SELECT key, count(*) FROM keys GROUP BY key ORDER BY key",
    "SELECT path, line, kind, count FROM events ORDER BY path, line, kind",
    "SELECT term, documents FROM terms ORDER BY term",
)


@dataclass(frozen=True, slots=True)
class Statistics:
    """What ranking needs to know about the whole catalog.

    Attributes:
        count: evidence rows.
        average_lengths: mean number of terms by field, in the order of `FIELDS`; at least 1.
    """

    count: int
    average_lengths: tuple[float, ...]


class CatalogReader(Closing):
    """A read-only view of one catalog, as of the moment each query starts.

    Not for use by several threads at once.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._db = database.open_reader(path)
        self.version = self.data_version()
        self._held: dict[int, record.Row] | None = None  # what was read since `begin`

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def data_version(self) -> int:
        """A number that changes when another process has committed."""
        with database.mapped_errors(self._path):
            return int(self._db.execute("PRAGMA data_version").fetchone()[0])

    def begin(self) -> None:
        """Hold all following reads to one state of the catalog, until `end`."""
        with database.mapped_errors(self._path):
            self._db.execute("BEGIN")
        self._held = {}

    def end(self) -> None:
        """Let go of the state that `begin` held."""
        self._held = None
        with database.mapped_errors(self._path):
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")

    def interrupt_when(self, expired: Callable[[], bool] | None) -> None:
        """Abort a running query as soon as ``expired`` says so; None takes the watch away."""
        self._db.set_progress_handler(expired, PROGRESS_STEPS if expired else 0)

    def meta(self) -> dict[str, str]:
        """All entries of the meta table."""
        return dict(self._rows("SELECT key, value FROM meta ORDER BY key"))

    def statistics(self) -> Statistics:
        """Counts and mean field lengths."""
        meta = self.meta()
        with database.mapped_errors(self._path):
            count = int(meta.get("count", "0"))
            sums = [int(meta.get(f"length.{name}", "0")) for name in FIELDS]
        return Statistics(count, tuple(max(1.0, total / max(1, count)) for total in sums))

    def document_frequencies(self, terms: Collection[str]) -> dict[str, int]:
        """In how many evidence rows each term occurs; terms that occur in none are absent."""
        found: dict[str, int] = {}
        for chunk in _chunks(sorted(terms)):
            found.update(
                self._rows(f"SELECT term, documents FROM terms WHERE term IN ({_marks(chunk)})", chunk)
            )
        return found

    def search(
        self, terms: Sequence[str | tuple[str, ...]], band: Band, limit: int, weights: Sequence[float]
    ) -> list[int]:
        """Row ids in a band that hold any of the terms, best BM25 first.

        A tie at the cut is left out as a whole, so that which rows are found never depends on the order in
        which they were indexed; when everything ties, the first by path and line are taken.

        Args:
            terms: as `knowledge.terms` makes them; of a group, all are wanted together; none gives no rows.
            band: which rows.
            limit: at most so many.
            weights: of the fields, in the order of `FIELDS`.
        """
        if not terms:
            return []
        match = " OR ".join(map(_clause, terms))
        score = f"bm25(search, {', '.join(str(float(weight)) for weight in weights)})"
        rows = self._rows(
            f"SELECT rowid, {score} AS score FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ?"
            " ORDER BY score, rowid LIMIT ?",
            (match, band.first, band.last, limit + 1),
        )
        if len(rows) <= limit:
            return [rowid for rowid, _ in rows]
        cut = rows[-1][1]
        kept = [rowid for rowid, value in rows if value < cut]
        return kept or self._first_by_path(match, band, limit)

    def _first_by_path(self, match: str, band: Band, limit: int) -> list[int]:
        rows = self._rows(
            "SELECT e.rowid FROM search s JOIN evidence e ON e.rowid = s.rowid"
            " JOIN files f ON f.id = e.file WHERE search MATCH ? AND s.rowid BETWEEN ? AND ?"
            # Of one file, row ids are in the order in which its parser gave what they stand for.
            " ORDER BY f.path, e.start_line, e.rowid LIMIT ?",
            (match, band.first, band.last, limit),
        )
        return [rowid for (rowid,) in rows]

    def past(self, terms: Sequence[str], limit: int) -> list[commits.PastCommit]:
        """Past commits whose messages have any of the terms, best BM25 first, of equals the newest.

        Args:
            terms: as `knowledge.terms` makes them, those that count most first: there is a bound on how much
                is read for the others.
            limit: at most so many.
        """
        with database.mapped_errors(self._path):
            return commits.past(self._rows, terms, limit)

    def named(self, alias: str, limit: int) -> list[int]:
        """Row ids of evidence known by a lower-case name (see `indexer.cards.aliases_of`).

        Which ones are given when there are more than ``limit`` is not defined: ask for one more than will do.
        """
        return self._keyed(name_key(alias), limit)

    def _keyed(self, key: int, limit: int) -> list[int]:
        query = "SELECT evidence FROM keys WHERE key = ? ORDER BY evidence LIMIT ?"
        return [rowid for (rowid,) in self._rows(query, (key, limit))]

    def related(self, kind: RelationKind, name: str, limit: int) -> list[int]:
        """Row ids of evidence with a relation to a target of this name, or whose name ends in it.

        Letter case does not count. Which ones are given when there are more than ``limit`` is not defined.

        Args:
            kind: of relation.
            name: of the target: a last segment (``close``), more of it (``stream.close``), or a path.
            limit: at most so many.
        """
        wanted, key = normal_name(name), relation_key(kind, name)
        if wanted == last_segment(name):
            return self._keyed(key, limit)
        relations = self.relations_of(self._keyed(key, MAX_LOOKED_AT))
        found = [
            rowid
            for rowid, ones in relations.items()
            if any(one.kind is kind and names_end_alike(normal_name(one.target), wanted) for one in ones)
        ]
        return found[:limit]

    def relations_of(self, rowids: Collection[int]) -> dict[int, tuple[Relation, ...]]:
        """What evidence says of others, by row id."""
        with database.mapped_errors(self._path):
            return {row.columns[0]: record.relations_of(row.lines) for row in self._evidence(sorted(rowids))}

    def cards(self, ids: Collection[str]) -> dict[str, Card]:
        """Cards of documents and sections by stable id; what has none is absent."""
        cards = self._identified(ids, lambda row: record.card_of(row.lines))
        return {evidence_id: card for evidence_id, card in cards.items() if card is not None}

    def card_of(self, evidence_id: str) -> Card | None:
        """The card of a document or section, or None."""
        return self.cards([evidence_id]).get(evidence_id)

    def in_file(self, path: str, first: int, last: int, limit: int) -> list[int]:
        """Row ids of evidence in a file that overlaps the lines, smallest first."""
        rows = self._rows(
            "SELECT e.rowid FROM files f JOIN evidence e ON e.file = f.id"
            " WHERE f.path = ? AND e.start_line <= ? AND e.end_line >= ?"
            " ORDER BY e.end_line - e.start_line, e.start_line, e.rowid LIMIT ?",
            (path, last, first, limit),
        )
        return [rowid for (rowid,) in rows]

    def paths(self) -> list[str]:
        """The paths of all indexed files, sorted."""
        return [path for (path,) in self._rows("SELECT path FROM files WHERE skip = '' ORDER BY path")]

    def evidence(self, rowids: Collection[int]) -> dict[int, Evidence]:
        """Evidence by row id, as ranking needs it: without the parts of its quality."""
        return self.ranked(self.rows(rowids).values())

    def rows(self, rowids: Collection[int]) -> dict[int, record.Row]:
        """Terms and evidence by row id, in its order; from `begin` to `end`, each is read once."""
        wanted = sorted(rowids)
        held = {} if self._held is None or len(self._held) > MAX_HELD else self._held
        missing = [rowid for rowid in wanted if rowid not in held]
        held.update((row.columns[0], row) for row in self._evidence(missing))
        return {rowid: held[rowid] for rowid in wanted if rowid in held}

    def ranked(self, rows: Iterable[record.Row]) -> dict[int, Evidence]:
        """As `evidence`, of rows that were read already."""
        with database.mapped_errors(self._path):
            return {row.columns[0]: row.ranked() for row in rows}

    def by_id(self, ids: Collection[str]) -> dict[str, Evidence]:
        """Evidence by stable id; what no longer exists is absent."""
        return self._identified(ids, record.Row.evidence)

    def rows_by_id(self, ids: Collection[str]) -> dict[str, record.Row]:
        """As `rows`, by stable id; what no longer exists is absent."""
        return self._identified(ids, lambda row: row)

    def _identified(self, ids: Collection[str], make: Callable[[record.Row], _T]) -> dict[str, _T]:
        """What is made of rows, by id: a key alone does not tell."""
        wanted = frozenset(ids)
        rowids: list[int] = []
        for chunk in _chunks(sorted(map(id_key, wanted))):
            query = f"SELECT evidence FROM keys WHERE key IN ({_marks(chunk)})"
            rowids += [rowid for (rowid,) in self._rows(query, chunk)]
        with database.mapped_errors(self._path):
            pairs = ((row.ranked().id, row) for row in self._evidence(rowids))
            return {evidence_id: make(row) for evidence_id, row in pairs if evidence_id in wanted}

    def _evidence(self, rowids: list[int]) -> Iterator[record.Row]:
        for chunk in _chunks(rowids):
            query = (
                f"SELECT {record.EVIDENCE_COLUMNS} FROM evidence e JOIN files f ON f.id = e.file"
                f" WHERE e.rowid IN ({_marks(chunk)})"
            )
            yield from self._made(record.row_of, query, chunk)

    def texts(self, rowids: Collection[int]) -> dict[int, SearchText]:
        """Search text by row id."""
        return {rowid: SearchText(*row.fields) for rowid, row in self.rows(rowids).items()}

    def guidance(self) -> list[tuple[Evidence, Guidance]]:
        """All rules, antipatterns and reports, by (path, start, id)."""
        query = (
            f"SELECT {_GUIDANCE_COLUMNS}, {record.EVIDENCE_COLUMNS}"
            # CROSS holds SQLite to this order: it would walk all evidence to find the few rows of guidance.
            " FROM guidance g CROSS JOIN evidence e ON e.rowid = g.evidence JOIN files f ON f.id = e.file"
            " ORDER BY f.path, e.start_line, e.rowid"
        )
        return self._made(_guided, query)

    def glossary(self) -> list[GlossaryEntry]:
        """The entries of the project's glossary, by (path, start): those that no longer hold, too."""
        with database.mapped_errors(self._path):
            return glossary.entries(self._rows)

    def files(self, paths: Collection[str]) -> dict[str, FileRow]:
        """Files by path."""
        found: dict[str, FileRow] = {}
        for chunk in _chunks(sorted(paths)):
            query = f"SELECT {FILE_COLUMNS} FROM files WHERE path IN ({_marks(chunk)})"
            found.update((row.path, row) for row in self._made(file_of, query, chunk))
        return found

    def counts(self) -> dict[str, dict[str, int]]:
        """Files by language and by skip reason, evidence by kind, events by kind, past commits."""
        return {name: dict(self._rows(query)) for name, query in COUNTS.items()}

    def dump(self) -> Iterator[tuple[object, ...]]:
        """Everything the catalog says, in a canonical order: equal catalogs, equal dumps.

        Left out are row ids and what is only noted to save the next run, or a dispatch, a closer look.
        """
        for query in _DUMP_BEFORE:
            yield from self._streamed(query)
        guidance: dict[object, Guidance] = {evidence.id: one for evidence, one in self.guidance()}
        evidence = (
            f"SELECT {record.EVIDENCE_COLUMNS} FROM files f CROSS JOIN evidence e ON e.file = f.id"
            " ORDER BY f.path, e.start_line, e.rowid"
        )
        with database.mapped_errors(self._path):
            for row in self._db.execute(evidence):
                told = record.told(record.row_of(row))
                yield (*told, guidance.get(told[0]))
        for query in _DUMP_AFTER:
            yield from self._streamed(query)
        yield from glossary.told(self._rows)
        yield from commits.told(self._rows)

    def _streamed(self, query: str) -> Iterator[tuple[object, ...]]:
        with database.mapped_errors(self._path):
            yield from self._db.execute(query)

    def _rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        return self._made(tuple, query, values)

    def _made(
        self, make: Callable[[tuple[Any, ...]], _T], query: str, values: Sequence[object] = ()
    ) -> list[_T]:
        """What is made of all rows. Fetched at once: damage and deadlines show while rows are read."""
        try:
            return [make(row) for row in self._db.execute(query, values)]
        except UnicodeEncodeError:  # half a surrogate pair, which no stored text holds
            return []
        except database.FAULTS as error:
            raise database.mapped(error, self._path) from error


def _guided(row: tuple[Any, ...]) -> tuple[Evidence, Guidance]:
    statement, scope, tags, terms, count, severity, expires, *columns = row
    evidence = record.row_of(tuple(columns)).evidence()
    return evidence, Guidance(
        id=evidence.id,
        statement=statement,
        scope=tuple(json.loads(scope)),
        tags=tuple(json.loads(tags)),
        terms=tuple(json.loads(terms)),
        evidence_count=int(count),
        severity=severity,
        expires=expires,
    )


def _clause(term: str | tuple[str, ...]) -> str:
    return _quoted(term) if isinstance(term, str) else f"({' AND '.join(map(_quoted, term))})"


def _quoted(term: str) -> str:
    """A term as a string of FTS5's query language, which NUL would end."""
    return '"{}"'.format(term.replace('"', '""').replace("\0", " "))


def _chunks(values: list[_T]) -> Iterator[list[_T]]:
    for start in range(0, len(values), _CHUNK):
        yield values[start : start + _CHUNK]


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
