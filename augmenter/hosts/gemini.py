"""Gemini CLI: prompts get a context block beside them.

It reads standard output as JSON whatever it is, so silence is an empty object, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from augmenter.hosts import reading
from augmenter.hosts.events import Answer
from augmenter.hosts.reading import text_of
from knowledge.hashing import text_hash

if TYPE_CHECKING:
    from augmenter.hosts.events import Event
    from augmenter.hosts.reading import Document


def _before_agent(document: Document) -> Event:
    return reading.prompt(document, _key(document))


def _after_agent(document: Document) -> Event:
    return reading.finished(document, _key(document), last_message=text_of(document, "prompt_response"))


def _key(document: Document) -> str:
    """The host numbers no turns, but the end of one tells its prompt again."""
    return text_hash(text_of(document, "prompt"))


HOST = reading.make_host(
    "gemini",
    {
        "BeforeAgent": _before_agent,
        "AfterAgent": _after_agent,
        # Not PreCompress, which comes before every request to the model, whether or not it is too long then.
        "SessionStart": reading.session_start,
    },
    silence=Answer(b"{}\n"),
)
