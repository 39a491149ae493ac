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
from document import Document
from git_repository import GitRepository
from prebrief_command import write_command
from python_process import REPOSITORY

from knowledge.settings import RoleSettings
from knowledge.settings_file import parse_settings

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


LIBRARY, SESSIONS = Document.read("docs/library.md"), Document.read("docs/sessions.md")


@pytest.fixture
def run(tmp_path: Path):
    """Runs a command in an indexed repository; returns what it writes."""
    repository = GitRepository(tmp_path / "project")
    repository.commit("Begin", **{"src/stream.py": STREAM})
    command = write_command(tmp_path / "bin" / "prebrief")
    environment = {
        **os.environ,
        "PATH": f"{command.parent}:{os.environ['PATH']}",
        "PYTHONPATH": REPOSITORY,
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
    assert said in run(sys.executable, "-c", LIBRARY.blocks("python")[number])


def test_there_are_no_more_examples_than_are_run():
    assert len(LIBRARY.blocks("python")) == 3


def test_the_same_task_of_a_session_is_not_given_the_same_again(run):
    lines = SESSIONS.blocks("console")[0].splitlines()
    first, second = (run("sh", "-c", line.removeprefix("$ ")) for line in lines)
    assert "`read_events`" in first
    assert "`read_events`" not in second


def test_the_roles_shown_can_be_used(run):
    table = SESSIONS.blocks("toml")[0]
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
    named = {name for keys, _ in SESSIONS.rows("## Roles") for name in re.findall(r"`(\w+)`", keys)}
    assert named == {field.name for field in fields(RoleSettings)}
