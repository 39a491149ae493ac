"""Factors: each in [0, 1] by its documented formula; scores are their sum; the order is total."""

import math

import pytest
from cases import rows
from evidence_factory import make_evidence
from hypothesis import given
from hypothesis import strategies as st

from augmenter.candidates import EVERYTHING, Candidate, gather
from augmenter.channels.exact import ExactHit
from augmenter.channels.lexical import LexicalHit
from augmenter.factors import (
    AUTHORITY_VALUES,
    CACHE_HALF_LIFE,
    DAY,
    FACTORS,
    FRESHNESS_HALF_LIFE,
    NEUTRAL,
    RECENCY_HALF_LIFE,
    START_CONFIDENCE,
    USAGE_SATURATION,
    make_scale,
    score_all,
)
from augmenter.profiles import DEMOTION, LEARNED, ORIGINAL, PROFILE_NAMES, RRF, profile_of
from knowledge.errors import SettingsError
from knowledge.learned import LearnedState
from knowledge.types import Authority, Quality, SourceKind

WEIGHED = (ORIGINAL, RRF)  # by hand; the learned one has tests of its own
NAMES = tuple(profile.name for profile in WEIGHED)
SAME = make_evidence().content_hash  # of what is judged
NOW = 1_700_000_000
UNIT = st.floats(0, 1)
TIMES = st.integers(0, 2 * NOW)
TASK = "Wake the readers of the stream when the API closes it, see src/m003.py"

learned_states = st.builds(
    LearnedState,
    confidence=st.floats(0.05, 1),
    offers=st.integers(0, 10**6),
    uses=st.integers(0, 10**6),
    last_offered_time=TIMES,
    last_used_time=TIMES,
    content_hash=st.sampled_from(["", "blake2b:1", "blake2b:2"]),
)


@st.composite
def candidates(draw, make_evidence):
    """Up to eight candidates with consistent ranks, some of them equal in all but their id."""
    found = []
    for number in range(draw(st.integers(1, 8))):
        evidence = make_evidence(
            number,
            path=draw(st.sampled_from(["src/m003.py", "src/stream.py", "m003.py", "docs/x.md"])),
            start=draw(st.integers(1, 3)),
            source_kind=draw(st.sampled_from(SourceKind)),
            authority=draw(st.sampled_from(Authority)),
            quality=Quality(draw(UNIT), {}),
            tags=draw(st.sampled_from([(), ("component:api",), ("component:api", "phase:testing")])),
            content_hash=draw(st.sampled_from(["blake2b:1", "blake2b:2"])),
            last_commit_time=draw(TIMES),
        )
        lexical = (
            LexicalHit(number, draw(st.floats(0, 50)), draw(UNIT), ("stream",))
            if draw(st.booleans())
            else None
        )
        exact = None
        if lexical is None or draw(st.booleans()):
            exact = ExactHit(number, draw(st.floats(0.1, 5)), "mentioned", by_path=draw(st.booleans()))
        ranks = {"lexical": number + 1} if lexical else {}
        found.append(Candidate(evidence, lexical, exact, ranks | ({"exact": number + 1} if exact else {})))
    return found


@pytest.fixture(scope="session")
def scale(catalog):
    """A scale of `TASK` with what was learned of the first candidates."""

    def make(learned=None, as_of=NOW, text=TASK):
        return make_scale(catalog.query(text), learned or {}, as_of)

    return make


@pytest.fixture
def value(scale, make_evidence):
    """The value of one factor of one piece of evidence."""

    def of(name, *, learned=None, as_of=NOW, text=TASK, lexical=None, exact=None, channels=None, **changes):
        evidence = make_evidence(0, **changes)
        states = {evidence.id: learned} if learned else {}
        return FACTORS[name](Candidate(evidence, lexical, exact, channels or {}), scale(states, as_of, text))

    return of


@given(st.data())
def test_factors_lie_between_zero_and_one_and_scores_are_their_sum(scale, make_evidence, data):
    found = data.draw(candidates(make_evidence))
    learned = {c.evidence.id: data.draw(learned_states) for c in found[::2]}
    as_of = data.draw(st.one_of(st.just(0), TIMES))
    for profile in WEIGHED:
        for item in score_all(found, profile, scale(learned, as_of)):
            assert list(item.factors) == list(profile.weights)
            assert all(0 <= factor.value <= 1 for factor in item.factors.values())
            total = math.fsum(factor.value * factor.weight for factor in item.factors.values())
            assert item.score == pytest.approx(total, abs=1e-8)
            assert -1 <= item.score <= 1
            assert 0 <= item.relevance <= 1
            for_it = total - item.factors[DEMOTION].contribution
            assert item.relevance == pytest.approx(for_it, abs=1e-8)  # a demotion is no part of it


