"""Appending: what was written is there, whole, canonical, and chained."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ledger_files import segment
from python_process import modules_imported_with

from knowledge.clock import Clock
from knowledge.hashing import canonical_json, tagged, text_hash
from receipts.ledger import Ledger
from receipts.records import GENESIS, Audit, Delivery, Outcome, Receipt
from receipts.verify import verify


def test_what_was_appended_is_found_again(ledger, make_receipt):
    receipt = make_receipt()
    ledger.append(receipt)
    found = ledger.find(receipt.dispatch_id).receipt
    assert found.offered == receipt.offered
    assert found.time == "2026-01-31T12:00:01.000Z"
    assert (found.prev, found.seq) == (GENESIS, 1)


def test_time_given_with_a_record_is_kept(ledger, make_receipt):
    receipt = make_receipt(time="2025-05-05T05:05:05.005Z")
    ledger.append(receipt)
    assert ledger.find(receipt.dispatch_id).receipt.time == "2025-05-05T05:05:05.005Z"


def test_each_line_is_canonical_and_carries_the_hash_of_the_one_before(ledger, folder, make_receipt):
    hashes = [ledger.append(make_receipt()) for _ in range(3)]
    lines = segment(folder).read_bytes().splitlines()
    assert [tagged(line) for line in lines] == hashes
    assert [json.loads(line)["prev"] for line in lines] == [GENESIS, *hashes[:-1]]
    assert all(canonical_json(json.loads(line)).encode() == line for line in lines)


def test_chain_and_numbers_go_on_across_segments(folder, clock, make_receipt):
    ledger = Ledger(folder, clock, segment_bytes=2_500)
    for _ in range(12):
        ledger.append(make_receipt())
    assert len(list(folder.glob("*.ndjson"))) > 2
    entries = list(ledger.records())
    assert [entry.record.seq for entry in entries] == list(range(1, 13))
    assert verify(folder).ok


def test_several_records_under_one_lock(ledger, make_receipt):
    receipt = make_receipt()
    with ledger.writing() as writer:
        writer.append(receipt)
        writer.append(Delivery(dispatch_id=receipt.dispatch_id))
    history = ledger.find(receipt.dispatch_id)
    assert [record.type for record in history.linked] == ["delivery"]
    assert verify(ledger.folder).ok


def test_audit_record_may_stand_alone(ledger):
    ledger.append(Audit(action="approve", actor="operator", reason="seen twice", subject="rule:x"))
    assert [entry.record.type for entry in ledger.records()] == ["audit"]
    assert verify(ledger.folder).ok


@pytest.mark.parametrize(
    "text", ["", "x\udc80y", "\ud800", "\u2028\u2029\x85\r\n\t\x00", "任务 🚀", '"\\', "a\nb" * 50_000]
)
def test_any_task_text_survives(ledger, make_receipt, text):
    receipt = make_receipt(task=text, task_hash=text_hash(text))
    ledger.append(receipt)
    ledger.append(make_receipt())
    assert ledger.find(receipt.dispatch_id).receipt.task == text
    assert verify(ledger.folder).ok
    assert len(segment(ledger.folder).read_bytes().splitlines()) == 2


@settings(max_examples=40, deadline=None)
@given(text=st.text(alphabet=st.characters(exclude_categories=())))
def test_stored_lines_are_utf8_whatever_the_text(tmp_path_factory, text):
    ledger = Ledger(tmp_path_factory.mktemp("ledger"), Clock())
    ledger.append(Audit(action="note", actor="a", reason=text, subject="s"))
    line = segment(ledger.folder).read_bytes()
    assert line.decode("utf-8").count("\n") == 1
    assert verify(ledger.folder).ok


def test_line_longer_than_any_chunk_is_found_from_the_end(ledger, make_receipt):
    ledger.append(make_receipt())
    long = ledger.append(make_receipt(task="x" * 400_000))
    receipt = make_receipt()
    ledger.append(receipt)
    assert ledger.find(receipt.dispatch_id).receipt.prev == long


def test_invalid_records_are_refused_before_they_are_written(make_receipt):
    receipt = make_receipt()
    for changes in ({"coverage": float("nan")}, {"time": "yesterday"}, {"time": "2026-13-01T00:00:00.000Z"}):
        with pytest.raises(ValueError, match="1 validation error"):
            Receipt.model_validate(receipt.model_dump() | changes)
    with pytest.raises(ValueError, match="dispatch_id"):
        Outcome(dispatch_id="latest", status="success")


def test_import_is_light():
    heavy = {"sqlite3", "git", "apscheduler", "jinja2", "structlog", "asyncio", "multiprocessing"}
    assert modules_imported_with("receipts.ledger, receipts.outcomes", heavy) == set()
