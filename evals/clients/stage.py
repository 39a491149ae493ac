"""Where a client plays: a home and a project of its own; and a process with all that it starts."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from knowledge.errors import TaskError

SECONDS = 120  # for one process of a client; the slowest takes ten on an idle machine
_INTERVAL = 0.05  # seconds between two looks at whether it is time to interrupt

_FILES = {
    "src/stream.py": (
        "class EventStream:\n"
        '    """A stream of server-sent events that many readers follow."""\n'
        "\n"
        "    def close(self):\n"
        '        """Wake the readers of the event stream that wait for the heartbeat timeout."""\n'
        "        for reader in self.readers:\n"
        "            reader.wake()\n"
        "        self.readers.clear()\n"
    ),
    "src/pool.py": (
        "def take_connection(pool):\n"
        '    """Take an idle connection from the pool, or open another one."""\n'
        "    return pool.idle.pop() if pool.idle else pool.open()\n"
    ),
    "docs/backup.md": "# Backups\n\nBackups are kept for thirty days.\n",
}


@dataclass(frozen=True, slots=True)
class Stage:
    """The folders of one play.

    Attributes:
        root: of all that follows.
        address: of the model.
    """

    root: Path
    address: str

    @property
    def home(self) -> Path:
        """The user's home, in which clients keep settings and records."""
        return self.root / "home"

    @property
    def project(self) -> Path:
        """A git repository with a few files."""
        return self.root / "project"

    def environment(self, **more: str) -> dict[str, str]:
        """What a process is told: nothing of this machine's user but where programs are."""
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "SHELL": "/bin/sh",
            "TERM": "dumb",
            "PREBRIEF_DAEMON": "off",  # one would outlive the play
            **more,
        }


@dataclass(frozen=True, slots=True)
class Ended:
    """A process that has ended: its exit code, and what it printed."""

    exit_code: int
    output: str
    errors: str


def stage_folder(work: Path) -> Path:
    """Where in a work folder the stage is set; nothing else of it is touched."""
    return (work / "stage").resolve()


def set_stage(root: Path, address: str) -> Stage:
    """An empty home and a project, where there may have been others.

    Raises:
        TaskError: git does not work.
    """
    shutil.rmtree(root, ignore_errors=True)
    stage = Stage(root.resolve(), address)
    stage.home.mkdir(parents=True)
    for name, text in _FILES.items():
        path = stage.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    git = ("git", "-C", str(stage.project), "-c", "user.name=dev", "-c", "user.email=dev@example.com")
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "Begin"]):
        ended = run([*git, *arguments], stage.project, stage.environment())
        if ended.exit_code:
            raise TaskError(f"git failed: {ended.errors.strip()}", where=str(stage.project), remedy="See git")
    return stage


def run(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    given: str = "",
    until: Callable[[], bool] | None = None,
    seconds: float = SECONDS,
) -> Ended:
    """Run a program to its end, and end what it has left behind.

    Args:
        command: the program and its arguments.
        folder: where it runs.
        environment: all that it is told.
        given: on its standard input.
        until: when to send it the signal of Ctrl-C; None for never.
        seconds: that it may take.

    Raises:
        TaskError: it cannot be started, or does not end.
    """
    with _scratch() as output, _scratch() as errors:
        try:
            process = subprocess.Popen(
                command, cwd=folder, env=environment, start_new_session=True,
                stdin=subprocess.PIPE, stdout=output, stderr=errors,
            )  # fmt: skip
        except OSError as error:
            remedy = "See whether it is installed"
            raise TaskError.of_system("it cannot be run", error, command[0], remedy) from None
        threading.Thread(target=_give, args=(process, given.encode()), daemon=True).start()
        try:
            code = _end(process, until, time.monotonic() + seconds)
        finally:
            _end_group(process)
        output.seek(0)
        errors.seek(0)
        return Ended(code, output.read(), errors.read())


def _scratch() -> IO[str]:
    """A file for what a process writes: unlike a pipe, nobody ever waits at it."""
    return tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")


def _give(process: subprocess.Popen[bytes], given: bytes) -> None:
    """Give it what it may read; Claude Code takes no prompts from a file, but from a pipe."""
    if process.stdin is not None:
        with suppress(BrokenPipeError), process.stdin:  # it need not read everything
            process.stdin.write(given)


def _end(process: subprocess.Popen[bytes], until: Callable[[], bool] | None, deadline: float) -> int:
    """Wait for the end; the exit code."""
    while (code := process.poll()) is None:
        if time.monotonic() > deadline:
            raise TaskError("it does not end", where=str(process.args), remedy="Run it by hand")
        if until is not None and until():
            process.send_signal(signal.SIGINT)
            until = None
        time.sleep(_INTERVAL)
    return code


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End what it has left behind: it was given a group of its own."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