@given(st.data())
def test_order_is_total_and_does_not_depend_on_the_input_order(scale, make_evidence, data):
    found = data.draw(candidates(make_evidence))
    profile = data.draw(st.sampled_from(WEIGHED))
    expected = score_all(found, profile, scale())
    assert score_all(data.draw(st.permutations(found)), profile, scale()) == expected
    keys = [(-item.score, item.candidate.evidence.sort_key) for item in expected]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)


@given(st.data())
def test_other_kinds_of_source_never_come_before_implementation(scale, make_evidence, data):
    found = data.draw(candidates(make_evidence))
    learned = {c.evidence.id: data.draw(learned_states) for c in found}
    for profile in WEIGHED:
        seen_other = False
        for item in score_all(found, profile, scale(learned)):
            candidate = item.candidate
            implementation = candidate.evidence.source_kind is SourceKind.IMPLEMENTATION
            if implementation and item.score > 0:
                assert not seen_other
            seen_other |= not implementation and not (candidate.exact and candidate.exact.by_path)


def test_original_weighs_as_the_design_has_it():
    weights = "keyword_density .15 tag_overlap .15 path_proximity .20 quality .15 usage .10 confidence .10"
    words = f"{weights} recency .10 cache_freshness .05 authority 0 freshness 0 {DEMOTION} -1".split()
    assert dict(ORIGINAL.weights) == dict(zip(words[::2], map(float, words[1::2]), strict=True))


@pytest.mark.parametrize("profile", WEIGHED, ids=NAMES)
def test_every_profile_sums_to_one_and_knows_what_every_profile_must(profile):
    for_it = {name: weight for name, weight in profile.weights.items() if name != DEMOTION}
    assert math.fsum(for_it.values()) == pytest.approx(1)
    assert profile.weights[DEMOTION] <= -1
    assert {"confidence", "authority", "freshness"} <= set(for_it)
    assert set(profile.weights) <= set(FACTORS)


def test_fingerprints_of_profiles_differ():
    assert ORIGINAL.fingerprint != RRF.fingerprint


def test_profiles_are_found_by_their_names():
    assert [profile_of(profile.name) for profile in WEIGHED] == list(WEIGHED)
    assert (*NAMES, LEARNED) == PROFILE_NAMES
    with pytest.raises(SettingsError) as caught:
        profile_of("bm25")
    assert "bm25" in str(caught.value)
    assert all(name in caught.value.remedy for name in PROFILE_NAMES)


def test_keyword_density_is_the_share_of_the_task_that_is_covered(value):
    assert value("keyword_density", lexical=LexicalHit(0, 9.0, 0.4, ("stream",))) == 0.4
    assert value("keyword_density") == 0


def test_tag_overlap_is_the_jaccard_index(value, catalog):
    tags = catalog.query(TASK).tags
    assert value("tag_overlap", tags=tags) == 1
    assert value("tag_overlap", tags=(*tags, "phase:other")) == pytest.approx(len(tags) / (len(tags) + 1))
    assert value("tag_overlap", tags=("phase:other",)) == value("tag_overlap") == 0


def test_path_proximity_is_nearness_to_the_mentioned_file(value):
    near = [
        value("path_proximity", text="see src/app/api/routes.py", path=path)
        for path in (
            "src/app/api/routes.py",
            "src/app/api/users.py",
            "src/app/pool.py",
            "src/x.py",
            "docs/x.md",
        )
    ]
    assert near == sorted(near, reverse=True)
    assert near[0] == 1
    assert near[-1] == 0
    assert len(set(near)) == len(near)


def test_path_proximity_without_a_mentioned_file_is_a_term_in_the_files_name(value):
    hit = LexicalHit(0, 1.0, 0.5, ("stream",))
    assert value("path_proximity", text="close the stream", path="src/stream.py", lexical=hit) == 1
    assert value("path_proximity", text="close the stream", path="src/pool.py", lexical=hit) == 0
    assert value("path_proximity", text="close the stream", path="src/stream.py") == 0


def test_quality_is_the_items_own(value):
    assert value("quality", quality=Quality(0.3, {})) == 0.3


def test_usage_saturates(value):
    used = [
        value("usage", learned=LearnedState(0.5, uses=uses)) for uses in (0, 1, int(USAGE_SATURATION), 10**6)
    ]
    assert used[0] == 0
    assert used[2] == 0.5
    assert used == sorted(used)
    assert used[3] < 1
    assert value("usage") == 0


def test_confidence_is_what_was_learned(value):
    assert value("confidence", learned=LearnedState(0.8)) == 0.8
    assert value("confidence") == START_CONFIDENCE


