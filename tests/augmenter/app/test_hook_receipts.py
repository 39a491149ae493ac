"""From later events to the receipt: delivered, opened, cited, and an outcome only where one is told."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from augmenter import Augmenter
from augmenter.app.hooks import answer_event

TASK = "Fix the timeout in `EventStream.close`"
SESSION = "11111111-1111-4111-8111-111111111111"


class Claude:
    """A session of Claude Code in a project: its events, and its transcript as it would write it."""

    def __init__(self, project, home: Path, session: str = SESSION, cwd: Path | None = None) -> None:
        self.project = project
        self.session = session
        self.cwd = cwd or project.root
        self.transcript = home / f"{session}.jsonl"
        self.agents = home / session / "subagents"
        self.agents.mkdir(parents=True, exist_ok=True)
        self.transcript.touch()

    def tell(self, name: str, **more):
        """One event to the hook; what it answers."""
        document = {
            "hook_event_name": name,
            "session_id": self.session,
            "cwd": str(self.cwd),
            "transcript_path": str(self.transcript),
            **more,
        }
        answer = answer_event("claude-code", json.dumps(document).encode())
        assert answer.exit_code == 0
        return json.loads(answer.stdout)["hookSpecificOutput"] if answer.stdout else {}

    def write(self, *entries, path: Path | None = None) -> None:
        with (path or self.transcript).open("ab") as file:
            file.write(
                b"".join(json.dumps({"cwd": str(self.cwd), **entry}).encode() + b"\n" for entry in entries)
            )

    def prompt(self, task: str, **more) -> str:
        """A prompt with its block in the transcript; the block."""
        context = self.tell("UserPromptSubmit", prompt=task, **more).get("additionalContext", "")
        self.write(user(task))
        if context:
            self.write(injected(context))
        return context

    def agent(self, task: str, call: str = "toolu_1") -> str:
        """A call of the tool that starts an agent; the agent's prompt."""
        output = self.tell(
            "PreToolUse",
            tool_name="Agent",
            tool_use_id=call,
            tool_input={"prompt": task, "subagent_type": "x"},
        )
        return output["updatedInput"]["prompt"] if output else task

    def path_of(self, agent: str) -> Path:
        return self.agents / f"agent-{agent}.jsonl"


def user(content):
    return {"type": "user", "message": {"role": "user", "content": content}}


def injected(context):
    return {"type": "attachment", "attachment": {"type": "hook_additional_context", "content": [context]}}


def said(text, **more):
    return {"type": "assistant", "message": {"content": [{"type": "text", "text": text}]}, **more}


def used(name, call="t1", **arguments):
    content = [{"type": "tool_use", "id": call, "name": name, "input": arguments}]
    return {"type": "assistant", "message": {"content": content}}


@pytest.fixture
def claude(project, tmp_path):
    return Claude(project, tmp_path / "claude")


@pytest.fixture
def history(project):
    """The newest dispatch with all that is linked to it, in short."""

    def history(which: int = 0):
        with Augmenter.open(project.root) as augmenter:
            receipts = augmenter.ledger().latest(20)
            found = augmenter.ledger().find(receipts[which].dispatch_id)
        names = {item.pattern_hash: item.name for item in found.receipt.items}
        linked = {}
        for record in found.linked:
            if record.type == "delivery":
                assert record.source == "claude-code"
                linked[record.rung] = linked.get(record.rung, ()) + tuple(
                    names[item] for item in record.items
                )
            else:
                linked[record.type] = getattr(record, "status", record)
        return linked

    return history


def test_a_turn_s_end_proves_what_was_delivered_opened_and_cited(claude, history):
    assert claude.prompt(TASK)
    claude.write(
        used("Read", file_path=str(claude.cwd / "src/stream.py"), offset=14, limit=4),
        said("It was the timer."),
    )
    claude.tell("Stop", last_assistant_message="Fixed as src/stream.py:14 shows; see EventStream.reconnect.")
    found = history()
    assert found["delivered"] == ()
    assert "EventStream.close" in found["opened"]
    assert "EventStream.reconnect" not in found["opened"]
    assert "EventStream.reconnect" in found["cited"]
    assert "outcome" not in found


def test_a_second_end_adds_only_what_is_new(claude, history):
    claude.prompt(TASK)
    claude.write(used("Read", file_path="src/stream.py", offset=14, limit=4))
    claude.tell("Stop", last_assistant_message="…")
    once = history()
    claude.tell("Stop", last_assistant_message="…")
    assert history() == once
    claude.write(used("Read", call="t2", file_path="src/stream.py"))
    claude.tell("Stop", last_assistant_message="…")
    assert sorted(set(history()["opened"])) == sorted(history()["opened"])
    assert set(history()["opened"]) > set(once["opened"])


def test_a_block_that_never_came_proves_nothing(claude, history):
    claude.tell("UserPromptSubmit", prompt=TASK)
    claude.write(user(TASK), used("Read", file_path="src/stream.py"), said("src/stream.py"))
    claude.tell("Stop", last_assistant_message="src/stream.py and EventStream.reconnect")
    assert history() == {}


