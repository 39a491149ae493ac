"""Items that a dispatch offered, for tests to which it does not matter what they are."""

from __future__ import annotations

from receipts.records import OfferedRecord


def offered_item(number: int) -> OfferedRecord:
    """The item ``i<number>``, with the pattern hash ``h<number>``."""
    return OfferedRecord(
        id=f"i{number}",
        kind="unit",
        name="n",
        path="p",
        start=1,
        end=2,
        pattern_hash=f"h{number}",
        content_hash="c",
        rank=1,
        score=0.5,
    )
