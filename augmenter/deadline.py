"""The deadline of a dispatch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from knowledge.errors import DeadlineExceeded


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment on a monotonic clock.

    Attributes:
        tick: the clock, in seconds.
        at: the moment; infinity for none.
    """

    tick: Callable[[], float]
    at: float = float("inf")

    def expired(self) -> bool:
        """Whether the time is up."""
        return self.tick() >= self.at

    def check(self, step: str) -> None:
        """Raise DeadlineExceeded when the time is up."""
        if self.expired():
            raise DeadlineExceeded(
                "the deadline has passed",
                where=step,
                remedy="Raise dispatch.deadline_ms, or look at the timings",
            )