def test_a_block_of_another_text_is_no_proof(claude, history):
    context = claude.tell("UserPromptSubmit", prompt=TASK)["additionalContext"]
    claude.write(injected(context[:200] + "…"), used("Read", file_path="src/stream.py"))
    claude.tell("Stop", last_assistant_message="…")
    assert history() == {}


def test_repeating_the_block_cites_nothing(claude, history):
    context = claude.prompt(TASK)
    quoted = "\n".join(f"> {line}" for line in context.splitlines())
    claude.tell("Stop", last_assistant_message=f"I was given:\n{context}\nthat is\n{quoted}")
    assert "cited" not in history()


def test_what_the_task_named_is_not_cited(claude, history):
    claude.prompt(TASK)
    claude.tell("Stop", last_assistant_message="EventStream.close is fixed.")
    assert "cited" not in history()


def test_a_sub_agent_s_end_completes_its_own_receipt(claude, history):
    prompt = claude.agent(TASK)
    path = claude.path_of("a1")
    claude.write(
        user(prompt), used("Read", file_path="src/stream.py"), said("EventStream.reconnect"), path=path
    )
    claude.tell("SubagentStop", agent_id="a1", agent_transcript_path=str(path), last_assistant_message="…")
    response = {
        "status": "completed",
        "agentId": "a1",
        "content": [{"type": "text", "text": "EventStream.reconnect"}],
    }
    claude.tell(
        "PostToolUse", tool_name="Agent", tool_use_id="toolu_1", tool_input={}, tool_response=response
    )
    found = history()
    assert found["delivered"] == ()
    assert "EventStream.close" in found["opened"]
    assert "EventStream.reconnect" in found["cited"]
    assert "outcome" not in found


def test_an_agent_in_the_background_is_completed_when_it_stops(claude, history):
    prompt = claude.agent(TASK)
    launched = {"status": "async_launched", "agentId": "a1"}
    claude.tell(
        "PostToolUse", tool_name="Agent", tool_use_id="toolu_1", tool_input={}, tool_response=launched
    )
    assert history() == {}
    path = claude.path_of("a1")
    claude.write(user(prompt), used("Read", file_path="src/stream.py"), path=path)
    claude.tell("SubagentStop", agent_id="a1", agent_transcript_path=str(path), last_assistant_message="…")
    assert "EventStream.close" in history()["opened"]


def test_an_agent_that_stops_before_its_call_is_back_is_found_by_the_note_beside_its_transcript(
    claude, history
):
    prompt = claude.agent(TASK)
    path = claude.path_of("a1")
    claude.write(user(prompt), used("Read", file_path="src/stream.py"), path=path)
    path.with_suffix(".meta.json").write_text('{"agentType": "x", "toolUseId": "toolu_1", "spawnDepth": 1}')
    claude.tell("SubagentStop", agent_id="a1", agent_transcript_path=str(path), last_assistant_message="…")
    assert "EventStream.close" in history()["opened"]


def test_agents_at_once_are_told_apart(claude, history):
    tasks = {"toolu_1": TASK, "toolu_2": "Fix `next_delay` in src/backoff.py"}
    for number, (call, task) in enumerate(tasks.items(), start=1):
        path = claude.path_of(f"a{number}")
        claude.write(user(claude.agent(task, call)), path=path)
    claude.write(used("Read", file_path="src/backoff.py"), path=claude.path_of("a2"))
    for number, call in reversed(list(enumerate(tasks, start=1))):
        response = {"status": "completed", "agentId": f"a{number}"}
        claude.tell("PostToolUse", tool_name="Agent", tool_use_id=call, tool_input={}, tool_response=response)
    assert "opened" in history(0)
    assert "opened" not in history(1)
    assert history(1)["delivered"] == ()


def test_an_agent_in_a_worktree_opens_the_same_files(claude, history, tmp_path):
    path = claude.path_of("a1")
    prompt = claude.agent(TASK)
    elsewhere = tmp_path / "worktree"
    claude.write(
        user(prompt),
        {**used("Read", file_path=str(elsewhere / "src/stream.py")), "cwd": str(elsewhere)},
        path=path,
    )
    response = {"status": "completed", "agentId": "a1"}
    claude.tell(
        "PostToolUse", tool_name="Agent", tool_use_id="toolu_1", tool_input={}, tool_response=response
    )
    assert "EventStream.close" in history()["opened"]


@pytest.mark.parametrize(
    ("name", "more", "status"),
    [
        ("StopFailure", {"error": "rate_limit", "error_details": "429"}, "infra"),
        ("StopFailure", {"error": "max_output_tokens"}, None),
        ("Stop", {"last_assistant_message": "All tests pass. Done!"}, None),
    ],
)
def test_a_turn_s_outcome_is_what_the_host_says(claude, history, name, more, status):
    claude.prompt(TASK)
    claude.tell(name, **more)
    assert history().get("outcome") == status


@pytest.mark.parametrize(("is_interrupt", "status"), [(True, "cancelled"), (False, None)])
def test_an_interrupted_agent_is_cancelled(claude, history, is_interrupt, status):
    claude.agent(TASK)
    claude.tell(
        "PostToolUseFailure", tool_name="Agent", tool_use_id="toolu_1", error="x", is_interrupt=is_interrupt
    )
    assert history().get("outcome") == status


