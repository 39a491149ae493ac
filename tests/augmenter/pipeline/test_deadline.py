"""The deadline between steps."""

from __future__ import annotations

import pytest

from augmenter.augment import Stopwatch
from augmenter.deadline import Deadline
from knowledge.errors import DeadlineExceeded


def ticking(*moments):
    return iter(moments).__next__


def test_no_deadline_never_passes():
    Deadline(ticking(1e12)).check("step")


def test_deadline_passes_at_its_moment():
    assert not Deadline(ticking(0.99), 1.0).expired()
    assert Deadline(ticking(1.0), 1.0).expired()


def test_error_names_the_step():
    with pytest.raises(DeadlineExceeded, match=r"gather: the deadline has passed. Raise"):
        Deadline(ticking(2.0), 1.0).check("gather")


def test_steps_are_timed_in_milliseconds_and_stop_at_the_deadline():
    tick = ticking(0.0, 0.0, 0.25, 0.5, 9.0)
    watch = Stopwatch(tick, Deadline(tick, 1.0))
    with watch.step("first"):
        pass
    assert watch.timings_ms == {"first": 250.0}
    with pytest.raises(DeadlineExceeded, match="third"):
        Stopwatch(tick, Deadline(lambda: 9.0, 1.0)).step("third").__enter__()
