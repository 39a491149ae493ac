"""Codex CLI: prompts get a context block beside them, those of sub-agents as well.

Its events are shaped like Claude Code's. An answer with a key that it does not know is refused as a whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from augmenter.hosts.events import Answer, Cap, Dispatch, Finished, Host, Ignored
from augmenter.hosts.reading import (
    NOTHING,
    add_context,
    forgotten,
    is_command,
    nothing_remains,
    read_by_name,
    session_start,
    text_of,
)

if TYPE_CHECKING:
    from augmenter.brief import Brief
    from augmenter.hosts.events import Event, Status
    from augmenter.hosts.reading import Readers

# The host replaces injected text of more than 2,500 tokens by both ends of it and a file's name. It counts a
# token for every four bytes.
CAP = Cap(bytes=9_900, tokens=2_500)


def read(data: bytes) -> Event:
    """An event. Raises TaskError."""
    return read_by_name(data, _READERS)


def _prompt(document: dict[str, Any]) -> Event:
    prompt = text_of(document, "prompt")
    if not prompt.strip() or is_command(prompt):
        return Ignored("no task")
    return Dispatch(
        task=prompt,
        cwd=text_of(document, "cwd"),
        session=text_of(document, "session_id"),
        agent=text_of(document, "agent_type"),
        context=text_of(document, "agent_id"),
        key=text_of(document, "turn_id"),
        name="UserPromptSubmit",
    )


def _stop(document: dict[str, Any], status: Status = "") -> Event:
    return Finished(
        cwd=text_of(document, "cwd"),
        session=text_of(document, "session_id"),
        key=text_of(document, "turn_id"),
        transcript=text_of(document, "agent_transcript_path") or text_of(document, "transcript_path"),
        last_message=text_of(document, "last_assistant_message"),
        status=status,
        error=": ".join(filter(None, (text_of(document, "error"), text_of(document, "error_details")))),
    )


def _stop_failure(document: dict[str, Any]) -> Event:
    return _stop(document, "infra")


def _interrupt(document: dict[str, Any]) -> Event:
    return _stop(document, "cancelled")


_READERS: Readers = {
    "UserPromptSubmit": _prompt,
    "Stop": _stop,
    "SubagentStop": _stop,
    "StopFailure": _stop_failure,
    "Interrupt": _interrupt,
    "SessionStart": session_start,
    "PreCompact": forgotten,
    "PostCompact": forgotten,
}


def answer(event: Dispatch, brief: Brief) -> Answer:
    """The answer to a dispatch: silence when there is nothing to add."""
    return Answer(add_context(event, brief.context)) if brief.context else NOTHING


HOST = Host("codex", read, answer, nothing_remains, silence=NOTHING, cap=CAP)
