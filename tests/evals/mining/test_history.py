"""Cases from a project's history: what a commit says is the task, what it changed is the answer."""

import pytest

from evals.cases import Answer
from evals.mining.reasons import Reason
from knowledge.errors import TaskError

SHIFTED = "import socket\n\n\ndef take(pool):\n    return pool.pop()\n"


def test_commit_that_changes_a_function_is_a_case_at_its_parent(history):
    parent = history.repository.git("rev-parse", "HEAD~1")
    (case,) = history.mine().cases
    assert case.task == "Open another socket when none is idle"
    assert case.commit == parent
    assert case.id == history.repository.git("rev-parse", "HEAD")[:12]
    assert case.relevant == (Answer("symbol:src/pool.py::take", "src/pool.py", "take", 1, 3),)


def test_lines_are_those_of_the_parent(history):
    history.commit("Import what opens sockets in the pool", **{"src/pool.py": SHIFTED})
    history.commit(
        "Wait for an idle socket at most a minute",
        **{
            "src/pool.py": SHIFTED.replace("pool.pop()", "pool.pop(timeout=60)").removeprefix(
                "import socket\n\n\n"
            )
        },
    )
    (answer,) = history.mine().cases[0].relevant
    assert (answer.start, answer.end) == (4, 5)


def test_newest_cases_come_first_and_no_more_than_asked(history):
    for number in range(5):
        history.commit(
            f"Answer question {number} of the philosopher", **{"a.py": f"def f():\n    return {number}\n"}
        )
    mined = history.mine(3)
    assert [case.task.split()[2] for case in mined.cases] == ["4", "3", "2"]
    assert mined.explained() == ()


def test_fewer_cases_than_asked_are_explained(history):
    history.commit("Fix typo in the pool", **{"src/pool.py": "def take():\n    return 2\n"})
    mined = history.mine(10)
    assert mined.left_out == {Reason.DOCUMENTATION: 1, Reason.NO_PARENT: 1}
    assert mined.explained()[0] == "1 of 10 cases found, in 3 commits; left out:"
    assert "  1 documentation" in mined.explained()


def test_project_without_git_is_told_so(new_history, tmp_path):
    plain = tmp_path / "plain"
    plain.mkdir()
    with pytest.raises(TaskError, match="no git repository"):
        new_history.mine(root=plain)


def test_project_without_commits_gives_nothing(new_history):
    assert new_history.mine().cases == ()
