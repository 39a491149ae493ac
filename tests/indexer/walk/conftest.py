"""Real repositories in temporary folders, and a way to do without root's privileges."""

import os
import pickle
import subprocess
from pathlib import Path

import pytest

EPOCH = 1_700_000_000
NOBODY = 65534


class Repo:
    """A git repository with commits at times that rise by a minute, or as given."""

    def __init__(self, root: Path):
        self.root = root
        self.commits = 0
        root.mkdir(parents=True, exist_ok=True)
        self("init", "--quiet", "--initial-branch=main")

    def __call__(self, *arguments, stdin=b"", env=None):
        done = subprocess.run(
            ["git", "-C", str(self.root), *arguments],
            input=stdin,
            capture_output=True,
            env={**os.environ, **(env or {})},
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return os.fsdecode(done.stdout).strip()

    def write(self, path, content="content\n"):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        data = content if isinstance(content, bytes) else content.encode()
        target.write_bytes(data)
        return target

    def commit(self, message="change", *, time=None, **files):
        for path, content in files.items():
            self.write(path, content)
        self.commits += 1
        stamp = f"{EPOCH + 60 * self.commits if time is None else time} +0000"
        self("add", "--all", "--force")
        self(
            "commit",
            "--quiet",
            "--allow-empty",
            f"--message={message}",
            env={"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp},
        )
        return self("rev-parse", "HEAD")


@pytest.fixture(autouse=True)
def _plain_git(monkeypatch, tmp_path_factory):
    """Git as it comes: no user's or machine's configuration."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "ada@example.org")


@pytest.fixture
def repo(tmp_path):
    return Repo(tmp_path / "repo")


@pytest.fixture
def make_repo():
    return Repo


@pytest.fixture
def unprivileged():
    """Runs a function in a child process that permissions apply to, which they don't to root."""

    def run(function, *, owns=()):
        if os.getuid() != 0:
            return function()
        for folder in owns:
            _give_away(folder)
        receiver, sender = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(receiver)
            with os.fdopen(sender, "wb") as pipe:
                pickle.dump(_attempt_as_nobody(function), pipe)
            os._exit(0)
        os.close(sender)
        with os.fdopen(receiver, "rb") as pipe:
            worked, result = pickle.load(pipe)
        os.waitpid(child, 0)
        if not worked:
            raise result
        return result

    return run


def _attempt_as_nobody(function):
    try:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        return True, function()
    except Exception as error:  # noqa: BLE001 (re-raised by the parent)
        return False, error


def _give_away(folder):
    for parent in folder.parents:
        if parent.stat().st_uid == 0 and len(parent.parts) > 2:
            parent.chmod(parent.stat().st_mode | 0o011)
    for top, folders, files in os.walk(folder):
        os.chown(top, NOBODY, NOBODY)
        for name in (*folders, *files):
            os.chown(Path(top, name), NOBODY, NOBODY, follow_symlinks=False)
