"""Packing: a budget is a budget, nothing twice, and what is left out is told."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from augmenter.pack import DESCRIPTION_LIMIT, MAX_TRIES, Limits, choose, describe, pack, pattern_line
from augmenter.seen import Unseen
from knowledge.tokens import estimate_tokens
from knowledge.types import Authority, Kind, SourceKind
from templates.context import BlockContext
from templates.render import FORMATS, Renderer

RENDERERS = {name: Renderer(name) for name in FORMATS}
USUAL = Limits(5, 3, 550)
NONE = BlockContext()
shared = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=60
)


def packed(patterns=(), guidance=(), limits=USUAL, remarks=NONE, brief_format="markdown"):
    return pack(choose(Unseen(patterns, guidance), limits), limits, remarks, RENDERERS[brief_format].block)


def ids(items):
    return [item.candidate.evidence.id for item in items]


@shared
@given(
    docs=st.lists(st.text(max_size=200), max_size=8),
    rules=st.lists(st.text("abc `<>\n", min_size=1, max_size=120), max_size=5),
    limits=st.builds(Limits, st.integers(0, 7), st.integers(0, 4), st.integers(0, 700)),
    remarks=st.builds(BlockContext, below_threshold=st.integers(0, 5000), stale=st.booleans()),
    style=st.tuples(st.sampled_from(FORMATS), st.floats(0, 1)),
)
def test_block_never_exceeds_the_budget(scored, chosen, docs, rules, limits, remarks, style):
    brief_format, coverage = style
    patterns = [scored(n, 0.9 - n / 100, coverage, doc=doc) for n, doc in enumerate(docs)]
    guidance = [chosen(n, statement) for n, statement in enumerate(rules)]
    result = packed(patterns, guidance, limits, remarks, brief_format)
    assert result.tokens == estimate_tokens(result.block) <= limits.budget
    assert len(result.patterns) <= limits.patterns
    assert len(result.guidance) <= limits.rules
    assert bool(result.block) == bool(result.patterns or result.guidance)
    offered = len(result.patterns) + len(result.guidance)
    assert offered + len(result.left_out) == len(patterns) + len(guidance)


@shared
@given(budget=st.integers(0, 400), count=st.integers(0, 8))
def test_more_budget_never_gives_less(scored, budget, count):
    patterns = [scored(n, 0.9 - n / 100) for n in range(count)]
    fewer = packed(patterns, limits=Limits(8, 3, budget))
    more = packed(patterns, limits=Limits(8, 3, budget + 50))
    assert ids(more.patterns)[: len(fewer.patterns)] == ids(fewer.patterns)


def test_first_item_is_not_exempt_and_the_next_is_tried(scored):
    long = scored(0, 0.9, name="a_name_" * 60)
    result = packed([long, scored(1, 0.5)], limits=Limits(5, 3, 80))
    assert ids(result.patterns) == [scored(1).candidate.evidence.id]
    assert [(item.id, item.reason) for item in result.left_out] == [(long.candidate.evidence.id, "budget")]
    assert "1 more item was left out for length." in result.block


def test_only_what_did_not_fit_is_told_as_left_out_for_length(scored):
    result = packed([scored(n, 0.9 - n / 100) for n in range(9)])
    assert "left out" not in result.block
    assert {item.reason for item in result.left_out} == {"limit"}


def explaining(scored, number, authority=Authority.PROCEDURE):
    path = f"docs/d{number}.md"
    return scored(
        number, 0.9 - number / 100, kind=Kind.SECTION, path=path, id=f"section:{path}", authority=authority
    )


def test_documents_leave_the_other_places_to_code(scored):
    documents = [explaining(scored, n) for n in range(4)]
    code = [scored(n, 0.9 - n / 100) for n in range(4, 12)]
    assert ids(packed([*documents, *code]).patterns) == ids([documents[0], *code[:4]])
    two = Limits(5, 3, 550, documents=2)
    assert ids(packed([*documents, *code], limits=two).patterns) == ids([*documents[:2], *code[:3]])


def test_documents_fill_places_that_no_code_takes(scored):
    documents = [explaining(scored, n) for n in (0, 1, 2, 4, 5, 6)]
    code = scored(3, 0.9 - 3 / 100)
    assert ids(packed([*documents[:3], code, *documents[3:]]).patterns) == ids(
        [*documents[:3], code, documents[3]]
    )


def test_what_binds_and_what_is_at_work_counts_as_no_explanation(scored):
    binding = [explaining(scored, 0, Authority.ACCEPTED_DECISION), explaining(scored, 1, Authority.POLICY)]
    at_work = explaining(scored, 2, Authority.IMPLEMENTATION)  # a job of a CI file
    code = [scored(n, 0.9 - n / 100) for n in range(3, 9)]
    first = [*binding, at_work]
    assert ids(packed([*first, *code]).patterns) == ids([*first, *code[:2]])


def test_best_of_both_come_first(scored, chosen):
    result = packed([scored(0), scored(1)], [chosen(5), chosen(6)], Limits(1, 1, 550))
    assert ids(result.patterns) == ["symbol:src/m000.py::f0"]
    assert [item.evidence.id for item in result.guidance] == ["rule:r5"]


def test_copies_of_the_same_content_are_offered_once(scored):
    copies = [scored(n, 0.9 - n / 100, content_hash="blake2b:same") for n in range(3)]
    result = packed(copies)
    assert ids(result.patterns) == ["symbol:src/m000.py::f0"]
    assert [item.reason for item in result.left_out] == ["duplicate", "duplicate"]


def test_parts_of_one_thing_are_offered_once(scored):
    whole = "symbol:src/a.py::f"
    parts = [scored(n, 0.9 - n / 100, id=f"{whole}@{n}", part=n) for n in (1, 2)]
    assert ids(packed([*parts, scored(9, 0.1, id=whole)]).patterns) == [f"{whole}@1"]


def test_versions_of_a_document_are_offered_once(scored):
    versions = [
        scored(n, id=f"section:v{n}/a.md#x", kind=Kind.SECTION, name="Use › Errors", doc="What errors mean.")
        for n in range(3)
    ]
    assert len(packed(versions).patterns) == 1


def test_functions_that_read_alike_are_different_things(scored):
    assert len(packed([scored(n, name="close", doc="Close it.") for n in range(3)]).patterns) == 3


def test_rules_that_say_the_same_are_offered_once(chosen):
    result = packed([], [chosen(0, "Close it."), chosen(1, "Close  it."), chosen(2, "Open it.")])
    assert [item.evidence.id for item in result.guidance] == ["rule:r0", "rule:r2"]
    assert [item.reason for item in result.left_out] == ["duplicate"]


def test_what_is_left_out_is_in_order_and_complete(scored):
    patterns = [scored(n, 0.9 - n / 100) for n in range(MAX_TRIES + 20)]
    result = packed(patterns)
    scores = [item.score for item in result.left_out]
    assert scores == sorted(scores, reverse=True)
    assert len(result.left_out) == len(patterns) - 5


def test_relevance_is_what_speaks_for_an_item(scored):
    item = scored(0)
    demoted = replace(item, score=-0.4, relevance=0.6)
    assert pattern_line(demoted).relevance == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("doc", "description"),
    [
        ("Close it. Then open it.", "Close it."),
        ("Close it, e.g. `now`. Then.", "Close it, e.g. `now`."),
        ("Close it, i.e. (really). More.", "Close it, i.e. (really)."),
        ("Close\n    it\n\nMore.", "Close it"),
        ("Version 1.2 is closed. More.", "Version 1.2 is closed."),
        ("", "def f0()"),
        ("  \n", "def f0()"),
        ("Reads <b>bold</b> {@code x} of {@link Foo#bar}. More.", "Reads bold `x` of `Foo#bar`."),
        ("A map `Map<String, List<B>>` of it.", "A map `Map<String, List<B>>` of it."),
        ("See :class:`Foo` and ``bar``.", "See `Foo` and `bar`."),
    ],
)
def test_description_is_the_first_sentence_else_the_signature(evidence, doc, description):
    assert describe(evidence(doc=doc)) == description


def test_file_that_says_nothing_is_described_by_its_kind(evidence):
    silent = evidence(kind=Kind.MODULE, doc="", signature="", source_kind=SourceKind.TEST)
    assert describe(silent) == "Test in python."


@shared
@given(doc=st.text(max_size=2000))
def test_description_is_one_bounded_line(evidence, doc):
    text = describe(evidence(doc=doc))
    assert "\n" not in text
    assert len(text) <= DESCRIPTION_LIMIT
