"""The hook's client: asks the daemon, and does the work itself where there is none.

Every dispatch pays for what is imported here. A client with a daemon is to end before a process that works by
itself has loaded its modules, so it uses the standard library's lowest parts: ``_socket`` in place of
``socket`` (a tenth of the time), texts in place of paths, no parser of arguments, no JSON.
"""

from __future__ import annotations

import os
import sys
import time

from augmenter.app.daemon.places import is_off, runtime_folder, socket_in, why_stranger, why_unsafe
from augmenter.app.daemon.protocol import (
    ANSWER,
    HEADER_BYTES,
    HOOK,
    MEANWHILE,
    MOST_READ_HERE,
    FrameError,
    Request,
    parse_answer,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket
    from collections.abc import Sequence

    Reply = tuple[str, int, bytes]

# Of the second that a dispatch has, from the event's last byte to the answer's first:
WAIT = 0.95  # for the daemon's answer, once it has sent what is to be printed without one
# For that. The daemon sends it before any work: in a millisecond, in some tens among a burst of hooks. Who
# gets none has asked a daemon that hangs, and briefs by itself: this leaves more than twice the usual time.
WAIT_FOR_SIGN = 0.3
# For the answer to an event that is too large for a sign: then this process passes the task through, which
# takes some imports.
WAIT_WITHOUT_SIGN = 0.8
ON_THE_WAY = 0.03  # for an answer to come from the daemon to here
LATEST_START = 0.7  # of working by oneself: a process that does so takes the rest
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
    talk = Talk(began)
    try:
        word, code, stdout = _ask_for(talk, host, root, event)
        if word == ANSWER:
            return _write(stdout, code)
        is_late = False
    except (OSError, FrameError) as error:
        is_late = isinstance(error, TimeoutError)
    if talk.meanwhile is not None and (is_late or time.perf_counter() - began > LATEST_START):
        return _write(*talk.meanwhile)
    from augmenter.app.fallback import answer_alone  # noqa: PLC0415 - only where there is no daemon

    answered = answer_alone(host, root, event, began, LATEST_START)
    if answered is None:
        return None
    answer, start_daemon = answered
    code = _write(answer.stdout, answer.exit_code)
    start_daemon()
    return code


class Talk:
    """One request to the daemon.

    Attributes:
        began: when what it waits for began, by `time.perf_counter`.
        meanwhile: bytes and exit code to take if no answer comes in time; None until the daemon sends them.
    """

    __slots__ = ("_data", "_until", "began", "meanwhile")

    def __init__(self, began: float) -> None:
        self.began = began
        self.meanwhile: tuple[bytes, int] | None = None
        self._data = b""
        self._until = began

    def ask(self, request: Request, pieces: tuple[bytes, bytes, bytes], seconds: float) -> Reply:
        """Ask; gives the answer's word, exit code and bytes.

        Args:
            request: with the lengths of the pieces.
            pieces: root, working directory, event.
            seconds: since `began`, how long to wait for a sign.

        Raises:
            TimeoutError: nothing came in time.
            OSError: there is no daemon, or it has gone.
            FrameError: what is there is no daemon of ours.
        """
        self._until = self.began + seconds
        folder = runtime_folder()
        if problem := why_unsafe(folder):
            raise FrameError(problem)
        from _socket import socket  # noqa: PLC0415 - see the module's text

        connection = socket(_AF_UNIX, _SOCK_STREAM)
        try:
            connection.settimeout(self._left())
            connection.connect(socket_in(folder))
            if problem := why_stranger(connection):
                raise FrameError(problem)
            connection.sendall(b"".join((request.line(), *pieces)))
            return self._hear(connection)
        finally:
            connection.close()

    def _hear(self, connection: socket) -> Reply:
        """What comes, up to an answer."""
        while True:
            word, code, stdout = self._frame(connection)
            if word != MEANWHILE:
                if self._data:
                    raise FrameError("more than was announced")
                return word, code, stdout
            self.meanwhile = stdout, code
            self._until = self.began + WAIT

    def _frame(self, connection: socket) -> Reply:
        while b"\n" not in self._data:
            if len(self._data) > HEADER_BYTES:
                raise FrameError("this is no answer")
            self._data += self._more(connection)
        line, _, rest = self._data.partition(b"\n")
        word, code, length = parse_answer(line)
        parts = [rest]
        missing = length - len(rest)
        while missing > 0:
            parts.append(self._more(connection))
            missing -= len(parts[-1])
        whole = b"".join(parts)
        self._data = whole[length:]
        return word, code, whole[:length]

    def _more(self, connection: socket) -> bytes:
        connection.settimeout(self._left())
        data = connection.recv(_CHUNK)
        if not data:
            raise FrameError("the answer was cut short")
        return data

    def _left(self) -> float:
        left = self._until - time.perf_counter()
        if left <= 0:
            raise TimeoutError("there is no time left")
        return left


def _ask_for(talk: Talk, host: str, root: str, event: bytes) -> Reply:
    """Ask the daemon to answer an event. Raises as `Talk.ask`."""
    if len(event) > MOST_SENT:
        raise FrameError("the event is too large")
    pieces = (os.fsencode(root), os.fsencode(os.getcwd()), event)  # noqa: PTH109 - see the module's text
    lengths = (len(pieces[0]), len(pieces[1]), len(event))
    # The daemon must not go on with what nobody waits for: it would be in the ledger as offered.
    first, last = (WAIT_FOR_SIGN, WAIT) if len(event) <= MOST_READ_HERE else (WAIT_WITHOUT_SIGN,) * 2
    left = int((last - ON_THE_WAY) * 1000)
    return talk.ask(Request(HOOK, host, left, lengths), pieces, first)


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
    except OSError as error:
        from augmenter.app.streams import forget  # noqa: PLC0415 - only where nobody reads

        forget(sys.stdout)
        if not isinstance(error, BrokenPipeError):
            print(f"prebrief: standard output: cannot be written: {error.strerror}", file=sys.stderr)
            return 1
    return code
