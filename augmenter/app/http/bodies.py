"""Reading what is sent, with bounds on memory and time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from augmenter.app.http.guards import RawHeaders, values
from augmenter.app.http.replies import JSON, RETRY, UNAVAILABLE, Refusal

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]

MOST_BODY = 2 * 1024 * 1024  # bytes of one: a task with a long log in it, or a diff of 40,000 lines
MOST_HELD = 32 * 1024 * 1024  # bytes of all at once: what the daemon may grow by
MOST_REQUESTS = 128  # at once; a burst of 50 is usual, far more is a loop gone wild
BODY_SECONDS = 10.0  # for all of a body; on loopback the largest takes milliseconds
_LENGTH = b"content-length"


class Gone(Exception):
    """The client has gone, and nobody waits for an answer."""


@dataclass(slots=True)
class Intake:
    """Takes bodies in. Belongs to the event loop's thread.

    Attributes:
        seconds: for each.
        held: bytes of bodies at the moment.
        requests: how many are being answered.
    """

    seconds: float = BODY_SECONDS
    held: int = 0
    requests: int = 0

    @contextmanager
    def admit(self) -> Iterator[None]:
        """Let one request in for the length of a ``with`` block. Raises Refusal: there are too many."""
        if self.requests >= MOST_REQUESTS:
            raise _busy()
        self.requests += 1
        try:
            yield
        finally:
            self.requests -= 1

    @contextmanager
    def holding(self, body: bytearray) -> Iterator[None]:
        """Have a body's bytes counted for the length of a ``with`` block, however many they become."""
        try:
            yield
        finally:
            self.held -= len(body)

    async def read(self, headers: RawHeaders, receive: Receive, body: bytearray) -> None:
        """Read a body of JSON, within `holding`.

        Args:
            headers: the request's.
            receive: ASGI's.
            body: where to put it.

        Raises:
            Refusal: it is of another type, too large, or too slow; or there is no room for it.
            Gone: the client has gone.
        """
        known = list(headers)
        _check_type(known)
        _check_size(max((int(text) for text in values(known, _LENGTH) if text.isdecimal()), default=0))
        try:
            async with asyncio.timeout(self.seconds):
                while await self._more(receive, body):
                    _check_size(len(body))
        except TimeoutError:
            raise Refusal(
                408,
                "too-slow",
                f"the body did not come within {self.seconds:g} seconds",
                remedy="Send it at once",
                headers=(("connection", "close"),),
            ) from None
        _check_size(len(body))

    async def _more(self, receive: Receive, body: bytearray) -> bool:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        piece: bytes = message.get("body", b"")
        if self.held + len(piece) > MOST_HELD:
            raise _busy()
        body += piece
        self.held += len(piece)
        return bool(message.get("more_body", False))


def _check_type(headers: RawHeaders) -> None:
    told = values(headers, b"content-type")
    kind, _, parameters = told[0].partition(";") if len(told) == 1 else ("", "", "")
    charset = parameters.replace(" ", "").replace('"', "").lower()
    is_json = kind.strip().lower() == JSON and charset in ("", "charset=utf-8")
    if not is_json or any(value.lower() != "identity" for value in values(headers, b"content-encoding")):
        raise Refusal(
            415,
            "not-json",
            "the body is not said to be JSON in UTF-8, as it is",
            where="Content-Type",
            remedy=f"Send 'Content-Type: {JSON}', and no Content-Encoding",
        )


def _check_size(size: int) -> None:
    if size > MOST_BODY:
        raise Refusal(
            413,
            "too-large",
            f"the body has more than {MOST_BODY} bytes",
            remedy="Send less; 'prebrief augment' and 'prebrief outcome' take any size",
        )


def _busy() -> Refusal:
    return Refusal(
        UNAVAILABLE,
        "busy",
        "too much is being answered already",
        remedy="Ask again in a second",
        headers=RETRY,
    )
