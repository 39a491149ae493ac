"""Receipts a page at a time, the newest first."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from receipts.reading import latest_receipts
from receipts.records import Receipt


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
    found = latest_receipts(folder, limit + 1, before)
    shown = tuple(found[:limit])
    return Page(shown, shown[-1].dispatch_id if len(found) > limit else None)
