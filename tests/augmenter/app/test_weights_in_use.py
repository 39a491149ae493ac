"""A project's own weights at work: a dispatch goes on without those of another version; doctor tells."""

import json

import pytest

from augmenter import Augmenter
from augmenter.weights import SHIPPED, weights_text
from knowledge.project import locate

TASK = "Fix the timeout in `EventStream.close`"
CURRENT = weights_text({"size": 2.0}, {})
DAMAGED = ("", "{", "[]", '{"weights": {"size": 1}}', CURRENT.replace("2.0", "NaN"))
OUTDATED = (
    CURRENT.replace('"signals": ', '"signals": 9'),
    CURRENT.replace('"schema": ', '"schema": 9'),
    CURRENT.replace('"size"', '"a signal of old"'),
)


@pytest.fixture
def weigh(project):
    """Gives the project weights of its own."""

    def weigh(text):
        path = locate(project.root).weights
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    return weigh


@pytest.fixture
def finding(project, run):
    """The exit code of doctor, and what it says of weights."""

    def finding():
        done = run("doctor", "--json", root=project.root)
        (found,) = [one for one in json.loads(done.text)["findings"] if one["check"] == "weights"]
        return done.code, found["level"], found["what"], found["remedy"]

    return finding


@pytest.mark.parametrize("text", OUTDATED)
def test_weights_of_another_version_give_way_to_the_shipped_ones(project, weigh, text):
    with Augmenter.open(project.root) as augmenter:
        shipped = augmenter.rank(TASK)
        weigh(text)
        assert augmenter.rank(TASK) == shipped
        assert augmenter.augment(TASK).degraded is None


@pytest.mark.parametrize("text", OUTDATED)
def test_doctor_warns_of_weights_of_another_version(weigh, finding, text):
    weigh(text)
    code, level, what, remedy = finding()
    assert (code, level) == (0, "warning")
    assert "other signals; the shipped ones are used" in what
    assert remedy.startswith("prebrief tune")


@pytest.mark.parametrize("text", DAMAGED)
def test_damaged_weights_let_the_task_through_and_doctor_calls_them_a_problem(project, weigh, finding, text):
    weigh(text)
    with Augmenter.open(project.root) as augmenter:
        brief = augmenter.augment(TASK)
    assert (brief.prompt, brief.degraded.reason) == (TASK, "settings-error")
    code, level, what, remedy = finding()
    assert (code, level) == (1, "problem")
    assert "weights.json: the weights cannot be read" in what
    assert remedy.startswith("prebrief tune --reset")


def test_weights_that_can_be_used_are_well(weigh, finding):
    assert finding()[1:3] == ("ok", "the shipped ones: the project has none of its own")
    weigh(SHIPPED.read_text(encoding="utf-8"))
    assert finding()[1:3] == ("ok", "the project's own can be used")


def test_reset_brings_the_shipped_weights_back(project, run, weigh, finding):
    weigh("{")
    said = run("tune", "--reset", "--dry-run", "--json", root=project.root)
    assert (said.code, json.loads(said.text)["removed"]) == (0, False)
    assert finding()[1] == "problem"
    assert run("tune", "--reset", root=project.root).text.endswith("removed; the shipped ones hold.\n")
    assert finding()[1] == "ok"
    assert "has no weights of its own" in run("tune", "--reset", root=project.root).text
