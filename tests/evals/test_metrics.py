"""Metrics: examples computed by hand, and what holds for any ranking."""

from dataclasses import dataclass
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.cases import Answer
from evals.metrics import (
    abstention_of,
    all_at,
    any_at,
    file_ranks_of,
    hits,
    ndcg_at,
    percentile,
    precision_of,
    ranks_of,
    recall_at,
    reciprocal_rank,
    utility_of,
)


@dataclass(frozen=True)
class Thing:
    path: str
    name: str = ""
    start: int = 1
    end: int = 10

    @property
    def id(self):
        return f"symbol:{self.path}::{self.name}"


LIST = [Thing("a.py", "f"), Thing("b.py", "g"), Thing("a.py", "h", 20, 30), Thing("c.py", "k")]


@pytest.mark.parametrize(
    ("answer", "hit"),
    [
        (Answer(id="symbol:a.py::f"), True),
        (Answer(id="symbol:a.py::f~2"), True),  # a namesake in the same file
        (Answer(id="symbol:a.py::f@3"), True),  # a part of it
        (Answer(id="symbol:a.py::ff"), False),
        (Answer(id="symbol:a.py::g", path="a.py"), False),  # not a file alone: the id says more
        (Answer(id="symbol:a.py::old", path="a.py", name="old", start=2, end=9), True),  # by its lines
        (Answer(path="a.py"), True),
        (Answer(path="b.py"), False),
        (Answer(path="a.py", name="f"), True),
        (Answer(path="a.py", name="g"), False),
        (Answer(path="b.py", name="f"), False),
        (Answer(path="a.py", start=6, end=15), True),  # 5 of 10 lines
        (Answer(path="a.py", start=7, end=16), False),  # 4 of 10
        (Answer(path="a.py", start=10, end=11), True),  # 1 of the shorter one's 2
        (Answer(path="a.py", start=11, end=12), False),
        (Answer(path="a.py", name="g", start=1, end=10), True),  # renamed, but there
    ],
)
def test_item_hits_what_an_answer_means(answer, hit):
    assert hits(Thing("a.py", "f"), answer) is hit


@pytest.mark.parametrize(("end", "hit"), [(150, True), (151, False)])
def test_long_item_does_not_hit_by_its_length(end, hit):
    assert hits(Thing("a.py", "", 1, end), Answer(path="a.py", start=50, end=60)) is hit


def test_long_item_hits_an_answer_of_its_size():
    assert hits(Thing("a.py", "", 1, 400), Answer(path="a.py", start=1, end=200))
    assert not hits(Thing("a.py", "", 1, 401), Answer(path="a.py", start=1, end=200))


def test_rank_of_an_answer_is_that_of_its_first_hit():
    answers = [Answer(path="a.py", name="h"), Answer(path="a.py"), Answer(path="none.py")]
    assert ranks_of(LIST, answers) == (3, 1, None)


def test_rank_of_a_file_is_among_files():
    answers = [Answer(path="c.py", name="k"), Answer(id="symbol:b.py::x"), Answer(path="c.py", name="l")]
    assert file_ranks_of(LIST, answers) == (3, 2)  # each file once
    assert file_ranks_of([], answers) == (None, None)


def test_metrics_of_ranks_computed_by_hand():
    ranks = (2, 4, None)
    assert [recall_at(ranks, k) for k in (1, 2, 5)] == [0, pytest.approx(1 / 3), pytest.approx(2 / 3)]
    assert [any_at(ranks, k) for k in (1, 2)] == [0, 1]
    assert [all_at(ranks, k) for k in (5, 50)] == [0, 0]
    assert all_at((2, 4), 4) == 1
    assert reciprocal_rank(ranks) == 0.5
    assert reciprocal_rank((None,)) == 0
    best = 1 + 1 / log2(3) + 1 / log2(4)
    assert ndcg_at(ranks, 10) == pytest.approx((1 / log2(3) + 1 / log2(5)) / best)
    assert ndcg_at(ranks, 3) == pytest.approx((1 / log2(3)) / best)
    assert ndcg_at((1,), 10) == 1
    assert ndcg_at((1, 1), 10) == 1  # one item that answers both


def test_precision_counts_items_that_hit():
    assert precision_of(LIST, [Answer(path="a.py"), Answer(path="c.py", name="x")]) == 0.5
    assert precision_of(LIST, []) == 0


def test_abstention_computed_by_hand():
    told = [(True, True), (True, True), (True, False), (False, True), (False, False)]
    found = abstention_of(told)
    assert (found.precision, found.recall) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert abstention_of([(False, False)]).precision is None
    assert abstention_of([(False, False)]).recall is None


def test_utility_is_evidence_per_thousand_token_seconds():
    assert utility_of(0.4, tokens=500, seconds=0.02) == pytest.approx(40)


def test_percentile_is_one_of_the_values():
    assert percentile([30, 10, 20, 40], 0.5) == 20
    assert percentile([30, 10, 20, 40], 0.95) == 40
    assert percentile([7], 0.5) == 7


ranks = st.lists(st.none() | st.integers(1, 60), min_size=1, max_size=6).map(tuple)
cuts = st.tuples(st.integers(1, 60), st.integers(1, 60)).map(sorted)


@given(ranks, cuts)
def test_metrics_are_bounded_and_rise_with_k(ranks, cuts):
    less, more = cuts
    for metric in (recall_at, all_at, any_at):
        assert 0 <= metric(ranks, less) <= metric(ranks, more) <= 1
    assert 0 <= ndcg_at(ranks, less) <= 1
    assert all_at(ranks, less) <= recall_at(ranks, less) <= any_at(ranks, less)
    assert 0 <= reciprocal_rank(ranks) <= 1


@given(ranks, st.integers(1, 60))
def test_metrics_do_not_depend_on_the_order_of_the_answers(ranks, k):
    turned = ranks[::-1]
    assert recall_at(ranks, k) == recall_at(turned, k)
    assert ndcg_at(ranks, k) == pytest.approx(ndcg_at(turned, k))
    assert reciprocal_rank(ranks) == reciprocal_rank(turned)


@given(st.lists(st.integers(1, 60), min_size=1, max_size=6, unique=True), st.integers(1, 60))
def test_better_rank_is_never_worth_less(found, k):
    better = tuple(max(1, rank - 1) for rank in found)
    assert ndcg_at(better, k) >= ndcg_at(tuple(found), k) - 1e-12
    assert recall_at(better, k) >= recall_at(tuple(found), k)
