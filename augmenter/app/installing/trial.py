"""One call of a hook's command line, as its host makes it."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

KILLED_AFTER = 2.0  # seconds beyond the timeout, for a process that does not end when its group is killed


@dataclass(frozen=True, slots=True)
class Trial:
    """How a call went.

    Attributes:
        exit_code: None when the time was up.
        seconds: from the start of the shell to its end.
        stdout: the answer.
        stderr: what should be nothing.
    """

    exit_code: int | None
    seconds: float
    stdout: bytes
    stderr: bytes


def call(
    command: str,
    event: bytes,
    *,
    runner: Sequence[str],
    cwd: Path,
    environment: Mapping[str, str],
    timeout: float,
) -> Trial:
    """Run a command line by a shell, with an event on its standard input.

    Args:
        command: the line.
        event: the bytes.
        runner: the shell and its options; ``$SHELL`` stands for the user's.
        cwd: where.
        environment: of the process.
        timeout: seconds after which the host would end it.
    """
    shell = [os.environ.get("SHELL") or "/bin/sh" if word == "$SHELL" else word for word in runner]
    began = time.perf_counter()
    try:
        process = subprocess.Popen(
            [*shell, command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=dict(environment),
            start_new_session=True,
        )
    except OSError as error:
        return Trial(127, time.perf_counter() - began, b"", str(error).encode())
    try:
        stdout, stderr = process.communicate(event, timeout)
        return Trial(process.returncode, time.perf_counter() - began, stdout, stderr)
    except subprocess.TimeoutExpired:
        return Trial(None, time.perf_counter() - began, *_end(process))


def _end(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """End a process with all that it started; returns what it has said by then."""
    os.killpg(process.pid, signal.SIGKILL)
    try:
        return process.communicate(timeout=KILLED_AFTER)
    except subprocess.TimeoutExpired:  # something has left the group, and holds the streams open
        return b"", b""
