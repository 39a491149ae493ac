"""Asking daemons: by whole hooks, by the client, by raw bytes."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from python_process import REPOSITORY

from augmenter.app.client import Talk
from augmenter.app.daemon.protocol import STATUS, FrameError, Request

COMMAND = "import sys; from augmenter.app.cli import main; sys.exit(main())"
TASK = "Fix the timeout in `EventStream.close`"
LIMIT = 60.0  # seconds for what takes one, on the busiest machine


def wait_until(condition, limit=LIMIT):
    """Waits for something that is bound to come; returns it."""
    end = time.monotonic() + limit
    while not (found := condition()):
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.02)
    return found


def ask_status():
    """What the daemon says of itself; None when there is none."""
    try:
        _, _, data = Talk(time.perf_counter()).ask(Request(STATUS), (b"", b"", b""), 10.0)
    except (OSError, FrameError):
        return None
    return json.loads(data)


class Done:
    """A hook that has ended."""

    def __init__(self, process, out, err, seconds):
        self.code, self.out, self.err, self.seconds = process.returncode, out, err.decode(), seconds

    @property
    def json(self):
        return json.loads(self.out)


def run_hook(event, *options, host="generic", cwd=None, **environment):
    """A whole hook."""
    data = event if isinstance(event, bytes) else json.dumps(event).encode()
    began = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, "hook", "run", host, *map(str, options)],
        cwd=cwd or REPOSITORY,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    out, err = process.communicate(data)
    return Done(process, out, err, time.monotonic() - began)


def said(connection):
    """All that comes until the other end hangs up."""
    chunks = []
    with contextlib.suppress(ConnectionResetError):
        while chunk := connection.recv(1 << 20):
            chunks.append(chunk)
    return b"".join(chunks)


def background_daemons():
    """Process ids of the daemons that hooks have started, or are starting, in this runtime folder."""
    mine = f"PREBRIEF_RUNTIME={os.environ['PREBRIEF_RUNTIME']}\0".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (
                b"--detached" in (folder / "cmdline").read_bytes()
                and mine in (folder / "environ").read_bytes()
            ):
                found.append(int(folder.name))
        except OSError:  # it has ended meanwhile
            continue
    return found
