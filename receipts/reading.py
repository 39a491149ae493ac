"""From lines to records: tolerant of damage, of newer schemas, and of a writer at work."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from knowledge.clock import is_dispatch_id
from knowledge.errors import LedgerError, UnknownDispatch
from knowledge.hashing import tagged
from receipts.records import SCHEMA_VERSION, Linked, NewerRecord, Outcome, Receipt, Record, Use
from receipts.segments import START, Line, Position, iterate_lines, list_segments, read_segment, scan

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError


_IS_RECEIPT = b'"type":"receipt"'


@dataclass(frozen=True, slots=True)
class Entry:
    """One record and where it stands: its segment's file name, its line there, its line's hash."""

    record: Record | NewerRecord
    segment: str
    line: int
    hash: str


@dataclass(frozen=True, slots=True)
class Damage:
    """One line that is no record, where it stands, and what is wrong with it."""

    segment: str
    line: int
    what: str
    hash: str


@dataclass(frozen=True, slots=True)
class DispatchHistory:
    """One dispatch: its receipt, and what was linked to it, in the order of the ledger."""

    receipt: Receipt
    linked: tuple[Linked, ...] = ()

    @property
    def outcome(self) -> Outcome | None:
        """The outcome that counts: the last one."""
        return next((r for r in reversed(self.linked) if isinstance(r, Outcome)), None)

    @property
    def uses(self) -> tuple[Use, ...]:
        """The records of use that count: those from the last one on that replaces the earlier ones."""
        uses = [r for r in self.linked if isinstance(r, Use)]
        start = max((i for i, use in enumerate(uses) if use.replaces), default=0)
        return tuple(uses[start:])


def parse_line(line: Line) -> Entry | Damage:
    """What one line says. Never raises for what the line contains."""
    from pydantic import ValidationError  # noqa: PLC0415 - see `_validator`

    digest = tagged(line.data)
    try:
        return Entry(_validator().validate_json(line.data), line.segment, line.number, digest)
    except ValidationError as error:
        record = _parse_otherwise(line.data, error)
    if isinstance(record, str):
        return Damage(line.segment, line.number, record, digest)
    return Entry(record, line.segment, line.number, digest)


@cache
def _validator() -> TypeAdapter[Record]:
    """Made at first use: a dispatch appends to a ledger, and need not import what it takes to read one."""
    from pydantic import Field, TypeAdapter  # noqa: PLC0415 - as said

    return TypeAdapter(Annotated[Record, Field(discriminator="type")])


def _parse_otherwise(data: bytes, error: ValidationError) -> Record | NewerRecord | str:
    """A newer record, one with lone surrogates (which pydantic refuses in JSON), or what is wrong."""
    from pydantic import ValidationError  # noqa: PLC0415 - likewise

    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as problem:
        return f"not JSON: {problem}"
    if not isinstance(value, dict):
        return "not a JSON object"
    if isinstance(version := value.get("v"), int) and version > SCHEMA_VERSION:
        return _newer(version, value)
    if error.errors(include_url=False)[0]["type"] != "json_invalid":
        return _describe(error)
    try:
        return _validator().validate_python(value)
    except ValidationError as second:
        return _describe(second)


def _newer(version: int, value: dict[str, Any]) -> NewerRecord:
    texts = {key: text if isinstance(text := value.get(key), str) else "" for key in _NEWER_TEXTS}
    number = value.get("seq")
    return NewerRecord(v=version, seq=number if isinstance(number, int) else 0, **texts)


_NEWER_TEXTS = ("type", "dispatch_id", "prev")


def _describe(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    key = ".".join(str(part) for part in first["loc"])
    more = error.error_count() - 1
    return f"not a valid record: '{key}': {first['msg']}" + (f", and {more} more" if more else "")


def iterate_records(folder: Path) -> Iterator[Entry | Damage]:
    """Every line of the ledger in order; a damaged one comes as `Damage`. A torn end is ignored."""
    return map(parse_line, iterate_lines(folder))


def latest_receipts(folder: Path, count: int, before: str = "") -> list[Receipt]:
    """The last receipts, the newest first. Reads only as many segments as it takes.

    Args:
        folder: the ledger's.
        count: at most so many.
        before: only those that are older than the receipt with this id; ``""`` for all.

    Raises:
        UnknownDispatch: there is no receipt with that id.
    """
    lines = _from_the_end(folder)
    if before and not any(
        before.encode() in line.data and (found := _receipt_of(line)) and found.dispatch_id == before
        for line in lines  # those that do not even hold the id are not parsed
    ):
        raise UnknownDispatch(
            "no receipt has this id", where=before, remedy="Take one from 'prebrief receipts list'"
        )
    return list(islice(filter(None, map(_receipt_of, lines)), count))


def _from_the_end(folder: Path) -> Iterator[Line]:
    """The lines that may be receipts, the last one first; reads a segment when its turn comes."""
    for _, path in reversed(list_segments(folder)):
        lines = read_segment(path).split(b"\n")[:-1]
        yield from (Line(path.name, 0, data) for data in reversed(lines) if _IS_RECEIPT in data)


def _receipt_of(line: Line) -> Receipt | None:
    """The receipt that a line is; None for a damaged one."""
    entry = parse_line(line)
    return entry.record if isinstance(entry, Entry) and isinstance(entry.record, Receipt) else None


def entries_of(
    folder: Path, dispatch_id: str, start: Position = START
) -> tuple[list[Entry | Damage], Position]:
    """What the ledger says of one dispatch from ``start`` on, and where the search ended.

    A damaged line counts when the id occurs in it.

    Raises:
        UnknownDispatch: ``dispatch_id`` is not even one.
    """
    if not is_dispatch_id(dispatch_id):
        raise UnknownDispatch(
            "this is not a dispatch id", where=dispatch_id, remedy="Take one from 'prebrief receipts list'"
        )
    lines, end = scan(folder, dispatch_id.encode(), start)
    parsed = [parse_line(line) for line in lines]
    # A task may well speak of another dispatch: the id in the text is no link.
    return [p for p in parsed if isinstance(p, Damage) or p.record.dispatch_id == dispatch_id], end


def history_of(dispatch_id: str, entries: list[Entry | Damage]) -> DispatchHistory:
    """Put together what `entries_of` found.

    Raises:
        UnknownDispatch: there is no receipt among it, or only a damaged line.
        LedgerError: the receipt was written by a newer Prebrief.
    """
    records = [entry.record for entry in entries if isinstance(entry, Entry)]
    receipt = next((r for r in records if isinstance(r, Receipt)), None)
    if receipt is None:
        raise _no_receipt(dispatch_id, entries)
    linked = tuple(r for r in records if not isinstance(r, Receipt | NewerRecord))
    return DispatchHistory(receipt, linked)


def _no_receipt(dispatch_id: str, entries: list[Entry | Damage]) -> LedgerError:
    for entry in entries:
        where = f"{entry.segment}:{entry.line}"
        if isinstance(entry, Damage):
            return UnknownDispatch(
                f"the receipt of {dispatch_id} is damaged",
                where=where,
                remedy="Run 'prebrief receipts verify', and restore the line from a backup",
            )
        if isinstance(entry.record, NewerRecord) and entry.record.type in ("receipt", ""):
            return LedgerError(
                f"the receipt of {dispatch_id} was written by a newer version",
                where=where,
                remedy="Update Prebrief",
            )
    return UnknownDispatch(
        "no receipt has this id", where=dispatch_id, remedy="Take one from 'prebrief receipts list'"
    )
