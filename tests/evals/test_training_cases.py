"""Training cases: a repository's commits as tasks that are all asked at one commit."""

import json

import pytest
from git_repository import GitRepository

from evals.training_cases import main

STREAM = "def close(stream):\n    stream.shut()\n\n\ndef open_stream(path):\n    return path\n"
POOL = "def take(pool):\n    return pool.pop()\n"


@pytest.fixture
def repository(tmp_path):
    repository = GitRepository(tmp_path / "snapshots" / "acme+app" / "repo")
    repository.commit("First.", **{"src/stream.py": STREAM})
    repository.commit(
        "Wake all readers of a closed stream", **{"src/stream.py": STREAM.replace("shut", "wake")}
    )
    repository.commit("Pool.", **{"src/pool.py": POOL})
    repository.commit("Wait for an idle socket in take()", **{"src/pool.py": POOL.replace("pop()", "wait()")})
    later = STREAM.replace("shut", "count")
    repository.commit("Count the streams that are open", **{"src/stream.py": f"import os\n\n\n{later}"})
    return repository


@pytest.fixture
def run(tmp_path, repository):
    def run(*more):
        out = tmp_path / "cases.jsonl"
        where = ("--snapshots", str(tmp_path / "snapshots"), "--out", str(out))
        status = main([*where, "--repo", "acme/app", *more])
        return status, [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []

    return run


def test_cases_are_asked_before_the_oldest_of_them_with_the_lines_of_then(run, repository):
    status, rows = run()
    assert status == 0
    assert [row["message"] for row in rows] == [
        "Count the streams that are open",
        "Wake all readers of a closed stream",
    ]
    assert {row["base_commit"] for row in rows} == {repository.git("rev-parse", "HEAD~4")}
    assert rows[0]["gold_functions"] == [{"file": "src/stream.py", "name": "close", "start": 1, "end": 2}]


def test_case_whose_function_is_younger_than_the_anchor_is_left_out(run):
    _, rows = run()
    assert all("src/pool.py" not in row["gold_files"] for row in rows)


def test_text_that_names_its_answer_is_marked(run):
    _, rows = run("--limit", "1")
    assert [(row["message"], row["mentions_gold_name"]) for row in rows] == [
        ("Wait for an idle socket in take()", True)
    ]


def test_repository_that_the_file_has_is_passed_over(run):
    _, rows = run()
    assert run() == (0, rows)


def test_missing_repository_is_told(run, capsys):
    assert run("--repo", "acme/gone")[0] == 1
    assert "no git directory of acme/gone" in capsys.readouterr().err
