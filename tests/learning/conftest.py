"""Records and items to learn from."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from knowledge.clock import Clock, format_time
from knowledge.hashing import pattern_hash, text_hash
from receipts.ledger import Ledger
from receipts.records import GuidanceRecord, OfferedRecord, Outcome, Receipt, Record, Use, UsedItem

NOON = 1_769_860_800  # 2026-01-31T12:00:00Z
DAY = 86_400


@pytest.fixture
def clock():
    return Clock(now=lambda: float(NOON), tick=lambda: 0.0)


@pytest.fixture
def ledger(tmp_path, clock) -> Ledger:
    return Ledger(tmp_path / "receipts", clock)


def build_item(name: str = "EventStream.close", **changes) -> OfferedRecord:
    path = changes.get("path", "src/stream.py")
    kind = changes.get("kind", "unit")
    evidence_id = f"{kind}:{path}::{name}"
    content = changes.get("content_hash", text_hash(name))
    value = {
        "id": evidence_id,
        "kind": kind,
        "name": name,
        "path": path,
        "start": 10,
        "end": 20,
        "pattern_hash": pattern_hash(evidence_id, content),
        "content_hash": content,
        "rank": 1,
        "score": 0.5,
    } | changes
    model = GuidanceRecord if kind in ("rule", "antipattern", "report") else OfferedRecord
    return model(**value)


@pytest.fixture
def make_item() -> Callable[..., OfferedRecord]:
    return build_item


@pytest.fixture
def make_dispatch() -> Callable[..., list[Record]]:
    """The records of one dispatch: its receipt, and an outcome and use if a status is given."""
    numbers = iter(range(1, 1_000_000))

    def make(
        *items: OfferedRecord,
        status: str | None = None,
        used=(),
        at: int = NOON,
        looked: bool = True,
        **changes,
    ) -> list[Record]:
        dispatch_id = f"{next(numbers):026d}"
        value = {
            "dispatch_id": dispatch_id,
            "time": format_time(at),
            "project": "p",
            "task_hash": text_hash(""),
            "offered": tuple(item for item in items if not isinstance(item, GuidanceRecord)),
            "guidance": tuple(item for item in items if isinstance(item, GuidanceRecord)),
            "rendered": True,
        }
        records: list[Record] = [Receipt(**value | changes)]
        time = format_time(at + 60)
        if status:
            records.append(Outcome(dispatch_id=dispatch_id, status=status, time=time))
        if status and looked:
            found = [UsedItem(pattern_hash=i.pattern_hash, id=i.id, how="stated") for i in used]
            records.append(Use(dispatch_id=dispatch_id, items=tuple(found), time=time))
        return records

    return make
