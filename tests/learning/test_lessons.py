"""Dispatches that went well: a search among them finds what their tasks said and what they used."""

from __future__ import annotations

import random
import sqlite3
import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from offered import offered_item

from knowledge.clock import format_time
from knowledge.hashing import text_hash
from knowledge.learned import (
    PastDispatch,
    TaughtDispatch,
    learned_fingerprint,
    past_dispatches,
    read_learned,
    write_learned,
)
from knowledge.terms import terms
from learning import lessons
from learning.nightly import learn
from learning.policy import OriginalPolicy
from learning.replay import teach
from receipts.records import Outcome, QueryRecord, Receipt, Use, UsedItem

NOON = 1_769_860_800  # 2026-01-31T12:00:00Z
POLICY = OriginalPolicy()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "learned.sqlite"


def taught(records):
    return teach(records, POLICY).dispatches


def test_success_teaches_the_terms_of_its_task_and_what_it_used(make_item, make_dispatch):
    used, idle = make_item("A.open"), make_item("B.shut")
    records = make_dispatch(used, idle, status="success", used=[used], task="Close the pool. Close it!")
    (lesson,) = taught(records)
    assert lesson == TaughtDispatch(records[0].dispatch_id, NOON, ("close", "pool", "close"), (used.id,))


def test_without_the_task_the_terms_of_its_query_are_kept(make_item, make_dispatch):
    item = make_item()
    query = QueryRecord(terms=("pool", "close"))
    (lesson,) = taught(make_dispatch(item, status="success", used=[item], query=query))
    assert lesson.terms == ("pool", "close")


@pytest.mark.parametrize("status", ["failure", "infra", "cancelled", None])
def test_what_did_not_succeed_teaches_nothing(make_item, make_dispatch, status):
    item = make_item()
    assert taught(make_dispatch(item, status=status, used=[item], task="Close the pool")) == ()


def test_what_used_nothing_that_reached_the_agent_teaches_nothing(make_item, make_dispatch):
    item, rule = make_item(), make_item(kind="rule")
    assert taught(make_dispatch(item, status="success", task="Close")) == ()
    assert taught(make_dispatch(item, status="success", used=[item], task="Close", rendered=False)) == ()
    assert taught(make_dispatch(item, rule, status="success", used=[rule], task="Close")) == ()


def test_task_without_words_teaches_nothing(make_item, make_dispatch):
    item = make_item()
    assert taught(make_dispatch(item, status="success", used=[item], task="… [redacted:password] …")) == ()


def test_last_outcome_and_last_use_count(make_item, make_dispatch):
    item, other = make_item(), make_item("Other.name")
    records = make_dispatch(item, other, status="success", used=[item], task="Close")
    key = records[0].dispatch_id
    found = (UsedItem(pattern_hash=other.pattern_hash, id=other.id, how="stated"),)
    records.append(Use(dispatch_id=key, items=found, replaces=True))
    assert taught(records)[0].used == (other.id,)
    assert taught([*records, Outcome(dispatch_id=key, status="failure")]) == ()


def test_our_own_prompt_dispatched_as_a_task_teaches_nothing(make_item, make_dispatch):
    item = make_item()
    prompt = "## Context from this repository\n…\nClose the pool"
    first = make_dispatch(
        item, status="success", used=[item], task="Close the pool", prompt_hash=text_hash(prompt)
    )
    again = make_dispatch(item, status="success", used=[item], task=prompt, task_hash=text_hash(prompt))
    assert [lesson.dispatch_id for lesson in taught([*again, *first])] == [first[0].dispatch_id]


def test_newest_are_kept(make_item, make_dispatch, monkeypatch):
    monkeypatch.setattr(lessons, "MAX_LESSONS", 3)
    monkeypatch.setattr(lessons, "WINDOW", 4)
    item = make_item()
    groups = [
        make_dispatch(item, status=status, used=[item], task=f"Close {at}", at=NOON + at)
        for at, status in enumerate(["success", "success", "success", "failure", "success", "success"])
    ]
    random.Random(1).shuffle(groups)
    assert [one.time - NOON for one in taught([r for group in groups for r in group])] == [2, 4, 5]


def lesson(number, text, used=("i",), at=NOON):
    return TaughtDispatch(f"{number:026d}", at, tuple(terms(text)), used)


def test_most_similar_task_comes_first_with_what_it_used(path):
    written = [
        lesson(1, "Fix the timeout of the pool", ("a", "b")),
        lesson(2, "Close the pool", ("c",)),
        lesson(3, "Write the changelog", ("d",)),
    ]
    write_learned(path, {}, "", "original", written)
    found = past_dispatches(path, terms("The timeout of a pool is wrong"), 5)
    assert [one.used for one in found] == [("a", "b"), ("c",)]
    assert found[0].score > found[1].score > 0
    assert isinstance(found[0], PastDispatch)
    assert found[0].time == NOON
    assert past_dispatches(path, terms("The timeout of a pool is wrong"), 1) == found[:1]


