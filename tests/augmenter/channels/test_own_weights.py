"""A project's own weights: preferred, told, and an error where they cannot be used."""

from __future__ import annotations

import json
import os

import pytest
from python_process import start_python

from augmenter import Augmenter
from augmenter.brief import SCORE_DIGITS
from augmenter.signals.signals import FITTED
from knowledge.errors import SettingsError
from knowledge.project import locate

TASK = "Draw the invoice with its letterhead, as `draw_invoice` does; read outlines of a typeface"
RANK = """
import json, sys
from augmenter import Augmenter
with Augmenter.open(sys.argv[1]) as augmenter:
    brief = augmenter.augment(sys.argv[2])
    items = augmenter.rank(sys.argv[2], limit=50)
print(brief.prompt)
print([(one.id, one.score, list(one.factors.items()), one.channels, one.why) for one in items])
"""


def test_project_is_ranked_by_its_own_weights(project):
    project.weigh({"private": 5.0})
    first = next(iter(project.rank("Wake an idle worker; draw an invoice").values()))
    assert first.name.endswith("_wake")
    project.weigh({"size": 5.0, "private": -5.0})
    items = project.rank("Wake an idle worker; draw an invoice")
    assert not next(iter(items.values())).name.endswith("_wake")
    assert {name for item in items.values() for name in item.factors} & set(FITTED) == {"size", "private"}


def test_weights_that_change_are_seen_by_an_open_augmenter(project):
    project.rank(TASK)
    with Augmenter.open(project.root) as augmenter:
        before = augmenter.augment(TASK)
        project.weigh({"size": 2.0})
        after = augmenter.augment(TASK)
    assert before.offered[0].factors.keys() - {"size"} & set(FITTED)
    assert after.offered[0].factors.keys() & set(FITTED) == {"size"}
    assert after.offered[0].factors["size"].weight == 2.0


def test_score_is_the_sum_of_what_a_brief_shows(project):
    project.rank(TASK)
    with Augmenter.open(project.root) as augmenter:
        offered = augmenter.augment(TASK).offered
    assert offered
    for item in offered:
        shown = sum(factor.contribution for factor in item.factors.values())
        rounding = (len(item.factors) + 1) * 10**-SCORE_DIGITS / 2
        assert item.score == pytest.approx(shown, abs=rounding * 1.001)
        for factor in item.factors.values():
            assert factor.contribution == pytest.approx(factor.value * factor.weight, abs=10**-SCORE_DIGITS)


def test_receipt_tells_the_weights_and_replay_knows_them(project):
    project.rank(TASK)
    with Augmenter.open(project.root) as augmenter:
        first = augmenter.history(augmenter.augment(TASK).dispatch_id).receipt
        project.weigh({"size": 2.0})
        second = augmenter.history(augmenter.augment(TASK).dispatch_id).receipt
    assert first.weights.profile == second.weights.profile == "learned"
    assert first.weights.fingerprint != second.weights.fingerprint


@pytest.mark.parametrize("text", ["", "{}", "NaN", '{"schema": 99}', json.dumps({"weights": {"zzz": 1}})])
def test_weights_that_cannot_be_used_are_loud_in_a_ranking_and_no_harm_to_a_dispatch(project, text):
    project.weigh(text)
    with pytest.raises(SettingsError, match=r"weights\.json"):
        project.rank(TASK)
    with Augmenter.open(project.root) as augmenter:
        brief = augmenter.augment(TASK)
    assert brief.prompt == TASK
    assert brief.degraded.reason == "settings-error"
    assert "weights.json" in brief.degraded.detail
    assert "prebrief tune" in brief.degraded.remedy


def test_weights_do_not_matter_to_other_profiles(project):
    project.weigh("nonsense")
    assert project.rank(TASK, profile="rrf")
    assert locate(project.root).weights.read_text() == "nonsense"


def test_hash_seed_and_process_do_not_matter(project):
    project.rank(TASK)
    told = set()
    for seed in ("0", "1", "4242"):
        process = start_python(
            RANK, project.root, TASK, stdout=-1, env={**os.environ, "PYTHONHASHSEED": seed}
        )
        told.add(process.communicate()[0])
    (one,) = told
    assert b"draw_invoice" in one
