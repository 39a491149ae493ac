"""The learned profile: what a score is made of, what comes behind, and files of weights that are wrong."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from augmenter.candidates import Gathered
from augmenter.factors import SCORE_DIGITS, make_scale, score_all
from augmenter.profiles import DEMOTION, LEARNED, profile_of
from augmenter.signals.mentioned import ALIAS
from augmenter.signals.signals import DISPATCHES, FITTED, VERSION, signals_of
from augmenter.weights import SCHEMA, read_weights, weights_text
from knowledge.errors import SettingsError
from knowledge.learned import LearnedState
from knowledge.settings import ChannelSettings
from knowledge.types import SourceKind

WEIGHTS = {"title_name": 3.5, "bm25f": 4.0, "size": 0.25, "private": -0.75, "file_text": 1.5}
GIVEN = {"confidence", "authority", "freshness", DEMOTION}  # weighed by hand, as are dispatches and aliases
shared = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@pytest.fixture(scope="module")
def weights_file(tmp_path_factory):
    """Writes a file of weights, which need not be right."""
    folder, count = tmp_path_factory.mktemp("weights"), iter(range(10_000))

    def write(content):
        path = folder / f"{next(count)}.json"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture(scope="module")
def profile(weights_file):
    return profile_of(LEARNED, weights_file(weights_text(WEIGHTS, {"fitted": "by hand"})))


def scored(profile, gathered, query, learned=None):
    signals = signals_of(gathered, query, ChannelSettings(members=True, relations=True))
    return score_all(gathered.candidates, profile, make_scale(query, learned or {}, 0), signals)


@shared
@given(st.data())
def test_score_is_the_sum_of_all_contributions(profile, anything, data):
    gathered, query = data.draw(anything)
    learned = {c.evidence.id: LearnedState(data.draw(st.floats(0.05, 1))) for c in gathered.candidates[::2]}
    for item in scored(profile, gathered, query, learned):
        total = math.fsum(factor.contribution for factor in item.factors.values())
        assert item.score == pytest.approx(total, abs=10**-SCORE_DIGITS)
        assert set(item.factors) <= GIVEN | WEIGHTS.keys() | {DISPATCHES, ALIAS}
        assert item.factors.keys() >= GIVEN


@shared
@given(st.data())
def test_order_is_total_and_the_best_has_a_relevance_of_one(profile, anything, data):
    gathered, query = data.draw(anything)
    items = scored(profile, gathered, query)
    keys = [(-item.score, item.candidate.evidence.sort_key) for item in items]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)
    assert all(0 <= item.relevance <= 1 for item in items)
    assert not items or max(item.relevance for item in items) == 1
    relevances = [item.relevance for item in items if not item.values[DEMOTION]]
    assert relevances == sorted(relevances, reverse=True)


def test_what_is_not_implementation_comes_behind_however_well_it_fits(profile, asked, candidate):
    query = asked("stream", "close")
    best = candidate(0, query, "stream close", name="close", source_kind=SourceKind.TEST)
    worst = candidate(1, name="_f")
    gathered = gathered_of(best, worst)
    first, second = scored(profile, gathered, query)
    assert (first.candidate, second.candidate) == (worst, best)
    assert second.relevance > first.relevance  # which says what it is worth, not where it stands


def gathered_of(*candidates):
    return Gathered(list(candidates))


def test_ledger_and_authority_count_beside_what_was_fitted(profile, asked, candidate):
    query = asked("stream")
    one, other = candidate(0, query, "stream"), candidate(1, query, "stream")
    first, second = scored(
        profile, gathered_of(one, other), query, {other.evidence.id: LearnedState(confidence=0.9)}
    )
    assert first.candidate == other
    assert first.score - second.score == pytest.approx(0.4 * profile.weights["confidence"])


def test_what_is_written_is_read_again(weights_file):
    told = {"cases": 12, "repositories": ["é"], "figures": {"fn_any@5": 0.5}}
    read = read_weights(weights_file(weights_text(WEIGHTS, told)))
    assert dict(read.weights) == WEIGHTS
    assert dict(read.provenance) == told


def test_files_are_written_the_weightiest_first_and_always_alike():
    text = weights_text(WEIGHTS, {})
    assert list(json.loads(text)["weights"]) == ["bm25f", "title_name", "file_text", "private", "size"]
    assert text == weights_text(dict(reversed(WEIGHTS.items())), {})
    assert text.endswith("}\n")


def test_other_weights_are_another_profile(profile, weights_file):
    other = profile_of(LEARNED, weights_file(weights_text({**WEIGHTS, "bm25f": 4.1}, {})))
    again = profile_of(LEARNED, weights_file(weights_text(WEIGHTS, {"fitted": "elsewhere"})))
    assert other.fingerprint != profile.fingerprint == again.fingerprint


def content(**changes):
    return {"schema": SCHEMA, "signals": VERSION, "provenance": {}, "weights": WEIGHTS} | changes


def without(key):
    return {name: value for name, value in content().items() if name != key}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '"weights"',
        b"\xff\xfe\x00",
        "[" * 100_000,
        *(json.dumps(without(key)) for key in ("schema", "signals", "provenance", "weights")),
        *(json.dumps(content(schema=other)) for other in (0, SCHEMA + 1, "1", None)),
        *(json.dumps(content(signals=other)) for other in (VERSION - 1, VERSION + 1, [])),
        *(json.dumps(content(provenance=other)) for other in (None, 3, "by hand", [1])),
        *(json.dumps(content(weights=other)) for other in (None, 3, "bm25f", [], [["bm25f", 1.0]])),
        *(
            json.dumps(content(weights={"bm25f": weight}))
            for weight in (float("nan"), float("inf"), -float("inf"), None, "0.5", True, [], {}, 10**400)
        ),
        *(
            json.dumps(content(weights={**WEIGHTS, name: 1.0}))
            for name in ("", "zzz", DISPATCHES, ALIAS, DEMOTION, "confidence", "title_names")
        ),
    ],
    ids=lambda text: repr(text[:60]) if len(text) < 200 else f"{len(text)} characters",
)
def test_weights_that_cannot_be_used_are_an_error_with_a_remedy(weights_file, text):
    path = weights_file(text)
    for read in (read_weights, lambda path: profile_of(LEARNED, path)):
        with pytest.raises(SettingsError) as caught:
            read(path)
        assert str(path) in str(caught.value)
        assert "prebrief tune" in caught.value.remedy


def test_missing_weights_are_an_error(tmp_path):
    with pytest.raises(SettingsError, match="the weights cannot be read"):
        read_weights(tmp_path / "none.json")
    with pytest.raises(SettingsError, match="the weights cannot be read"):
        read_weights(tmp_path)


any_value = st.floats() | st.integers() | st.text(max_size=3) | st.none() | st.booleans()
any_weights = st.dictionaries(st.sampled_from([*FITTED, DEMOTION, "zzz"]), any_value)


@given(any_weights)
def test_weights_are_finite_numbers_for_signals_or_an_error(weights_file, weights):
    path = weights_file(json.dumps(content(weights=weights)))
    try:
        read = read_weights(path).weights
    except SettingsError:
        assert not all(
            name in FITTED and type(weight) in (int, float) and math.isfinite(weight)
            for name, weight in weights.items()
        )
    else:
        assert read == weights
