"""What the adapters share: an event's JSON read with bounds, and the answer that adds context to a prompt."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from augmenter.hosts.events import Answer, Forgotten, Ignored
from knowledge.errors import TaskError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from augmenter.hosts.events import Dispatch, Event

    Readers = Mapping[str, Callable[[dict[str, Any]], Event]]

# What a person or an agent writes is far smaller; reading this much takes a tenth of a second.
MOST_BYTES = 8 * 1024 * 1024

# What a session starts with when the context was emptied by the user, or replaced by a summary.
_EMPTIED = ("clear", "compact")
# The first word, unless it goes on as a path does.
_COMMAND = re.compile(r"\s*/[A-Za-z][\w:-]*(?:\s|$)")


def read_object(data: bytes) -> dict[str, Any]:
    """The JSON object that an event is.

    Bytes that are no UTF-8 are kept as lone surrogates, and go out as JSON escapes of these.

    Raises:
        TaskError: it is none.
    """
    try:
        document = json.loads(data.decode(json.detect_encoding(data), "surrogateescape"))
    except (ValueError, RecursionError) as error:
        raise wrong_event(f"the event is not JSON: {error}") from None
    if not isinstance(document, dict):
        raise wrong_event("the event is not a JSON object")
    return document


def read_by_name(data: bytes, readers: Readers) -> Event:
    """The event of a host that tells its name, by the reader for that name. Raises TaskError."""
    if len(data) > MOST_BYTES:
        raise wrong_event(f"the event has more than {MOST_BYTES} bytes")
    document = read_object(data)
    name = text_of(document, "hook_event_name")
    return readers[name](document) if name in readers else Ignored(f"event '{name}'")


def wrong_event(what: str) -> TaskError:
    """The error for an event that cannot be used."""
    return TaskError(what, where="stdin", remedy="See docs/hooks.md for what an event looks like")


def text_of(document: dict[str, Any], key: str) -> str:
    """A text; ``""`` for none, and for what is none."""
    value = document.get(key)
    return value if isinstance(value, str) else ""


def session_start(document: dict[str, Any]) -> Event:
    """A session begins, or goes on with another context."""
    return forgotten(document) if document.get("source") in _EMPTIED else Ignored("the context stays")


def forgotten(document: dict[str, Any]) -> Event:
    """The context is about to be replaced by a summary, or has been."""
    return Forgotten(session=text_of(document, "session_id"), cwd=text_of(document, "cwd"))


def is_command(prompt: str) -> bool:
    """Whether a prompt is a command to the host itself, as ``/review``."""
    return _COMMAND.match(prompt) is not None


def add_context(event: Dispatch, context: str) -> bytes:
    """The answer that lays a context block beside the prompt: no key but those that every host knows."""
    return as_json({"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": context}})


def as_json(document: dict[str, Any]) -> bytes:
    """One line of ASCII-safe JSON: hosts read it in any locale. Raises ValueError for infinite numbers."""
    return json.dumps(document, allow_nan=False).encode("ascii") + b"\n"


def nothing_remains(_data: bytes) -> None:
    """An event that cannot be used has nothing to hand back: the host still has the task."""


NOTHING = Answer()
