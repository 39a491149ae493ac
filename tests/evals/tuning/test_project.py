"""Tuning to a project: what its newer commits prove is adopted, and nothing else."""

import pytest

from augmenter.profiles import learned_profile
from augmenter.weights import SHIPPED, read_weights, weights_text
from evals.evaluation.places import open_place
from evals.mining.provider import Checkouts
from evals.tuning.project import (
    MIN_TO_FIT,
    MIN_TO_PROVE,
    Verdict,
    adopt,
    read_present,
    reset,
)
from evals.tuning.proof import standing_of
from knowledge.clock import Clock
from knowledge.errors import TaskError
from knowledge.settings import Settings

PRIVATE = "private"
SHIPPED_PRIVATE = read_weights(SHIPPED).weights.get(PRIVATE, 0.0)


def test_what_wins_on_the_newer_commits_is_better(consistent):
    _, tuned = consistent
    assert tuned.verdict is Verdict.BETTER
    assert (tuned.older, tuned.newer) == (MIN_TO_FIT, MIN_TO_PROVE)
    found = tuned.proof.against_shipped
    assert found.ours.mrr == 1.0
    assert found.theirs.mrr < 0.5
    assert found.p_mrr < 0.05
    assert tuned.proof.weights[PRIVATE] < SHIPPED_PRIVATE


def test_what_does_not_hold_on_the_newer_commits_is_not_adopted(fickle):
    _, tuned = fickle
    assert tuned.verdict is Verdict.NO_BETTER
    assert tuned.proof.against_shipped.is_worse


def test_newer_commits_have_no_part_in_the_weights(consistent, fickle):
    assert consistent[1].head != fickle[1].head
    assert consistent[1].proof.weights == fickle[1].proof.weights
    assert consistent[1].proof.penalty == fickle[1].proof.penalty


def test_no_case_is_asked_of_what_came_after_it(consistent):
    repository, tuned = consistent
    parents = {case.id: case.commit for case in tuned.mined.cases}
    for name, parent in parents.items():
        assert repository.git("rev-parse", f"{name}~1") == parent


def test_only_signals_that_the_shipped_weights_have_get_a_weight(consistent):
    assert consistent[1].proof.weights.keys() <= read_weights(SHIPPED).weights.keys()


def test_adopted_weights_tell_what_speaks_for_them_and_are_kept_when_tuned_again(project, consistent):
    adopt(project.project, consistent[1])
    own = read_weights(project.project.weights)
    assert own.weights == consistent[1].proof.weights
    assert own.provenance["head"] == project.git("rev-parse", "HEAD")
    assert own.provenance["cases"] == {"fitted_on": MIN_TO_FIT, "proved_on": MIN_TO_PROVE}
    assert own.provenance["newer_cases"].keys() == {"fitted", "shipped"}
    assert own.provenance["p_mrr"] < 0.05
    again = project.tune()
    assert again.verdict is Verdict.NO_BETTER_THAN_OWN
    assert again.proof.weights == own.weights
    assert again.proof.own_against_shipped == consistent[1].proof.against_shipped


def test_same_history_gives_the_same_bytes_though_the_last_run_was_cut_short(project, consistent):
    def torn(items, total, label):
        for number, item in enumerate(items):
            if number == total // 2:
                raise KeyboardInterrupt
            yield item

    with pytest.raises(KeyboardInterrupt):
        project.tune(progress=torn)
    assert project.tune().text == consistent[1].text


def test_weights_of_its_own_that_cannot_be_used_count_as_none(project):
    project.weigh("{")
    assert read_present(project.project).weights is None
    assert "cannot be read" in str(read_present(project.project).error)
    project.weigh(weights_text({"no such signal": 1.0}, {}))
    assert "other signals" in str(read_present(project.project).error)


def test_weights_that_cannot_be_written_are_an_error(project, consistent):
    project.project.weights.parent.write_text("in the way")
    with pytest.raises(TaskError, match="models"):
        adopt(project.project, consistent[1])


def test_too_few_cases_leave_everything_as_it_is(new_project):
    new_project.grow([True] * 3)
    tuned = new_project.tune()
    assert (tuned.verdict, tuned.older, tuned.newer) == (Verdict.TOO_FEW, 2, 1)
    assert tuned.text == ""


def test_project_without_commits_has_too_few_cases(new_project):
    tuned = new_project.tune()
    assert (tuned.verdict, tuned.head) == (Verdict.TOO_FEW, "")
    assert tuned.mined.explained() == ("There are no commits yet to find cases in.",)


def test_shallow_clone_tells_why_it_has_too_few_cases(consistent, tmp_path, new_project):
    shallow = type(new_project)(tmp_path / "shallow", git=False)
    new_project.git("clone", "--quiet", "--depth=5", f"file://{consistent[0].root}", str(shallow.root))
    tuned = shallow.tune()
    assert tuned.verdict is Verdict.TOO_FEW
    assert 0 < tuned.older + tuned.newer < 5
    assert "shallow clone" in tuned.mined.explained()[-1]


def test_folder_without_git_is_an_error(tmp_path, new_project):
    folder = type(new_project)(tmp_path / "folder", git=False)
    with pytest.raises(TaskError, match="no git repository"):
        folder.tune()


def test_reset_removes_what_there_is(project):
    assert not reset(project.project)
    project.weigh("{")
    assert reset(project.project, dry_run=True)
    assert project.project.weights.exists()
    assert reset(project.project)
    assert not project.project.weights.exists()


def test_cases_are_ranked_as_the_pipeline_ranks_at_their_commits(project, consistent):
    newest, shipped = consistent[1].mined.cases[0], read_weights(SHIPPED).weights
    with (
        Checkouts(project.project, Settings(), Clock(), project.project.state / "evaluations") as checkouts,
        open_place(project.project, newest.commit, Settings(), checkouts.at, Clock()) as place,
    ):
        found = [
            standing_of(newest, learned_profile(weights), place.tools)
            for weights in (consistent[1].proof.weights, shipped)
        ]
    assert [one.reciprocal for one in found] == [1.0, 0.25]  # first of four, and last
