"""Fitting weights: one minimum, which depends on what the examples say and on nothing else."""

import math
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augmenter.signals.signals import FITTED, HISTORY, MAY_SPEAK_AGAINST
from evals.tuning.examples import Example
from evals.tuning.fitting import Prior, fit
from evals.tuning.folds import OF_CHANNEL, fit_all, held_out
from evals.tuning.penalties import PENALTIES, choose_penalty, loss_of
from knowledge.settings import ChannelSettings

KNOWN = {"a": 2.0, "b": -1.0, "c": 0.0}
FAINT = 1e-3  # a penalty that moves nothing by more than a rounding error
ROUNDED = 1e-3


def drawn(weights, count=400, seed=1, group=""):
    """Examples whose answers are drawn with the chances that weights give them."""
    random = Random(seed)
    examples = []
    for number in range(count):
        signals = [{name: random.random() * 2 for name in weights} for _ in range(8)]
        scores = [math.exp(sum(weights[name] * value for name, value in one.items())) for one in signals]
        (answer,) = random.choices(range(8), scores)
        examples.append(Example(str(number), group, tuple(signals), tuple(n == answer for n in range(8))))
    return examples


def example(answers, *values, signal="a"):
    return Example("", "", tuple({signal: value} for value in values), tuple(answers))


@st.composite
def many_examples(draw):
    value = st.floats(0, 2).map(lambda number: round(number, 3))
    candidates = st.lists(st.tuples(value, value, st.booleans()), min_size=1, max_size=5)
    return [
        Example(
            "", "", tuple({"a": a, "b": b} for a, b, _ in rows), tuple(is_answer for *_, is_answer in rows)
        )
        for rows in draw(st.lists(candidates, min_size=1, max_size=6))
    ]


def test_known_weights_are_found_again():
    found = fit(drawn(KNOWN, 1500), list(KNOWN), Prior({}, FAINT))
    assert found == pytest.approx(KNOWN, abs=0.2)


def test_order_of_examples_and_candidates_does_not_matter():
    examples = drawn(KNOWN, 60)
    turned = [
        replace(one, signals=one.signals[::-1], is_answer=one.is_answer[::-1]) for one in reversed(examples)
    ]
    assert fit(turned, list(KNOWN)) == pytest.approx(fit(examples, list(KNOWN)), abs=ROUNDED)


@given(many_examples(), st.floats(-2, 2), st.sampled_from((0.1, 3.0, 300.0)))
@settings(max_examples=60)
def test_fit_explains_examples_no_worse_than_its_start(examples, start, penalty):
    prior = {"a": start, "b": -start}
    found = fit(examples, ["a", "b"], Prior(prior, penalty))
    assert loss_of(examples, found) <= loss_of(examples, prior) + ROUNDED


@given(many_examples(), st.floats(-2, 2))
@settings(max_examples=60)
def test_greater_penalty_stays_nearer_to_the_prior(examples, start):
    def moved(penalty):
        return abs(fit(examples, ["a"], Prior({"a": start}, penalty))["a"] - start)

    assert moved(300.0) <= moved(3.0) + ROUNDED


def test_endless_penalty_stays_where_it_is():
    prior = {"a": 0.3, "b": 0.2, "c": -1.5}
    assert fit(drawn(KNOWN), list(KNOWN), Prior(prior, 1e12)) == prior


def test_fixed_weights_count_and_stay():
    examples = drawn(KNOWN, 1500)
    found = fit(examples, ["b"], Prior({}, FAINT), fixed={"a": 2.0, "c": 0.0})
    assert found.keys() == {"b"}
    assert found["b"] == pytest.approx(-1.0, abs=0.2)


def test_examples_without_an_answer_teach_nothing():
    silent = example([False, False], 0.0, 1.0)
    assert fit([silent], ["a"], Prior({"a": 0.7}, 1.0)) == {"a": 0.7}
    told = [example([True, False], 1.0, 0.0)] * 5
    assert fit([*told, silent], ["a"]) == fit(told, ["a"])


def test_signal_that_never_varies_keeps_its_weight():
    assert fit([example([True, False], 1.0, 1.0)], ["a"], Prior({"a": 0.7}, 1.0)) == {"a": 0.7}


def test_large_repository_does_not_drown_a_small_one():
    both = [*drawn({"a": 2.0}, 320, group="large"), *drawn({"a": -2.0}, 80, seed=2, group="small")]
    as_one = [replace(one, group="") for one in both]
    assert fit(both, ["a"])["a"] < fit(as_one, ["a"])["a"]


def test_what_answers_a_task_never_speaks_against_it():
    weights = dict.fromkeys(FITTED, 0.0) | {"private": -2.0, "coverage": 2.0, "title_name": -2.0}
    found = fit_all(drawn(weights, 120))
    assert found["private"] < 0 < found["coverage"]
    assert "title_name" not in found
    assert all(weight > 0 or name in MAY_SPEAK_AGAINST for name, weight in found.items())


def test_weights_of_default_channels_do_not_depend_on_the_others():
    examples = drawn(dict.fromkeys(FITTED, 0.3), 60)
    on = ChannelSettings()
    off = {name for channel in OF_CHANNEL if not getattr(on, channel) for name in OF_CHANNEL[channel]}
    bare = [
        replace(one, signals=tuple({k: row[k] for k in row if k not in off} for row in one.signals))
        for one in examples
    ]
    found = fit_all(examples)
    assert {name: weight for name, weight in found.items() if name not in off} == fit_all(bare)


def test_channel_that_is_left_out_gets_no_weight():
    found = fit_all(drawn(dict.fromkeys(FITTED, 0.3), 60), without=["history"])
    assert found.keys().isdisjoint(HISTORY)


def test_repository_is_held_out_of_its_own_weights():
    ours, theirs = drawn({"size": 2.0}, 60, group="ours"), drawn({"size": -2.0}, 60, seed=2, group="theirs")
    told = []
    found = held_out([*ours, *theirs], {"ours", "theirs"}, told.append)
    assert found["ours"] == fit_all(theirs)
    assert found["theirs"] == fit_all(ours)
    assert told == ["fitted without ours", "fitted without theirs"]


def test_penalty_is_small_where_later_examples_bear_out_earlier_ones_and_large_where_they_do_not():
    shipped = {"size": 1.0}
    steady = drawn({"size": -2.0}, 60)
    fickle = [*drawn({"size": -2.0}, 40), *drawn({"size": 3.0}, 20, seed=3)]
    assert choose_penalty(steady, shipped) == min(PENALTIES)
    assert choose_penalty(fickle, shipped) == max(PENALTIES)


def test_signal_that_does_not_count_has_no_say_in_the_penalty():
    steady = drawn({"size": 2.0}, 60)
    assert choose_penalty(steady, {}) == min(PENALTIES)
    assert choose_penalty(steady, {}, unused=["size"]) == max(
        PENALTIES
    )  # all alike: the one that moves least


def test_loss_is_the_surprise_at_the_answers():
    assert loss_of([example([True, False], 0.0, 0.0)], {"a": 1.0}) == pytest.approx(math.log(2))
    assert loss_of([example([False, False], 0.0, 0.0)], {"a": 1.0}) == 0.0
