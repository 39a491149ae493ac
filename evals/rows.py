"""Rows of JSON: one object a line, as gold files and predictions have them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from knowledge.errors import TaskError

_T = TypeVar("_T")


def read_rows(path: Path, make: Callable[[dict[str, Any]], _T]) -> list[_T]:
    """What ``make`` makes of each line's object; blank lines are passed over.

    Args:
        path: the file, in UTF-8. Lines end in a line feed only: JSON may hold other line separators as text.
        make: takes an object apart; it may raise KeyError, TypeError or ValueError.

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
        except (ValueError, KeyError, TypeError) as error:
            raise TaskError(
                f"malformed: {_reason(error)}",
                where=f"{path}:{number}",
                remedy="Correct the line or leave it out",
            ) from None
    return made


def text_of(row: dict[str, Any], key: str) -> str:
    """A text in a row. Raises KeyError, or TypeError for what is no text."""
    value = row[key]
    if not isinstance(value, str):
        raise TypeError(f"'{key}' is no text")
    return value


def _reason(error: Exception) -> str:
    return f"no {error}" if isinstance(error, KeyError) else str(error)
