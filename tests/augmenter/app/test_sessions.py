"""Nothing twice in a session unless it changed: by the library and by the command."""

import json
import os
import sqlite3
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from augmenter import Ask, Augmenter, Sender
from augmenter.app.replaying import replay
from augmenter.seen import NEXT_BEST
from indexer.build import build_index
from knowledge.clock import Clock
from knowledge.project import locate
from knowledge.settings import Settings

TASK = "Fix the timeout in `EventStream.close`"
OTHER = "The stream does not reconnect after its timeout"


def ids(brief):
    return [item.id for item in (*brief.offered, *brief.rules)]


def relevances(augmenter):
    """Of the patterns that a task finds, as the brief tells them."""
    context = augmenter.augment(TASK, ask=Ask(patterns=9, budget=9000, format="json")).context
    return [item["relevance"] for item in json.loads(context)["patterns"]]


def in_window(context, **more):
    return Ask(context=context, **more)


@pytest.fixture
def change(project):
    """Edits a function, and indexes it."""

    def change(old="self.timer.cancel()", new="self.timer.cancel(now=True)"):
        path = project.root / "src/stream.py"
        path.write_text(path.read_text().replace(old, new))
        os.utime(path, (0, 0))
        build_index(locate(project.root), Settings(), Clock())

    return change


def test_what_a_session_was_given_is_not_given_again(augmenter):
    first = augmenter.augment(TASK, session="worker", ask=Ask(patterns=2))
    second = augmenter.augment(TASK, session="worker", ask=Ask(patterns=2))
    assert ids(first)
    assert not set(ids(first)) & set(ids(second))
    left_out = {item.id: item.reason for item in augmenter.history(second.dispatch_id).receipt.left_out}
    assert {left_out[one] for one in ids(first)} == {"session"}


def test_the_next_best_takes_its_place_and_the_brief_says_so(augmenter):
    everything = ids(augmenter.augment(TASK, ask=Ask(patterns=4)))
    augmenter.augment(TASK, session="worker", ask=Ask(patterns=1))
    second = augmenter.augment(TASK, session="worker", ask=Ask(patterns=1))
    assert ids(second) == everything[1:2]
    assert "1 more item that fits was given earlier in this session." in second.context


def test_what_is_hardly_to_the_point_takes_no_place(augmenter):
    everything = augmenter.augment(TASK, ask=Ask(patterns=9, budget=9000)).offered
    found = dict(zip((item.id for item in everything), relevances(augmenter), strict=True))
    weak = {name for name, relevance in found.items() if relevance < NEXT_BEST}
    assert weak
    asked = [augmenter.augment(TASK, session="worker", ask=Ask(patterns=1)) for _ in range(6)]
    assert {item.id for brief in asked for item in brief.offered} == found.keys() - weak
    receipt = augmenter.history("last").receipt
    assert weak <= {item.id for item in receipt.left_out if item.reason == "threshold"}


def test_when_all_was_given_nothing_is_added(augmenter):
    for _ in range(4):
        last = augmenter.augment(TASK, session="worker")
    assert (last.prompt, last.context, last.abstained, last.degraded) == (TASK, "", True, None)


def test_sessions_hosts_and_windows_are_told_apart(augmenter):
    first = augmenter.augment(TASK, session="worker")
    others = [
        augmenter.augment(TASK),
        augmenter.augment(TASK, session="another"),
        augmenter.augment(TASK, ask=Ask(sender=Sender(host="codex", session="worker"))),
        augmenter.augment(TASK, session="worker", ask=in_window("worker:subagent")),
    ]
    assert [ids(brief) for brief in others] == [ids(first)] * 4


def test_what_changed_is_given_again_and_says_so(project, change):
    with Augmenter.open(project.root) as augmenter:
        first = augmenter.augment(TASK, session="worker")
        change()
        second = augmenter.augment(TASK, session="worker")
        assert "symbol:src/stream.py::EventStream.close" in ids(first)
        assert "symbol:src/stream.py::EventStream.close" in ids(second)
        (line,) = [line for line in second.context.splitlines() if "`EventStream.close`" in line]
        assert line.endswith("; changed since it was given)")
        third = augmenter.augment(TASK, session="worker")
    assert "symbol:src/stream.py::EventStream.close" not in ids(third)


