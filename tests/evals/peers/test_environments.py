"""Environments of peers: installed or not, and their workers."""

import json

import pytest

from evals.peers.__main__ import main
from evals.peers.environments import Environment, installed
from knowledge.errors import TaskError

ECHO = """\
import json, os, sys
for line in sys.stdin:
    row = json.loads(line)
    if "die" in row:
        sys.exit(row["die"])
    print(json.dumps({"said": row, "home": os.environ["HOME"], "names": sorted(os.environ)}), flush=True)
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "echo.py"
    path.write_text(ECHO)
    return path


def test_what_is_not_installed_says_how_to_install_it(tmp_path):
    with pytest.raises(TaskError, match=r"aider is not installed.*evals.peers install --work DIR"):
        Environment("aider", ("aider-chat==0.86.2",), tmp_path).version()


def test_versions_are_those_that_are_installed(environment):
    assert environment(("one-thing==1.5", "two==0.1"), {}).version() == "one-thing 1.5, two 0.1"


def test_other_pins_have_another_folder(tmp_path):
    first, second = (Environment("x", (f"y=={n}",), tmp_path).folder for n in (1, 2))
    assert first != second
    assert first == Environment("x", ("y==1",), tmp_path).folder


def test_a_missing_package_of_the_extra_is_named():
    with pytest.raises(TaskError, match=r"no-such-thing is not installed.*'bench'"):
        installed(("no-such-thing",))


def test_installing_what_is_there_says_only_what_it_is(environment, tmp_path, monkeypatch, capsys):
    there = environment(("one==1",), {})
    monkeypatch.setattr("evals.peers.__main__.environments", lambda work: (there,))
    assert main(["install", "--work", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out) == {"peer": "one 1"}


def test_what_cannot_be_installed_says_why_and_counts_as_missing(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    broken = Environment("x", ("no-such-thing==1",), tmp_path)
    monkeypatch.setattr("evals.peers.__main__.environments", lambda work: (broken,))
    assert main(["install", "--work", str(tmp_path)]) == 1
    assert "No matching distribution" in capsys.readouterr().err
    with pytest.raises(TaskError, match="x is not installed"):
        broken.version()


def test_a_worker_answers_line_by_line_and_knows_nothing_of_the_user(environment, script, monkeypatch):
    monkeypatch.setenv("SOME_TOKEN", "1")
    made = environment((), {})
    with made.worker(script) as exchange:
        first, second = exchange({"text": "ä\n"}), exchange({"text": "b"})
    assert (first["said"], second["said"]) == ({"text": "ä\n"}, {"text": "b"})
    assert first["home"] == str(made.work / "home")
    assert "SOME_TOKEN" not in first["names"]


def test_a_worker_that_ends_is_an_error(environment, script):
    with (
        environment((), {}).worker(script) as exchange,
        pytest.raises(TaskError, match="peer: its worker has ended with 3"),
    ):
        exchange({"die": 3})
