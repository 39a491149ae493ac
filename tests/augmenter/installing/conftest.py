"""A project, a home, and a `prebrief` that hosts could call."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import dataclass

import pytest
from git_repository import GitRepository
from prebrief_command import write_command

from augmenter.app.cli import main

STREAM = '''"""Server-sent events."""


class EventStream:
    """One subscription to server-sent events."""

    def close(self) -> None:
        """Close the socket and wait for the reconnect timer to end."""
        self.timer.cancel()
'''


@dataclass(frozen=True)
class Done:
    """A command that has ended."""

    code: int
    text: str
    err: str

    @property
    def json(self):
        return json.loads(self.text)


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An own home, and no variable that names another place."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("SHELL", "/bin/sh")
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def command(tmp_path, monkeypatch):
    """The command of this installation, in a folder whose name a shell would split."""
    path = write_command(tmp_path / "own tools" / "prebrief")
    monkeypatch.setattr(sys, "argv", [str(path)])
    return path


@pytest.fixture
def project(tmp_path, home):
    """A repository in which nothing is set up."""
    repository = GitRepository(tmp_path / "project")
    repository.commit("Begin", **{"src/stream.py": STREAM})
    return repository


@pytest.fixture
def indexed(project):
    """The same, indexed."""
    assert main(["index", "--root", str(project.root), "--log-level", "error"]) == 0
    return project


@pytest.fixture
def run(capsys, monkeypatch, command, project):
    """Runs a command on the project, in this process."""

    def run(*words, root=project.root):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
        capsys.readouterr()
        try:
            code = main([*map(str, words), "--root", str(root)])
        except SystemExit as stop:
            code = stop.code
        out, err = capsys.readouterr()
        return Done(code, out, err)

    return run


@pytest.fixture
def other_command(tmp_path):
    """Makes the command of another installation."""
    return lambda name="old": write_command(tmp_path / name / "prebrief")
