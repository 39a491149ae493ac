"""Verification: whatever was done to a ledger is found, with segment and line."""

from __future__ import annotations

import json
import shutil

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from knowledge.clock import Clock
from knowledge.hashing import canonical_json, text_hash
from receipts.ledger import Ledger
from receipts.records import Audit, Delivery, Outcome
from receipts.verify import Problem, verify

SEGMENT = "000001.ndjson"
EDITED = "edited: the line after it carries another hash of it"


def change_lines(folder, change, name=SEGMENT):
    """Rewrite a segment with a function from its list of lines to another."""
    path = folder / name
    lines = path.read_bytes().splitlines()
    path.write_bytes(b"".join(line + b"\n" for line in change(lines)))


def places(verification):
    return [(problem.segment, problem.line) for problem in verification.problems]


def test_untouched_ledger_is_ok(filled):
    verification = verify(filled.folder)
    assert verification.ok
    assert (verification.segments, verification.lines, verification.receipts) == (1, 6, 6)


def test_ledger_that_does_not_exist_is_ok_and_empty(folder):
    verification = verify(folder)
    assert (verification.ok, verification.segments, verification.lines) == (True, 0, 0)


@pytest.mark.parametrize("index", range(5))
def test_edited_line_is_named(filled, index):
    def edit(lines):
        lines[index] = lines[index].replace(b'"rank":1', b'"rank":9')
        return lines

    change_lines(filled.folder, edit)
    assert verify(filled.folder).problems == (Problem(SEGMENT, index + 1, EDITED),)


def test_edit_of_the_last_line_is_seen_by_the_head(filled):
    change_lines(filled.folder, lambda lines: [*lines[:-1], lines[-1].replace(b'"rank":1', b'"rank":9')])
    assert places(verify(filled.folder)) == [(SEGMENT, 6)]


@pytest.mark.parametrize("index", range(5))
def test_deleted_line_is_missed_where_it_was(filled, index):
    change_lines(filled.folder, lambda lines: lines[:index] + lines[index + 1 :])
    expected = Problem(SEGMENT, index + 1, "1 line(s) before it are missing")
    assert verify(filled.folder).problems == (expected,)


@pytest.mark.parametrize("count", [1, 3, 6])
def test_lines_cut_off_the_end_are_missed(filled, count):
    change_lines(filled.folder, lambda lines: lines[:-count])
    expected = Problem(SEGMENT, 7 - count, f"{count} line(s) are missing at the end")
    assert verify(filled.folder).problems == (expected,)


@pytest.mark.parametrize("index", [1, 3, 6])
def test_inserted_copy_is_named(filled, index):
    change_lines(filled.folder, lambda lines: [*lines[:index], lines[0], *lines[index:]])
    assert (SEGMENT, index + 1) in places(verify(filled.folder))


def test_forged_line_in_the_chain_is_seen_by_the_line_after_it(filled):
    def insert(lines):
        forged = json.loads(lines[2]) | {"dispatch_id": "0" * 26}
        return [*lines[:2], canonical_json(forged).encode(), *lines[2:]]

    change_lines(filled.folder, insert)
    assert places(verify(filled.folder)) == [(SEGMENT, 4)]


def test_swapped_lines_are_named(filled):
    change_lines(filled.folder, lambda lines: [*lines[:2], lines[3], lines[2], *lines[4:]])
    assert {(SEGMENT, 3), (SEGMENT, 4)} <= set(places(verify(filled.folder)))


def test_damaged_line_is_one_problem(filled):
    change_lines(filled.folder, lambda lines: [*lines[:2], b"nonsense", *lines[3:]])
    assert places(verify(filled.folder)) == [(SEGMENT, 3)]


def test_damaged_last_line_is_one_problem(filled):
    change_lines(filled.folder, lambda lines: [*lines[:-1], lines[-1][:40]])
    assert places(verify(filled.folder)) == [(SEGMENT, 6)]


def test_damage_does_not_hide_a_deletion_next_to_it(filled):
    change_lines(filled.folder, lambda lines: [*lines[:2], b"nonsense", *lines[4:]])
    assert places(verify(filled.folder)) == [(SEGMENT, 3), (SEGMENT, 4)]


@pytest.fixture
def segments(folder, clock, make_receipt):
    """A ledger of several segments."""
    ledger = Ledger(folder, clock, segment_bytes=2_500)
    for _ in range(9):
        ledger.append(make_receipt())
    return sorted(path.name for path in folder.glob("*.ndjson"))


