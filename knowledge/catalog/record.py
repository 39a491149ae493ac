"""The record of one evidence: all that is read of it and that no statement searches, compressed.

Seven lines of text: the terms of the five fields, what ranking reads as JSON, the rest as JSON. With a
dictionary of common terms a record takes a fourth of its size, and reading it costs a few microseconds.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from typing import Any

from knowledge.catalog.dictionary import DICTIONARY
from knowledge.catalog.rows import FIELDS, Indexed
from knowledge.hashing import canonical_json
from knowledge.types import (
    Authority,
    Card,
    Evidence,
    Kind,
    Quality,
    Relation,
    RelationKind,
    SourceKind,
    Status,
)

LEVEL = 6  # level 9 saves nothing more; level 1 takes a tenth more space and three quarters of the time
# 8 KiB, which holds the dictionary; without zlib's frame, which would check the dictionary at every read.
WINDOW_BITS = -13
_LINES = len(FIELDS) + 2
_PARTS = _LINES - 1  # splits

# Members by value: to call an enumeration takes as long as to read a column.
_KINDS: dict[str, Kind] = {kind.value: kind for kind in Kind}
_SOURCE_KINDS: dict[str, SourceKind] = {kind.value: kind for kind in SourceKind}
_AUTHORITIES: dict[str, Authority] = {authority.value: authority for authority in Authority}
_STATUSES: dict[str, Status] = {status.value: status for status in Status}

# Row id first.
EVIDENCE_COLUMNS = (
    "e.rowid, e.kind, f.path, e.start_line, e.end_line, e.part, f.language, f.source_kind, f.last_commit,"
    " f.last_commit_time, e.record"
)


def pack(item: Indexed) -> bytes:
    """The record of an evidence."""
    evidence = item.evidence
    before, _, after = evidence.id.partition(evidence.path)
    is_named_by_path = f"{before}{evidence.path}{after}" == evidence.id
    ranked = [
        *((before, after) if is_named_by_path else (evidence.id, None)),
        evidence.name,
        evidence.signature,
        evidence.doc,
        evidence.content_hash,
        evidence.authority.value,
        evidence.status.value,
        evidence.tags,
        evidence.quality.score,
        evidence.density,
    ]
    rest = [
        dict(sorted(evidence.quality.parts.items())),
        sorted(set(item.aliases)),
        [(relation.kind.value, relation.target, relation.line) for relation in item.relations],
        _card_row(item.card),
    ]
    lines = [*(field.replace("\n", " ") for field in item.text.fields), _json(ranked), _json(rest)]
    packer = zlib.compressobj(LEVEL, wbits=WINDOW_BITS, zdict=DICTIONARY)
    return packer.compress("\n".join(lines).encode()) + packer.flush()


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _card_row(card: Card | None) -> list[object] | None:
    return [card.title, card.scope, card.topics, card.entities, card.parent] if card else None


def lines_of(record: bytes) -> list[str]:
    """The lines of a record. Raises zlib.error or ValueError when it is damaged."""
    unpacker = zlib.decompressobj(WINDOW_BITS, DICTIONARY)
    lines = unpacker.decompress(record).decode().split("\n", _PARTS)
    if len(lines) != _LINES or not unpacker.eof:
        raise ValueError("a record is cut short")
    return lines


@dataclass(slots=True)
class Row:
    """One evidence as it lies in the catalog: cheap to hold, taken apart when it is looked at.

    Attributes:
        columns: as `EVIDENCE_COLUMNS`.
        lines: of its record.
    """

    columns: tuple[Any, ...]
    lines: list[str]
    _ranked: Evidence | None = None

    @property
    def fields(self) -> list[str]:
        """Its terms, in the order of `FIELDS`."""
        return self.lines[: len(FIELDS)]

    def ranked(self) -> Evidence:
        """The evidence without the parts of its quality: ranking reads none."""
        if self._ranked is None:
            self._ranked = _evidence(self.columns, self.lines, {})
        return self._ranked

    def evidence(self) -> Evidence:
        """The evidence."""
        return _evidence(self.columns, self.lines, _rest(self.lines)[0])


def row_of(columns: tuple[Any, ...]) -> Row:
    """A row of `EVIDENCE_COLUMNS`. Raises zlib.error or ValueError when its record is damaged."""
    return Row(columns, lines_of(columns[-1]))


def _evidence(row: tuple[Any, ...], lines: list[str], parts: dict[str, float]) -> Evidence:
    _, kind, path, start, end, part, language, source_kind, last_commit, last_commit_time, _ = row
    before, after, name, signature, doc, content, authority, status, tags, score, density = json.loads(
        lines[-2]
    )
    return Evidence(
        id=before if after is None else f"{before}{path}{after}",
        kind=_KINDS[kind],
        name=name,
        path=path,
        start=start,
        end=end,
        part=part,
        language=language,
        signature=signature,
        doc=doc,
        content_hash=content,
        source_kind=_SOURCE_KINDS[source_kind],
        authority=_AUTHORITIES[authority],
        status=_STATUSES[status],
        tags=tuple(tags),
        quality=Quality(score, parts),
        density=density,
        last_commit=last_commit,
        last_commit_time=last_commit_time,
    )


def aliases_of(lines: list[str]) -> tuple[str, ...]:
    """The names in a record, sorted."""
    return tuple(_rest(lines)[1])


def relations_of(lines: list[str]) -> tuple[Relation, ...]:
    """The relations in a record, in the order in which they were given."""
    return tuple(Relation(RelationKind(kind), target, line) for kind, target, line in _rest(lines)[2])


def card_of(lines: list[str]) -> Card | None:
    """The card in a record, if it has one."""
    row = _rest(lines)[3]
    if row is None:
        return None
    title, scope, topics, entities, parent = row
    return Card(title, tuple(scope), tuple(topics), tuple(entities), parent)


def told(row: Row) -> tuple[object, ...]:
    """All that a row says, but for what it says of its file."""
    evidence = row.evidence()
    return (
        *(evidence.id, evidence.kind.value, evidence.name, evidence.path),
        *(evidence.start, evidence.end, evidence.part),
        *(evidence.signature, evidence.doc, evidence.content_hash),
        *(evidence.authority.value, evidence.status.value, evidence.tags),
        *(evidence.quality.score, canonical_json(evidence.quality.parts), evidence.density),
        *row.fields,
        *(aliases_of(row.lines), relations_of(row.lines), card_of(row.lines)),
    )


def _rest(lines: list[str]) -> Any:
    return json.loads(lines[-1])
