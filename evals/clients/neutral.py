"""Recordings without what tells of the machine and the moment.

What then differs between two of them is the client's doing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

HOME = "/home/dev"
PROJECT = "/home/dev/project"
LONGEST = 400  # characters of a text that is left whole: what is said in these plays is shorter
HEAD = 60  # characters that are left of a longer one

_TIME = "2026-01-01T00:00:00.000Z"
_MILLISECONDS = 100
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_AGENT = r"(?<![0-9a-f])a[0-9a-f]{16}(?![0-9a-f])"  # Claude Code's ids of sub-agents
_ID = re.compile(f"{_UUID}|{_AGENT}")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d[:-]\d\d(?:[:-]\d\d(?:\.\d+)?)?Z?")
_HASH = re.compile(r"\b(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})\b")
_MEASURES = re.compile(r"(_at|_ms|_time|Ms)$|^nanos$|^secs$")  # names of numbers that a clock gave
_NAMES = {"agent_nickname": "Ada", "process_id": "100"}  # Codex draws the first from a list
# What stands in texts, in this order.
_RULES = tuple(
    (re.compile(pattern), neutral)
    for pattern, neutral in (
        (r"(session-[\dT-]+-)[0-9a-f]{8}\b", r"\g<1>00000000"),  # Gemini's files: the head of a session's id
        (r"\b20\d\d([-/])\d\d\1\d\d\b", r"2026\g<1>01\g<1>01"),
        (r"(?<=/claude-)\d+(?=/)", "1000"),  # the user, in a folder's name
        (r"(?<=<duration_ms>)\d+", str(_MILLISECONDS)),
        (r"(?<=Chunk ID: )[0-9a-f]+", "000000"),
        (r"(?<=Wall time: )[\d.]+", "0.1"),
        (r'(?<="nickname":")\w+', _NAMES["agent_nickname"]),
        (r"(?<=- [0-9a-f-]{36}: )\w+", _NAMES["agent_nickname"]),
        (r"127\.0\.0\.1:\d+", "127.0.0.1:8080"),
    )
)


class Neutraliser:
    """Replaces the same by the same throughout one recording.

    Args:
        folders: of the machine, each by what stands for it; longer ones first.
    """

    def __init__(self, folders: Mapping[str, str]) -> None:
        self._folders = dict(sorted(folders.items(), key=lambda pair: (-len(pair[0]), pair[0])))
        self._ids: dict[str, str] = {}

    def text(self, text: str) -> str:
        """A text, however long."""
        for folder, neutral in self._folders.items():
            text = text.replace(folder, neutral)
        text = _ID.sub(lambda found: self._id(found[0]), text)
        text = _HASH.sub(lambda found: "0" * len(found[0]), text)
        for pattern, neutral in _RULES:
            text = pattern.sub(neutral, text)
        return _MOMENT.sub(lambda found: _moment(found[0]), text)

    def value(self, value: Any, key: str = "") -> Any:
        """A JSON value; numbers that a clock gave are all the same."""
        if isinstance(value, str):
            return _NAMES.get(key) or self.text(value)
        if isinstance(value, dict):
            return {self.text(name): self.value(item, name) for name, item in value.items()}
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, int | float) and not isinstance(value, bool) and _MEASURES.search(key):
            return _MILLISECONDS
        return value

    def _id(self, found: str) -> str:
        if found not in self._ids:
            number = len(self._ids) + 1
            is_uuid = "-" in found
            self._ids[found] = f"00000000-0000-4000-8000-{number:012x}" if is_uuid else f"a{number:016x}"
        return self._ids[found]


def _moment(found: str) -> str:
    """The fixed moment, written as the one found."""
    return _TIME if ":" in found else _TIME[: len(found)].replace(":", "-")


def shortened(value: Any) -> Any:
    """A JSON value in which of long texts only the beginning is left, and how much that is not.

    What is long in a client's records are its own instructions, which are nobody's business here.
    """
    if isinstance(value, str) and len(value) > LONGEST:
        return f"{value[:HEAD]}… [{len(value) - HEAD} characters more]"
    if isinstance(value, dict):
        return {key: shortened(item) for key, item in value.items()}
    return [shortened(item) for item in value] if isinstance(value, list) else value


def as_name(folder: str) -> str:
    """How Claude Code names a folder after another: all but letters and digits become dashes."""
    return re.sub(r"[^A-Za-z0-9]", "-", folder)
