r"""The generic host: any orchestrator that can write and read one JSON object.

In: ``{"task": "…", "cwd": "…", "session": "…", "agent": "…", "role": "…", "preamble": "…",
"patterns": 5, "rules": 3, "budget": 550, "format": "markdown"}``; only ``task`` is needed.
Out: the document of ``prebrief augment --json``; its ``prompt`` is always what to hand on.

``{"event": "finished", "dispatch_id": "…", "status": "success", "error": "…", "last_message": "…"}`` tells
how a dispatch ended, ``{"event": "forgotten", "session": "…"}`` that a session's worker has lost its context.
Both are answered with an empty object.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, get_args

from augmenter.hosts.events import Answer, Dispatch, Finished, Forgotten, Host, Ignored, Status
from augmenter.hosts.reading import as_json, read_object, text_of, wrong_event
from knowledge.errors import TaskError
from knowledge.settings import BriefFormat

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from augmenter.brief import Brief
    from augmenter.hosts.events import Event

_COUNT = {"strict": True, "ge": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A dispatch as the generic host tells it; keys that are not known are ignored: newer hosts work."""

    __pydantic_config__: ClassVar[Mapping[str, str]] = {"extra": "ignore"}

    task: str
    cwd: str = ""
    session: str = ""
    agent: str = ""
    role: str = ""
    preamble: str | None = None
    patterns: int | None = field(default=None, metadata=_COUNT)
    rules: int | None = field(default=None, metadata=_COUNT)
    budget: int | None = field(default=None, metadata=_COUNT)
    format: BriefFormat | None = None


_KEYS = tuple(item.name for item in fields(Task))
_TEXTS = ("task", "cwd", "session", "agent", "role")
_COUNTS = ("patterns", "rules", "budget")


def read(data: bytes) -> Event:
    """Read an event.

    Raises:
        TaskError: it is no JSON object, has no task, or a value of the wrong type.
    """
    document = read_object(data)
    if (name := text_of(document, "event")) in _LATER:
        return _LATER[name](document)
    known = {key: document[key] for key in _KEYS if key in document}
    return Dispatch(**(known if _is_plain(known) else _validated(document)))


def _finished(document: dict[str, Any]) -> Finished:
    told = document.get("status", "")
    status: Status | None = next((known for known in get_args(Status) if known == told), None)
    if status is None:
        raise wrong_event(f"'status': {told!r} is none of {', '.join(filter(None, get_args(Status)))}")
    return Finished(
        cwd=text_of(document, "cwd"),
        session=text_of(document, "session"),
        dispatch_id=_named(document, "dispatch_id"),
        last_message=text_of(document, "last_message"),
        status=status,
        error=text_of(document, "error"),
    )


def _forgotten(document: dict[str, Any]) -> Forgotten:
    return Forgotten(session=_named(document, "session"), cwd=text_of(document, "cwd"))


_LATER: Mapping[str, Callable[[dict[str, Any]], Event]] = {"finished": _finished, "forgotten": _forgotten}


def _named(document: dict[str, Any], key: str) -> str:
    if not (name := text_of(document, key)):
        raise wrong_event(f"'{key}': a text is needed")
    return name


def _is_plain(known: Mapping[str, Any]) -> bool:
    """Whether there is nothing to object to: then pydantic, which is slow to import, need not be asked."""
    counts = [known[key] for key in _COUNTS if known.get(key) is not None]
    return (
        "task" in known
        and all(type(known[key]) is str for key in _TEXTS if key in known)
        and isinstance(known.get("preamble"), str | None)
        and all(type(count) is int and count >= 0 for count in counts)
        and known.get("format") in (None, *get_args(BriefFormat))
    )


def _validated(document: dict[str, Any]) -> dict[str, Any]:
    from pydantic import TypeAdapter, ValidationError  # noqa: PLC0415 - see `_is_plain`

    try:
        task = TypeAdapter(Task).validate_python(document)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise wrong_event(f"'{'.'.join(map(str, first['loc']))}': {first['msg']}") from None
    return {key: getattr(task, key) for key in _KEYS}


def remains(data: bytes) -> Dispatch | Ignored:
    """Task and folder in an event that cannot be used otherwise; ``""`` for what is not even there."""
    try:
        document = read_object(data)
    except TaskError:
        return Dispatch(task="")
    if text_of(document, "event") in _LATER:
        return Ignored("no dispatch")
    task, folder = document.get("task"), document.get("cwd")
    return Dispatch(task=task if isinstance(task, str) else "", cwd=folder if isinstance(folder, str) else "")


def answer(_event: Dispatch, brief: Brief) -> Answer:
    """The document of a brief, as one line of ASCII-safe JSON: hosts read it in any locale."""
    return Answer(as_json(brief.as_json()))


HOST = Host("generic", read, answer, remains, silence=Answer(as_json({})), answers_all=True)
