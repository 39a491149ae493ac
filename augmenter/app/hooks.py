"""What a host's event comes to: a brief, in time, or the task unchanged."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from augmenter.app.augmenter import Ask, Augmenter
from augmenter.app.logs import Log
from augmenter.brief import Brief, degradation, passed_through
from augmenter.hosts import generic
from augmenter.record import Sender
from knowledge.errors import DeadlineExceeded, PrebriefError

DEADLINE_SECONDS = 1.0  # what hosts and people tolerate before a dispatch feels stuck


def run_generic(data: bytes, root: str) -> bytes:
    """Answer an event of the generic host.

    Args:
        data: the event.
        root: a folder of the project; ``""`` takes the event's ``cwd``, or the working directory.
    """
    try:
        with time_limit(DEADLINE_SECONDS):
            brief = _brief(generic.read_event(data), root)
    except PrebriefError as error:
        brief = passed_through(generic.task_of(data), degradation(error))
    return generic.write_answer(brief.as_json())


def _brief(event: generic.Event, root: str) -> Brief:
    ask = Ask(
        sender=Sender(event.agent, generic.HOST, event.session, event.role),
        preamble=event.preamble,
        patterns=event.patterns,
        rules=event.rules,
        budget=event.budget,
        format=event.format,
    )
    with Augmenter.open(Path(root or event.cwd or "."), log=Log("silent")) as augmenter:
        return augmenter.augment(event.task, ask=ask)


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise DeadlineExceeded in the main thread when the time is up, wherever the code is.

    The pipeline looks at its own deadline between steps; this catches what hangs within one (a file system
    that does not answer). Elsewhere than in a main thread with POSIX timers it does nothing.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def expire(_number: int, _frame: FrameType | None) -> None:
        raise DeadlineExceeded(
            "the deadline of a hook has passed",
            where=f"{seconds} s",
            remedy="Look at 'prebrief receipts list'",
        )

    before = signal.signal(signal.SIGALRM, expire)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
