"""A parsed file as bytes: what a worker sends to the writer, and what the parse cache keeps.

All that can be computed without the catalog is: records and keys. The writer, of which there is only one, has
nothing left to do but to put them into tables. JSON and not pickle: the cache lies in a folder that others
might come to write, and whatever the bytes are, reading them runs nothing.
"""

from __future__ import annotations

import json
import struct
import zlib
from array import array
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Any

from knowledge.catalog import glossary, record
from knowledge.catalog.keys import keys_of
from knowledge.catalog.rows import FileRow, Indexed, ParsedFile, band_of
from knowledge.catalog.schema import SCHEMA_VERSION, Band
from knowledge.types import GlossaryEntry, Guidance, HygieneEvent, SourceKind

FORMAT = f"1.{SCHEMA_VERSION}"  # records are the schema's; raise the first number for a change of this form
_LEVEL = 1  # what is compressed here is a tenth of the whole; records are compressed already
_HEAD = struct.Struct("<II")  # bytes of the directory and of the keys, which the records follow


@dataclass(frozen=True, slots=True)
class PackedItem:
    """One evidence, ready for the catalog's tables.

    Attributes:
        id: the evidence's.
        band: of its row id.
        kind: its kind's value.
        part: as in `Evidence`.
        start: likewise.
        end: likewise.
        keys: see `knowledge.catalog.keys`.
        record: see `knowledge.catalog.record`.
        guidance: set for rules, antipatterns and reports.
    """

    id: str
    band: Band
    kind: str
    part: int
    start: int
    end: int
    keys: tuple[int, ...]
    record: bytes
    guidance: Guidance | None


@dataclass(frozen=True, slots=True)
class PackedFile:
    """As `ParsedFile`, with its evidence ready for the catalog's tables."""

    row: FileRow
    items: tuple[PackedItem, ...] = ()
    events: tuple[HygieneEvent, ...] = ()
    glossary: tuple[GlossaryEntry, ...] = ()
    problems: tuple[str, ...] = ()


def pack(parsed: ParsedFile) -> PackedFile:
    """Make a parsed file ready for the catalog."""
    items = tuple(map(_item, parsed.items))
    return PackedFile(parsed.row, items, parsed.events, parsed.glossary, parsed.problems)


def to_bytes(packed: PackedFile) -> bytes:
    """All of a packed file but for what its row says beside language and kind of source."""
    directory = (
        packed.row.language,
        packed.row.source_kind,
        [_entry(item) for item in packed.items],
        [(event.line, event.kind, event.count) for event in packed.events],
        [glossary.values_of(entry) for entry in packed.glossary],
        packed.problems,
    )
    text = json.dumps(directory, ensure_ascii=False, separators=(",", ":"))
    head = zlib.compress(text.encode("utf-8", "surrogatepass"), _LEVEL)
    keys = array("q", [key for item in packed.items for key in item.keys]).tobytes()
    return b"".join((_HEAD.pack(len(head), len(keys)), head, keys, *(item.record for item in packed.items)))


def from_bytes(data: bytes, row: FileRow) -> PackedFile:
    """The packed file.

    Args:
        data: what `to_bytes` made of a file of the same path and content.
        row: the file as it is now; its language and kind of source come from ``data``.
    """
    directory_bytes, keys_bytes = _HEAD.unpack_from(data)
    start = _HEAD.size + directory_bytes
    directory = zlib.decompress(data[_HEAD.size : start]).decode("utf-8", "surrogatepass")
    language, source_kind, entries, events, terms, problems = json.loads(directory)
    keys = array("q", data[start : start + keys_bytes])
    keys_at = pairwise(accumulate((entry[6] for entry in entries), initial=0))
    records_at = pairwise(accumulate((entry[7] for entry in entries), initial=start + keys_bytes))
    return PackedFile(
        replace(row, language=language, source_kind=SourceKind(source_kind)),
        tuple(
            _made(entry, tuple(keys[slice(*found)]), data[slice(*place)])
            for entry, found, place in zip(entries, keys_at, records_at, strict=True)
        ),
        tuple(HygieneEvent(*event) for event in events),
        tuple(map(glossary.entry_of, terms)),
        tuple(problems),
    )


def _item(item: Indexed) -> PackedItem:
    evidence = item.evidence
    return PackedItem(
        evidence.id,
        band_of(evidence),
        evidence.kind.value,
        evidence.part,
        evidence.start,
        evidence.end,
        tuple(keys_of(evidence.id, item.aliases, item.relations)),
        record.pack(item),
        item.guidance,
    )


def _entry(item: PackedItem) -> tuple[object, ...]:
    place = (item.id, item.band, item.kind, item.part, item.start, item.end, len(item.keys), len(item.record))
    return (*place, item.guidance and _told(item.guidance))


def _made(entry: list[Any], keys: tuple[int, ...], packed: bytes) -> PackedItem:
    evidence_id, band, kind, part, start, end, _, _, guidance = entry
    told: list[Any] = [tuple(value) if isinstance(value, list) else value for value in guidance or ()]
    return PackedItem(
        evidence_id, Band(band), kind, part, start, end, keys, packed, Guidance(*told) if told else None
    )


def _told(guidance: Guidance) -> tuple[object, ...]:
    """In the order of its fields."""
    return (
        guidance.id,
        guidance.statement,
        guidance.scope,
        guidance.tags,
        guidance.terms,
        guidance.evidence_count,
        guidance.severity,
        guidance.expires,
    )
