"""What the adapters share: an event read with bounds, the fields that hosts name alike, and the answer."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import TYPE_CHECKING, Any

from augmenter.hosts.events import Answer, Cap, Dispatch, Finished, Forgotten, Host, Ignored
from knowledge.errors import TaskError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from augmenter.brief import Brief
    from augmenter.hosts.events import Event

    Document = dict[str, Any]
    Readers = Mapping[str, Callable[[Document], Event]]

# What a person or an agent writes is far smaller; reading this much takes a tenth of a second.
MOST_BYTES = 8 * 1024 * 1024
# Hosts replace longer injected text by parts of it and the name of a file: Claude Code from 10,000 characters
# on, Codex from 2,500 tokens on, for each of which it counts four bytes.
CAP = Cap(bytes=9_900, tokens=2_500)
NOTHING = Answer()

# What a session starts with when the context was emptied by the user, or replaced by a summary.
_EMPTIED = ("clear", "compact")
# The first word, unless it goes on as a path does.
_COMMAND = re.compile(r"\s*/[A-Za-z][\w:-]*(?:\s|$)")


def read_object(data: bytes) -> Document:
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


def wrong_event(what: str) -> TaskError:
    """The error for an event that cannot be used."""
    return TaskError(what, where="stdin", remedy="See docs/hooks.md for what an event looks like")


def text_of(document: Document, key: str) -> str:
    """A text; ``""`` for none, and for what is none."""
    value = document.get(key)
    return value if isinstance(value, str) else ""


def text_in(content: object) -> str:
    """The text of what a tool answers: one, or parts of which some have a text."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(text_of(part, "text") for part in parts if isinstance(part, dict))


def place(document: Document) -> Document:
    """Where and in which session it happens."""
    return {"cwd": text_of(document, "cwd"), "session": text_of(document, "session_id")}


def prompt(document: Document, key: str) -> Event:
    """A prompt that goes to the main agent, or to a sub-agent that the host names.

    A command to the host itself (``/review``) is no task.

    Args:
        document: the event.
        key: by what later events name it.
    """
    task = text_of(document, "prompt")
    if not task.strip() or _COMMAND.match(task):
        return Ignored("no task")
    return Dispatch(
        task=task,
        **place(document),
        agent=text_of(document, "agent_type"),
        context=text_of(document, "agent_id"),
        key=key,
        name=text_of(document, "hook_event_name"),
    )


def finished(document: Document, key: str, **more: Any) -> Event:
    """The end of an agent's work.

    Args:
        document: the event.
        key: what names its dispatch.
        more: what differs from the fields of `Finished` as the host names them.
    """
    told = {
        "transcript": text_of(document, "transcript_path"),
        "last_message": text_of(document, "last_assistant_message"),
        "error": ": ".join(filter(None, (text_of(document, "error"), text_of(document, "error_details")))),
    }
    return Finished(key=key, **place(document), **told | more)


def session_start(document: Document) -> Event:
    """A session begins, or goes on with another context."""
    return forgotten(document) if document.get("source") in _EMPTIED else Ignored("the context stays")


def forgotten(document: Document) -> Event:
    """The context is about to be replaced by a summary, or has been."""
    return Forgotten(**place(document))


def agent_call(document: Document, tools: Collection[str]) -> Document | None:
    """The input of the tool that starts a sub-agent; None where another is called, or without a task."""
    call = document.get("tool_input")
    if document.get("tool_name") not in tools or not isinstance(call, dict):
        return None
    return call if text_of(call, "prompt").strip() else None


def to_agent(document: Document, call: Document, **more: Any) -> Dispatch:
    """A task that goes to a sub-agent, in the prompt of the tool that starts it.

    Args:
        document: the event.
        call: the tool's input.
        more: which agent, its context, and by what later events name it.
    """
    return Dispatch(
        task=text_of(call, "prompt"),
        name=text_of(document, "hook_event_name"),
        input=call,
        preamble="",
        **place(document),
        **more,
    )


def as_json(document: Document) -> bytes:
    """One line of ASCII-safe JSON: hosts read it in any locale. Raises ValueError for infinite numbers."""
    return json.dumps(document, allow_nan=False).encode("ascii") + b"\n"


def answer_with(event: Dispatch, output: Document) -> Answer:
    """An answer that adds to an event: no key but those that every host knows, for some refuse others."""
    return Answer(as_json({"hookSpecificOutput": {"hookEventName": event.name, **output}}))


def beside(event: Dispatch, brief: Brief, silence: Answer) -> Answer:
    """The answer that lays the context block beside the prompt; silence where there is none."""
    return answer_with(event, {"additionalContext": brief.context}) if brief.context else silence


def in_front(event: Dispatch, brief: Brief) -> Document:
    """The whole input of the tool that starts a sub-agent, with the context block in front of its prompt."""
    gap = "" if brief.context.endswith("\n\n") else "\n"
    return {**event.input, "prompt": f"{brief.context}{gap}{event.task}"}


def make_host(
    name: str,
    readers: Readers,
    *,
    silence: Answer = NOTHING,
    answer: Callable[[Dispatch, Brief], Answer] | None = None,
) -> Host:
    """A host that names its events and gets context beside its prompts, unless it is answered otherwise."""
    return Host(
        name,
        read=partial(_read, readers),
        answer=answer or partial(beside, silence=silence),
        remains=_nothing_remains,
        silence=silence,
        cap=CAP,
    )


def _read(readers: Readers, data: bytes) -> Event:
    if len(data) > MOST_BYTES:
        raise wrong_event(f"the event has more than {MOST_BYTES} bytes")
    document = read_object(data)
    name = text_of(document, "hook_event_name")
    return readers[name](document) if name in readers else Ignored(f"event '{name}'")


def _nothing_remains(_data: bytes) -> Ignored:
    """An event that cannot be used has nothing to hand back: the host still has the task."""
    return Ignored("it cannot be used")
