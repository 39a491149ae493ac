"""Relevance: nothing for a task about something else, and what a name is worth."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augmenter.candidates import EVERYTHING, Candidate, gather
from augmenter.channels.exact import ExactHit
from augmenter.channels.lexical import LexicalHit
from augmenter.factors import Scored, make_scale, score_all
from augmenter.profiles import profile_of
from augmenter.relevance import part
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


@pytest.mark.parametrize(
    "text",
    [
        "Bake a sourdough loaf with rye flour, then let it cool on a wooden board for an hour",
        "Quarterly revenue forecast for the northern region, broken down by subsidiary",
        "Train a convolutional neural network on radiology images with mixed precision on eight accelerators",
        "",
        "the and of",
        "请解释量子力学的基本原理",
    ],
)
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
