"""Writing cut short: torn lines are set aside and reported, a lost head is written again."""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ledger_files import segment

from knowledge.clock import Clock
from knowledge.hashing import tagged
from receipts.ledger import Ledger
from receipts.records import Audit
from receipts.verify import verify


def test_torn_last_line_is_set_aside_and_reported(filled, folder, events, make_receipt):
    whole = segment(folder).read_bytes()
    with segment(folder).open("ab") as file:
        file.write(b'{"v":1,"type":"rec')
    assert len(list(filled.records())) == 6
    filled.append(make_receipt())
    part = folder / "torn" / f"000001-{len(whole)}.part"
    assert part.read_bytes() == b'{"v":1,"type":"rec'
    assert [(event.kind, event.where) for event in events] == [("torn-line", str(part))]
    assert segment(folder).read_bytes().startswith(whole)
    verification = verify(folder)
    assert verification.ok
    assert verification.torn == (f"torn/{part.name}",)
    assert verification.lines == 7


@settings(max_examples=40, deadline=None)
@given(cut=st.integers(min_value=1, max_value=600))
def test_line_cut_anywhere_loses_no_byte(tmp_path_factory, cut):
    folder = tmp_path_factory.mktemp("ledger")
    ledger = Ledger(folder, Clock())
    audit = Audit(action="note", actor="a", reason="r" * 600, subject="s")
    ledger.append(audit)
    kept = segment(folder).read_bytes()
    ledger.append(audit)
    torn = segment(folder).read_bytes()[:-cut]
    segment(folder).write_bytes(torn)
    (folder / "head.json").write_text(json.dumps({"segments": 1, "lines": 1, "hash": tagged(kept[:-1])}))
    ledger.append(audit)
    (part,) = (folder / "torn").iterdir()
    assert kept + part.read_bytes() == torn
    assert verify(folder).ok


def test_second_torn_line_at_the_same_place_does_not_replace_the_first(filled, folder, make_receipt):
    size = segment(folder).stat().st_size
    for text in (b"first", b"second", b"second"):
        os.truncate(segment(folder), size)
        with segment(folder).open("ab") as file:
            file.write(text)
        filled.append(make_receipt())
    assert sorted(p.read_bytes() for p in (folder / "torn").iterdir()) == [b"first", b"second"]


def test_torn_first_line_of_a_new_segment(folder, clock, make_receipt, events):
    ledger = Ledger(folder, clock, segment_bytes=100, on_event=events.append)
    first = ledger.append(make_receipt())
    segment(folder, 2).write_bytes(b'{"half')
    receipt = make_receipt()
    ledger.append(receipt)
    assert ledger.find(receipt.dispatch_id).receipt.prev == first
    assert [event.kind for event in events] == ["torn-line"]
    assert verify(folder).ok


def test_crash_before_the_head_was_written_leaves_a_whole_ledger(filled, folder, events, make_receipt):
    before = (folder / "head.json").read_bytes()
    filled.append(make_receipt())
    (folder / "head.json").write_bytes(before)
    assert verify(folder).ok
    filled.append(make_receipt())
    assert verify(folder).ok
    assert events == []


@pytest.mark.parametrize("content", [None, b"", b"{", b"[]", b'{"lines":"x"}'])
def test_lost_head_is_reported_and_written_again(filled, folder, make_receipt, content):
    (folder / "head.json").unlink()
    if content is not None:
        (folder / "head.json").write_bytes(content)
    assert [problem.segment for problem in verify(folder).problems] == ["head.json"]
    filled.append(make_receipt())
    assert verify(folder).ok
