"""Whatever a hook is given: it answers in the host's form, with exit code 0, and raises nothing."""

from __future__ import annotations

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from augmenter.app.hooks import answer_event

SESSION = "11111111-1111-4111-8111-111111111111"
_TEXT = st.text(max_size=6) | st.sampled_from(
    [SESSION, "main", "toolu_1", "a1", "/", "..", "\0", "compact", "finished", "forgotten"]
)
_VALUE = st.none() | st.booleans() | st.integers() | _TEXT | st.lists(_TEXT, max_size=2)
_KEYS = [
    "session_id",
    "prompt",
    "prompt_id",
    "agent_id",
    "tool_use_id",
    "tool_name",
    "tool_input",
    "tool_response",
]
_KEYS += [
    "transcript_path",
    "agent_transcript_path",
    "last_assistant_message",
    "error",
    "source",
    "cwd",
    "turn_id",
]
_KEYS += ["event", "task", "status", "dispatch_id", "session", "budget", "format"]
_NAMES = ["UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "SubagentStop", "Stop"]
_NAMES += ["StopFailure", "SessionStart", "PreCompact", "BeforeAgent", "AfterAgent", "Interrupt", "x"]
_INPUTS = st.dictionaries(
    st.sampled_from(["prompt", "subagent_type", "agentId", "status", "content"]), _VALUE
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(["claude-code", "codex", "gemini", "generic"]),
    st.sampled_from(_NAMES),
    st.dictionaries(st.sampled_from(_KEYS), _VALUE | _INPUTS, max_size=6),
    st.binary(max_size=3),
)
def test_whatever_is_told_is_answered_in_the_host_s_form(project, host, name, more, rest):
    document = {"tool_name": "Agent", **more, "hook_event_name": name}
    answer = answer_event(host, json.dumps(document).encode() + rest, root=str(project.root))
    assert answer.exit_code == 0
    if answer.stdout or host in ("gemini", "generic"):
        assert isinstance(json.loads(answer.stdout), dict)


@settings(max_examples=100)
@given(st.sampled_from(["claude-code", "codex", "gemini"]), st.binary(max_size=60))
def test_any_bytes_are_answered_in_the_host_s_form(host, data):
    assert answer_event(host, data).stdout == (b"{}\n" if host == "gemini" else b"")
