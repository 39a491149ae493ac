"""Starting a worker's process, by a fork where that is safe, else as a program of its own.

A fork takes milliseconds and shares what the parent has imported; a program takes a quarter of a second. But
a fork copies locks as they are, and another thread may hold one: a process with threads starts programs.
(`multiprocessing` would import the caller's main module anew in each, which a library must not do.)
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe
from typing import NoReturn

from indexer.runs.worker import serve
from knowledge.errors import PrebriefError

_LINK = 0  # the worker's end of the pipe, as a file descriptor: its standard input
_OPEN_FILES = "/proc/self/fd"
_PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from indexer.runs.processes import main; main()"
)


@dataclass(frozen=True, slots=True)
class Process:
    """A process at the other end of a pipe."""

    pid: int
    connection: Connection

    def end(self) -> int:
        """Kill it, if it still lives; its exit status, or minus the signal that ended it."""
        self.connection.close()
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        return self.wait()

    def wait(self) -> int:
        """Wait for its end; the same answer as of `end`."""
        try:
            return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        except ChildProcessError:  # somebody has told the kernel to forget about children
            return 1


def start() -> Process:
    """Start a worker.

    Raises:
        PrebriefError: the system has no process to give.
    """
    ours, theirs = Pipe()
    try:
        pid = _fork(theirs) if may_fork() else _spawn(theirs)
    except OSError as error:
        ours.close()
        raise PrebriefError.of_system(
            "no process for parsing can be started",
            error,
            sys.executable,
            "Allow more processes, or end some",
        ) from None
    finally:
        theirs.close()
    return Process(pid, ours)


def may_fork() -> bool:
    """Whether this process can be copied: it has no threads, and its files can be listed, to be closed.

    The latter leaves out Macs, whose libraries start threads of their own.
    """
    return threading.active_count() == 1 and os.path.isdir(_OPEN_FILES)  # noqa: PTH112 (text, for listdir)


def main() -> None:
    """The program: a worker at its standard input."""
    serve(Connection(_LINK))


def _fork(connection: Connection) -> int:
    pid = os.fork()
    return pid or _be_worker(connection)


def _be_worker(connection: Connection) -> NoReturn:
    status = 1
    try:
        os.dup2(connection.fileno(), _LINK)
        _let_go_of_files()
        serve(Connection(_LINK))
        status = 0
    finally:
        os._exit(status)  # none of the parent's buffers, connections and finalisers are ours to end


def _let_go_of_files() -> None:
    """Keep the link alone: what is inherited would hold the parent's locks, pipes and files open."""
    for name in os.listdir(_OPEN_FILES):  # noqa: PTH208 (a fork should make little)
        if int(name) > 2:
            with suppress(OSError):  # the listing's own
                os.close(int(name))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (1, 2):
        os.dup2(nowhere, standard)


def _spawn(connection: Connection) -> int:
    if not sys.executable:  # as within a program that embeds Python
        raise PrebriefError(
            "no process for parsing can be started: it is not known which program is Python",
            remedy="Set sys.executable, or index before threads are started",
        )
    arguments = [sys.executable, "-P", "-c", _PROGRAM, json.dumps(sys.path)]
    files = [
        (os.POSIX_SPAWN_DUP2, connection.fileno(), _LINK),
        *((os.POSIX_SPAWN_OPEN, standard, os.devnull, os.O_WRONLY, 0) for standard in (1, 2)),
    ]
    return os.posix_spawn(sys.executable, arguments, os.environ, file_actions=files)