def test_equal_ones_come_newest_first_then_by_id(path):
    written = [
        lesson(n, "Close the pool", at=at) for n, at in ((3, NOON), (1, NOON), (4, NOON + 9), (2, NOON))
    ]
    write_learned(path, {}, "", "original", written)
    assert [int(one.dispatch_id) for one in past_dispatches(path, ["pool"], 9)] == [4, 1, 2, 3]


def test_nothing_is_found_where_nothing_was_learned(path):
    assert past_dispatches(path, ["pool"], 5) == []
    write_learned(path, {}, "", "original")
    assert past_dispatches(path, ["pool"], 5) == past_dispatches(path, [], 5) == []
    write_learned(path, {}, "", "original", [lesson(1, "Close the pool")])
    assert past_dispatches(path, ["unheard"], 5) == []
    assert past_dispatches(path, ["pool"], 0) == []


def test_state_of_an_older_version_has_no_dispatches(path):
    write_learned(path, {}, "", "original", [lesson(1, "Close the pool")])
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE dispatches")
        connection.execute("DROP TABLE dispatch_terms")
        connection.execute("PRAGMA user_version = 1")
    assert past_dispatches(path, ["pool"], 5) == []
    assert read_learned(path, ["a"]) == {}


def test_lessons_are_part_of_the_fingerprint(path):
    write_learned(path, {}, "", "original", [lesson(1, "Close"), lesson(2, "Open")])
    first = learned_fingerprint(path)
    write_learned(path, {}, "", "original", [lesson(2, "Open"), lesson(1, "Close")])
    assert learned_fingerprint(path) == first != ""
    write_learned(path, {}, "", "original", [lesson(1, "Close"), lesson(2, "Shut")])
    assert learned_fingerprint(path) != first


def test_nightly_job_writes_lessons_the_same_each_time(ledger, path, clock, make_item, make_dispatch):
    item = make_item()
    for record in make_dispatch(item, status="success", used=[item], task="Close the pool"):
        ledger.append(record)
    assert learn(ledger, path, POLICY, clock).lessons == 1
    content = path.read_bytes()
    path.unlink()
    learn(ledger, path, POLICY, clock)
    assert path.read_bytes() == content
    assert [one.used for one in past_dispatches(path, ["pool"], 5)] == [(item.id,)]


def test_search_among_all_that_are_kept_is_quick(path):
    choose = random.Random(7)
    words = [f"w{n}" for n in range(4000)]
    weights = [1 / (n + 1) for n in range(4000)]
    written = [
        replace(lesson(n, "", at=NOON + n), terms=tuple(choose.choices(words, weights, k=120)))
        for n in range(lessons.MAX_LESSONS)
    ]
    write_learned(path, {}, "", "original", written)
    asked = choose.choices(words, weights, k=64)
    past_dispatches(path, asked, 10)
    took = []
    for _ in range(30):
        began = time.process_time()
        assert len(past_dispatches(path, asked, 10)) == 10
        took.append(time.process_time() - began)
    assert min(took) < 0.004  # about 0.7 ms on a quiet machine


PLAN = st.lists(
    st.tuples(
        st.integers(0, 3),  # the time
        st.sampled_from([None, "success", "success", "failure", "infra", "cancelled"]),
        st.text("ab ", min_size=1, max_size=5),
        st.sets(st.integers(0, 2)),  # what was used
        st.booleans(),  # whether the text was kept
    ),
    max_size=10,
)


def records_of(plan):
    offered = tuple(map(offered_item, range(3)))
    for number, (at, status, text, used, kept) in enumerate(plan):
        key = f"{number:026d}"
        words = " ".join(f"w{letter}" for letter in text.replace(" ", ""))
        yield [
            Receipt(
                dispatch_id=key,
                time=format_time(NOON + at),
                project="p",
                task_hash=text_hash(words),
                task=words if kept else None,
                query=QueryRecord(terms=tuple(terms(words))),
                offered=offered,
                rendered=True,
                prompt_hash="none",
            ),
            *([Outcome(dispatch_id=key, status=status)] if status else []),
            Use(
                dispatch_id=key,
                items=tuple(UsedItem(pattern_hash=f"h{n}", id=f"i{n}", how="stated") for n in sorted(used)),
            ),
        ]


@settings(max_examples=60, deadline=None)
@given(plan=PLAN, seed=st.integers())
def test_lessons_are_a_function_of_what_the_ledger_says(tmp_path_factory, plan, seed):
    groups = list(records_of(plan))
    first = teach((r for group in groups for r in group), POLICY)
    random.Random(seed).shuffle(groups)
    again = teach((r for group in groups for r in group), POLICY)
    assert again == first
    succeeded = {f"{n:026d}" for n, (_, status, *_) in enumerate(plan) if status == "success"}
    assert {one.dispatch_id for one in first.dispatches} <= succeeded
    assert all(one.used and one.terms for one in first.dispatches)
    path = tmp_path_factory.mktemp("lessons") / "learned.sqlite"
    write_learned(path, first.states, "", "original", first.dispatches)
    found = past_dispatches(path, ["wa"], 99)
    assert {one.dispatch_id for one in found} == {d.dispatch_id for d in first.dispatches if "wa" in d.terms}
    assert found == sorted(found, key=lambda one: (-one.score, -one.time, one.dispatch_id))
