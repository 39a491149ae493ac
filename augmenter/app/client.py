"""The hook's client: asks the daemon, and does the work itself where there is none.

Every dispatch pays for what is imported here. A client with a daemon is to end before a process that works by
itself has loaded its modules, so it uses the standard library's lowest parts: ``_socket`` in place of
``socket`` (a tenth of the time), texts in place of paths, no parser of arguments, no JSON.
"""

from __future__ import annotations

import os
import sys
import time

from augmenter.app.daemon.peers import why_stranger
from augmenter.app.daemon.places import is_off, late_in, runtime_folder, socket_in, why_unsafe
from augmenter.app.daemon.protocol import (
    ANSWER,
    HEADER_BYTES,
    HOOK,
    FrameError,
    Request,
    parse_answer,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket
    from collections.abc import Sequence

# Of the second that a dispatch has from the event's last byte to the answer's first. The rest is for passing
# the task through, which takes some imports.
WAIT = 0.88
ON_THE_WAY = 0.03  # of that, for the answer to come from the daemon to here
# After a daemon did not answer at all (it is stopped, or starved): so long it is given little time.
LATE_FOR = 60.0
LITTLE_WAIT = 0.2
# A larger event takes longer to be sent and understood than a process to start, and would hold up all others.
MOST_SENT = 8 * 1024 * 1024
_CHUNK = 256 * 1024
_LONGEST_NAME = 32  # of a host
_AF_UNIX, _SOCK_STREAM = 1, 1  # everywhere


def run(words: Sequence[str]) -> int | None:
    """``prebrief hook run HOST [--root DIR]``; returns the exit code.

    None where something else is asked for: then nothing has been done but, perhaps, to read standard input.

    Args:
        words: what comes after ``hook run``.
    """
    parsed = _parse(words)
    if parsed is None or is_off():
        return None
    host, root = parsed
    event = _read_all()
    began = time.perf_counter()
    try:
        word, code, stdout = _ask_for(host, root, event)
        if word == ANSWER:
            return _write(stdout, code)
    except (OSError, FrameError) as error:  # TimeoutError is an OSError
        if isinstance(error, TimeoutError):
            _remember_late()
    from augmenter.app.fallback import answer_alone  # noqa: PLC0415 - only where there is no daemon

    answered = answer_alone(host, root, event, began)
    if answered is None:
        return None
    answer, start_daemon = answered
    code = _write(answer.stdout, answer.exit_code)
    start_daemon()
    return code


def ask(request: Request, pieces: tuple[bytes, bytes, bytes], seconds: float) -> tuple[str, int, bytes]:
    """Ask the daemon; gives the answer's word, exit code and bytes.

    Args:
        request: with the lengths of the pieces.
        pieces: root, working directory, event.
        seconds: how long to wait.

    Raises:
        TimeoutError: nothing came in time.
        OSError: there is no daemon, or it has gone.
        FrameError: what is there is no daemon of ours.
    """
    until = time.perf_counter() + seconds
    folder = runtime_folder()
    if problem := why_unsafe(folder):
        raise FrameError(problem)
    from _socket import socket  # noqa: PLC0415 - see the module's text

    connection = socket(_AF_UNIX, _SOCK_STREAM)
    try:
        connection.settimeout(seconds)
        connection.connect(socket_in(folder))
        if problem := why_stranger(connection):
            raise FrameError(problem)
        connection.sendall(b"".join((request.line(), *pieces)))
        return _receive(connection, until)
    finally:
        connection.close()


def _ask_for(host: str, root: str, event: bytes) -> tuple[str, int, bytes]:
    """Ask the daemon to answer an event. Raises as `ask`."""
    if len(event) > MOST_SENT:
        raise FrameError("the event is too large")
    pieces = (os.fsencode(root), os.fsencode(os.getcwd()), event)  # noqa: PTH109 - see the module's text
    seconds = LITTLE_WAIT if _was_late() else WAIT
    left = int((seconds - ON_THE_WAY) * 1000)
    lengths = (len(pieces[0]), len(pieces[1]), len(event))
    return ask(Request(HOOK, host, left, lengths), pieces, seconds)


def _receive(connection: socket, until: float) -> tuple[str, int, bytes]:
    data = b""
    while b"\n" not in data:
        if len(data) > HEADER_BYTES:
            raise FrameError("this is no answer")
        data += _more(connection, until)
    line, _, rest = data.partition(b"\n")
    word, code, length = parse_answer(line)
    parts = [rest]
    missing = length - len(rest)
    while missing > 0:
        parts.append(_more(connection, until))
        missing -= len(parts[-1])
    if missing:
        raise FrameError("more than was announced")
    return word, code, b"".join(parts)


def _more(connection: socket, until: float) -> bytes:
    left = until - time.perf_counter()
    if left <= 0:
        raise TimeoutError
    connection.settimeout(left)
    data = connection.recv(_CHUNK)
    if not data:
        raise FrameError("the answer was cut short")
    return data


def _parse(words: Sequence[str]) -> tuple[str, str] | None:
    """Host and root, where the words are nothing but these."""
    host, root = "", ""
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        if word == "--root" and waiting and not waiting[0].startswith("-"):
            root = waiting.pop(0)
        elif word.startswith("--root="):
            root = word.removeprefix("--root=")
        elif word.replace("-", "").isalnum() and word.isascii() and not host and word[0] != "-":
            host = word
        else:
            return None
    return (host, root) if 0 < len(host) <= _LONGEST_NAME else None


def _read_all() -> bytes:
    """All of standard input; nothing of one that is closed or cannot be read."""
    try:
        return sys.stdin.buffer.read() if sys.stdin is not None else b""
    except OSError:
        return b""


def _write(stdout: bytes, code: int) -> int:
    """Write the answer to standard output, if that is open and anybody reads it; returns the exit code."""
    if sys.stdout is None or not stdout:
        return code
    try:
        sys.stdout.buffer.write(stdout)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        _forget_stdout()
    except OSError as error:
        _forget_stdout()
        print(f"prebrief: standard output: cannot be written: {error.strerror}", file=sys.stderr)
        return 1
    return code


def _forget_stdout() -> None:
    """Let what is still buffered go nowhere, or the interpreter complains of it at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _was_late() -> bool:
    try:
        return time.time() - os.stat(late_in(runtime_folder())).st_mtime < LATE_FOR  # noqa: PTH116
    except OSError:
        return False


def _remember_late() -> None:
    """Note that the daemon did not answer at all: it answers in time even what it cannot do."""
    try:
        os.close(os.open(late_in(runtime_folder()), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    except OSError:  # the next client waits as long as this one
        return
