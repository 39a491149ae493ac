"""Outcomes and the ladder: recorded once, superseded on purpose, and what follows from them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from knowledge.errors import OutcomeConflict, UnknownDispatch
from receipts.ladder import ladder
from receipts.ledger import Ledger
from receipts.outcomes import Recorded, record_outcome
from receipts.records import Delivery, Outcome, Use, UsedItem
from receipts.verify import verify


@pytest.fixture
def receipt(ledger, make_receipt, make_item):
    receipt = make_receipt(offered=(make_item("Stream.open"), make_item("Stream.read")))
    ledger.append(receipt)
    return receipt


def outcome_of(receipt, status="success", **fields):
    return Outcome(dispatch_id=receipt.dispatch_id, status=status, **fields)


def use_of(receipt, *numbers, **fields):
    items = [
        UsedItem(pattern_hash=item.pattern_hash, id=item.id, how="identifier")
        for item in (receipt.items[number] for number in numbers)
    ]
    return Use(dispatch_id=receipt.dispatch_id, items=tuple(items), **fields)


def test_outcome_and_use_are_linked_to_the_receipt(ledger, receipt):
    done = record_outcome(ledger, outcome_of(receipt, base="a", head="b"), use_of(receipt, 0))
    assert done == Recorded(outcome=True, use=True, replaced=False)
    history = ledger.find(receipt.dispatch_id)
    assert history.outcome is not None
    assert (history.outcome.status, history.outcome.base) == ("success", "a")
    assert [use.items[0].id for use in history.uses] == ["symbol:src/stream.py::Stream.open"]
    assert verify(ledger.folder).ok


def test_same_outcome_twice_is_recorded_once(ledger, receipt):
    record_outcome(ledger, outcome_of(receipt), use_of(receipt, 0))
    again = record_outcome(ledger, outcome_of(receipt, source="another witness"), use_of(receipt, 0))
    assert again == Recorded(outcome=False, use=False, replaced=False)
    assert verify(ledger.folder).lines == 3


def test_use_that_a_crash_kept_back_is_recorded_at_the_second_try(ledger, receipt):
    ledger.append(outcome_of(receipt))
    again = record_outcome(ledger, outcome_of(receipt), use_of(receipt, 1))
    assert again == Recorded(outcome=False, use=True, replaced=False)


@pytest.mark.parametrize("change", [{"status": "failure"}, {"head": "c"}, {"error": "boom"}])
def test_different_outcome_is_a_conflict_that_changes_nothing(ledger, receipt, change):
    record_outcome(ledger, outcome_of(receipt))
    with pytest.raises(OutcomeConflict, match="'success'") as caught:
        record_outcome(ledger, outcome_of(receipt, **change), use_of(receipt, 0))
    assert caught.value.where == receipt.dispatch_id
    assert verify(ledger.folder).lines == 2


def test_replacing_outcome_counts_and_the_first_stays_in_the_ledger(ledger, receipt):
    record_outcome(ledger, outcome_of(receipt), use_of(receipt, 0))
    done = record_outcome(ledger, outcome_of(receipt, "failure"), use_of(receipt, 1), replace=True)
    assert done == Recorded(outcome=True, use=True, replaced=True)
    history = ledger.find(receipt.dispatch_id)
    assert history.outcome is not None
    assert history.outcome.status == "failure"
    assert [use.items[0].id for use in history.uses] == ["symbol:src/stream.py::Stream.read"]
    assert [record.type for record in history.linked] == ["outcome", "use", "outcome", "use"]


def test_replacing_only_the_status_keeps_what_was_used(ledger, receipt):
    record_outcome(ledger, outcome_of(receipt), use_of(receipt, 0))
    record_outcome(ledger, outcome_of(receipt, "failure"), replace=True)
    assert len(ledger.find(receipt.dispatch_id).uses) == 1


def test_outcome_of_an_unknown_dispatch_writes_nothing(ledger, receipt, clock):
    with pytest.raises(UnknownDispatch):
        record_outcome(ledger, Outcome(dispatch_id=clock.dispatch_id(), status="success"))
    assert verify(ledger.folder).lines == 1


def test_of_many_reporters_at_once_one_is_first(folder, clock, receipt):
    def report(status):
        try:
            return record_outcome(Ledger(folder, clock), outcome_of(receipt, status)).outcome
        except OutcomeConflict:
            return None

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(report, ["success", "failure"] * 10))
    assert results.count(True) == 1
    assert results.count(False) == 9
    assert results.count(None) == 10
    assert verify(folder).lines == 2


def rungs(ledger, receipt):
    return [item.rungs for item in ladder(ledger.find(receipt.dispatch_id))]


def test_rendered_brief_counts_as_delivered_when_its_outcome_arrives(ledger, receipt):
    assert rungs(ledger, receipt) == [("offered", "rendered")] * 2
    record_outcome(ledger, outcome_of(receipt, "infra"))
    assert rungs(ledger, receipt) == [("offered", "rendered", "delivered")] * 2


def test_host_vouches_for_single_items_or_all(ledger, receipt):
    first = receipt.items[0].pattern_hash
    ledger.append(Delivery(dispatch_id=receipt.dispatch_id, rung="delivered"))
    ledger.append(Delivery(dispatch_id=receipt.dispatch_id, rung="opened", items=(first,)))
    assert rungs(ledger, receipt) == [
        ("offered", "rendered", "delivered", "opened"),
        ("offered", "rendered", "delivered"),
    ]


def test_what_was_opened_had_been_delivered(ledger, make_receipt):
    receipt = make_receipt(rendered=False)
    ledger.append(receipt)
    ledger.append(Delivery(dispatch_id=receipt.dispatch_id, rung="cited"))
    assert rungs(ledger, receipt) == [("offered", "delivered", "cited")]


def test_brief_that_was_not_rendered_is_not_delivered_by_its_outcome(ledger, make_receipt):
    receipt = make_receipt(rendered=False)
    ledger.append(receipt)
    record_outcome(ledger, outcome_of(receipt), use_of(receipt, 0))
    assert rungs(ledger, receipt) == [("offered", "used")]
