"""Keys of the front matter of what people have reviewed: an error says which, and what is allowed there."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import TypeVar

from knowledge.errors import SourceError
from knowledge.hygiene import one_line

MAX_SHOWN = 80  # characters of a bad value in an error
REMEDY = "Correct the front matter"

_E = TypeVar("_E", bound=StrEnum)
_TAG = re.compile(r"[a-z0-9][a-z0-9-]*:[a-z0-9][a-z0-9-]*")


class Keys:
    """Reads keys of one front matter; every error names file, key and what is allowed."""

    def __init__(self, path: str, table: Mapping[str, object], remedy: str = REMEDY) -> None:
        self._path = path
        self._table = table
        self._remedy = remedy

    def error(self, key: str, problem: str, allowed: str) -> SourceError:
        """The error for one key."""
        return SourceError(f"'{key}' {problem}; allowed: {allowed}", where=self._path, remedy=self._remedy)

    def require_known(self, allowed: Collection[str]) -> None:
        """Raise for a key that is not among these, unless it begins with ``x-``: it is misspelt."""
        unknown = sorted(key for key in self._table if key not in allowed and not key.startswith("x-"))
        if unknown:
            raise SourceError(
                f"unknown key '{unknown[0]}'; allowed: {', '.join(sorted(allowed))}",
                where=self._path,
                remedy=self._remedy,
            )

    def text(self, key: str) -> str:
        """A text; numbers and dates, which YAML reads where a text was meant, count as theirs."""
        value = self._table.get(key)
        if value is None:
            return ""
        if isinstance(value, (list, dict, bool)):
            raise self.error(key, f"is {_shown(value)}", "a text")
        return str(value).strip()

    def texts(self, key: str, allowed: str) -> tuple[str, ...]:
        """A text or a list of texts, without repetition, in order."""
        value = self._table.get(key)
        items = value if isinstance(value, list) else [] if value is None else [value]
        if not all(isinstance(item, (str, int, float)) and str(item).strip() for item in items):
            raise self.error(key, f"is {_shown(value)}", allowed)
        return tuple(dict.fromkeys(str(item).strip() for item in items))

    def tags(self) -> tuple[str, ...]:
        """The tags, sorted."""
        allowed = "facet:value, or a list of them, such as component:api"
        tags = self.texts("tags", allowed)
        for tag in tags:
            if not _TAG.fullmatch(tag):
                raise self.error("tags", f"has {_shown(tag)}", allowed)
        return tuple(sorted(tags))

    def matching(self, key: str, pattern: re.Pattern[str], allowed: str) -> str:
        """A text of a given form, or ``""``."""
        value = self.text(key)
        if value and not pattern.fullmatch(value):
            raise self.error(key, f"is {_shown(value)}", allowed)
        return value

    def count(self, key: str) -> int:
        """A count, or the length of a list of links."""
        value = self._table.get(key, 0)
        if isinstance(value, list) and all(isinstance(item, (str, int)) for item in value):
            return len({str(item) for item in value})
        if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
            return value or 0
        raise self.error(key, f"is {_shown(value)}", "a count from 0, or a list of links")

    def choice(self, key: str, default: _E) -> _E:
        """One of the values of ``default``'s enumeration."""
        values = type(default)
        value = self.text(key) or default.value
        try:
            return values(value)
        except ValueError:
            raise self.error(key, f"is {_shown(value)}", ", ".join(item.value for item in values)) from None

    def day(self, key: str) -> str:
        """A date as ``YYYY-MM-DD``, or ``""``."""
        value = self._table.get(key)
        if isinstance(value, datetime):
            return value.date().isoformat()
        try:
            return date.fromisoformat(self.text(key)).isoformat() if value is not None else ""
        except ValueError:
            raise self.error(key, f"is {_shown(value)}", "a date such as 2026-01-31") from None


def _shown(value: object) -> str:
    """A value as an error shows it; not what is in a list or mapping, which aliases can make endless."""
    if isinstance(value, list):
        return "a list that holds something else"
    return "a mapping" if isinstance(value, dict) else one_line(repr(value), MAX_SHOWN)
