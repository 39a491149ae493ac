"""What counts as given to an agent: what has arrived, and nothing else."""

from __future__ import annotations

import json
import time

import pytest
from daemons import TASK, wait_until

from augmenter.app.ask import Ask
from augmenter.app.augmenter import Augmenter
from augmenter.app.daemon.protocol import HOOK, Request
from knowledge.clock import Clock
from receipts.ledger import Ledger

EVENT = {"hook_event_name": "UserPromptSubmit", "prompt": TASK, "session_id": "s"}


def request(project, more=""):
    event = json.dumps({**EVENT, "cwd": str(project.root), "more": more}).encode()
    return Request(HOOK, "claude-code", 60_000, (0, 0, len(event))).line() + event


@pytest.fixture
def opened(project):
    with Augmenter.open(project.root) as augmenter:
        yield augmenter


def offered(opened):
    """How many receipts say that something was offered."""
    return sum(bool(receipt.offered) for receipt in opened.ledger().latest(9))


def given(opened):
    return opened.sessions.given("claude-code:s")


def is_alone(daemon):
    """Whether the daemon is done with all who have asked."""
    status = daemon.status()
    return status["connections"]["now"] == 1 and not status["work"]["running"]


@pytest.mark.parametrize("more", ["", "x" * 500_000], ids=["small", "large"])
def test_an_answer_that_was_not_read_is_not_given(daemon, connect, project, opened, more):
    connection = connect()
    connection.sendall(request(project, more))
    assert wait_until(lambda: offered(opened) == 1)
    connection.close()
    assert wait_until(lambda: is_alone(daemon))
    assert given(opened) == {}


def test_an_answer_that_was_read_is_given(daemon, connect, project, opened):
    def is_given():
        connection = connect()
        connection.sendall(request(project))
        told = b""
        while b"EventStream.close" not in told:
            told += connection.recv(1 << 20)
        assert given(opened) == {}
        connection.close()
        assert wait_until(lambda: is_alone(daemon))
        return given(opened)

    assert wait_until(is_given)  # on a busy machine the daemon may not wait long enough for the end


def test_a_hook_is_not_told_twice_by_the_daemon(daemon, hook, project, opened):
    def run():
        return hook({**EVENT, "cwd": str(project.root)}, host="claude-code").out

    assert wait_until(lambda: b"EventStream.close" in run())
    wait_until(lambda: given(opened))
    assert b"EventStream.close" not in run()


def test_what_was_kept_too_late_is_not_given(project, monkeypatch):
    """As by a ledger on a slow disk."""
    passed = [0.0]
    append = Ledger.append

    def slow(ledger, *receipts):
        append(ledger, *receipts)
        passed[0] += 60.0

    monkeypatch.setattr(Ledger, "append", slow)
    ask = Ask(context="window", keys=("mine",))
    with Augmenter.open(project.root, clock=Clock(tick=lambda: time.perf_counter() + passed[0])) as augmenter:
        augmenter.hurry(30.0)
        late = augmenter.augment(TASK, ask=ask)
        assert late.offered
        assert augmenter.sessions.given("window") == {}
        assert augmenter.sessions.dispatch_of("mine") == late.dispatch_id
        augmenter.hurry(90.0)
        assert augmenter.augment(TASK, ask=ask).offered
        assert augmenter.sessions.given("window")
