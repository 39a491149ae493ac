"""Confidence: a pure function of the ledger."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from offered import offered_item

from knowledge.clock import format_time
from knowledge.errors import SettingsError
from knowledge.hashing import text_hash
from learning.policy import CEILING, FLOOR, START, Observation, OriginalPolicy, policy_named
from learning.replay import replay
from receipts.records import Delivery, Outcome, Receipt, Use, UsedItem

NOON = 1_769_860_800  # 2026-01-31T12:00:00Z
DAY = 86_400
POLICY = OriginalPolicy()


def confidence(records, item):
    return replay(records, POLICY)[item.id].confidence


def test_item_starts_in_the_middle(make_item, make_dispatch):
    item = make_item()
    assert confidence(make_dispatch(item), item) == START


@pytest.mark.parametrize(
    ("status", "is_used", "expected"),
    [
        ("success", True, 0.55),
        ("success", False, 0.475),
        ("failure", True, 0.40),
        ("failure", False, 0.475),
        ("infra", True, 0.5),
        ("infra", False, 0.5),
        ("cancelled", True, 0.5),
        ("cancelled", False, 0.5),
    ],
)
def test_one_dispatch_moves_confidence(make_item, make_dispatch, status, is_used, expected):
    item = make_item()
    records = make_dispatch(item, status=status, used=[item] if is_used else [])
    assert confidence(records, item) == pytest.approx(expected)


def test_outcome_without_a_look_for_use_counts_as_not_used(make_item, make_dispatch):
    item = make_item()
    records = make_dispatch(item, status="success", looked=False)
    assert confidence(records, item) == pytest.approx(0.475)


def test_decay_comes_once_a_day_in_utc(make_item, make_dispatch):
    item = make_item()
    records = [
        record
        for at in (NOON, NOON + 3600, NOON + DAY // 2 - 1, NOON + DAY // 2)
        for record in make_dispatch(item, status="success", at=at)
    ]
    assert confidence(records, item) == pytest.approx(0.5 * 0.95 * 0.95)


def test_use_counts_every_time_also_on_one_day(make_item, make_dispatch):
    item = make_item()
    records = [r for _ in range(3) for r in make_dispatch(item, status="success", used=[item])]
    assert confidence(records, item) == pytest.approx(0.5 * 1.1**3)


@pytest.mark.parametrize("kind", ["rule", "antipattern", "report"])
def test_guidance_is_never_punished_for_silence(make_item, make_dispatch, kind):
    item = make_item(kind=kind)
    silent = [r for day in range(9) for r in make_dispatch(item, status="success", at=NOON + day * DAY)]
    assert confidence(silent, item) == START
    used = make_dispatch(item, status="failure", used=[item])
    assert confidence(used, item) == pytest.approx(0.4)


def test_use_of_what_was_never_delivered_is_no_credit(make_item, make_dispatch):
    item = make_item()
    state = replay(make_dispatch(item, status="success", used=[item], rendered=False), POLICY)[item.id]
    assert (state.confidence, state.offers, state.deliveries, state.uses) == (START, 1, 0, 0)


def test_proof_from_a_host_makes_it_delivered(make_item, make_dispatch):
    item = make_item()
    receipt, outcome, use = make_dispatch(item, status="success", used=[item], rendered=False)
    proof = Delivery(dispatch_id=receipt.dispatch_id)
    assert confidence([receipt, proof, outcome, use], item) == pytest.approx(0.55)


def test_delivery_without_an_outcome_teaches_nothing(make_item, make_dispatch):
    item = make_item()
    (receipt,) = make_dispatch(item)
    state = replay([receipt, Delivery(dispatch_id=receipt.dispatch_id)], POLICY)[item.id]
    assert (state.confidence, state.deliveries) == (START, 1)


def test_last_outcome_counts(make_item, make_dispatch):
    item = make_item()
    records = make_dispatch(item, status="success", used=[item])
    records.append(Outcome(dispatch_id=records[0].dispatch_id, status="failure"))
    assert confidence(records, item) == pytest.approx(0.4)
    records.append(Use(dispatch_id=records[0].dispatch_id, replaces=True))
    assert confidence(records, item) == pytest.approx(0.475)


def test_counts_and_times(make_item, make_dispatch):
    item, changed = make_item(), make_item(content_hash=text_hash("changed"))
    records = [
        *make_dispatch(item, status="success", used=[item], at=NOON),
        *make_dispatch(item, status="failure", used=[item], at=NOON + DAY),
        *make_dispatch(item, status="infra", used=[item], at=NOON + 2 * DAY),
        *make_dispatch(item, status="success", at=NOON + 3 * DAY),
        *make_dispatch(changed, at=NOON + 4 * DAY),
    ]
    state = replay(records, POLICY)[item.id]
    assert (state.offers, state.deliveries, state.uses) == (5, 4, 3)
    assert (state.successes, state.failures) == (1, 1)
    assert state.last_used_time == NOON + 2 * DAY
    assert state.last_offered_time == NOON + 4 * DAY
    assert state.content_hash == text_hash("changed")
    assert state.confidence == pytest.approx(0.5 * 1.1 * 0.8 * 0.95)


def test_first_of_two_receipts_with_one_id_counts(make_item, make_dispatch):
    item, other = make_item(), make_item("Other.name")
    (first,) = make_dispatch(item)
    second = replace(first, offered=(other,))
    assert list(replay([first, second], POLICY)) == [item.id]


def test_linked_record_without_a_receipt_counts_for_nothing():
    assert replay([Outcome(dispatch_id="0" * 26, status="success")], POLICY) == {}


def test_unknown_policy_is_an_error():
    assert policy_named("original").name == "original"
    with pytest.raises(SettingsError, match="Allowed: original"):
        policy_named("beta")


OBSERVATIONS = st.lists(
    st.builds(
        Observation,
        time=st.integers(0, 10**9),
        day=st.integers(0, 5),
        succeeded=st.booleans(),
        used=st.booleans(),
        use_known=st.booleans(),
        is_guidance=st.booleans(),
    ),
    max_size=200,
)


@given(OBSERVATIONS)
def test_confidence_stays_in_bounds(observations):
    assert FLOOR <= POLICY.confidence(observations) <= CEILING


@given(OBSERVATIONS)
def test_use_in_success_never_lowers_and_in_failure_never_raises(observations):
    before = POLICY.confidence(observations)
    success = Observation(0, 0, succeeded=True, used=True, use_known=True, is_guidance=False)
    failure = Observation(0, 0, succeeded=False, used=True, use_known=True, is_guidance=False)
    assert POLICY.confidence([*observations, success]) >= before
    assert POLICY.confidence([*observations, failure]) <= before


PLAN = st.lists(
    st.tuples(
        st.integers(0, 4),  # the day
        st.sampled_from([None, "success", "failure", "infra", "cancelled"]),
        st.sets(st.integers(0, 3), min_size=1),  # what was offered
        st.sets(st.integers(0, 3)),  # what was used
        st.booleans(),  # whether it was rendered
    ),
    max_size=12,
)
LIGHT = settings(max_examples=40, deadline=None)


@pytest.fixture(scope="module")
def dispatches():
    """From a plan to dispatches, each a list of records."""

    def build(plan):
        for number, (day, status, offered, used, rendered) in enumerate(plan):
            key = f"{number:026d}"
            records = [
                Receipt(
                    dispatch_id=key,
                    project="p",
                    task_hash="h",
                    rendered=rendered,
                    time=format_time(NOON + day * DAY),
                    offered=tuple(map(offered_item, sorted(offered))),
                )
            ]
            if status:
                found = tuple(UsedItem(pattern_hash=f"h{n}", id=f"i{n}", how="stated") for n in sorted(used))
                records += [Outcome(dispatch_id=key, status=status), Use(dispatch_id=key, items=found)]
            yield records

    return lambda plan: list(build(plan))


def flat(groups):
    return [record for group in groups for record in group]


@LIGHT
@given(plan=PLAN)
def test_replay_twice_is_equal_to_the_last_bit(dispatches, plan):
    records = flat(dispatches(plan))
    assert list(replay(records, POLICY).items()) == list(replay(records, POLICY).items())


@LIGHT
@given(plan=PLAN, seed=st.integers())
def test_order_in_which_dispatches_reached_the_ledger_does_not_matter(dispatches, plan, seed):
    groups = dispatches(plan)
    expected = replay(flat(groups), POLICY)
    choose = random.Random(seed)
    queues = [list(group) for group in groups if group]
    interleaved = []
    while queues:
        queue = choose.choice(queues)
        interleaved.append(queue.pop(0))
        queues = [q for q in queues if q]
    assert replay(interleaved, POLICY) == expected


@LIGHT
@given(plan=PLAN)
def test_infrastructure_and_cancellations_teach_nothing(dispatches, plan):
    groups = dispatches(plan)
    taught = [
        g for g, (_, status, *_) in zip(groups, plan, strict=True) if status not in ("infra", "cancelled")
    ]
    without = replay(flat(taught), POLICY)
    for evidence_id, state in replay(flat(groups), POLICY).items():
        assert state.confidence == (without[evidence_id].confidence if evidence_id in without else START)


@LIGHT
@given(plan=PLAN)
def test_counts_never_contradict_each_other(dispatches, plan):
    for state in replay(flat(dispatches(plan)), POLICY).values():
        assert state.offers >= state.deliveries >= state.uses >= state.successes + state.failures
        assert state.last_offered_time >= state.last_used_time
