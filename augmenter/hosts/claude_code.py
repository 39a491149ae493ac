"""Claude Code: prompts get a context block beside them, sub-agents get it in their prompt.

Only the call of the tool ``Agent`` (formerly ``Task``) sees a sub-agent's task. Its whole input goes back,
for what is left out would be lost, and without a permission decision, which is the user's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from augmenter.hosts.events import Answer, Cap, Dispatch, Finished, Host, Ignored
from augmenter.hosts.reading import (
    NOTHING,
    add_context,
    as_json,
    forgotten,
    is_command,
    nothing_remains,
    read_by_name,
    session_start,
    text_of,
)

if TYPE_CHECKING:
    from augmenter.brief import Brief
    from augmenter.hosts.events import Event
    from augmenter.hosts.reading import Readers

AGENT_TOOLS = ("Agent", "Task")
# The host replaces injected text of more than 10,000 characters by the beginning of it and a file's name.
CAP = Cap(bytes=9_900)
MAIN = "main"  # stands for a prompt without an id: older versions tell none

# What the host itself submits as if it were a prompt.
_MADE_BY_HOST = re.compile(r"\s*<(?:task-notification|teammate-message|bash-|command-|local-command-)")
_PLAIN_ID = re.compile(r"[\w-]+")
# The agent's own end, not the machine's.
_NOT_INFRA = ("max_output_tokens",)


def read(data: bytes) -> Event:
    """An event. Raises TaskError."""
    return read_by_name(data, _READERS)


def _prompt(document: dict[str, Any]) -> Event:
    prompt = text_of(document, "prompt")
    if not prompt.strip() or is_command(prompt) or _MADE_BY_HOST.match(prompt):
        return Ignored("no task")
    return Dispatch(
        task=prompt,
        cwd=text_of(document, "cwd"),
        session=text_of(document, "session_id"),
        agent=text_of(document, "agent_type"),
        context=text_of(document, "agent_id"),
        key=_key_of_prompt(document),
        name="UserPromptSubmit",
    )


def _agent_call(document: dict[str, Any]) -> Event:
    call = document.get("tool_input")
    if document.get("tool_name") not in AGENT_TOOLS or not isinstance(call, dict):
        return Ignored("no call of an agent")
    prompt = text_of(call, "prompt")
    if not prompt.strip():
        return Ignored("no task")
    key = text_of(document, "tool_use_id")
    return Dispatch(
        task=prompt,
        cwd=text_of(document, "cwd"),
        session=text_of(document, "session_id"),
        agent=text_of(call, "subagent_type"),
        context=key or text_of(call, "description") or "agent",
        key=key,
        name="PreToolUse",
        input=call,
        preamble="",
    )


def _agent_result(document: dict[str, Any]) -> Event:
    if document.get("tool_name") not in AGENT_TOOLS:
        return Ignored("no call of an agent")
    found = document.get("tool_response")
    response: dict[str, Any] = found if isinstance(found, dict) else {}
    agent = text_of(response, "agentId")
    agent = agent if _PLAIN_ID.fullmatch(agent) else ""
    return _finished(
        document,
        text_of(document, "tool_use_id"),
        alias=agent,
        transcript=_transcript_of(text_of(document, "transcript_path"), agent),
        last_message=_text_in(response.get("content")),
        is_over=text_of(response, "status") != "async_launched",
    )


def _agent_failure(document: dict[str, Any]) -> Event:
    if document.get("tool_name") not in AGENT_TOOLS:
        return Ignored("no call of an agent")
    return _finished(
        document,
        text_of(document, "tool_use_id"),
        status="cancelled" if document.get("is_interrupt") is True else "",
        error=text_of(document, "error"),
    )


def _agent_stop(document: dict[str, Any]) -> Event:
    return _finished(
        document,
        text_of(document, "agent_id"),
        transcript=text_of(document, "agent_transcript_path"),
        last_message=text_of(document, "last_assistant_message"),
    )


def _stop(document: dict[str, Any]) -> Event:
    return _finished(
        document,
        _key_of_prompt(document),
        transcript=text_of(document, "transcript_path"),
        last_message=text_of(document, "last_assistant_message"),
    )


def _stop_failure(document: dict[str, Any]) -> Event:
    error = text_of(document, "error")
    return _finished(
        document,
        text_of(document, "agent_id") or _key_of_prompt(document),
        transcript="" if text_of(document, "agent_id") else text_of(document, "transcript_path"),
        status="" if error in _NOT_INFRA else "infra",
        error=": ".join(filter(None, (error, text_of(document, "error_details")))),
    )


_READERS: Readers = {
    "UserPromptSubmit": _prompt,
    "PreToolUse": _agent_call,
    "PostToolUse": _agent_result,
    "PostToolUseFailure": _agent_failure,
    "SubagentStop": _agent_stop,
    "Stop": _stop,
    "StopFailure": _stop_failure,
    "SessionStart": session_start,
    "PreCompact": forgotten,
}


def _finished(document: dict[str, Any], key: str, **more: Any) -> Event:
    return Finished(cwd=text_of(document, "cwd"), session=text_of(document, "session_id"), key=key, **more)


def _key_of_prompt(document: dict[str, Any]) -> str:
    return text_of(document, "prompt_id") or MAIN


def _transcript_of(transcript: str, agent: str) -> str:
    """Where the host keeps a sub-agent's transcript, from where it keeps the session's."""
    stem = transcript.removesuffix(".jsonl")
    return f"{stem}/subagents/agent-{agent}.jsonl" if agent and stem != transcript else ""


def _text_in(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(text_of(part, "text") for part in parts if isinstance(part, dict))


def answer(event: Dispatch, brief: Brief) -> Answer:
    """The answer to a dispatch: silence when there is nothing to add."""
    if not brief.context:
        return NOTHING
    if event.name != "PreToolUse":
        return Answer(add_context(event, brief.context))
    gap = "" if brief.context.endswith("\n\n") else "\n"
    updated = {**event.input, "prompt": f"{brief.context}{gap}{event.task}"}
    return Answer(as_json({"hookSpecificOutput": {"hookEventName": event.name, "updatedInput": updated}}))


HOST = Host("claude-code", read, answer, nothing_remains, silence=NOTHING, cap=CAP)
