"""What is measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from augmenter.app.daemon.workroom import Stats
from augmenter.app.http.exposition import Family, Histogram, Sample, exposition
from augmenter.brief import Brief
from knowledge.version import VERSION

BRIEFED, ABSTAINED, DEGRADED = "briefed", "abstained", "degraded"
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"})
OTHER = "other"  # stands for any other method: what callers make up is no label
NOWHERE = "none"  # the operation of a request that led to none

Trees = Callable[[], Sequence[dict[str, Any]]]


@dataclass(slots=True)
class Metrics:
    """Counts. Belongs to the event loop's thread.

    Attributes:
        stats: tells how the workroom is.
        trees: tells which trees are watched, as `Upkeep.as_json` does.
    """

    stats: Callable[[], Stats]
    trees: Trees
    _dispatches: Counter[tuple[str, str]] = field(default_factory=Counter)
    _requests: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    _seconds: Histogram = field(default_factory=Histogram)

    def dispatched(self, brief: Brief, seconds: float) -> None:
        """A task was answered."""
        reason = brief.degraded.reason if brief.degraded else ""
        result = DEGRADED if reason else ABSTAINED if brief.abstained else BRIEFED
        self._dispatches[result, reason] += 1
        self._seconds.note(seconds)

    def answered(self, operation: str, method: str, status: int) -> None:
        """A request was answered."""
        self._requests[operation, method if method in METHODS else OTHER, status] += 1

    def text(self) -> str:
        """As Prometheus reads it."""
        return exposition((*self._own(), *self._of_the_daemon()))

    def _own(self) -> Iterator[Family]:
        yield Family("prebrief_info", "gauge", "The version that runs.", (Sample(1, {"version": VERSION}),))
        yield Family(
            "prebrief_http_dispatches_total",
            "counter",
            "Tasks that came by HTTP, by what became of them and why.",
            tuple(
                Sample(count, {"result": result, "reason": reason})
                for (result, reason), count in sorted(self._dispatches.items())
            ),
        )
        yield Family(
            "prebrief_http_dispatch_seconds",
            "histogram",
            "How long tasks that came by HTTP took, with their waiting.",
            self._seconds.samples(),
        )
        yield Family(
            "prebrief_http_requests_total",
            "counter",
            "Requests that were answered.",
            tuple(
                Sample(count, {"operation": operation, "method": method, "status": str(status)})
                for (operation, method, status), count in sorted(self._requests.items())
            ),
        )

    def _of_the_daemon(self) -> Iterator[Family]:
        stats = self.stats()
        figures = stats.figures
        yield _one("prebrief_work_done_total", "counter", "Work done in time, with hooks'.", figures.answered)
        yield Family(
            "prebrief_passed_through_total",
            "counter",
            "Tasks that went out unchanged by a fault, with hooks'.",
            tuple(Sample(count, {"reason": reason}) for reason, count in sorted(figures.passed.items())),
        )
        yield _one("prebrief_warm_projects", "gauge", "Projects that are kept open.", len(stats.projects))
        yield _one("prebrief_work_running", "gauge", "Work that threads are at.", stats.running)
        yield _one("prebrief_work_waiting", "gauge", "Work that no thread has begun.", stats.waiting)
        for name, key, meaning in (
            ("prebrief_index_runs_total", "runs", "Index runs because a watched tree had changed."),
            ("prebrief_index_failures", "failures", "Index runs that failed, since the last good one."),
        ):
            samples = (Sample(tree[key], {"project": _printable(tree["project"])}) for tree in self.trees())
            yield Family(name, "counter" if key == "runs" else "gauge", meaning, tuple(samples))


def _one(name: str, kind: str, meaning: str, value: float) -> Family:
    return Family(name, kind, meaning, (Sample(value),))


def _printable(path: str) -> str:
    """A path in UTF-8, though its name may be in another encoding."""
    return path.encode("utf-8", "backslashreplace").decode()
