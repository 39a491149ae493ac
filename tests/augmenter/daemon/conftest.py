"""Daemons and clients as they are: processes, sockets in a folder of their own, a small indexed project."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from daemons import COMMAND, LIMIT, ask_status, background_daemons, run_hook, wait_until
from git_repository import GitRepository
from python_process import REPOSITORY

from augmenter.app.cli import main
from augmenter.app.daemon.places import socket_in

FILES = {
    ".gitignore": "*.log\nbuild/\n",
    "src/stream.py": '''"""Server-sent events over one socket."""


class EventStream:
    """One subscription to server-sent events."""

    def close(self) -> None:
        """Close the socket and wait for the reconnect timer to end."""
        self.timer.cancel()
        self.socket.close()

    def reconnect(self, attempt: int) -> float:
        """Wait, then open the stream again; returns the delay in seconds."""
        return min(self.timeout, 2.0**attempt)
''',
    "docs/streams.md": "# Streams\n\nA stream reconnects after a timeout with exponential backoff.\n",
}


@pytest.fixture
def place(monkeypatch):
    """The runtime folder: not there yet, and with a short path."""
    with tempfile.TemporaryDirectory(prefix="pb-", dir="/tmp") as above:
        folder = Path(above) / "run"
        monkeypatch.setenv("PREBRIEF_RUNTIME", str(folder))
        monkeypatch.setenv("PREBRIEF_DAEMON", "on")
        yield folder
        for pid in background_daemons():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


@pytest.fixture(scope="session")
def _template(_git_of_nobody, tmp_path_factory):
    return make_project(tmp_path_factory.mktemp("template") / "project", "autostart = false")


def make_project(root, setting):
    project = GitRepository(root)
    settings = f"[serve]\n{setting}\n[dispatch]\ndeadline_ms = 60000\n"  # nothing is late on a busy machine
    project.commit("Begin", **FILES, **{"prebrief.toml": settings})
    assert main(["index", "--root", str(root)]) == 0
    return project.root


@pytest.fixture
def project(_template, tmp_path):
    """The sample project, indexed, with a setting that hooks start no daemon."""
    return make_copy(_template, tmp_path / "project")


@pytest.fixture
def willing(_git_of_nobody, tmp_path):
    """The sample project, whose hooks start a daemon."""
    return GitRepository(make_project(tmp_path / "willing", "autostart = true"), git=False)


@pytest.fixture
def copies(_template, tmp_path):
    """Makes more copies of the sample project."""
    return lambda name: make_copy(_template, tmp_path / name)


def make_copy(template, root):
    copied = GitRepository(Path(shutil.copytree(template, root)), git=False)
    copied.git("status")  # which notes the times of the copies
    return copied


class Served:
    """A daemon's process."""

    def __init__(self, process, log):
        self.process = process
        self.log = log

    @property
    def pid(self):
        return self.process.pid

    def status(self):
        return ask_status()

    def has_ended(self, limit=LIMIT):
        return self.process.wait(limit) is not None

    def kill(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def launch(place, tmp_path):
    """Starts daemons, and ends them; what they log is in a file of its own (``process.log``)."""
    started = []

    def launch(*options, code=COMMAND, stderr=None, **environment):
        words = ["serve", "--log-level", "debug", "--root", str(place.parent), *map(str, options)]
        log = tmp_path / f"daemon-{len(started)}.log"
        with log.open("wb") as file:
            process = subprocess.Popen(
                [sys.executable, "-c", code, *words],
                cwd=REPOSITORY,
                env={**os.environ, **environment},
                stderr=file if stderr is None else stderr,
            )
        process.log = log
        started.append(process)
        return process

    yield launch
    for process in started:
        process.kill()
        process.wait()


@pytest.fixture
def serve(launch):
    """Starts a daemon, and waits until it answers."""

    def serve(*options, **more):
        process = launch(*options, **more)
        wait_until(lambda: process.poll() is not None or (ask_status() or {}).get("pid") == process.pid)
        assert process.poll() is None, process.log.read_text()
        return Served(process, process.log)

    return serve


@pytest.fixture
def daemon(serve):
    """A daemon that watches nothing."""
    return serve("--no-watch")


@pytest.fixture
def hook(place):
    """Runs whole hooks."""
    return run_hook


@pytest.fixture
def impostor(place):
    """Stands in for the daemon: does with every connection what a function says, each in a thread."""
    place.mkdir(mode=0o700)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(socket_in(str(place)))
    listener.listen()
    over = threading.Event()

    def stand_in(behave):
        def serve():
            with contextlib.suppress(OSError):
                while not over.is_set():
                    connection, _ = listener.accept()
                    with contextlib.suppress(OSError):
                        behave(connection)

        threading.Thread(target=serve, daemon=True).start()
        return over

    yield stand_in
    over.set()
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()


@pytest.fixture
def connect(place):
    """Opens connections to the daemon's socket, as they are."""
    opened = []

    def connect():
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(LIMIT)
        connection.connect(socket_in(str(place)))
        opened.append(connection)
        return connection

    yield connect
    for connection in opened:
        connection.close()
