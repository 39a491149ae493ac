"""Claude Code: prompts get a context block beside them, sub-agents get it in their prompt.

Only the call of the tool ``Agent`` (formerly ``Task``) sees a sub-agent's task. Its whole input goes back,
for what is left out would be lost, and without a permission decision, which is the user's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from augmenter.hosts import reading
from augmenter.hosts.events import Answer, Dispatch, Ignored
from augmenter.hosts.reading import text_of
from knowledge.hashing import text_hash

if TYPE_CHECKING:
    from augmenter.brief import Brief
    from augmenter.hosts.events import Event
    from augmenter.hosts.reading import Document

AGENT_TOOLS = ("Agent", "Task")
DEFAULT_AGENT = "general-purpose"  # which the host takes when the call names none
MAIN = "main"  # stands for a prompt without an id: older versions tell none

# What the host itself submits as if it were a prompt.
_MADE_BY_HOST = re.compile(r"\s*<(?:task-notification|teammate-message|bash-|command-|local-command-)")
_PLAIN_ID = re.compile(r"[\w-]+")
# The agent's own end, not the machine's.
_NOT_INFRA = ("max_output_tokens",)


def _prompt(document: Document) -> Event:
    if _MADE_BY_HOST.match(text_of(document, "prompt")):
        return Ignored("no task")
    return reading.prompt(document, _key_of_prompt(document))


def _agent_call(document: Document) -> Event:
    call = reading.agent_call(document, AGENT_TOOLS)
    if call is None:
        return Ignored("no task for an agent")
    key = text_of(document, "tool_use_id")
    return reading.to_agent(
        document,
        call,
        agent=text_of(call, "subagent_type") or DEFAULT_AGENT,
        # An old version tells no id. What the task is called may be anything: its hash is no secret.
        context=key or text_hash(f"{text_of(call, 'description')}\0{text_of(call, 'prompt')}"),
        key=key,
    )


def _agent_result(document: Document) -> Event:
    if document.get("tool_name") not in AGENT_TOOLS:
        return Ignored("no call of an agent")
    found = document.get("tool_response")
    response: Document = found if isinstance(found, dict) else {}
    agent = _agent_of(response, "agentId")
    return reading.finished(
        document,
        text_of(document, "tool_use_id"),
        alias=agent,
        transcript=_transcript_of(text_of(document, "transcript_path"), agent),
        last_message=reading.text_in(response.get("content")),
        is_over=text_of(response, "status") != "async_launched",
    )


def _agent_failure(document: Document) -> Event:
    if document.get("tool_name") not in AGENT_TOOLS:
        return Ignored("no call of an agent")
    status = "cancelled" if document.get("is_interrupt") is True else ""
    return reading.finished(document, text_of(document, "tool_use_id"), transcript="", status=status)


def _agent_stop(document: Document) -> Event:
    transcript = text_of(document, "agent_transcript_path")
    return reading.finished(document, text_of(document, "agent_id"), transcript=transcript)


def _stop(document: Document) -> Event:
    return reading.finished(document, _key_of_prompt(document))


def _stop_failure(document: Document) -> Event:
    """A fault of the machine's ended a turn, of the main agent or of a sub-agent."""
    agent, transcript = _agent_of(document, "agent_id"), text_of(document, "transcript_path")
    return reading.finished(
        document,
        agent or _key_of_prompt(document),
        transcript=_transcript_of(transcript, agent) if agent else transcript,
        last_message="",  # what the host calls so is here the error's text
        status="" if text_of(document, "error") in _NOT_INFRA else "infra",
    )


def _key_of_prompt(document: Document) -> str:
    return text_of(document, "prompt_id") or MAIN


def _agent_of(document: Document, key: str) -> str:
    """A sub-agent's id, of which a file's name is made; ``""`` for what is none."""
    agent = text_of(document, key)
    return agent if _PLAIN_ID.fullmatch(agent) else ""


def _transcript_of(transcript: str, agent: str) -> str:
    """Where the host keeps a sub-agent's transcript, from where it keeps the session's."""
    stem = transcript.removesuffix(".jsonl")
    return f"{stem}/subagents/agent-{agent}.jsonl" if agent and stem != transcript else ""


def answer(event: Dispatch, brief: Brief) -> Answer:
    """The answer to a dispatch: silence when there is nothing to add."""
    if event.name != "PreToolUse" or not brief.context:
        return reading.beside(event, brief, reading.NOTHING)
    return reading.answer_with(event, {"updatedInput": reading.in_front(event, brief)})


HOST = reading.make_host(
    "claude-code",
    {
        "UserPromptSubmit": _prompt,
        "PreToolUse": _agent_call,
        "PostToolUse": _agent_result,
        "PostToolUseFailure": _agent_failure,
        "SubagentStop": _agent_stop,
        "Stop": _stop,
        "StopFailure": _stop_failure,
        "SessionStart": reading.session_start,
        "PreCompact": reading.forgotten,
    },
    answer=answer,
)
