"""Paired tests and intervals: by hand, against closed forms, and by their invariants."""

from math import comb
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.statistics import Interval, bootstrap, holm, mcnemar, randomization, wilson


def test_mcnemar_counts_discordant_pairs_against_a_fair_coin():
    assert mcnemar(0, 0) == 1
    assert mcnemar(5, 0) == pytest.approx(2 / 32)
    assert mcnemar(2, 8) == pytest.approx(2 * (1 + 10 + 45) / 1024)


def test_randomization_of_few_pairs_is_exact():
    # Each of five pairs was won by 1: of the 32 exchanges two are as extreme.
    assert randomization([(1.0, 0.0)] * 5) == pytest.approx(2 / 32)


def test_randomization_of_yes_and_no_agrees_with_mcnemar():
    pairs = [(1.0, 0.0)] * 8 + [(0.0, 1.0)] * 2 + [(1.0, 1.0)] * 20
    assert randomization(pairs) == pytest.approx(mcnemar(8, 2))
    many = [(1.0, 0.0)] * 20 + [(0.0, 1.0)] * 5
    assert randomization(many) == pytest.approx(mcnemar(20, 5), abs=0.006)


def test_randomization_knows_figures_that_only_one_of_the_two_has():
    assert randomization([(1.0, None), (0.0, None), (1.0, 1.0)]) == 1
    assert randomization([(None, None), (0.5, 0.5)]) == 1
    assert randomization([]) == 1


def test_interval_of_a_share_is_wilsons():
    # Newcombe (1998), method 3, his example 81/263; and the ends, where the simple formula fails
    found = wilson(81, 263)
    assert (found.low, found.high) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson(0, 20) == Interval(0.0, pytest.approx(0.1611, abs=1e-4))
    assert wilson(20, 20).high == 1


def test_bootstrap_of_equal_values_has_no_width():
    assert bootstrap([0.25] * 9, fmean) == Interval(0.25, 0.25)


def test_bootstrap_of_many_agrees_with_the_normal_distribution():
    values = [0.0, 1.0] * 100
    found = bootstrap(values, fmean)
    assert (found.low, found.high) == pytest.approx((0.5 - 1.96 * 0.03536, 0.5 + 1.96 * 0.03536), abs=0.01)


def test_holm_corrects_the_smallest_most():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


values = st.none() | st.sampled_from([0.0, 0.25, 0.5, 1.0])


@given(st.lists(st.tuples(values, values), max_size=30))
def test_randomization_is_a_probability_and_does_not_depend_on_whose_side_one_takes(pairs):
    p_value = randomization(pairs, rounds=200)
    assert 0 < p_value <= 1
    assert p_value == randomization([pair[::-1] for pair in pairs], rounds=200)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_interval_of_a_mean_lies_within_the_values(values):
    found = bootstrap(values, fmean, 200)
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_symmetric_and_a_probability(won, lost):
    assert mcnemar(won, lost) == mcnemar(lost, won)
    assert 0 < mcnemar(won, lost) <= 1
    assert mcnemar(won, lost) >= comb(won + lost, won) / 2 ** (won + lost) - 1e-12


@given(st.integers(1, 300).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
def test_interval_of_a_share_holds_the_share(counts):
    found = wilson(*counts)
    assert 0 <= found.low <= counts[0] / counts[1] + 1e-12
    assert counts[0] / counts[1] <= found.high + 1e-12 <= 1 + 1e-9


@given(st.lists(st.floats(0, 1), max_size=8))
def test_corrected_p_values_are_no_smaller_and_keep_their_order(p_values):
    corrected = holm(p_values)
    assert all(before <= after <= 1 for before, after in zip(p_values, corrected, strict=True))
    order = sorted(range(len(p_values)), key=lambda i: (p_values[i], i))
    assert [corrected[i] for i in order] == sorted(corrected)
