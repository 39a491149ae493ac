"""Events as hosts send them, to try a hook with; and what its answer gives the agent."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from augmenter.app.installing.plans import CLAUDE_CODE, CODEX, GEMINI, GENERIC

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Trip:
    """What varies from one trial to the next.

    Attributes:
        task: what an agent is to do.
        cwd: where.
        session: names the trial.
    """

    task: str
    cwd: str
    session: str


@dataclass(frozen=True, slots=True)
class Probe:
    """One event of a host.

    Attributes:
        event: its name.
        document: makes it.
        carries_task: whether it is answered with context.
    """

    event: str
    document: Callable[[Trip], Document]
    carries_task: bool = True

    def data(self, trip: Trip) -> bytes:
        """The event as the host writes it."""
        return json.dumps(self.document(trip)).encode()


def _claude(event: str, **more: Callable[[Trip], Any]) -> Callable[[Trip], Document]:
    def document(trip: Trip) -> Document:
        common = {
            "session_id": trip.session,
            "transcript_path": "",
            "cwd": trip.cwd,
            "permission_mode": "default",
            "hook_event_name": event,
        }
        return common | {key: make(trip) for key, make in more.items()}

    return document


def _sub_agent(trip: Trip) -> Document:
    return {"description": "Try the hook", "prompt": trip.task, "subagent_type": "general-purpose"}


def _gemini_agent(trip: Trip) -> Document:
    return {"agent_name": "generalist", "prompt": trip.task}


def _task(trip: Trip) -> str:
    return trip.task


PROBES: Mapping[str, tuple[Probe, ...]] = {
    CLAUDE_CODE: (
        Probe("UserPromptSubmit", _claude("UserPromptSubmit", prompt=_task)),
        Probe(
            "PreToolUse",
            _claude(
                "PreToolUse",
                tool_name=lambda _: "Task",
                tool_input=_sub_agent,
                tool_use_id=lambda trip: f"toolu_{trip.session}",
            ),
        ),
        Probe("Stop", _claude("Stop", stop_hook_active=lambda _: False), carries_task=False),
    ),
    CODEX: (
        Probe(
            "UserPromptSubmit",
            _claude(
                "UserPromptSubmit",
                prompt=_task,
                model=lambda _: "gpt-5-codex",
                turn_id=lambda trip: f"{trip.session}-1",
                transcript_path=lambda _: None,
            ),
        ),
        Probe(
            "Stop",
            _claude("Stop", turn_id=lambda _: "0", stop_hook_active=lambda _: False, model=lambda _: "gpt-5"),
            carries_task=False,
        ),
    ),
    GEMINI: (
        Probe(
            "BeforeAgent",
            _claude("BeforeAgent", prompt=_task, timestamp=lambda _: "2026-01-31T12:00:00.000Z"),
        ),
        Probe(
            "BeforeTool",
            _claude("BeforeTool", tool_name=lambda _: "invoke_agent", tool_input=_gemini_agent),
        ),
        Probe(
            "AfterAgent",
            _claude(
                "AfterAgent", prompt=_task, prompt_response=lambda _: "", stop_hook_active=lambda _: False
            ),
            carries_task=False,
        ),
    ),
    GENERIC: (Probe("task", lambda trip: {"task": trip.task, "cwd": trip.cwd, "session": trip.session}),),
}


# What an answer may give back whole, and the keys that it has then.
_INPUTS = {
    "updatedInput": {"description", "prompt", "subagent_type"},
    "tool_input": {"agent_name", "prompt"},
}


def context_of(host: str, event: str, answer: bytes, task: str) -> str:
    """What an answer gives the agent beside its task; ``""`` for nothing.

    Raises:
        ValueError: the answer has not the host's form; the text says in what.
    """
    if not answer.strip():
        return ""
    document = json.loads(answer)
    if not isinstance(document, dict):
        raise ValueError("it is no JSON object")
    if host == GENERIC:
        return _before(document.get("prompt"), task)
    specific = document.get("hookSpecificOutput")
    if specific is None:
        return ""
    if not isinstance(specific, dict) or specific.get("hookEventName") != event:
        raise ValueError("'hookSpecificOutput' is not for this event")
    for name in _INPUTS.keys() & specific.keys():
        return _updated(name, specific[name], task)
    context = specific.get("additionalContext", "")
    if not isinstance(context, str):
        raise ValueError("'additionalContext' is no text")
    return context


def _updated(name: str, given: object, task: str) -> str:
    if not isinstance(given, dict) or set(given) != _INPUTS[name]:
        raise ValueError(f"'{name}' is not the whole input of the tool")
    return _before(given["prompt"], task)


def _before(prompt: object, task: str) -> str:
    if not isinstance(prompt, str) or not prompt.endswith(task):
        raise ValueError("the prompt does not end with the task")
    return prompt.removesuffix(task)
