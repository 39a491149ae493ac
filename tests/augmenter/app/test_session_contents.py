"""Nothing twice: what counts as the same, what as changed, and what must never cost a brief."""

import json

import pytest

from augmenter import Ask, Augmenter, Sender
from augmenter.app.hooks import answer_event
from augmenter.app.replaying import replay
from indexer.build import build_index
from knowledge.clock import Clock
from knowledge.project import locate
from knowledge.settings import Settings

TASK = "Fix the timeout in `EventStream.close`"
RULE_TASK = "Close the sockets in EventStream.close so that the pool does not run dry"
RULE = "knowledge/rules/close-sockets.md"
STATEMENT = "Close sockets in a finally block, or the pool runs dry."


@pytest.fixture
def write(project):
    """Writes a file, and indexes it."""

    def write(path, text):
        (project.root / path).write_text(text)
        build_index(locate(project.root), Settings(), Clock())

    return write


def text_of(project, path):
    return (project.root / path).read_text()


def test_a_copy_of_what_was_given_is_not_given(project, write):
    write("src/stream_copy.py", text_of(project, "src/stream.py"))
    given = set()
    with Augmenter.open(project.root) as augmenter:
        for _ in range(3):
            brief = augmenter.augment(TASK, session="worker", ask=Ask(patterns=2, rules=0))
            offered = {item.content_hash for item in brief.offered}
            assert not offered & given
            given |= offered
            receipt = augmenter.history(brief.dispatch_id).receipt
            assert replay(augmenter, receipt).identical, replay(augmenter, receipt).describe()
    assert "duplicate" in {item.reason for item in receipt.left_out}


def test_a_rule_that_says_what_was_said_is_not_said_again(project, write):
    same = text_of(project, RULE).replace("Close sockets on every path", "Another title") + "\nMore words.\n"
    write("knowledge/rules/close-again.md", same)
    with Augmenter.open(project.root) as augmenter:
        said = [
            rule.statement
            for _ in range(3)
            for rule in augmenter.augment(RULE_TASK, session="worker", ask=Ask(rules=1)).rules
        ]
    assert said == [STATEMENT]


@pytest.mark.parametrize(
    ("old", "new"),
    [("in a finally block", "in a finally clause"), ("A timeout must not", "No timeout may")],
    ids=["statement", "text"],
)
@pytest.mark.parametrize("brief_format", ["markdown", "plain", "xml", "json"])
def test_a_rule_that_changed_is_said_again_with_a_remark(project, write, old, new, brief_format):
    ask = Ask(format=brief_format)
    with Augmenter.open(project.root) as augmenter:
        first = augmenter.augment(RULE_TASK, session="worker", ask=ask)
        assert "changed" not in first.context
        write(RULE, text_of(project, RULE).replace(old, new))
        second = augmenter.augment(RULE_TASK, session="worker", ask=ask)
        third = augmenter.augment(RULE_TASK, session="worker", ask=ask)
        receipt = augmenter.history(second.dispatch_id).receipt
        assert replay(augmenter, receipt).identical, replay(augmenter, receipt).describe()
    assert [rule.statement for rule in second.rules] == [STATEMENT.replace(old, new)]
    (line,) = [line for line in second.context.splitlines() if "or the pool runs dry" in line]
    assert "changed" in line
    assert third.rules == ()


@pytest.mark.parametrize(
    "ask",
    [Ask(sender=Sender(session="\ud800")), Ask(keys=("\ud800",)), Ask(context="\udcff")],
    ids=["session", "keys", "context"],
)
def test_no_name_of_a_hosts_costs_a_brief(augmenter, ask):
    brief = augmenter.augment(TASK, ask=ask)
    assert (brief.degraded, bool(brief.context)) == (None, True)
    again = augmenter.augment(TASK, ask=ask)
    assert bool({one.id for one in again.offered} & {one.id for one in brief.offered}) == (not ask.window)


@pytest.mark.parametrize("names", [{"session_id": "\ud800"}, {"session_id": "s", "tool_use_id": "\udcff"}])
def test_a_hook_says_what_its_receipt_says_that_it_said(project, names):
    event = {
        "hook_event_name": "PreToolUse",
        "tool_name": "Agent",
        "tool_use_id": "toolu_1",
        "tool_input": {"prompt": TASK, "description": "Fix it", "subagent_type": "coder"},
        "cwd": str(project.root),
        **names,
    }
    answer = answer_event("claude-code", json.dumps(event).encode())
    assert b"EventStream.close" in answer.stdout
    with Augmenter.open(project.root) as augmenter:
        assert augmenter.history("last").receipt.rendered


def test_a_store_that_fails_in_any_way_after_the_receipt_costs_no_brief(augmenter, monkeypatch):
    def fail(*_arguments):
        raise MemoryError

    monkeypatch.setattr("knowledge.sessions.Sessions.give", fail)
    brief = augmenter.augment(TASK, session="worker")
    assert (brief.degraded, bool(brief.context)) == (None, True)


def test_a_dispatch_that_went_wrong_is_linked_as_well(augmenter):
    augmenter.hurry(0.0)
    brief = augmenter.augment(TASK, session="worker", ask=Ask(keys=("host:call",)))
    assert brief.degraded
    assert augmenter.sessions.dispatch_of("host:call") == brief.dispatch_id
    assert augmenter.sessions.given("worker") == {}
