"""The command ``prebrief tune``: what it says, what it writes, and what it leaves alone."""

import json
import sys

import pytest

from augmenter import Augmenter
from augmenter.app.cli import main
from evals.tuning.project import MIN_CASES

LIMIT = ("--limit", str(MIN_CASES))


@pytest.fixture
def run(capsysbinary):
    """Runs the command on a project; returns its exit code and what it said on both streams."""

    def run(project, *words):
        code = main(["tune", *words, "--root", str(project.root)])
        said = capsysbinary.readouterr()
        return code, said.out.decode(), said.err.decode()

    return run


def first_ranked(project, task):
    assert main(["index", "--root", str(project.root)]) == 0
    with Augmenter.open(project.root) as augmenter:
        return augmenter.rank(task, limit=1, kinds=["unit"])[0].name


def test_weights_are_adopted_and_a_dispatch_ranks_by_them(project, consistent, run, task, capsysbinary):
    project.weigh("{")
    code, out, err = run(project, *LIMIT)
    assert code == 0
    assert "here they count as none" in err
    assert "20 older cases to fit on, 10 newer ones to prove it" in out
    assert "rank better than what there was, beyond chance. Adopted: " in out
    assert "\nprivate" in out[out.index("largest changes") :]
    assert project.project.weights.read_text(encoding="utf-8") == consistent[1].text
    assert "last" in first_ranked(project, task)
    capsysbinary.readouterr()
    code, out, _ = run(project, "--reset", "--json")
    assert code == 0
    assert json.loads(out) == {"schema_version": 1, "dry_run": False, "reset": True, "removed": True}
    assert "last" not in first_ranked(project, task)


def test_dry_run_writes_no_weights(project, consistent, run):
    code, out, _ = run(project, *LIMIT, "--dry-run", "--json")
    told = json.loads(out)
    assert code == 0
    assert (told["verdict"], told["adopted"]) == ("better", False)
    assert told["cases"] == {"fitted_on": 20, "proved_on": 10}
    assert told["against_shipped"]["fitted"]["mrr"] == 1.0
    assert told["against_own"] is None
    weights = {name: pair["fitted"] for name, pair in told["weights"].items()}
    assert weights == consistent[1].proof.weights
    assert not project.project.weights.exists()


def test_too_few_cases_are_told_and_no_failure(new_project, run):
    new_project.grow([True] * 2)
    code, out, _ = run(new_project)
    assert code == 0
    assert "2 of 120 cases found" in out
    assert "Too few cases to tune by: 1 to fit on and 1 to prove it, where 20 and 10 are needed" in out
    assert json.loads(run(new_project, "--json")[1])["verdict"] == "too-few-cases"
    assert not new_project.project.weights.exists()


def test_folder_without_git_is_told(tmp_path, run, new_project):
    folder = type(new_project)(tmp_path / "folder", git=False)
    code, out, err = run(folder)
    assert (code, out) == (1, "")
    assert "no git repository" in err


def test_missing_numpy_is_told_before_the_work_and_how_to_get_it(new_project, run, monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    code, out, err = run(new_project.grow([True]))
    assert (code, out) == (1, "")
    assert "pip install 'prebrief[tune]'" in err
    assert "Mining" not in err


def test_fewer_cases_than_can_tell_anything_are_wrong_usage(new_project, run):
    with pytest.raises(SystemExit) as stopped:
        run(new_project, "--limit", str(MIN_CASES - 1))
    assert stopped.value.code == 2


def test_weights_that_nobody_can_remove_are_an_error(new_project, run):
    new_project.project.weights.mkdir(parents=True)
    code, _, err = run(new_project, "--reset")
    assert code == 1
    assert "cannot be removed" in err
