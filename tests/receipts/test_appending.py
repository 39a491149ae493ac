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
from receipts.records import (
    GENESIS,
    Audit,
    DegradedRecord,
    Delivery,
    LeftOutRecord,
    Outcome,
    QueryRecord,
    Receipt,
    UsedItem,
)
from receipts.verify import verify

LINE = (
    '{"abstained":false,"agent":"","below_threshold":0,"budget":0,"confidence_fingerprint":"","context_'
    'hash":"","coverage":0.0,"degraded":{"reason":"deadline-exceeded","remedy":"Wait"},"dispatch_id":"01KGA4TM000000000000000'
    '001","guidance":[],"host":"","index":{"as_of":0,"fingerprint":"","head":"","stale":false},"left_out"'
    ':[{"id":"b","reason":"limit","score":0.25}],"nearest_below":[],"offered":[{"channels":{"lexical":1},'
    '"content_hash":"blake2b:d3a74d1bb5cf186d2ab8a45b3e1dcca0","end":20,"factors":{"lexical":{"contributi'
    'on":0.5,"value":0.5,"weight":1.0}},"id":"symbol:src/stream.py::EventStream.close","kind":"unit","nam'
    'e":"EventStream.close","path":"src/stream.py","pattern_hash":"blake2b:7bfae72de884307be3ea346de0723e'
    'ce","rank":1,"score":0.75,"start":10,"tokens":20,"why":"name matches"}],"options":{"budget":0,"byt'
    'es":0,"filte'
    'rs":{},"format":"markdown","off":false,"other":{},"patterns":0,"preamble":null,"rules":0,"t'
    'ags":[],"templates":""},"prev":"blake2b:000000'
    '00000000000000000000000000","project":"stream","prompt_hash":"","query":{"intent":"","mentions":{"pa'
    'th":["a.py"]},"tags":[],"terms":["fix"],"title":""},"render_removals":{},"rendered":false,"role":"","seen":{},'
    '"seq":1,"session":"","settings_fingerprint":"","task":"Fix “it”","task_bytes":0,"task_hash":"blake2b:'
    'c41616a635ea4e820f6443ba04ff739b","task_redactions":{},"time":"2026-01-31T12:00:00.000Z","timings_ms"'
    ':{},"tokens":0,"type":"receipt","v":1,"versions":{},"view":"main","weights":{"fingerprint":"","profil'
    'e":""}}\n'
)


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


@pytest.mark.parametrize(
    ("make", "changes"),
    [
        (Receipt, {"time": "yesterday"}),
        (Receipt, {"time": "2026-13-01T00:00:00.000Z"}),
        (Receipt, {"time": "2026-01-01T00:00:00.000Z\n"}),
        (Receipt, {"dispatch_id": "latest"}),
        (Outcome, {"dispatch_id": "latest"}),
        (Outcome, {"status": "great"}),
        (Delivery, {"rung": "read"}),
        (LeftOutRecord, {"reason": "taste"}),
        (UsedItem, {"how": "guessed"}),
        (Audit, {"dispatch_id": "latest"}),
        (Audit, {"time": "yesterday"}),
    ],
)
def test_records_that_say_what_none_may_say_cannot_be_made(clock, make, changes):
    needed = {
        Receipt: {"dispatch_id": clock.dispatch_id(), "project": "p", "task_hash": text_hash("")},
        Outcome: {"dispatch_id": clock.dispatch_id(), "status": "success"},
        Delivery: {"dispatch_id": clock.dispatch_id()},
        LeftOutRecord: {"id": "a", "score": 0.1, "reason": "limit"},
        UsedItem: {"id": "a", "pattern_hash": "b", "how": "stated"},
        Audit: {"action": "a", "actor": "b", "reason": "c", "subject": "d"},
    }[make]
    assert make(**needed)
    with pytest.raises(ValueError, match=r".") as refused:
        make(**needed | changes)
    with pytest.raises(TypeError):
        make(**needed, surplus=1)
    (value,) = changes.values()
    assert value.strip() in str(refused.value) or "month" in str(refused.value)


def test_numbers_without_end_are_refused_before_anything_is_written(ledger, folder, make_receipt):
    ledger.append(make_receipt())
    before = segment(folder).read_bytes()
    for number in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="float"):
            ledger.append(make_receipt(coverage=number))
    assert segment(folder).read_bytes() == before
    assert verify(folder).ok


def test_a_record_has_always_had_the_same_bytes(ledger, folder, make_item):
    """A line of version 0.1.0: whatever makes it, a reader of old ledgers must find every key again."""
    ledger.append(
        Receipt(
            dispatch_id="01KGA4TM000000000000000001",
            time="2026-01-31T12:00:00.000Z",
            project="stream",
            task="Fix “it”",
            task_hash=text_hash("Fix “it”"),
            query=QueryRecord(terms=("fix",), mentions={"path": ("a.py",)}),
            offered=(make_item(),),
            left_out=(LeftOutRecord(id="b", score=0.25, reason="limit"),),
            degraded=DegradedRecord(reason="deadline-exceeded", remedy="Wait"),
        )
    )
    assert segment(folder).read_text(encoding="utf-8") == LINE


def test_import_is_light():
    heavy = {"sqlite3", "pydantic", "git", "apscheduler", "jinja2", "structlog", "asyncio", "multiprocessing"}
    assert modules_imported_with("receipts.ledger, receipts.outcomes", heavy) == set()
