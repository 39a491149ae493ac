"""A worker: a process that parses files, one after the other, until its pipe ends or its bounds end it.

What it is told and what it answers:

- first the function that parses and the context, then batches of tasks;
- an empty message once it is up, then one message for each file, in order, the moment it is parsed. So it
  is always known at which file a worker died.

Its bounds are the kernel's, and hold in C code too: processor time by a timer whose signal kills (so that a
busy machine makes no time-outs), memory by a limit on the address space, above which no memory is given.
"""

from __future__ import annotations

import gc
import json
import resource
import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

from indexer.recipe import ParseContext
from indexer.runs.jobs import Answer, Refusal
from indexer.sources.decode import SkippedSource
from indexer.sources.walk import SkipReason
from knowledge.catalog.packed import pack, to_bytes
from knowledge.catalog.rows import FileRow, ParsedFile
from knowledge.errors import SourceError
from knowledge.settings import MEBIBYTE

# Processor time that one file may take: some for any file, and more for every MiB of it. Code takes 1 to 2
# seconds a MiB, dense Markdown 4; the rest is room for slow machines.
SECONDS = 10.0
SECONDS_PER_MIB = 20.0
# Memory that parsing may take beyond what a worker has at its start: some for any file, and more for every
# byte of the largest that the settings allow. Code takes 40 to 200 bytes for each of its own, sqlite3.c 80,
# a million nested parentheses 400. By default that makes 2.5 GiB.
MEMORY = 512 * MEBIBYTE
MEMORY_PER_BYTE = 128
OVERTIME = signal.SIGPROF  # what the timer sends; nobody handles it, so it kills

# What a message begins with: a packed file, a refusal, a refusal after which the worker ends.
_PACKED, _REFUSED, LAST = b"p", b"r", b"l"

Parse = Callable[[FileRow, bytes, ParseContext], ParsedFile]


Task = tuple[FileRow, bytes]  # one file to parse, as it was read


def serve(connection: Connection) -> None:
    """Parse what is sent until the other side hangs up.

    Raises:
        Exception: the parser failed in a way that it should not; the file is blamed before.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all of a terminal; the parent ends us
    signal.signal(OVERTIME, signal.SIG_DFL)
    gc.freeze()  # what is there by now stays: not to be looked at again, nor to be unshared after a fork
    with suppress(EOFError, OSError):
        parse, context = connection.recv()
        _bound_memory(context)
        connection.send_bytes(b"")
        while True:
            for task in connection.recv():
                connection.send_bytes(_answer(connection, task, parse, context))


def decode_answer(message: bytes) -> Answer:
    """The answer in a message."""
    if message[:1] == _PACKED:
        return message[1:]
    reason, problem = json.loads(message[1:])
    return Refusal(SkipReason(reason), problem)


def _answer(connection: Connection, task: Task, parse: Parse, context: ParseContext) -> bytes:
    row, data = task
    signal.setitimer(signal.ITIMER_PROF, SECONDS + SECONDS_PER_MIB * len(data) / MEBIBYTE)
    try:
        return _PACKED + to_bytes(pack(parse(row, data, context)))
    except SkippedSource as error:
        return _refused(error.skip, "" if error.on_purpose else str(error))
    except SourceError as error:
        return _refused(SkipReason.PARSE_FAILURE, str(error))
    except Exception as error:
        last = _refused(SkipReason.PARSE_FAILURE, failure(row.path, _what(error)), tag=LAST)
        connection.send_bytes(last)
        raise  # whatever state this process is in by now, a new one is in a better
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def failure(path: str, what: str) -> str:
    """The problem text of a file at which the parser itself failed."""
    return str(SourceError(what, where=path, remedy="Name it in index.exclude, and report it to Prebrief"))


def _what(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "parsing it takes too much memory"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return f"the parser failed: {type(error).__name__}"  # its text may quote the file, hence a secret


def _refused(reason: SkipReason, problem: str, *, tag: bytes = _REFUSED) -> bytes:
    return tag + json.dumps((reason, problem)).encode()


def _bound_memory(context: ParseContext) -> None:
    """Bounds the address space; where the kernel does not tell its present size (not Linux), nothing."""
    with suppress(OSError):
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        bound = pages * resource.getpagesize() + MEMORY
        bound += MEMORY_PER_BYTE * context.settings.index.max_file_bytes
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        if hard == resource.RLIM_INFINITY or bound < hard:
            resource.setrlimit(resource.RLIMIT_AS, (bound, hard))
