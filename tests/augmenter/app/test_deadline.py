"""The deadline of a dispatch: between steps, inside queries, and within a step that hangs."""

from __future__ import annotations

import json
import os
import signal
import time

import pytest

from augmenter import Augmenter
from knowledge.clock import Clock

TASK = "Fix the timeout in `EventStream.close`: it leaks the socket"


def test_slow_step_passes_the_deadline(project):
    ticks = iter(range(1000))
    clock = Clock(tick=lambda: next(ticks) * 0.4)
    with Augmenter.open(project.root, clock=clock) as augmenter:
        brief = augmenter.augment(TASK)
    assert brief.prompt == TASK
    assert brief.degraded.reason == "deadline-exceeded"
    assert brief.offered == ()


@pytest.fixture
def hanging(project):
    """A file of git's that never answers: whoever opens it waits for a writer."""
    head = project.root / ".git" / "refs" / "heads" / "main"
    head.unlink()
    os.mkfifo(head)
    return project


@pytest.mark.parametrize("words", [("augment", TASK, "--json"), ("hook", "run", "generic")])
def test_hanging_step_is_ended_by_the_alarm(hanging, run, words, assert_unbriefed):
    event = json.dumps({"task": TASK}).encode()
    began = time.monotonic()
    done = run(*words, root=hanging.root, stdin=event)
    assert time.monotonic() - began < 2
    assert (done.code, done.err) == (0, "")
    assert_unbriefed(done.json, TASK, "deadline-exceeded")
    assert "not briefed: deadline-exceeded" in run("receipts", "list", root=hanging.root).text


def test_alarm_follows_the_setting(hanging, run, assert_unbriefed):
    hanging.write("prebrief.toml", "[dispatch]\ndeadline_ms = 100\n")
    began = time.monotonic()
    done = run("augment", TASK, "--json", root=hanging.root)
    assert time.monotonic() - began < 0.8
    assert_unbriefed(done.json, TASK, "deadline-exceeded")


def test_alarm_restores_what_was_there(hanging, run):
    before = signal.getsignal(signal.SIGALRM)
    run("augment", TASK, root=hanging.root)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
