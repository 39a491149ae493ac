"""The outer deadline: it ends what hangs within one step, where no step can look at the clock."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType

from knowledge.errors import DeadlineExceeded

# An exception can get lost (in a callback of SQLite, in a destructor): the alarm is repeated. So long also
# has the dispatch to record that it was late; what hangs there too is cut by the next alarm.
REPEAT_SECONDS = 0.1


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[Callable[[float], None]]:
    """Raise DeadlineExceeded in the main thread when the time is up, wherever the code is.

    The pipeline looks at its own deadline between steps; this catches what hangs within one (a file system
    that does not answer). Elsewhere than in a main thread with POSIX timers it does nothing.

    Yields:
        A function that sets the time anew, to so many seconds from its call.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield _no_limit
        return
    armed = True

    def expire(_number: int, _frame: FrameType | None) -> None:
        if armed:
            raise DeadlineExceeded(
                "the deadline has passed",
                remedy="See what the dispatch waits for, or raise dispatch.deadline_ms",
            )

    def extend(seconds: float) -> None:
        signal.setitimer(signal.ITIMER_REAL, seconds, REPEAT_SECONDS)

    before = signal.signal(signal.SIGALRM, expire)
    try:
        try:
            extend(seconds)
            yield extend
        finally:  # an alarm that comes here raises into the outer `finally`
            armed = False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _no_limit(seconds: float) -> None:
    """There is no timer here."""
