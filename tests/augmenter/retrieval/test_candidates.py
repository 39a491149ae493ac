"""Candidates: filtered, folded, numbered, narrowed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augmenter.candidates import (
    EVERYTHING,
    MIN_NARROWED,
    SPARED_BY_NARROWING,
    Candidate,
    Filters,
    Gathered,
    gather,
    narrow,
    thing_id,
)
from augmenter.channels.exact import ExactHit
from augmenter.channels.lexical import CARD_BANDS, UNIT_BANDS, LexicalHit
from augmenter.channels.past import Past
from knowledge.types import Kind, SourceKind, Status

TASKS = (
    "Wake the readers when the `EventStream.close` is called",
    "Retry policy with backoff",
    "Writes a text with a checksum: `Writer.write`",
    "zebra3 zebra60 total",
    "see src/app/stream.py:17 and vendor/sse/stream.py",
)


@pytest.fixture
def gathered(catalog):
    def gather_(text, **filters):
        return gather(catalog.query(text), catalog.reader, Filters(**filters)).candidates

    return gather_


@pytest.mark.parametrize("text", TASKS)
def test_ranks_in_each_channel_count_from_one_without_gaps(gathered, text):
    found = gathered(text)
    assert found
    for channel, strength in (("exact", lambda c: c.exact.strength), ("lexical", lambda c: c.lexical.score)):
        ranked = sorted((c for c in found if channel in c.channels), key=lambda c: c.channels[channel])
        assert [c.channels[channel] for c in ranked] == list(range(1, len(ranked) + 1))
        keys = [(-strength(c), c.evidence.sort_key) for c in ranked]
        assert keys == sorted(keys)
    assert all(c.channels for c in found)


@pytest.mark.parametrize("text", TASKS)
def test_candidates_are_distinct_things_in_order(gathered, text):
    found = [c.evidence for c in gathered(text)]
    assert len({thing_id(e.id) for e in found}) == len(found)
    assert found == sorted(found, key=lambda e: e.sort_key)


def test_parts_of_a_long_function_are_one_candidate(gathered, catalog):
    assert len([e for e in catalog.reader.evidence(range(1, 400)).values() if e.name == "crunch"]) > 2
    crunch = [c for c in gathered("zebra3 zebra60 total") if c.evidence.name == "crunch"]
    assert len(crunch) == 1
    assert crunch[0].evidence.part
    assert [c.evidence.part for c in gathered("`crunch` of zebra3") if c.evidence.name == "crunch"] == [0]


def test_overloads_are_one_candidate_the_one_that_matches_best(gathered):
    found = gathered("text with a checksum", paths=("*/net/*",))
    writes = [c.evidence for c in found if c.evidence.name == "Writer.write"]
    assert [e.signature for e in writes] == ["public void write(String text)"]


def test_mention_brings_its_words_along(gathered):
    crunch = next(c for c in gathered("`crunch` of zebra3 and zebra60") if c.evidence.name == "crunch")
    assert crunch.exact is not None
    assert crunch.coverage > 0


@pytest.mark.parametrize(
    ("filters", "holds"),
    [
        ({"paths": ("src/*",)}, lambda e: e.path.startswith("src/")),
        ({"paths": ("*.go", "web/*")}, lambda e: e.path.endswith(".go") or e.path.startswith("web/")),
        ({"languages": ("java",)}, lambda e: e.language == "java"),
        ({"languages": ("python", "markdown")}, lambda e: e.language in ("python", "markdown")),
        ({"kinds": frozenset({Kind.UNIT})}, lambda e: e.kind is Kind.UNIT),
        ({"kinds": frozenset({Kind.SECTION, Kind.CLASS})}, lambda e: e.kind in (Kind.SECTION, Kind.CLASS)),
        (
            {"source_kinds": frozenset({SourceKind.TEST})},
            lambda e: e.source_kind is SourceKind.TEST,
        ),
        ({"statuses": frozenset({Status.SUPERSEDED})}, lambda e: e.status is Status.SUPERSEDED),
    ],
)
def test_filters_are_hard(gathered, filters, holds):
    text = "Close and retry the stream, write users: `close`, `write`, Writer.java, docs/old.md, stream.py"
    found = [c.evidence for c in gathered(text, **filters)]
    assert found
    assert [e.id for e in found if not holds(e)] == []


def test_what_no_longer_holds_is_left_out_unless_asked_for(gathered):
    text = "old retry policy: docs/old.md"
    assert not [c for c in gathered(text) if c.evidence.path == "docs/old.md"]
    asked = gathered(text, statuses=frozenset({Status.SUPERSEDED}))
    assert {c.evidence.path for c in asked} == {"docs/old.md"}


def test_ranks_are_given_after_filtering(gathered):
    found = gathered("retry policy of a stream", kinds=frozenset({Kind.SECTION}), languages=("markdown",))
    assert sorted(c.channels["lexical"] for c in found) == list(range(1, len(found) + 1))


def test_filter_of_kinds_asks_the_bands_that_hold_them_and_the_cards_of_what_holds_functions():
    assert EVERYTHING.bands == Filters(kinds=frozenset(Kind)).bands == (*UNIT_BANDS, *CARD_BANDS)
    assert Filters(kinds=frozenset({Kind.UNIT})).bands == EVERYTHING.bands
    assert Filters(kinds=frozenset({Kind.SECTION})).bands == CARD_BANDS


def test_filter_of_kinds_leaves_the_cards_as_evidence_for_their_members(catalog):
    found = gather(
        catalog.query("Close the stream: `EventStream`"),
        catalog.reader,
        Filters(kinds=frozenset({Kind.UNIT})),
    )
    assert {c.evidence.kind for c in found.candidates} == {Kind.UNIT}
    assert {c.evidence.kind for c in found.cards} == {Kind.CLASS, Kind.MODULE}


def test_filter_of_paths_holds_for_cards_too(catalog):
    filters = Filters(kinds=frozenset({Kind.UNIT}), paths=("src/*",))
    cards = gather(catalog.query("Close the stream"), catalog.reader, filters).cards
    assert cards
    assert all(c.evidence.path.startswith("src/") for c in cards)


def numbered(scored_evidence, tags, exact=()):
    """Candidates whose lexical rank is their position."""
    return [
        Candidate(
            scored_evidence(n, tags=tag),
            LexicalHit(n, 100.0 - n, 0.5, ("term",)),
            ExactHit(n, 1.0, "mentioned") if n in exact else None,
            {"lexical": n + 1},
        )
        for n, tag in enumerate(tags)
    ]


def narrowed(found, query):
    """The candidates that narrowing leaves; what lies around them it leaves alone."""
    around = Past(files={"src/m000.py": 0.5})
    result = narrow(Gathered(found, cards=found[:3], past=around), query)
    assert (result.cards, result.past) == (found[:3], around)
    return result.candidates


API, UI, NONE = ("component:api",), ("component:frontend",), ("phase:testing",)
tags = st.sampled_from([API, UI, NONE, ()])


@pytest.fixture(scope="session")
def api_query(catalog):
    query = catalog.query("Fix the pagination of the API endpoint")
    assert "component:api" in query.tags
    assert "component:frontend" not in query.tags
    return query


def test_narrowing_leaves_out_other_components(api_query, make_evidence):
    found = numbered(make_evidence, [API] * 15 + [UI] * 15 + [NONE] * 15)
    kept = narrowed(found, api_query)
    assert len(kept) < len(found)
    assert [c.evidence.tags for c in kept] == [API] * 15 + [NONE] * 15


def test_narrowing_spares_the_first_and_the_mentioned(api_query, make_evidence):
    found = numbered(make_evidence, [UI] * 30 + [API] * 30, exact={25})
    kept = narrowed(found, api_query)
    assert len(kept) < len(found)
    spared = [c for c in kept if c.evidence.tags == UI]
    assert [c.lexical.rowid for c in spared] == [*range(SPARED_BY_NARROWING), 25]


def test_narrowing_is_taken_back_when_too_few_remain(api_query, make_evidence):
    found = numbered(make_evidence, [UI] * 60)
    assert narrowed(found, api_query) == found


def test_task_without_a_component_is_not_narrowed(catalog, make_evidence):
    found = numbered(make_evidence, [UI] * 30 + [API] * 30)
    assert narrowed(found, catalog.query("zebra3")) == found


@given(st.lists(tags, max_size=60), st.sets(st.integers(0, 59), max_size=5))
def test_narrowing_never_loses_what_fits(api_query, make_evidence, tags, exact):
    found = numbered(make_evidence, tags, exact)
    kept = narrowed(found, api_query)
    assert kept == [c for c in found if c in kept]  # in their order
    assert len(kept) == len(found) or len(kept) >= MIN_NARROWED
    for candidate in found:
        if candidate.exact or candidate.evidence.tags != UI or candidate.lexical.rowid < SPARED_BY_NARROWING:
            assert candidate in kept
