r"""The generic host: any orchestrator that can write and read one JSON object.

In: ``{"task": "…", "cwd": "…", "session": "…", "agent": "…", "role": "…", "preamble": "…",
"patterns": 5, "rules": 3, "budget": 550, "format": "markdown"}``; only ``task`` is needed.
Out: the document of ``prebrief augment --json``; its ``prompt`` is always what to hand on.
"""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from knowledge.errors import TaskError
from knowledge.settings import BriefFormat

HOST = "generic"


class Event(BaseModel):
    """A dispatch as the generic host tells it; keys that are not known are ignored: newer hosts work."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    task: str
    cwd: str = ""
    session: str = ""
    agent: str = ""
    role: str = ""
    preamble: str | None = None
    patterns: int | None = Field(default=None, ge=0)
    rules: int | None = Field(default=None, ge=0)
    budget: int | None = Field(default=None, ge=0)
    format: BriefFormat | None = None


def read_event(data: bytes) -> Event:
    """Read an event.

    Raises:
        TaskError: it is no JSON object, has no task, or a value of the wrong type.
    """
    try:
        return Event.model_validate(_object(data))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise _wrong(f"'{'.'.join(map(str, first['loc']))}': {first['msg']}") from None


def remains_of(data: bytes) -> tuple[str, str]:
    """Task and folder in an event that cannot be used otherwise; ``""`` for what is not even there."""
    try:
        document = _object(data)
    except TaskError:
        return "", ""
    task, folder = document.get("task"), document.get("cwd")
    return task if isinstance(task, str) else "", folder if isinstance(folder, str) else ""


def write_answer(document: dict[str, Any]) -> bytes:
    """The answer, as one line of ASCII-safe JSON: hosts read it in any locale."""
    return json.dumps(document).encode("ascii") + b"\n"


def _object(data: bytes) -> dict[str, Any]:
    try:
        # Bytes that are no UTF-8 are kept as lone surrogates, and go out as JSON escapes of these.
        document = json.loads(data.decode(json.detect_encoding(data), "surrogateescape"))
    except (ValueError, RecursionError) as error:
        raise _wrong(f"the event is not JSON: {error}") from None
    if not isinstance(document, dict):
        raise _wrong("the event is not a JSON object")
    return document


def _wrong(what: str) -> TaskError:
    return TaskError(what, where="stdin", remedy='Send {"task": "…"}; see docs/hooks.md for the other keys')
