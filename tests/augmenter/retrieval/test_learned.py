"""The learned profile with the shipped weights, in a small repository that it was not fitted on."""

import pytest
from library_tasks import BY_WORDS, ELSEWHERE

from augmenter.candidates import EVERYTHING, Filters, gather
from augmenter.factors import make_scale, score_all
from augmenter.profiles import LEARNED, profile_of
from augmenter.relevance import part
from augmenter.signals.signals import signals_of
from knowledge.settings import Settings
from knowledge.types import Kind, SourceKind

TRACEBACK = 'Traceback (most recent call last):\n  File "src/app/stream.py", line 17, in close\nOSError\n'
UNITS = Filters(kinds=frozenset({Kind.UNIT}))


@pytest.fixture
def scored(catalog):
    def scored_(text, filters=EVERYTHING):
        query = catalog.query(text)
        found = gather(query, catalog.reader, filters)
        signals = signals_of(found, query, Settings().channels)
        return score_all(found.candidates, profile_of(LEARNED), make_scale(query, {}, 0), signals), query

    return scored_


@pytest.fixture
def first(scored):
    """The first item for a task."""
    return lambda *asked: scored(*asked)[0][0].candidate.evidence


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *BY_WORDS,
        ("`EventStream.close` hangs", "symbol:src/app/stream.py::EventStream.close"),
        ("It fails\n```\nslugify(x)\n```", "symbol:src/app/utils.py::slugify"),
        (TRACEBACK, "symbol:src/app/stream.py::EventStream.close"),
        (f"It hangs:\n\n{TRACEBACK}", "symbol:src/app/stream.py::EventStream.close"),
    ],
)
def test_first_is_what_is_meant(first, text, expected):
    assert first(text, UNITS).id == expected


@pytest.mark.parametrize(
    "text", ["EventStream close wakes its readers", "retry with backoff", "test_close_wakes_readers"]
)
def test_implementation_comes_first(scored, text):
    items, _ = scored(text)
    others = [item.candidate.evidence.source_kind is not SourceKind.IMPLEMENTATION for item in items]
    assert others == sorted(others)
    assert not others[0]


def test_what_is_asked_for_may_come_first(first):
    assert first("Fix the failing test: close wakes readers").path == "tests/test_stream.py"
    assert first("close in vendor/sse/stream.py:17").path == "vendor/sse/stream.py"


@pytest.mark.parametrize("text", ELSEWHERE)
def test_task_about_something_else_is_offered_nothing(scored, text):
    items, query = scored(text)
    relevant, below = part(items, query, Settings().ranking.threshold)
    assert relevant == []
    assert below == items


def test_functions_have_the_same_order_whether_or_not_others_are_asked_for(scored):
    for text in ("Close the stream and wake its readers", "`Client` fetches users, see src/app/stream.py"):
        every, _ = scored(text)
        units = [item.candidate.evidence.id for item in every if item.candidate.evidence.kind is Kind.UNIT]
        assert [item.candidate.evidence.id for item in scored(text, UNITS)[0]] == units
