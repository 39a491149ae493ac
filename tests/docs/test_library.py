"""The examples of docs/library.md and docs/sessions.md, run as they stand in a repository of their own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
from git_repository import GitRepository
from prebrief_command import write_command

from knowledge.settings import RoleSettings
from knowledge.settings_file import parse_settings

ROOT = Path(__file__).parents[2]
STREAM = '''"""Server-sent events."""


class EventStream:
    """An SSE stream."""

    def close(self) -> None:
        """Close the stream and give its connection back."""
        self.connection.release()


def read_events(stream, timeout: float):
    """Yield SSE events until the server closes or the streaming timeout passes."""
    yield from stream
'''


def text_of(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text_of(name), re.M | re.S)


@pytest.fixture
def run(tmp_path: Path):
    """Runs a command in an indexed repository; returns what it writes."""
    repository = GitRepository(tmp_path / "project")
    repository.commit("Begin", **{"src/stream.py": STREAM})
    command = write_command(tmp_path / "bin" / "prebrief")
    environment = {
        **os.environ,
        "PATH": f"{command.parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "HOME": str(tmp_path),
    }

    def run(*words: str) -> str:
        done = subprocess.run(
            words, cwd=repository.root, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("prebrief", "index")
    run.root = repository.root
    return run


@pytest.mark.parametrize(
    ("number", "said"), [(0, "## Context from this repository"), (1, "success"), (2, "2\n01")]
)
def test_every_example_of_the_library_runs(run, number, said):
    assert said in run(sys.executable, "-c", blocks("library.md", "python")[number])


def test_there_are_no_more_examples_than_are_run():
    assert len(blocks("library.md", "python")) == 3


def test_the_same_task_of_a_session_is_not_given_the_same_again(run):
    lines = blocks("sessions.md", "console")[0].splitlines()
    first, second = (run("sh", "-c", line.removeprefix("$ ")) for line in lines)
    assert "`read_events`" in first
    assert "`read_events`" not in second


def test_the_roles_shown_can_be_used(run):
    table = blocks("sessions.md", "toml")[0]
    (run.root / "prebrief.toml").write_text(table, encoding="utf-8")
    assert parse_settings(tomllib.loads(table), "docs").roles.keys() == {
        "reviewer",
        "docs",
        "backend",
        "formatter",
    }
    task = "Fix the SSE streaming timeout"
    assert json.loads(run("prebrief", "augment", "--json", "--agent", "fmt-1", task))["prompt"] == task
    assert run("prebrief", "augment", "--agent", "critic", task).startswith("<context")


def test_every_key_of_a_role_is_explained():
    rows = [line for line in text_of("sessions.md").splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert named == {field.name for field in fields(RoleSettings)}