@pytest.mark.parametrize(
    ("factor", "half_life", "state"),
    [
        ("recency", RECENCY_HALF_LIFE, lambda time: LearnedState(0.5, uses=1, last_used_time=time)),
        (
            "cache_freshness",
            CACHE_HALF_LIFE,
            lambda time: LearnedState(0.5, offers=1, last_offered_time=time, content_hash=SAME),
        ),
    ],
)
def test_what_was_learned_fades_with_the_as_of_time_alone(value, factor, half_life, state):
    assert value(factor, learned=state(NOW)) == 1
    assert value(factor, learned=state(NOW - int(half_life))) == pytest.approx(0.5)
    assert value(factor, learned=state(NOW - int(2 * half_life))) == pytest.approx(0.25)
    assert value(factor, learned=state(NOW), as_of=NOW + int(half_life)) == pytest.approx(0.5)
    assert value(factor, learned=state(NOW + int(DAY))) == 1  # a commit older than the last dispatch
    assert value(factor) == 0


def test_recency_needs_a_use(value):
    assert value("recency", learned=LearnedState(0.5, offers=3, last_offered_time=NOW)) == 0


def test_cache_is_fresh_only_for_the_same_content(value):
    state = LearnedState(0.5, offers=1, last_offered_time=NOW, content_hash=SAME)
    assert value("cache_freshness", learned=state) == 1
    assert value("cache_freshness", learned=state, content_hash="blake2b:changed") == 0


def test_freshness_is_the_age_of_the_files_last_commit(value):
    assert value("freshness", last_commit_time=NOW) == 1
    assert value("freshness", last_commit_time=NOW - int(FRESHNESS_HALF_LIFE)) == pytest.approx(0.5)
    assert value("freshness", last_commit_time=0) == NEUTRAL
    assert value("freshness", last_commit_time=NOW, as_of=0) == NEUTRAL


def test_authority_falls_from_policy_to_untrusted(value):
    values = [value("authority", authority=authority) for authority in Authority]
    assert values == sorted(values, reverse=True)
    assert (values[0], values[-1]) == (1, 0)
    assert set(AUTHORITY_VALUES) == set(Authority)


@pytest.mark.parametrize("kind", SourceKind)
def test_what_is_not_implementation_is_demoted(value, kind):
    assert value(DEMOTION, source_kind=kind) == (kind is not SourceKind.IMPLEMENTATION)


@pytest.mark.parametrize(
    ("text", "kind"),
    rows("""
        Add a test for the stream              test
        Fix the flaky reconnect tests          test
        Raise the test coverage of the stream  test
        Show an example of a stream            example
        Regenerate the generated client        generated
        Update the vendored parser             vendored
        Write the changelog of 2.0             changelog
    """),
)
def test_what_is_asked_for_is_not_demoted(value, text, kind):
    asked = SourceKind(kind)
    assert value(DEMOTION, source_kind=asked, text=text) == 0
    others = set(SourceKind) - {asked, SourceKind.IMPLEMENTATION}
    assert {value(DEMOTION, source_kind=other, text=text) for other in others} == {1}


def test_what_is_mentioned_by_path_is_not_demoted(value):
    by_path, by_name = ExactHit(0, 1.0, "", by_path=True), ExactHit(0, 1.0, "")
    assert value(DEMOTION, source_kind=SourceKind.TEST, exact=by_path) == 0
    assert value(DEMOTION, source_kind=SourceKind.TEST, exact=by_name) == 1


def test_fusion_is_one_for_what_is_first_in_every_channel(value):
    assert value("fusion", channels={"exact": 1, "lexical": 1}) == pytest.approx(1)
    assert value("fusion", channels={}) == 0
    falling = [value("fusion", channels={"lexical": rank}) for rank in (1, 2, 10, 1000)]
    assert falling == sorted(falling, reverse=True)


@pytest.fixture
def first(catalog):
    """The paths of the first items for a task."""

    def rank(text, profile):
        query = catalog.query(text)
        found = gather(query, catalog.reader, EVERYTHING).candidates
        scored = score_all(found, profile, make_scale(query, {}, NOW))
        return [(item.candidate.evidence.path, item.candidate.evidence.source_kind) for item in scored]

    return rank


@pytest.mark.parametrize("profile", WEIGHED, ids=NAMES)
@pytest.mark.parametrize(
    "text", ["EventStream close wakes its readers", "retry with backoff", "test_close_wakes_readers"]
)
def test_in_a_repository_implementation_comes_first(first, profile, text):
    kinds = [kind is not SourceKind.IMPLEMENTATION for _, kind in first(text, profile)]
    assert kinds == sorted(kinds)
    assert not kinds[0]


@pytest.mark.parametrize("profile", WEIGHED, ids=NAMES)
def test_in_a_repository_what_is_asked_for_may_come_first(first, profile):
    assert first("Fix the failing test: close wakes readers", profile)[0][0] == "tests/test_stream.py"
    assert ("vendor/sse/stream.py", SourceKind.VENDORED) in first(
        "close in vendor/sse/stream.py:17", profile
    )[:2]
