"""Relevance: nothing for a task about something else, and what a name is worth."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from library_tasks import ELSEWHERE

from augmenter.candidates import EVERYTHING, Candidate, gather
from augmenter.channels.exact import ExactHit
from augmenter.channels.lexical import LexicalHit
from augmenter.channels.past import PastHit
from augmenter.factors import Scored, make_scale, score_all
from augmenter.profiles import profile_of
from augmenter.relevance import NAMED, certainty, part
from knowledge.settings import Settings

THRESHOLD = Settings().ranking.threshold


@pytest.fixture
def parted(catalog):
    """The names of what is relevant to a task and of what is below the threshold."""

    def part_(text, threshold=THRESHOLD, profile="rrf"):
        query = catalog.query(text)
        found = gather(query, catalog.reader, EVERYTHING).candidates
        scored = score_all(found, profile_of(profile), make_scale(query, {}, 1_700_000_000))
        relevant, below = part(scored, query, threshold)
        return [[item.candidate.evidence.name for item in items] for items in (relevant, below)]

    return part_


@pytest.mark.parametrize("text", ELSEWHERE)
def test_task_about_something_else_is_offered_nothing(parted, text):
    relevant, _ = parted(text)
    assert relevant == []


def test_task_about_the_repository_is_offered_what_it_is_about(parted):
    relevant, _ = parted("Wake the readers when the stream is closed")
    assert "EventStream.close" in relevant[:2]


def test_mention_by_name_is_enough(parted):
    text = "Quarterly revenue forecast of the northern region, see `EventStream.close`, by subsidiary"
    assert "EventStream.close" in parted(text)[0]


@pytest.mark.parametrize("text", ["Wake the readers", "Quarterly stream of revenue for the northern region"])
def test_threshold_of_nothing_offers_all(parted, text):
    relevant, below = parted(text, threshold=0)
    assert relevant
    assert below == []


def test_threshold_of_everything_offers_what_is_mentioned(parted):
    relevant, _ = parted("Quarterly revenue of `slugify`", threshold=1)
    assert relevant == ["slugify"]


coverages = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=12)


@given(coverages, st.floats(0, 1), st.floats(0, 1))
def test_parts_keep_the_order_and_lose_nothing(catalog, make_evidence, coverages, low, high):
    low, high = sorted((low, high))
    query = catalog.query("Wake the readers")
    scored = [
        Scored(
            Candidate(
                make_evidence(n), LexicalHit(n, 1.0, coverage, ()), ExactHit(n, 1.0, "") if named else None
            ),
            1.0 - n / 100,
            {},
            {},
        )
        for n, (coverage, named) in enumerate(coverages)
    ]
    counts = []
    for threshold in (low, high):
        relevant, below = part(scored, query, threshold)
        assert sorted([*relevant, *below], key=lambda item: -item.score) == scored
        assert relevant == [item for item in scored if item in relevant]
        assert below == [item for item in scored if item in below]
        counts.append(len(relevant))
    assert counts[0] >= counts[1]  # a higher threshold never lets more through


shares = st.floats(0, 1)
strengths = st.floats(0, 2 * NAMED)


@given(*[st.tuples(shares, shares).map(sorted)] * 3, st.tuples(strengths, strengths).map(sorted))
def test_whoever_has_more_is_never_less_certain(catalog, make_evidence, coverages, known, past, mentions):
    query = catalog.query("Wake the readers")
    certainties = []
    for coverage, share, commit, mention in zip(coverages, known, past, mentions, strict=True):
        words = LexicalHit(0, 3 * coverage, coverage, ())
        named = ExactHit(0, mention, "") if mention else None
        candidate = Candidate(make_evidence(0), words, named, history=PastHit(0, commit, commit, ""))
        scored = [Scored(candidate, 1.0, {}, {})]
        certainties.append(certainty(scored, replace(query, known_share=share)))
    assert 0 <= certainties[0] <= certainties[1] <= 1
    assert (certainties[1] == 1) == (mentions[1] >= NAMED)


@pytest.mark.parametrize("text", ["", "the and of", "请解释量子力学的基本原理"])
def test_nothing_found_is_no_certainty(catalog, text):
    assert certainty([], catalog.query(text)) == 0


def test_item_that_little_speaks_for_stays_below_though_the_task_is_certain(catalog, make_evidence):
    query = replace(catalog.query("Wake the readers"), known_share=1.0)
    before = PastHit(0, 0.5, 0.5, "")
    scored = [
        Scored(candidate, 1.0, {}, {})
        for candidate in (
            Candidate(make_evidence(0), exact=ExactHit(0, 1.0, "")),
            Candidate(make_evidence(1), LexicalHit(1, 1.0, 0.05, ())),
            Candidate(make_evidence(2), LexicalHit(2, 1.0, 0.10, ())),
            Candidate(make_evidence(3), history=before),
            Candidate(make_evidence(4), used=before),
        )
    ]
    relevant, below = part(scored, query, THRESHOLD)
    assert relevant == [scored[0], *scored[2:]]
    assert below == [scored[1]]


@given(st.tuples(shares, shares).map(sorted), st.integers(1, 6))
def test_whoever_is_answered_better_by_signals_is_never_less_certain(catalog, make_evidence, values, power):
    query = catalog.query("Wake the readers")
    candidate = Candidate(make_evidence(0), LexicalHit(0, 1.0, 0.3, ()))
    certainties = [
        certainty(
            [Scored(candidate, 1.0, {"title_name": value, "size": 1.0}, {"title_name": power, "size": -3})],
            query,
        )
        for value in values
    ]
    assert 0 <= certainties[0] <= certainties[1] <= 1


def test_the_same_words_are_less_sure_in_a_large_catalog(catalog, make_evidence):
    query = catalog.query("Wake the readers")
    scored = [Scored(Candidate(make_evidence(0), LexicalHit(0, 1.0, 0.3, ())), 1.0, {}, {})]
    small, large = (
        certainty(scored, replace(query, statistics=replace(query.statistics, count=count)))
        for count in (100, 100_000)
    )
    assert small > large
