"""A clock that stands still unless moved, receipts, and ledgers to write them to."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from knowledge.clock import Clock
from knowledge.hashing import pattern_hash, text_hash
from receipts.ledger import Ledger, LedgerEvent
from receipts.records import FactorRecord, OfferedRecord, Receipt

NOON = 1_769_860_800.0  # 2026-01-31T12:00:00Z


@pytest.fixture
def clock():
    """A clock whose every reading is a second later, and whose randomness counts."""
    seconds = itertools.count()
    numbers = itertools.count(1)
    return Clock(
        now=lambda: NOON + next(seconds),
        tick=lambda: 0.0,
        random_bytes=lambda n: next(numbers).to_bytes(n, "big"),
    )


@pytest.fixture
def folder(tmp_path) -> Path:
    return tmp_path / "receipts"


@pytest.fixture
def events() -> list[LedgerEvent]:
    return []


@pytest.fixture
def ledger(folder, clock, events) -> Ledger:
    return Ledger(folder, clock, on_event=events.append, lock_timeout=1.0)


@pytest.fixture
def make_item() -> Callable[..., OfferedRecord]:
    def make(name: str = "EventStream.close", **changes) -> OfferedRecord:
        evidence_id = f"symbol:src/stream.py::{name}"
        content = text_hash(f"def {name}(): ...")
        value = {
            "id": evidence_id,
            "kind": "unit",
            "name": name,
            "path": "src/stream.py",
            "start": 10,
            "end": 20,
            "pattern_hash": pattern_hash(evidence_id, content),
            "content_hash": content,
            "rank": 1,
            "score": 0.75,
            "factors": {"lexical": FactorRecord(value=0.5, weight=1.0, contribution=0.5)},
            "channels": {"lexical": 1},
            "why": "name matches",
            "tokens": 20,
        }
        return OfferedRecord(**value | changes)

    return make


@pytest.fixture
def make_receipt(clock, make_item) -> Callable[..., Receipt]:
    def make(task: str | None = "Fix the SSE streaming timeout", **changes) -> Receipt:
        value = {
            "dispatch_id": clock.dispatch_id(),
            "project": "stream",
            "task": task,
            "task_hash": text_hash(task or ""),
            "offered": (make_item(),),
            "rendered": True,
        }
        return Receipt(**value | changes)

    return make


@pytest.fixture
def filled(ledger, make_receipt) -> Ledger:
    """A ledger of six receipts."""
    for _ in range(6):
        ledger.append(make_receipt())
    return ledger
