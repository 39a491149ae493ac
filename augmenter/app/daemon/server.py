"""The socket's side of the daemon: lets clients in, reads what they ask with bounds, hands it on, answers."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from augmenter.app.daemon.places import why_stranger
from augmenter.app.daemon.protocol import (
    ANSWER,
    BUSY,
    HEADER_BYTES,
    HOOK,
    MEANWHILE,
    MOST_READ_HERE,
    OTHER,
    REFUSED,
    STOP,
    UNABLE,
    FrameError,
    Request,
    answer_line,
    is_older,
    parse_request,
)
from augmenter.app.daemon.workroom import HookCall, Workroom, late
from augmenter.app.hooks import pass_through
from augmenter.app.logs import Log
from augmenter.hosts.registry import NAMES
from knowledge.version import VERSION

MOST_CONNECTIONS = 256  # more than a user has agents; each holds a file
MOST_HELD = 128 * 1024 * 1024  # bytes of events that are being read or answered, all connections together
CHUNK = 64 * 1024  # bytes read at once
HEADER_SECONDS = 1.0  # for a request's first line; the client writes it at once
SLOWEST_READ = 10.0  # seconds for the rest, however long the client would wait
ANSWER_SECONDS = 10.0  # for an answer to be taken, of 50 MB by a busy machine
TAKEN_SECONDS = 1.0  # for a client to hang up when it has its answer, which it does at once
PAUSE_SECONDS = 0.1  # before the next look, where no file is left to let anybody in

# There are no files, or no memory for one, in this process or on this machine.
_EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


@dataclass(slots=True)
class Counts:
    """What came of connections, since the start.

    Attributes:
        let_in: all of them.
        turned_away: there were too many, or too much to hold.
        strangers: of another user, or another view of the files.
        broken: no request came, or not in time, or its client went away.
        other_version: clients of another version.
    """

    let_in: int = 0
    turned_away: int = 0
    strangers: int = 0
    broken: int = 0
    other_version: int = 0


class _Broken(Exception):
    """The client has gone, or what it says cannot be understood."""


@dataclass(slots=True)
class Server:
    """Answers on a socket. All methods belong to the thread of the event loop.

    Attributes:
        workroom: does what hooks ask.
        log: where events go.
        status: what to answer who asks how the daemon is, as JSON.
        leave: is called, with the reason, when the daemon is to end.
        counts: what came of connections.
        is_leaving: from then on nothing new is begun.
    """

    workroom: Workroom
    log: Log
    status: Callable[[], bytes]
    leave: Callable[[str], None]
    counts: Counts = field(default_factory=Counts)
    is_leaving: bool = False
    _held: int = 0
    _spare: int | None = None
    _talks: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def connections(self) -> int:
        """How many clients are being talked to."""
        return len(self._talks)

    def start(self, listener: socket.socket) -> None:
        """Let clients in from now on."""
        self._spare = self._spare or os.open(os.devnull, os.O_RDONLY)
        asyncio.get_running_loop().add_reader(listener, self._let_in, listener)

    async def drain(self, listener: socket.socket, seconds: float) -> None:
        """Let nobody in any more, and let those who are in have their answers, for at most so long.

        Who waits at the door learns at once that nobody is there.
        """
        self.is_leaving = True
        asyncio.get_running_loop().remove_reader(listener)
        listener.close()
        if self._talks:
            await asyncio.wait(self._talks, timeout=seconds)
        for talk in self._talks:
            talk.cancel()

    def _let_in(self, listener: socket.socket) -> None:
        for _ in range(MOST_CONNECTIONS):
            try:
                connection, _address = listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                self._without_files(listener, error)
                return
            self._receive(connection)

    def _receive(self, connection: socket.socket) -> None:
        self.counts.let_in += 1
        connection.setblocking(False)
        if problem := why_stranger(connection):
            self.counts.strangers += 1
            self.log.warning("stranger", problem=problem)
            _send_off(connection, REFUSED)
        elif len(self._talks) >= MOST_CONNECTIONS:
            self._turn_away(connection)
        else:
            talk = asyncio.get_running_loop().create_task(self._talk(connection))
            self._talks.add(talk)
            talk.add_done_callback(self._talks.discard)

    def _turn_away(self, connection: socket.socket) -> None:
        self.counts.turned_away += 1
        _send_off(connection, BUSY)

    def _without_files(self, listener: socket.socket, error: OSError) -> None:
        """Tell one client that there is no place: with the file that was kept for it."""
        if error.errno not in _EXHAUSTED:
            self.log.error("nobody can be let in", detail=str(error))
            self.leave("its socket is broken")
            return
        if self._spare is not None:
            os.close(self._spare)
            self._spare = None
            with suppress(OSError):
                self._turn_away(listener.accept()[0])
        try:
            self._spare = os.open(os.devnull, os.O_RDONLY)
        except OSError:  # not even this one is left: look again a little later
            loop = asyncio.get_running_loop()
            loop.remove_reader(listener)
            loop.call_later(PAUSE_SECONDS, self._look_again, listener)

    def _look_again(self, listener: socket.socket) -> None:
        if not self.is_leaving:
            asyncio.get_running_loop().add_reader(listener, self._let_in, listener)

    async def _talk(self, connection: socket.socket) -> None:
        """One connection, from its first byte to its last."""
        arrived = time.monotonic()
        request: Request | None = None
        with connection:
            try:
                request, rest = await self._request(connection)
                await self._serve(connection, request, rest, arrived)
            except (OSError, TimeoutError, FrameError, _Broken) as error:
                self.counts.broken += 1
                self.log.info("broken off", why=type(error).__name__, detail=str(error))
        took = round((time.monotonic() - arrived) * 1000, 1)
        self.log.debug("connection", **_described(request), milliseconds=took)

    async def _request(self, connection: socket.socket) -> tuple[Request, bytes]:
        """What is asked, and what came along with it."""
        async with asyncio.timeout(HEADER_SECONDS):
            line, rest = await self._first_line(connection)
        try:
            return parse_request(line), rest
        except FrameError:
            await self._say(connection, answer_line(REFUSED))
            raise

    async def _serve(self, connection: socket.socket, request: Request, rest: bytes, arrived: float) -> None:
        if request.verb in ("", HOOK) and not request.is_same:
            await self._disagree(connection, request)
        elif request.verb == HOOK:
            await self._hook(connection, request, rest, arrived)
        else:
            await self._told(connection, request)

    async def _first_line(self, connection: socket.socket) -> tuple[bytes, bytes]:
        """The first line, and what came along with it."""
        data = b""
        while b"\n" not in data[:HEADER_BYTES]:
            if len(data) >= HEADER_BYTES:
                await self._say(connection, answer_line(REFUSED))
                raise _Broken("no end of a line")
            data += await self._more(connection, CHUNK)
        line, _, rest = data.partition(b"\n")
        return line, rest

    async def _disagree(self, connection: socket.socket, request: Request) -> None:
        """The client is of another version: it helps itself, and if it is the newer one, we make room."""
        self.counts.other_version += 1
        await self._say(connection, answer_line(OTHER))
        if is_older(VERSION, request.version):
            self.leave(f"a client of version {request.version} has come")

    async def _told(self, connection: socket.socket, request: Request) -> None:
        status = self.status()
        await self._say(connection, answer_line(ANSWER, 0, len(status)) + status)
        if request.verb == STOP:
            self.leave("it was told to")

    async def _hook(self, connection: socket.socket, request: Request, rest: bytes, arrived: float) -> None:
        deadline = arrived + request.milliseconds / 1000
        if request.host not in NAMES:
            await self._say(connection, answer_line(REFUSED))
        elif self.is_leaving:
            await self._say(connection, answer_line(BUSY))
        else:
            held = sum(request.lengths)
            if self._held + held > MOST_HELD:
                self.counts.turned_away += 1
                await self._say(connection, answer_line(BUSY))
                return
            self._held += held
            try:
                async with asyncio.timeout(min(deadline - time.monotonic(), SLOWEST_READ)):
                    call = _call(request, await self._body(connection, rest, held))
                await self._say(connection, _meanwhile(call))
                await self._answer(connection, call, deadline)
            finally:
                self._held -= held

    async def _body(self, connection: socket.socket, rest: bytes, size: int) -> bytes:
        """So many bytes: memory is taken as they come, not as they are promised."""
        data = bytearray(rest)
        while len(data) < size:
            data += await self._more(connection, min(CHUNK, size - len(data)))
        if len(data) > size:
            raise _Broken("more than was announced")
        return bytes(data)

    async def _answer(self, connection: socket.socket, call: HookCall, deadline: float) -> None:
        """Have it answered, unless the client goes away: then what no thread has begun is not begun."""
        loop = asyncio.get_running_loop()
        working = loop.create_task(self.workroom.answer(call, deadline))
        going = loop.create_task(loop.sock_recv(connection, 1))
        try:
            await asyncio.wait((working, going), return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                raise _Broken("the client has gone")
            outcome = working.result()
        finally:
            working.cancel()
            going.cancel()
            await asyncio.gather(working, going, return_exceptions=True)
        word = UNABLE if outcome.other_may else ANSWER
        stdout = b"" if outcome.other_may else outcome.answer.stdout
        await self._say(connection, answer_line(word, outcome.answer.exit_code, len(stdout)) + stdout)
        if word == ANSWER and outcome.notes:
            await self._taken(connection)
            self.workroom.delivered(outcome)

    async def _taken(self, connection: socket.socket) -> None:
        """Wait until the client hangs up.

        Raises:
            ConnectionResetError: it has not read all of it, as Linux tells.
            TimeoutError: it does not hang up.
        """
        async with asyncio.timeout(TAKEN_SECONDS):
            await asyncio.get_running_loop().sock_recv(connection, 1)

    async def _more(self, connection: socket.socket, most: int) -> bytes:
        data = await asyncio.get_running_loop().sock_recv(connection, most)
        if not data:
            raise _Broken("the client has gone")
        return data

    async def _say(self, connection: socket.socket, data: bytes) -> None:
        async with asyncio.timeout(ANSWER_SECONDS):
            await asyncio.get_running_loop().sock_sendall(connection, data)


def _described(request: Request | None) -> dict[str, str | int]:
    """What a log may say of a request: nothing of its content, nor names that nobody knows."""
    if request is None:
        return {"asked": "nothing that can be understood"}
    host = request.host if request.host in NAMES else ""
    return {"asked": host or request.verb or "another protocol", "bytes": sum(request.lengths)}


def _call(request: Request, body: bytes) -> HookCall:
    root, here, _ = request.lengths
    return HookCall(
        request.host, body[root + here :], os.fsdecode(body[:root]), os.fsdecode(body[root : root + here])
    )


def _meanwhile(call: HookCall) -> bytes:
    """What the client is to print if it hears no more: the task as it is. It need not work that out then."""
    if len(call.data) > MOST_READ_HERE:
        return b""
    answer = pass_through(call.host, call.data, late())
    return answer_line(MEANWHILE, answer.exit_code, len(answer.stdout)) + answer.stdout


def _send_off(connection: socket.socket, word: str) -> None:
    """Say one word that is sure to fit, and hang up."""
    with connection, suppress(OSError):
        connection.setblocking(False)
        connection.send(answer_line(word))
