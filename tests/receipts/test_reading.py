"""Reading: what a dispatch came to, newest first, and damage that costs itself alone."""

from __future__ import annotations

import json

import pytest
from ledger_files import segment

from knowledge.errors import LedgerError, UnknownDispatch
from knowledge.hashing import canonical_json, tagged
from receipts.ledger import Ledger
from receipts.reading import Damage
from receipts.records import Delivery, NewerRecord, Outcome
from receipts.verify import verify


def test_linked_records_come_in_ledger_order(ledger, make_receipt):
    first, second = make_receipt(), make_receipt()
    for record in (
        first,
        second,
        Delivery(dispatch_id=first.dispatch_id, rung="opened"),
        Outcome(dispatch_id=second.dispatch_id, status="infra"),
        Outcome(dispatch_id=first.dispatch_id, status="success"),
    ):
        ledger.append(record)
    history = ledger.find(first.dispatch_id)
    assert [record.type for record in history.linked] == ["delivery", "outcome"]
    assert history.outcome is not None
    assert history.outcome.status == "success"


def test_task_that_names_another_dispatch_is_not_linked_to_it(ledger, make_receipt):
    first = make_receipt()
    ledger.append(first)
    ledger.append(make_receipt(task=f"Repeat {first.dispatch_id}"))
    assert ledger.find(first.dispatch_id).receipt.task == first.task
    assert ledger.find(first.dispatch_id).linked == ()


def test_latest_comes_newest_first_across_segments(folder, clock, make_receipt):
    ledger = Ledger(folder, clock, segment_bytes=2_500)
    receipts = [make_receipt() for _ in range(9)]
    for receipt in receipts:
        ledger.append(receipt)
        ledger.append(Outcome(dispatch_id=receipt.dispatch_id, status="success"))
    expected = [receipt.dispatch_id for receipt in reversed(receipts)]
    assert [receipt.dispatch_id for receipt in ledger.latest(5)] == expected[:5]
    assert [receipt.dispatch_id for receipt in ledger.latest(100)] == expected
    assert ledger.latest(0) == []


def test_ledger_that_does_not_exist_yet_is_empty(ledger, folder, clock):
    assert list(ledger.records()) == []
    assert ledger.latest(3) == []
    with pytest.raises(UnknownDispatch):
        ledger.find(clock.dispatch_id())
    assert not folder.exists()


def test_unknown_dispatch_says_so(filled, clock):
    with pytest.raises(UnknownDispatch, match="no receipt has this id"):
        filled.find(clock.dispatch_id())
    with pytest.raises(UnknownDispatch, match="not a dispatch id"):
        filled.find("latest")


def test_damaged_line_costs_itself_alone(filled, folder):
    lines = segment(folder).read_bytes().split(b"\n")
    wanted = json.loads(lines[2])["dispatch_id"]
    lines[2] = lines[2][:-30]
    segment(folder).write_bytes(b"\n".join(lines))
    entries = list(filled.records())
    assert [(e.segment, e.line) for e in entries if isinstance(e, Damage)] == [("000001.ndjson", 3)]
    assert len(filled.latest(10)) == 5
    with pytest.raises(UnknownDispatch, match=r"000001\.ndjson:3.*is damaged"):
        filled.find(wanted)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[]", "not a JSON object"),
        ("nonsense", "not JSON"),
        ('{"type":"receipt"}', "not a valid record"),
        ('{"type":"wish"}', "not a valid record"),
        ("\xff", "not JSON"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_damage_says_what_is_wrong(filled, folder, text, what):
    with segment(folder).open("ab") as file:
        file.write(text.encode("latin-1") + b"\n")
    damage = list(filled.records())[-1]
    assert isinstance(damage, Damage)
    assert what in damage.what


def test_record_of_a_newer_schema_is_kept_and_counted(filled, folder, make_receipt):
    newer = {"v": 2, "type": "receipt", "dispatch_id": make_receipt().dispatch_id, "mood": [1]}
    last = segment(folder).read_bytes().splitlines()[-1]
    line = canonical_json(newer | {"prev": tagged(last), "seq": 7}).encode()
    with segment(folder).open("ab") as file:
        file.write(line + b"\n")
    filled.append(make_receipt())
    entries = list(filled.records())
    assert isinstance(entries[6].record, NewerRecord)
    assert not isinstance(entries[7].record, NewerRecord)
    verification = verify(folder)
    assert (verification.ok, verification.newer, verification.lines) == (True, 1, 8)
    with pytest.raises(LedgerError, match="newer version"):
        filled.find(newer["dispatch_id"])
