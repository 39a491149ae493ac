"""What the daemon has done lately, in numbers."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from statistics import quantiles

from augmenter.app.logs import Log

REMEMBERED = 1000  # pieces of work of which the time is known: some hours of an agent's day
DEGRADED = "dispatch degraded"  # the event by which `Augmenter` tells it
LATE = "late"  # the reason of what the event loop itself let through, at its deadline


@dataclass(frozen=True, slots=True)
class Figures:
    """Numbers since the start; times are of the last `REMEMBERED` pieces of work, with their waiting.

    Attributes:
        answered: pieces of work that were done in time.
        passed: tasks that went out unchanged, by reason; ``late`` where no thread was done in time.
        p50: milliseconds, of the median.
        p99: likewise.
        most: likewise.
    """

    answered: int
    passed: dict[str, int]
    p50: float
    p99: float
    most: float


@dataclass(slots=True)
class Tally:
    """Counts. Belongs to the event loop's thread."""

    answered: int = 0
    passed: Counter[str] = field(default_factory=Counter)
    _times: deque[float] = field(default_factory=lambda: deque(maxlen=REMEMBERED))

    def done(self, milliseconds: float, reasons: tuple[str, ...] = ()) -> None:
        """Work was done; reasons are those why tasks went out unchanged."""
        self.answered += 1
        self.passed.update(reasons)
        self._times.append(milliseconds)

    def late(self, milliseconds: float) -> None:
        """Work was not done in time."""
        self.passed[LATE] += 1
        self._times.append(milliseconds)

    def figures(self) -> Figures:
        """What was counted so far."""
        times = sorted(self._times)
        cuts = quantiles(times, n=100, method="inclusive") if len(times) > 1 else (times or [0.0]) * 99
        p50, p99, most = (round(value, 1) for value in (cuts[49], cuts[98], max(times, default=0.0)))
        return Figures(self.answered, dict(sorted(self.passed.items())), p50, p99, most)


@dataclass(slots=True)
class Noting(Log):
    """A log that also remembers why tasks went out unchanged.

    Attributes:
        reasons: of each, since somebody has cleared them.
    """

    reasons: list[str] = field(default_factory=list)

    def bind(self, **fields: object) -> Log:
        """As `Log.bind`."""
        return Noting(self.level, {**self.bound, **fields}, self.reasons)

    def warning(self, event: str, **fields: object) -> None:
        """As `Log.warning`."""
        if event == DEGRADED:
            self.reasons.append(str(fields.get("reason", "")))
        Log.warning(self, event, **fields)
