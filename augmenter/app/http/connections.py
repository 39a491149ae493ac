"""Connections: uvicorn's, made impatient. It waits for the head of a request as long as a client likes."""

from __future__ import annotations

import asyncio
import sys
from http import HTTPStatus
from typing import TYPE_CHECKING

from augmenter.app.http.replies import Refusal, refusal

if TYPE_CHECKING:
    from uvicorn.protocols.http.h11_impl import H11Protocol
else:
    H11Protocol = object  # an extra: it becomes the second base where a server is made

HEAD_SECONDS = 10.0  # for the head of a request, from the connection's beginning or its own on
IDLE_SECONDS = 30  # between two requests on one connection
UNREAD_SECONDS = 30  # for the client to read an answer, after which it wanted to hang up
MOST_CONNECTIONS = 512  # at once


class _Impatience(H11Protocol):
    """Ends a connection on which no request comes to be.

    uvicorn's own time, between two requests, runs until the next byte; this one until a head is whole.
    """

    head_seconds = HEAD_SECONDS
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            self.transport.abort()
        else:
            self._look()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        self._stop_waiting()
        super().on_response_complete()
        if self.conn.trailing_data[0]:  # a part of the next head has come already
            self._look()
        if self.transport.is_closing() and self.transport.get_write_buffer_size():
            self._waiting = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def timeout_keep_alive_handler(self) -> None:
        """Hang up, though the last answer was not read."""
        self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        """What is no HTTP is told so in the shape that all errors have."""
        import h11  # noqa: PLC0415 - comes with uvicorn

        status = getattr(sys.exception(), "error_status_hint", 400)
        what = str(sys.exception() or msg)
        reply = refusal(Refusal(status, "bad-request", what, remedy="Speak HTTP/1.1"))
        headers = [*reply.all_headers, (b"connection", b"close")]
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):  # else a response has begun
            for event in (
                h11.Response(
                    status_code=reply.status, headers=headers, reason=HTTPStatus(status).phrase.encode()
                ),
                h11.Data(data=reply.body),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _look(self) -> None:
        """Wait as long as no request is being answered."""
        is_answering = self.cycle is not None and not self.cycle.response_complete
        if is_answering or self.transport.is_closing():
            self._stop_waiting()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(self.head_seconds, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


def impatient(head_seconds: float) -> type[asyncio.Protocol]:
    """The protocol's class, for ``uvicorn.Config(http=…)``.

    Args:
        head_seconds: how long the head of a request may take.
    """
    from uvicorn.protocols.http.h11_impl import H11Protocol as Base  # noqa: PLC0415 - an extra

    return type("Impatient", (_Impatience, Base), {"head_seconds": head_seconds})
