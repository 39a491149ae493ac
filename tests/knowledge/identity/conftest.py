"""Real git, without anybody's configuration."""

import os
import subprocess
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _plain_git(monkeypatch, tmp_path_factory):
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "ada@example.org")


@pytest.fixture
def run_git():
    """Runs git in a folder."""

    def run(folder, *arguments):
        command = ["git", "-C", str(folder), "-c", "protocol.file.allow=always", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    return run


@pytest.fixture
def new_repository(run_git):
    """Makes a repository with one commit."""

    def make(folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        run_git(folder, "init", "--quiet", "--initial-branch=main")
        (folder / "a.py").write_text("1\n")
        run_git(folder, "add", ".")
        run_git(folder, "commit", "--quiet", "--message=first")
        return folder.resolve()

    return make