@pytest.mark.parametrize("brief_format", ["markdown", "xml", "plain", "json"])
def test_every_format_says_what_changed(project, change, brief_format):
    with Augmenter.open(project.root) as augmenter:
        ask = Ask(format=brief_format)
        augmenter.augment(TASK, session="worker", ask=ask)
        change()
        assert "changed" in augmenter.augment(TASK, session="worker", ask=ask).context


def test_nothing_counts_as_given_where_no_receipt_is_kept(augmenter):
    silent = Ask(record=False)
    assert ids(augmenter.augment(TASK, session="worker", ask=silent)) == ids(
        augmenter.augment(TASK, session="worker")
    )


def test_a_dispatch_is_linked_to_the_names_that_its_host_has_for_it(augmenter):
    brief = augmenter.augment(TASK, ask=Ask(keys=("claude-code:s:toolu_1", "other")))
    assert augmenter.sessions.dispatch_of("claude-code:s:toolu_1") == brief.dispatch_id
    assert augmenter.sessions.dispatch_of("other") == brief.dispatch_id


def test_a_forgotten_session_is_told_everything_again(augmenter):
    first = augmenter.augment(TASK, session="worker")
    augmenter.sessions.forget("worker")
    assert ids(augmenter.augment(TASK, session="worker")) == ids(first)


def test_a_repeated_answer_knows_the_session(augmenter):
    briefs = [augmenter.augment(TASK, session="worker", ask=Ask(patterns=1)) for _ in range(3)]
    assert all(not set(ids(one)) & set(ids(next_one)) for one, next_one in pairwise(briefs))


@pytest.mark.parametrize("state", ["damaged", "locked", "a folder"])
def test_a_working_set_that_cannot_be_used_costs_no_brief(project, state):
    path = locate(project.root).sessions
    with Augmenter.open(project.root) as augmenter:
        first = augmenter.augment(TASK, session="worker")
        holder = None
        if state == "damaged":
            path.write_bytes(b"x" * 9000)
        elif state == "locked":
            holder = sqlite3.connect(path, isolation_level=None)
            holder.execute("BEGIN EXCLUSIVE")
        else:
            path.unlink()
            path.mkdir()
        second = augmenter.augment(TASK, session="worker")
        if holder:
            holder.close()
    assert (second.degraded, ids(second)) == (None, ids(first))


def test_the_command_knows_sessions(project, run):
    first = json.loads(run("augment", "--json", "--session", "w", TASK, root=project.root).text)
    second = json.loads(run("augment", "--json", "--session", "w", TASK, root=project.root).text)
    assert first["context"]
    assert not {one["id"] for one in first["offered"]} & {one["id"] for one in second["offered"]}


words = st.sampled_from([TASK, OTHER, "Reconnect with backoff"])
tasks = st.lists(st.tuples(words, st.integers(1, 3), st.sampled_from("ab")), min_size=1, max_size=5)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(tasks)
def test_every_receipt_of_a_session_replays_to_the_same_prompt(augmenter, tasks):
    for name in "ab":
        augmenter.sessions.forget(name)
    given = {"a": set(), "b": set()}
    for task, patterns, session in tasks:
        brief = augmenter.augment(task, session=session, ask=Ask(patterns=patterns))
        assert not given[session] & set(ids(brief))
        given[session] |= set(ids(brief))
        receipt = augmenter.history(brief.dispatch_id).receipt
        assert replay(augmenter, receipt).identical, replay(augmenter, receipt).describe()


@pytest.mark.parametrize("most", [200, 300, 450])
def test_a_hosts_cap_holds_in_bytes_and_says_what_was_left_out(augmenter, most):
    free = augmenter.augment(TASK, ask=Ask(patterns=5))
    capped = augmenter.augment(TASK, ask=Ask(patterns=5, max_bytes=most))
    assert len(free.context.encode()) > most >= len(capped.context.encode())
    if capped.context:
        assert "left out for length" in capped.context


def test_a_hosts_cap_in_tokens_is_never_more_than_the_budget(augmenter):
    assert augmenter.augment(TASK, ask=Ask(budget=100, max_tokens=10_000)).tokens <= 100
    assert augmenter.augment(TASK, ask=Ask(budget=10_000, max_tokens=120)).tokens <= 120


def test_a_capped_receipt_replays(augmenter):
    brief = augmenter.augment(TASK, ask=replace(Ask(), max_bytes=300))
    assert replay(augmenter, augmenter.history(brief.dispatch_id).receipt).identical