def test_lost_segment_is_missed(folder, segments):
    (folder / segments[1]).unlink()
    assert places(verify(folder)) == [(segments[2], 1)]


def test_lost_first_segment_is_missed(folder, segments):
    (folder / segments[0]).unlink()
    assert places(verify(folder)) == [(segments[1], 1)]


def test_lost_last_segment_is_missed(folder, segments):
    (folder / segments[-1]).unlink()
    assert [problem.segment for problem in verify(folder).problems] == [segments[-2]]


def test_segment_cut_within_a_line_is_named(folder, segments):
    path = folder / segments[0]
    data = path.read_bytes()
    path.write_bytes(data[:-10])
    found = places(verify(folder))
    assert (segments[0], data.count(b"\n")) in found
    assert (segments[1], 1) in found


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines[:-1],
        lambda lines: [*lines[:-1], lines[-1].replace(b'"rank":1', b'"rank":9')],
        lambda lines: [],
    ],
)
def test_appending_does_not_cover_up_what_was_done_to_the_end(filled, events, make_receipt, change):
    change_lines(filled.folder, change)
    for _ in range(3):
        filled.append(make_receipt())
    assert [event.kind for event in events] == ["lost-lines"]
    assert len(verify(filled.folder).problems) == 1


def test_hashes_in_a_receipt_are_derived_again(ledger, make_receipt, make_item):
    wrong = make_item(pattern_hash="blake2b:" + "0" * 32)
    ledger.append(make_receipt(task="A", task_hash=text_hash("B")))
    ledger.append(make_receipt(offered=(wrong,)))
    ledger.append(make_receipt(task=None, task_hash=text_hash("not kept")))
    assert [(problem.line, problem.what[:10]) for problem in verify(ledger.folder).problems] == [
        (1, "the task's"),
        (2, "the patter"),
    ]


def test_dispatch_id_given_twice_is_named(ledger, make_receipt):
    receipt = make_receipt()
    ledger.append(receipt)
    ledger.append(receipt)
    expected = Problem(SEGMENT, 2, f"the dispatch id is that of {SEGMENT}:1")
    assert verify(ledger.folder).problems == (expected,)


def test_linked_record_without_a_receipt_is_named(ledger, make_receipt, clock):
    receipt = make_receipt()
    ledger.append(Delivery(dispatch_id=receipt.dispatch_id))  # before its receipt: odd, but complete
    ledger.append(receipt)
    ledger.append(Outcome(dispatch_id=clock.dispatch_id(), status="success"))
    assert places(verify(ledger.folder)) == [(SEGMENT, 3)]


def test_torn_end_is_told_apart_from_damage(filled, folder):
    with (folder / SEGMENT).open("ab") as file:
        file.write(b'{"v":1')
    verification = verify(folder)
    assert verification.ok
    assert verification.torn == (f"{SEGMENT}:7",)


@pytest.fixture(scope="module")
def sealed(tmp_path_factory):
    """A ledger in three segments, to be copied and harmed."""
    folder = tmp_path_factory.mktemp("sealed") / "receipts"
    ledger = Ledger(folder, Clock(), segment_bytes=600)
    for number in range(8):
        ledger.append(Audit(action="note", actor="a", reason=f"reason {number}", subject="s"))
    assert verify(folder).ok
    return folder


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_changed_byte_goes_unseen(sealed, tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("copy") / "receipts"
    shutil.copytree(sealed, folder)
    path = data.draw(st.sampled_from(sorted(folder.glob("*.ndjson"))))
    content = bytearray(path.read_bytes())
    at = data.draw(st.integers(0, len(content) - 1))
    byte = data.draw(st.integers(0, 255))
    assume(content[at] != byte)
    content[at] = byte
    path.write_bytes(content)
    assert not verify(folder).ok


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_other_order_or_choice_of_lines_goes_unseen(sealed, tmp_path_factory, data):
    lines = [line for path in sorted(sealed.glob("*.ndjson")) for line in path.read_bytes().splitlines()]
    chosen = data.draw(st.lists(st.sampled_from(lines), max_size=10))
    assume(chosen != lines)
    folder = tmp_path_factory.mktemp("copy") / "receipts"
    folder.mkdir()
    shutil.copy(sealed / "head.json", folder)
    (folder / SEGMENT).write_bytes(b"".join(line + b"\n" for line in chosen))
    assert not verify(folder).ok