def test_a_fault_that_only_the_transcript_tells(claude, history):
    claude.prompt(TASK)
    claude.write(said("API Error: 529 Overloaded", isApiErrorMessage=True))
    claude.tell("Stop", last_assistant_message="API Error: 529 Overloaded")
    assert history()["outcome"] == "infra"


@pytest.mark.parametrize("event", ["StopFailure", "PostToolUse"])
def test_a_fault_that_ends_a_sub_agent(claude, history, event):
    """Claude Code tells the call's end as any other; only StopFailure, where installed, says more."""
    path = claude.path_of("a1")
    claude.write(user(claude.agent(TASK)), said("API Error: 400", isApiErrorMessage=True), path=path)
    path.with_suffix(".meta.json").write_text('{"toolUseId": "toolu_1"}')
    if event == "StopFailure":
        claude.tell("StopFailure", agent_id="a1", error="unknown", last_assistant_message="API Error: 400")
    response = {
        "status": "completed",
        "agentId": "a1",
        "content": [{"type": "text", "text": "API Error: 400"}],
    }
    claude.tell(
        "PostToolUse", tool_name="Agent", tool_use_id="toolu_1", tool_input={}, tool_response=response
    )
    assert history()["outcome"] == "infra"


def test_an_outcome_that_somebody_else_recorded_stays(claude, history, project):
    claude.prompt(TASK)
    with Augmenter.open(project.root) as augmenter:
        augmenter.complete(augmenter.ledger().latest(1)[0].dispatch_id, status="success")
    claude.tell("StopFailure", error="rate_limit")
    assert history()["outcome"] == "success"


def test_the_end_of_a_turn_that_was_no_dispatch_changes_nothing(claude, history):
    claude.prompt(TASK, prompt_id="p-1")
    before = history()
    claude.prompt("/review", prompt_id="p-2")
    claude.write(used("Read", file_path="src/stream.py"))
    claude.tell("StopFailure", prompt_id="p-2", error="rate_limit")
    assert history() == before


def test_another_session_s_end_is_another_s(claude, history, project, tmp_path):
    claude.prompt(TASK)
    other = Claude(project, tmp_path / "claude", session="22222222-2222-4222-8222-222222222222")
    other.transcript.write_bytes(claude.transcript.read_bytes())
    other.tell("Stop", last_assistant_message="…")
    assert history() == {}


@pytest.mark.parametrize("make", ["missing", "folder", "fifo", "garbage", "torn", "huge"])
def test_transcripts_that_cannot_be_read_are_survived(claude, history, make):
    context = claude.prompt(TASK)
    path = claude.transcript
    if make == "garbage":
        path.write_bytes(os.urandom(100_000))
    elif make == "torn":
        path.write_bytes(path.read_bytes()[:-20])
    elif make == "huge":
        claude.write(*([{"type": "progress", "data": "x" * 1_000_000}] * 12), injected(context), said("…"))
    else:
        path.unlink()
        {"missing": lambda: None, "folder": path.mkdir, "fifo": lambda: os.mkfifo(path)}[make]()
    claude.tell("Stop", last_assistant_message="src/stream.py")
    assert ("delivered" in history()) == (make == "huge")


@pytest.mark.parametrize("source", ["clear", "compact"])
def test_an_emptied_context_is_given_everything_anew(claude, source):
    first = claude.prompt(TASK)
    assert claude.prompt(TASK) != first
    claude.tell("SessionStart", source=source)
    assert claude.prompt(TASK) == first


def test_a_sub_agent_is_given_what_its_parent_has_seen(claude):
    first = claude.prompt(TASK)
    assert claude.agent(TASK) == f"{first}\n{TASK}"
    assert claude.agent(TASK, "toolu_2") == f"{first}\n{TASK}"


def test_the_same_session_of_another_host_is_another(claude):
    first = claude.prompt(TASK)
    told = {
        "hook_event_name": "UserPromptSubmit",
        "session_id": SESSION,
        "cwd": str(claude.cwd),
        "prompt": TASK,
    }
    answer = answer_event("codex", json.dumps({**told, "turn_id": "1"}).encode())
    assert json.loads(answer.stdout)["hookSpecificOutput"]["additionalContext"] == first


def test_a_generic_end_is_recorded_as_told(project, history):
    def tell(**document):
        document["cwd"] = str(project.root)
        return json.loads(answer_event("generic", json.dumps(document).encode()).stdout)

    dispatch_id = tell(task=TASK)["dispatch_id"]
    assert tell(event="finished", dispatch_id=dispatch_id, status="success") == {}
    assert history()["outcome"] == "success"
    unknown = tell(event="finished", dispatch_id="no such", status="failure")
    assert (unknown["prompt"], unknown["degraded"]["reason"]) == ("", "unknown-dispatch")
    assert tell(event="finished", status="failure")["degraded"]["reason"] == "task-error"
    assert history()["outcome"] == "success"
