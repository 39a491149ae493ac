"""What a document declares of itself: whether it still holds, how much it binds, what it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from knowledge.types import Authority, Status

MAX_LISTED = 32  # globs or topics of one document
MAX_VALUE = 120  # characters of one of them
STATUS_LINES = 40  # first lines of a decision in which it says its status

_SCOPE_KEYS = ("scope", "applies_to", "applies-to", "appliesto", "paths", "globs")
_TOPIC_KEYS = ("tags", "keywords", "topics", "categories")
# The words of decision records (Nygard, MADR), PEPs, KEPs and Rust's RFCs.
_WORDS = {
    Status.CURRENT: "accepted approved adopted active current final implemented decided ratified in-force",
    Status.DRAFT: "draft proposed proposal pending open provisional wip deferred in-review under-review",
    Status.DEPRECATED: "deprecated rejected withdrawn obsolete retired declined abandoned cancelled",
    Status.SUPERSEDED: "superseded replaced",
    Status.EXPIRED: "expired",
}
_BY_WORD = {word: status for status, words in _WORDS.items() for word in words.split()}
_OVERTAKING = (Status.SUPERSEDED, Status.DEPRECATED)
_MARKS = re.compile(r"[*_`\[\]~]+|<[^<>]*>")
_STATUS_LINE = re.compile(r"[\s>|*:_+-]*status[\s*_`]*[:|][:\s*_`|]*(\S.*)", re.IGNORECASE)
_GLOB = re.compile(r"[^\s,]*[/*.][^\s,]*")


@dataclass(frozen=True, slots=True)
class Declared:
    """What a document says of itself.

    Attributes:
        status: whether it still holds; None if it doesn't say.
        record_status: what it says beside its text, as decision records do (a line ``Status: accepted``, a
            section of that name): counts where such records lie, elsewhere it may be about anything.
        authority: how much it binds; None if it doesn't say.
        scope: globs of the paths that it is about.
        topics: what it is about, in words.
    """

    status: Status | None = None
    record_status: Status | None = None
    authority: Authority | None = None
    scope: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()


def declared_in(fields: Mapping[str, object], record_status: Status | None = None) -> Declared:
    """What the fields of a front matter (keys in any case) declare; unknown values count as not given."""
    lowered = {key.lower(): value for key, value in fields.items()}
    authority = str(lowered.get("authority", "")).strip().lower()
    return Declared(
        status_of(str(lowered.get("status", ""))),
        record_status,
        Authority(authority) if authority in Authority._value2member_map_ else None,
        tuple(value for value in _listed(lowered, _SCOPE_KEYS) if _GLOB.fullmatch(value)),
        _listed(lowered, _TOPIC_KEYS),
    )


def status_of(statement: str) -> Status | None:
    """The status that a statement begins with: ``**Accepted**, May 2024``, ``Superseded by [ADR 12](…)``.

    ``Accepted, superseded by 12`` is superseded: what overtakes a state is said after it.
    """
    words = _MARKS.sub(" ", statement[:MAX_VALUE]).lower().replace("in review", "in-review").split()
    found = [_BY_WORD.get(word.strip(".,;:!()")) for word in words]
    if not found or found[0] is None:
        return None
    return next((status for status in reversed(found[1:]) if status in _OVERTAKING), found[0])


def status_line(lines: list[str]) -> Status | None:
    """The status in a line of its own near the top: ``* Status: accepted``, ``| Status | draft |``."""
    for line in lines[:STATUS_LINES]:
        if match := _STATUS_LINE.match(line):
            return status_of(match[1])
    return None


def _listed(fields: Mapping[str, object], keys: tuple[str, ...]) -> tuple[str, ...]:
    found = dict.fromkeys(value for key in keys for value in _values(fields.get(key)))
    return tuple(found)[:MAX_LISTED]


def _values(value: object) -> Iterator[str]:
    if isinstance(value, str):
        value = value.split(",")
    if isinstance(value, list):
        for item in value:
            text = " ".join(str(item).split()) if isinstance(item, str | int | float) else ""
            if text and len(text) <= MAX_VALUE:
                yield text
