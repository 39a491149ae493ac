"""A small real project, indexed once and copied for each test; commands in this process and in others."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from git_repository import GitRepository

from augmenter import Augmenter
from augmenter.app.cli import main

SOURCES = Path(__file__).parents[3]
EPOCH = 1_700_000_000
NOBODY = 65534
TASK = "Fix the timeout in `EventStream.close`"

FILES = {
    "README.md": "# Streams\n\nServer-sent events for small programs.\n\n## Reconnect\n\nA stream reconnects"
    " after a timeout with exponential backoff.\n",
    "src/stream.py": '''"""Server-sent events over one socket."""

from src.backoff import next_delay


class EventStream:
    """One subscription to server-sent events."""

    def __init__(self, address: str, timeout: float = 30.0) -> None:
        self.address = address
        self.timeout = timeout

    def close(self) -> None:
        """Close the socket and wait for the reconnect timer to end."""
        self.timer.cancel()
        self.socket.close()

    def reconnect(self, attempt: int) -> float:
        """Wait, then open the stream again; returns the delay in seconds."""
        delay = next_delay(attempt, self.timeout)
        self.timer.start(delay)
        return delay
''',
    "src/backoff.py": '''"""Delays between attempts to reconnect."""


def next_delay(attempt: int, timeout: float) -> float:
    """Exponential backoff, bounded by the timeout of the stream."""
    return min(timeout, 2.0**attempt)


def parse_retry_after(header: str) -> float:
    """Seconds in a Retry-After header."""
    return float(header.strip() or 0)
''',
    "src/invoice.py": '''"""Invoices."""


def total_with_tax(net: int, rate: int) -> int:
    """The gross amount of an invoice in cents."""
    return net + net * rate // 100
''',
    "tests/test_stream.py": """from src.stream import EventStream


def test_close_cancels_the_reconnect_timer():
    stream = EventStream("localhost")
    stream.close()
""",
    "knowledge/rules/close-sockets.md": """---
title: Close sockets on every path
statement: Close sockets in a finally block, or the pool runs dry.
terms: [socket]
evidence: 4
---
A timeout must not keep a socket open.
""",
}


@dataclass(frozen=True)
class Done:
    """A command that has ended."""

    code: int
    out: bytes
    err: str

    @property
    def text(self):
        return self.out.decode()

    @property
    def json(self):
        return json.loads(self.out)


class Project(GitRepository):
    """A git repository and the commands on it."""

    @property
    def state(self):
        return self.root / ".knowledge"


def make_project(root: Path, files=FILES) -> Project:
    project = Project(root)
    project.commit("Begin", **files)
    return project


@pytest.fixture
def new_project(tmp_path):
    """Makes a repository that is not indexed."""
    return lambda files=FILES, name="project": make_project(tmp_path / name, files)


@pytest.fixture(scope="session")
def _indexed(_git_of_nobody, tmp_path_factory):
    project = make_project(tmp_path_factory.mktemp("template") / "project")
    assert main(["index", "--root", str(project.root)]) == 0
    return project


@pytest.fixture
def project(_indexed, tmp_path):
    """The sample project, indexed."""
    return Project(Path(shutil.copytree(_indexed.root, tmp_path / "project")), git=False)


@pytest.fixture
def augmenter(project):
    """The library's face for the sample project."""
    with Augmenter.open(project.root) as opened:
        yield opened


@pytest.fixture
def run(capsysbinary, monkeypatch):
    """Runs a command in this process."""

    def run(*words, root=None, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        capsysbinary.readouterr()
        arguments = [str(word) for word in words]
        try:
            code = main([*arguments, "--root", str(root)] if root else arguments)
        except SystemExit as stop:
            code = stop.code
        out, err = capsysbinary.readouterr()
        return Done(code, out, err.decode())

    return run


@pytest.fixture
def spawn():
    """Runs a command in a process of its own."""

    def spawn(*words, root=None, stdin=b"", cwd=None, check=False, script=None, **environment):
        code = script or "import sys; from augmenter.app.cli import main; sys.exit(main())"
        arguments = [str(word) for word in words]
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments, *(["--root", str(root)] if root else [])],
            input=stdin,
            capture_output=True,
            cwd=cwd or SOURCES,
            env={**os.environ, "PYTHONPATH": str(SOURCES), **environment},
            check=check,
        )
        return Done(done.returncode, done.stdout, done.stderr.decode())

    return spawn


@pytest.fixture
def unprivileged():
    """A block in which permissions apply, which they don't to root; ``owns`` are given away for it."""

    @contextmanager
    def unprivileged(*owns):
        if os.getuid() != 0:
            yield
            return
        for folder in owns:
            _give_away(folder)
        os.setresuid(NOBODY, NOBODY, 0)
        try:
            yield
        finally:
            os.setresuid(0, 0, 0)

    return unprivileged


def _give_away(folder):
    for parent in folder.parents:
        if parent.stat().st_uid == 0 and len(parent.parts) > 2:
            parent.chmod(parent.stat().st_mode | 0o011)
    for top, folders, files in os.walk(folder):
        os.chown(top, NOBODY, NOBODY)
        for name in (*folders, *files):
            os.chown(Path(top, name), NOBODY, NOBODY, follow_symlinks=False)


@pytest.fixture
def assert_unbriefed():
    """Checks the document of a dispatch in which something went wrong."""

    def check(document, task, reason):
        assert document["prompt"] == task
        assert document["offered"] == document["rules"] == []
        assert document["tokens"] == 0
        assert document["abstained"] is True
        assert set(document["degraded"]) == {"reason", "remedy"}
        assert document["degraded"]["reason"] == reason
        assert document["degraded"]["remedy"]

    return check


@pytest.fixture
def failed():
    """Whether a command failed as it should: one line on stderr that holds some parts, exit code 1."""

    def failed(done, *parts):
        assert done.code == 1
        assert done.out == b""
        (line,) = done.err.splitlines()
        assert line.startswith("prebrief: ")
        for part in parts:
            assert part in line
        return True

    return failed


@pytest.fixture
def dispatch(project, run):
    """The id of a dispatch of the sample project."""
    return run("augment", TASK, "--json", root=project.root).json["dispatch_id"]
