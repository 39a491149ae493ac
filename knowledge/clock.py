"""Time, randomness and dispatch ids: passed in, so that tests and replays can hold them still."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
ULID_LENGTH = 26


@dataclass(frozen=True, slots=True)
class Clock:
    """The outside world's time and randomness.

    Attributes:
        now: seconds since the epoch.
        tick: a monotonic counter in seconds, for durations.
        random_bytes: ``n`` random bytes.
    """

    now: Callable[[], float] = field(default=time.time)
    tick: Callable[[], float] = field(default=time.perf_counter)
    random_bytes: Callable[[int], bytes] = field(default=os.urandom)

    def timestamp(self) -> str:
        """Now, as ``2026-01-31T12:00:00.000Z``."""
        return format_time(self.now())

    def dispatch_id(self) -> str:
        """A new ULID: 48 bits of milliseconds, 80 random bits, in Crockford's base 32.

        Source: the ULID specification (github.com/ulid/spec). Written here because the libraries draw
        their own randomness and cost 50 ms of imports in the path of a dispatch.
        """
        value = int(self.now() * 1000) << 80 | int.from_bytes(self.random_bytes(10), "big")
        return "".join(_CROCKFORD[value >> shift & 31] for shift in range(125, -1, -5))


def is_dispatch_id(text: str) -> bool:
    """Whether ``text`` has the form of a dispatch id."""
    return len(text) == ULID_LENGTH and text[0] in "01234567" and all(c in _CROCKFORD for c in text)


def format_time(seconds: float) -> str:
    """Seconds since the epoch as ISO 8601 in UTC with milliseconds."""
    moment = datetime.fromtimestamp(seconds, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def parse_time(text: str) -> float:
    """The inverse of `format_time`, to the millisecond. Raises ValueError."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%f%z").timestamp()
