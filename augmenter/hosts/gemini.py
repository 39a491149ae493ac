"""Gemini CLI: prompts get a context block beside them.

It reads standard output as JSON whatever it is, so silence is an empty object, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from augmenter.hosts.events import Answer, Cap, Dispatch, Finished, Host, Ignored
from augmenter.hosts.reading import (
    add_context,
    forgotten,
    is_command,
    nothing_remains,
    read_by_name,
    session_start,
    text_of,
)
from knowledge.hashing import text_hash

if TYPE_CHECKING:
    from augmenter.brief import Brief
    from augmenter.hosts.events import Event
    from augmenter.hosts.reading import Readers

# The host has no bound of its own; what others take is enough here.
CAP = Cap(bytes=9_900, tokens=2_500)
SILENCE = Answer(b"{}\n")


def read(data: bytes) -> Event:
    """An event. Raises TaskError."""
    return read_by_name(data, _READERS)


def _before_agent(document: dict[str, Any]) -> Event:
    prompt = text_of(document, "prompt")
    if not prompt.strip() or is_command(prompt):
        return Ignored("no task")
    return Dispatch(
        task=prompt,
        cwd=text_of(document, "cwd"),
        session=text_of(document, "session_id"),
        key=text_hash(prompt),  # the host numbers no turns; the end of this one tells its prompt again
        name="BeforeAgent",
    )


def _after_agent(document: dict[str, Any]) -> Event:
    return Finished(
        cwd=text_of(document, "cwd"),
        session=text_of(document, "session_id"),
        key=text_hash(text_of(document, "prompt")),
        transcript=text_of(document, "transcript_path"),
        last_message=text_of(document, "prompt_response"),
    )


_READERS: Readers = {
    "BeforeAgent": _before_agent,
    "AfterAgent": _after_agent,
    "SessionStart": session_start,
    "PreCompress": forgotten,
}


def answer(event: Dispatch, brief: Brief) -> Answer:
    """The answer to a dispatch: an empty object when there is nothing to add."""
    return Answer(add_context(event, brief.context)) if brief.context else SILENCE


HOST = Host("gemini", read, answer, nothing_remains, silence=SILENCE, cap=CAP)
