"""The shipped weights: readable, of known signals, and never enough to outweigh a demotion."""

from __future__ import annotations

import json

import pytest

from augmenter.candidates import Gathered
from augmenter.factors import make_scale, score_all
from augmenter.profiles import ALIAS_WEIGHT, DEMOTION, DISPATCHES_WEIGHT, LEARNED, PROFILE_NAMES, profile_of
from augmenter.signals.mentioned import ALIAS
from augmenter.signals.signals import DISPATCHES, FITTED, MAY_SPEAK_AGAINST, signals_of
from augmenter.weights import SHIPPED, read_weights, weights_text
from knowledge.settings import ChannelSettings, Settings
from knowledge.types import SourceKind


@pytest.fixture(scope="module")
def weights():
    return read_weights(SHIPPED)


def test_shipped_weights_are_of_signals_that_can_occur(weights):
    assert weights.weights
    assert set(weights.weights) <= set(FITTED)


def test_what_answers_a_task_never_speaks_against_an_item(weights):
    """Nobody would understand why a word in its name counts against a function."""
    against = {name for name, weight in weights.weights.items() if weight < 0}
    assert against <= MAY_SPEAK_AGAINST


def test_shipped_weights_say_where_they_come_from(weights):
    assert weights.provenance
    assert json.dumps(dict(weights.provenance))


def test_shipped_file_is_as_it_would_be_written(weights):
    assert SHIPPED.read_text() == weights_text(dict(weights.weights), dict(weights.provenance))


def test_learned_profile_is_made_of_them(weights):
    profile = profile_of(LEARNED)
    assert dict(profile.signals) == {**weights.weights, DISPATCHES: DISPATCHES_WEIGHT, ALIAS: ALIAS_WEIGHT}
    assert profile_of(LEARNED, SHIPPED).fingerprint == profile.fingerprint
    assert len({profile_of(name).fingerprint for name in PROFILE_NAMES}) == len(PROFILE_NAMES)


def test_nothing_outweighs_a_demotion(highest):
    """The best that can be said of a test is not enough to stand before the worst of the implementation."""
    profile = profile_of(LEARNED)
    spread = sum(abs(weight) for name, weight in profile.weights.items() if name != DEMOTION)
    spread += sum(abs(weight) * highest(name) for name, weight in profile.signals.items())
    assert spread < -profile.weights[DEMOTION]


def test_what_fits_better_comes_first(asked, candidate):
    query = asked("stream", "close")
    better = candidate(1, query, "stream close", name="close_stream")
    worse = candidate(0, query, "stream other", name="other")
    demoted = candidate(2, query, "stream close", name="close_stream", source_kind=SourceKind.TEST)
    gathered = Gathered([worse, better, demoted])
    signals = signals_of(gathered, query, ChannelSettings())
    scored = score_all(gathered.candidates, profile_of(LEARNED), make_scale(query, {}, 0), signals)
    assert [item.candidate for item in scored] == [better, worse, demoted]


def test_default_profile_is_one_that_there_is():
    assert profile_of(Settings().ranking.profile).weights
