"""What each event of each host comes to; every recorded or documented payload is read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from augmenter.brief import Brief
from augmenter.hosts import registry
from augmenter.hosts.events import Dispatch, Finished, Forgotten, Ignored
from knowledge.errors import TaskError

FIXTURES = Path(__file__).parent / "fixtures"
PAYLOADS = sorted(FIXTURES.glob("*/*.json"))
EXPECTED = {
    "UserPromptSubmit": (Dispatch, Ignored),
    "PreToolUse": (Dispatch, Ignored),
    "PostToolUse": (Finished, Ignored),
    "PostToolUseFailure": (Finished, Ignored),
    "SubagentStop": Finished,
    "Stop": Finished,
    "StopFailure": Finished,
    "Interrupt": Finished,
    "SessionStart": (Forgotten, Ignored),
    "PreCompact": Forgotten,
    "PostCompact": (Forgotten, Ignored),
    "BeforeAgent": Dispatch,
    "AfterAgent": Finished,
    "BeforeTool": (Dispatch, Ignored),
    "AfterTool": (Finished, Ignored),
    "PreCompress": Ignored,
}
CONTEXT = "## Context from this repository\n\n- `close`\n\n---\n"


def load(path: Path) -> dict:
    return json.loads(path.read_text())


def documented(host: str, name: str, **changed) -> bytes:
    """A documented event with some keys changed; None takes a key out."""
    event = load(FIXTURES / host / f"{name}.documented.json")["event"] | changed
    return json.dumps({key: value for key, value in event.items() if value is not None}).encode()


def read(host: str, name: str, **changed):
    return registry.host(host).read(documented(host, name, **changed))


@pytest.mark.parametrize("path", PAYLOADS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_payload_is_marked_and_read(path):
    fixture = load(path)
    assert fixture["origin"] in ("recorded", "documentation")
    assert fixture["client"]
    event = registry.host(path.parent.name).read(json.dumps(fixture["event"]).encode())
    assert isinstance(event, EXPECTED.get(fixture["event"]["hook_event_name"], Ignored))
    if not isinstance(event, Ignored):
        assert event.cwd == fixture["event"]["cwd"]
        assert event.session == fixture["event"]["session_id"]


@pytest.mark.parametrize("path", PAYLOADS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_dispatch_is_answered_in_the_host_s_form(path):
    fixture, host = load(path)["event"], registry.host(path.parent.name)
    event = host.read(json.dumps(fixture).encode())
    if not isinstance(event, Dispatch):
        return
    assert host.answer(event, Brief(prompt=event.task)) == host.silence
    answer = host.answer(event, Brief(prompt=f"{CONTEXT}\n{event.task}", context=CONTEXT))
    assert answer.exit_code == 0
    (key, output), *more = json.loads(answer.stdout).items()
    assert (key, more, output.pop("hookEventName")) == (
        "hookSpecificOutput",
        [],
        fixture["hook_event_name"],
    )
    changed = {"PreToolUse": "updatedInput", "BeforeTool": "tool_input"}
    if name := changed.get(fixture["hook_event_name"]):
        call = fixture["tool_input"]
        assert output == {name: call | {"prompt": f"{CONTEXT}\n{call['prompt']}"}}
    else:
        assert output == {"additionalContext": CONTEXT}


def test_silence_has_each_host_s_form():
    assert {name: registry.host(name).silence.stdout for name in registry.NAMES} == {
        "claude-code": b"",
        "codex": b"",
        "gemini": b"{}\n",
        "generic": b"{}\n",
    }


@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini"])
@pytest.mark.parametrize("prompt", ["", "  \n", "/review", "/fix-issue 12", "/mcp:tool x", None, 7, ["x"]])
def test_commands_and_empty_prompts_pass(host, prompt):
    name = "BeforeAgent" if host == "gemini" else "UserPromptSubmit"
    assert isinstance(read(host, name, prompt=prompt), Ignored)


@pytest.mark.parametrize(
    "prompt", ["/src/stream.py hangs", "# Title\n\nDo it", "fix /review", "<Button> is blue"]
)
def test_prompts_that_only_look_like_commands_are_tasks(prompt):
    assert read("claude-code", "UserPromptSubmit", prompt=prompt).task == prompt


@pytest.mark.parametrize(
    "prompt", ["<task-notification>\n<task-id>a</task-id>", "<bash-input>ls</bash-input>", "<command-name>/x"]
)
def test_what_claude_code_submits_itself_is_no_task(prompt):
    assert isinstance(read("claude-code", "UserPromptSubmit", prompt=prompt), Ignored)


@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini"])
@pytest.mark.parametrize("name", ["Notification", "", "Tomorrow", None, 5, {}])
def test_unknown_events_are_ignored(host, name):
    event = "AfterAgent" if host == "gemini" else "Stop"
    assert isinstance(read(host, event, hook_event_name=name), Ignored)


@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini"])
@pytest.mark.parametrize(
    "data", [b"", b"nothing", b"[]", b"{", b"[" * 100_000, b" " * 9_000_000, b"\xff\xfe{"]
)
def test_events_that_cannot_be_used_leave_nothing(host, data):
    with pytest.raises(TaskError):
        registry.host(host).read(data)
    assert isinstance(registry.host(host).remains(data), Ignored)


def test_an_agent_s_task_goes_to_a_context_of_its_own():
    event = read("claude-code", "PreToolUse")
    assert (event.agent, event.context, event.key) == ("Explore", "toolu_01ABC123", "toolu_01ABC123")
    assert read("claude-code", "UserPromptSubmit").context == ""


@pytest.mark.parametrize(
    "change", [{"tool_name": "Bash"}, {"tool_input": None}, {"tool_input": {"prompt": " "}}]
)
def test_other_tools_and_calls_without_a_prompt_pass(change):
    assert isinstance(read("claude-code", "PreToolUse", **change), Ignored)
    assert isinstance(read("gemini", "BeforeTool", **change), Ignored)


def test_a_gemini_agent_s_task_goes_to_a_context_of_its_own():
    event, other = read("gemini", "BeforeTool"), read("gemini", "BeforeAgent")
    assert (event.agent, event.task) == ("codebase_investigator", other.task)
    assert (bool(event.context), other.context) == (True, "")


def test_a_gemini_agent_is_found_by_how_its_task_ends():
    call = {"agent_name": "generalist", "prompt": "Look at it\n\nFix the stream  "}
    started = read("gemini", "BeforeTool", tool_input=call)
    ended = read(
        "gemini",
        "BeforeTool",
        hook_event_name="AfterTool",
        tool_input=call | {"prompt": f"{CONTEXT}\n{call['prompt']}"},
        tool_response={"llmContent": [{"text": "It is"}, {"text": "mended"}, 7]},
    )
    other = read("gemini", "BeforeTool", tool_input=call | {"agent_name": "another"})
    longer = read("gemini", "BeforeTool", tool_input=call | {"prompt": f"Another\n{call['prompt']}"})
    again = read("gemini", "BeforeTool", tool_input=call, timestamp="2026-08-02T00:00:00.000Z")
    assert len({one.context for one in (started, other, longer, again)}) == 4
    assert started.key == ended.key != other.key
    assert ended.last_message == "It is\nmended"


def test_an_agent_without_an_id_has_a_context_that_says_nothing_of_its_task():
    call = {"prompt": "Do it", "description": "With hunter2", "subagent_type": "x"}
    first = read("claude-code", "PreToolUse", tool_use_id=None, tool_input=call)
    second = read("claude-code", "PreToolUse", tool_use_id=None, tool_input=call | {"prompt": "Do that"})
    assert "hunter2" not in first.context
    assert (first.key, bool(first.context), first.context != second.context) == ("", True, True)


def test_the_tool_s_former_name_is_known():
    assert isinstance(read("claude-code", "PreToolUse", tool_name="Task"), Dispatch)


def test_a_prompt_s_end_names_it_by_its_id_where_there_is_one():
    started = read("claude-code", "UserPromptSubmit", prompt_id="p-1")
    assert started.key == read("claude-code", "Stop", prompt_id="p-1").key == "p-1"
    assert read("claude-code", "UserPromptSubmit").key == read("claude-code", "Stop").key == "main"


def test_a_finished_agent_is_found_by_its_call_and_its_transcript_beside_the_session_s():
    event = read("claude-code", "PostToolUse")
    assert (event.key, event.alias, event.is_over) == ("toolu_01ABC123", "def456", True)
    assert event.transcript == read("claude-code", "SubagentStop").transcript
    assert event.last_message == "It is in src/stream.py."


def test_an_agent_in_the_background_is_not_over():
    response = {"isAsync": True, "status": "async_launched", "agentId": "def456"}
    event = read("claude-code", "PostToolUse", tool_response=response)
    assert (event.is_over, event.alias) == (False, read("claude-code", "SubagentStop").key)


def test_an_agent_that_the_call_does_not_name_is_the_host_s_default():
    assert read("claude-code", "PreToolUse", tool_input={"prompt": "Do it"}).agent == "general-purpose"


def test_an_agent_that_a_fault_ends_is_found_by_its_transcript():
    failed = read("claude-code", "StopFailure", agent_id="def456", agent_type="Explore")
    stopped = read("claude-code", "SubagentStop")
    assert (failed.key, failed.transcript) == (stopped.key, stopped.transcript)


@pytest.mark.parametrize("agent", ["../../etc/passwd", "", 7, "a/b", "a\0b"])
def test_an_agent_s_id_leads_nowhere_else(agent):
    event = read("claude-code", "PostToolUse", tool_response={"agentId": agent})
    assert (event.alias, event.transcript) == ("", "")


@pytest.mark.parametrize(
    ("host", "name", "change", "status"),
    [
        ("claude-code", "PostToolUseFailure", {}, "cancelled"),
        ("claude-code", "PostToolUseFailure", {"is_interrupt": False}, ""),
        ("claude-code", "StopFailure", {}, "infra"),
        ("claude-code", "StopFailure", {"error": "max_output_tokens"}, ""),
        ("claude-code", "Stop", {}, ""),
        ("claude-code", "SubagentStop", {}, ""),
        ("claude-code", "PostToolUse", {}, ""),
        ("codex", "StopFailure", {}, "infra"),
        ("codex", "Interrupt", {}, "cancelled"),
        ("codex", "Stop", {}, ""),
        ("gemini", "AfterAgent", {}, ""),
    ],
)
def test_an_outcome_is_told_only_where_the_host_tells_one(host, name, change, status):
    assert read(host, name, **change).status == status


def test_a_turn_of_gemini_is_known_by_its_prompt():
    assert read("gemini", "BeforeAgent").key == read("gemini", "AfterAgent").key
    assert read("gemini", "BeforeAgent").key != read("gemini", "AfterAgent", prompt="another").key


@pytest.mark.parametrize("source", ["startup", "resume", None, 3])
def test_a_session_that_starts_with_its_context_forgets_nothing(source):
    for host in ("claude-code", "codex", "gemini"):
        assert isinstance(read(host, "SessionStart", source=source), Ignored)


def test_generic_tells_ends_and_emptied_contexts():
    host = registry.host("generic")
    event = {"event": "finished", "dispatch_id": "D", "status": "failure", "error": "x", "last_message": "y"}
    assert host.read(json.dumps(event).encode()) == Finished(
        dispatch_id="D", status="failure", error="x", last_message="y"
    )
    assert host.read(b'{"event": "forgotten", "session": "s"}') == Forgotten(session="s")
    assert isinstance(host.read(b'{"event": "dispatch", "task": "t"}'), Dispatch)


@pytest.mark.parametrize(
    "event", [{"event": "finished", "status": "success"}, {"event": "forgotten", "session": 7}]
)
def test_generic_needs_to_know_whose_end_it_is(event):
    with pytest.raises(TaskError, match="a text is needed"):
        registry.host("generic").read(json.dumps(event).encode())


@pytest.mark.parametrize("status", ["fine", 7, None, []])
def test_generic_refuses_an_end_of_another_kind(status):
    with pytest.raises(TaskError, match="none of success, failure, infra, cancelled"):
        registry.host("generic").read(json.dumps({"event": "finished", "status": status}).encode())
