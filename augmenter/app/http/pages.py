"""Receipts a page at a time, the newest first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from knowledge.errors import UnknownDispatch
from receipts.reading import Entry, parse_line
from receipts.records import Receipt
from receipts.segments import Line, list_segments, read_segment

_IS_RECEIPT = b'"type":"receipt"'


@dataclass(frozen=True, slots=True)
class Page:
    """Some receipts, and by which id to ask for the next ones; None when there are none."""

    receipts: tuple[Receipt, ...]
    next: str | None


def page_of(folder: Path, limit: int, before: str = "") -> Page:
    """The latest receipts, or those that are older than a given one.

    Args:
        folder: the ledger's.
        limit: at most so many.
        before: the id of that receipt.

    Raises:
        UnknownDispatch: there is no such receipt.
        LedgerError: the ledger cannot be read.
    """
    lines = _from_the_end(folder)
    if before and not any(_has_id(data, before) for data in lines):
        raise UnknownDispatch("no receipt has this id", where=before, remedy="Begin with the first page")
    found = list(islice(filter(None, map(_receipt, lines)), limit + 1))
    shown = tuple(found[:limit])
    return Page(shown, shown[-1].dispatch_id if len(found) > limit else None)


def _from_the_end(folder: Path) -> Iterator[bytes]:
    """The lines that may be receipts, the last one first; reads a segment when its turn comes."""
    for _, path in reversed(list_segments(folder)):
        lines = read_segment(path).split(b"\n")[:-1]
        yield from (data for data in reversed(lines) if _IS_RECEIPT in data)


def _has_id(data: bytes, dispatch_id: str) -> bool:
    if dispatch_id.encode("ascii") not in data:  # spares parsing
        return False
    receipt = _receipt(data)
    return receipt is not None and receipt.dispatch_id == dispatch_id


def _receipt(data: bytes) -> Receipt | None:
    """The receipt that a line is; None for a damaged one."""
    entry = parse_line(Line("", 0, data))
    return entry.record if isinstance(entry, Entry) and isinstance(entry.record, Receipt) else None
