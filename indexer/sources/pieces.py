"""A long stream of bytes, read from its front, of which only one piece is in memory at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator

from knowledge.errors import GitError


class Exhausted(Exception):
    """More of a stream would have to be read than it may be."""


class Pieces:
    """A stream of bytes.

    Attributes:
        limit: the place after which nothing more is read, but `Exhausted` raised; None for none.
    """

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self.limit: int | None = None
        self._chunks = chunks
        self._buffer = b""
        self._at = 0
        self._before = 0  # bytes that are no longer in the buffer
        self._is_whole = False  # whether nothing follows the buffer
        self._failure: GitError | None = None

    def require_whole(self) -> None:
        """Raise what the stream ended with, if it was not its own end: the last that was read may lack more.

        Until then, what was given before the failure can be read.
        """
        if self._failure is not None:
            raise self._failure

    @property
    def place(self) -> int:
        """How many bytes were read."""
        return self._before + self._at

    def passes(self, wanted: bytes) -> bool:
        """Whether the next byte that is neither NUL nor a line feed is this one, which is then behind."""
        while True:
            while self._at < len(self._buffer) and self._buffer[self._at] in b"\0\n":
                self._at += 1
            if self._at < len(self._buffer):
                is_next = self._buffer.startswith(wanted, self._at)
                self._at += is_next
                return is_next
            if not self._more():
                return False

    def stands_at(self, wanted: bytes) -> bool:
        """Whether this byte, after a question for another one, is next."""
        return self._buffer.startswith(wanted, self._at)

    def until_nul(self, most: int) -> bytes:
        """What stands before the next NUL, which is then behind, and of that the first so many bytes."""
        kept = b""
        while True:
            end = self._buffer.find(b"\0", self._at)
            found = self._buffer[self._at : end if end >= 0 else len(self._buffer)]
            kept += found[: most - len(kept)]
            self._at += len(found)
            if end >= 0:
                self._at += 1
                return kept
            if not self._more():
                return kept

    def matches(self, pattern: re.Pattern[bytes], lines: int) -> Iterator[re.Match[bytes]]:
        """What matches from here on; what stands before the end of a match is behind when it is given.

        Args:
            pattern: what begins with a line feed.
            lines: a match that begins before so many line feeds is whole.
        """
        while True:
            hold = len(self._buffer) if self._is_whole else self._hold(lines)
            for match in pattern.finditer(self._buffer, self._at):
                if match.start() >= hold:
                    break
                self._at = match.end()
                yield match
            self._at = max(self._at, hold)
            if self._is_whole:
                return
            self._more()

    def _hold(self, lines: int) -> int:
        end = len(self._buffer)
        for _ in range(lines):
            end = self._buffer.rfind(b"\n", self._at, end)
            if end < 0:
                return self._at
        return end

    def _more(self) -> bool:
        if self.limit is not None and self.place > self.limit:
            raise Exhausted
        try:
            chunk = next(self._chunks, b"")
        except GitError as error:
            self._failure, chunk = error, b""
        self._is_whole = not chunk
        self._before += self._at
        self._buffer = self._buffer[self._at :] + chunk
        self._at = 0
        return bool(chunk)
