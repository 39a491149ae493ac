"""Rows of JSON: one object a line, as gold files and predictions have them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from knowledge.errors import TaskError
from knowledge.hashing import canonical_json

_T = TypeVar("_T")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def read_rows(
    path: Path,
    make: Callable[[dict[str, Any]], _T],
    on_problem: Callable[[int, str], None] | None = None,
) -> list[_T]:
    """What ``make`` makes of each line's object; blank lines are passed over.

    Args:
        path: the file, in UTF-8. Lines end in a line feed only: JSON may hold other line separators as text.
        make: takes an object apart; it may raise KeyError, TypeError or ValueError.
        on_problem: is told the number of a malformed line, and what is wrong with it; without it such a line
            is an error.

    Raises:
        TaskError: the file cannot be read, or a line is malformed; says which and why.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise TaskError(f"cannot be read: {error}", where=str(path), remedy="Check the path") from None
    made: list[_T] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            made.append(make(json.loads(line)))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            if on_problem is not None:
                on_problem(number, _reason(error))
                continue
            raise TaskError(
                f"malformed: {_reason(error)}",
                where=f"{path}:{number}",
                remedy="Correct the line or leave it out",
            ) from None
    return made


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write one canonical line for each object: the same objects, the same bytes."""
    path.write_text("".join(map(row_line, rows)), encoding="utf-8", newline="\n")


def row_line(row: Mapping[str, Any]) -> str:
    """An object as its line; what UTF-8 cannot carry is escaped."""
    return _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", canonical_json(row)) + "\n"


def text_of(row: dict[str, Any], key: str) -> str:
    """A text in a row. Raises KeyError, or TypeError for what is no text."""
    value = row[key]
    if not isinstance(value, str):
        raise TypeError(f"'{key}' is no text")
    return value


def _reason(error: Exception) -> str:
    return f"no {error}" if isinstance(error, KeyError) else str(error)
