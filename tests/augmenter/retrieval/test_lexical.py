"""What words find: which terms are searched by, BM25F, and that no order of indexing shows."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from library_tasks import BY_WORDS

from augmenter.candidates import EVERYTHING, Filters, gather
from augmenter.channels.lexical import (
    FIELD_LENGTH_B,
    FIELD_WEIGHTS,
    K1,
    MAX_GROUPS,
    MAX_MATCH_TERMS,
    NAMING_FIELDS,
    TOGETHER,
    clauses,
    lexical,
    match_groups,
    match_terms,
    score_texts,
)
from augmenter.query import Query, QueryTerm
from augmenter.task import Intent
from knowledge.catalog.reader import Statistics
from knowledge.catalog.rows import FIELDS
from knowledge.types import Kind, SourceKind

TASKS = (
    "Wake the readers when the stream is closed",
    "Retry with backoff",
    "Create a user",
    "Look a key up in a mapping",
    "checksum of a message",
    "zebra7 zebra8",
    "Run the next handler of the server",
    "plugins return a common number",
)


def query_of(weights, statistics, documents=None):
    """A query of terms with the given weights; each with an idf of 1."""
    counts = documents or {}
    terms = [QueryTerm(term, weight, 1.0, counts.get(term, 1)) for term, weight in weights.items()]
    terms.sort(key=lambda term: (-term.mass, term.term))
    mass = math.fsum(term.mass for term in terms)
    return Query(tuple(terms), mass, 1.0, (), (), frozenset(), Intent.SYNTHESIS, statistics)


counts = st.lists(st.integers(1, 5_000), max_size=80)


def terms_of(documents):
    return [QueryTerm(f"t{n:02}", 1.0, 1.0, count) for n, count in enumerate(documents)]


@given(counts, st.integers(1, 20_000))
def test_searched_terms_touch_a_bounded_number_of_rows(documents, bound):
    terms = terms_of(documents)
    chosen = match_terms(terms, bound)
    assert len(chosen) <= MAX_MATCH_TERMS
    assert sum(term.documents for term in terms if term.term in chosen) <= bound


@given(counts)
def test_heavier_term_is_left_out_only_where_it_does_not_fit(documents):
    terms = terms_of(documents)
    chosen = match_terms(terms, 6_000)
    rows = 0
    for term in terms[: terms.index(next(t for t in terms if t.term == chosen[-1])) + 1] if chosen else ():
        if term.term in chosen:
            rows += term.documents
        else:
            assert rows + term.documents > 6_000


@given(counts, st.integers(1, 20_000), st.integers(5_000, 50_000))
def test_common_terms_are_searched_by_together(documents, bound, count):
    terms = terms_of(documents)
    chosen = match_terms(terms, bound)
    groups = match_groups(terms, chosen, bound, count)
    assert len(groups) <= MAX_GROUPS
    documents_of = {term.term: term.documents for term in terms}
    rows = sum(documents_of[term] for term in chosen)
    for group in groups:
        assert len(group) > 1
        assert not set(group) & set(chosen)
        rows += int(TOGETHER * count * math.prod(documents_of[term] / count for term in group))
    assert not groups or rows <= bound + 1


def test_term_that_everything_holds_is_searched_by_when_there_is_no_other():
    query = query_of({"common": 1.0}, Statistics(100_000, (1.0,) * 5), {"common": 90_000})
    assert clauses(query, 8_000) == ["common"]


def test_groups_of_common_terms_find_rows_that_hold_all_of_them():
    documents = {"get": 40_000, "name": 30_000, "valu": 50_000, "zebra": 3}
    query = query_of(dict.fromkeys(documents, 1.0), Statistics(250_000, (1.0,) * 5), documents)
    assert clauses(query, 8_000) == ["zebra", ("get", "name", "valu")]


def test_rare_terms_weigh_more_and_come_first(catalog):
    query = catalog.query("common slugify number")
    assert query.terms[0].term == "slugifi"
    assert query.terms[0].documents < next(t.documents for t in query.terms if t.term == "common")
    assert [t.mass for t in query.terms] == sorted((t.mass for t in query.terms), reverse=True)


word = st.sampled_from(["stream", "close", "pool", "retri", "user", "x", "y", "z"])
field = st.lists(word, max_size=12)
texts = st.lists(st.tuples(field, field, field, field, field), min_size=1, max_size=8)
weights = st.dictionaries(word, st.floats(0.1, 4), min_size=1, max_size=5)
averages = st.tuples(*[st.floats(1, 30)] * 5)


def reference(text, weights, averages):
    """BM25F as Robertson and Zaragoza give it (2009, eq. 3.16–3.19), a formula at a time."""
    score = 0.0
    for term, weight in weights.items():
        frequency = 0.0
        for name, words, boost, b, average in zip(
            FIELDS, text, FIELD_WEIGHTS, FIELD_LENGTH_B, averages, strict=True
        ):
            occurrences = words.count(term)
            if name in NAMING_FIELDS:
                occurrences = min(occurrences, 1)
            frequency += boost * occurrences / ((1 - b) + b * len(words) / average)
        score += weight * frequency / (K1 + frequency)
    return score


@given(texts, weights, averages)
def test_scores_are_those_of_a_plain_bm25f(documents, weights, averages):
    query = query_of(weights, Statistics(len(documents), averages))
    rows = [(n, [" ".join(words) for words in text]) for n, text in enumerate(documents)]
    hits = {hit.rowid: hit for hit in score_texts(query, rows)}
    for number, text in enumerate(documents):
        held = {term for term in weights if any(term in words for words in text)}
        if not held:
            assert number not in hits
            continue
        assert hits[number].score == pytest.approx(reference(text, weights, averages))
        assert set(hits[number].matched) == held
        assert hits[number].coverage == pytest.approx(sum(weights[term] for term in held) / query.mass)
        assert 0 < hits[number].coverage <= 1 + 1e-9


@given(field, weights, averages, word)
def test_one_more_occurrence_never_lowers_a_score_of_the_same_length(body, weights, averages, term):
    query = query_of(weights, Statistics(1, averages))
    with_other = ["", "", "", "", " ".join([*body, "other"])]
    with_term = ["", "", "", "", " ".join([*body, term])]
    scores = [sum(hit.score for hit in score_texts(query, [(1, text)])) for text in (with_other, with_term)]
    assert scores[0] <= scores[1] + 1e-12


def results(asked, text):
    """What the channel finds, without row ids."""
    query = asked.query(text)
    hits, _ = lexical(query, asked.reader, EVERYTHING.bands)
    evidence = asked.reader.evidence([hit.rowid for hit in hits])
    return sorted((evidence[hit.rowid].id, hit.score, hit.coverage, hit.matched) for hit in hits)


@pytest.mark.parametrize(("text", "expected"), BY_WORDS)
def test_words_find_what_holds_them(catalog, text, expected):
    units = Filters(kinds=frozenset({Kind.UNIT}), source_kinds=frozenset({SourceKind.IMPLEMENTATION}))
    found = gather(catalog.query(text), catalog.reader, units).candidates
    assert [c.evidence.id for c in found if c.channels["lexical"] == 1] == [expected]


def test_order_of_indexing_and_row_ids_do_not_show(catalog, make_catalog, files):
    paths = list(files)
    for order in (sorted(paths, reverse=True), random.Random(3).sample(paths, len(paths))):
        other = make_catalog({path: files[path] for path in order})
        rowids = [
            {evidence.id: rowid for rowid, evidence in asked.reader.evidence(range(1, 200)).items()}
            for asked in (catalog, other)
        ]
        assert rowids[0] != rowids[1]
        for text in TASKS:
            assert results(catalog, text) == results(other, text)
            assert gathered(catalog, text) == gathered(other, text)


def gathered(asked, text):
    found = gather(asked.query(text), asked.reader, EVERYTHING).candidates
    return [(c.evidence, c.channels, c.coverage, c.exact and c.exact.strength) for c in found]


def test_ties_at_the_cut_do_not_depend_on_row_ids(make_catalog):
    files = {f"src/m{number:03}.py": "def tiger():\n    return 1\n" for number in range(260)}
    one, other = make_catalog(files), make_catalog(dict(reversed(files.items())))
    found = results(one, "tiger")
    assert found
    assert found == results(other, "tiger")


@pytest.mark.parametrize("text", ["", "the and of", "!!!", "qwertz asdfgh"])
def test_task_without_known_words_finds_nothing(catalog, text):
    assert results(catalog, text) == []
