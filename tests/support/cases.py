"""Cases of parametrized tests that are easier to read as a table than as Python."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

_BETWEEN_CELLS = re.compile(r" {2,}")
_EMPTY = '""'
_LINE_END = r"\n"


@cache
def _tables(path: Path) -> dict[str, dict[str, list[list[str]]]]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def cases_by_key(test_file: str, name: str, table: str) -> list[tuple[str, ...]]:
    """The rows of a table of the TOML file ``name`` beside a test, each behind the key it is listed under."""
    tables = _tables(Path(test_file).with_name(name))
    return [(key, *row) for key, rows in tables[table].items() for row in rows]


def cases_by_value(cases: dict[Any, tuple[str, ...]]) -> list[tuple[str, Any]]:
    """Each text with the value that it is listed under."""
    return [(text, value) for value, texts in cases.items() for text in texts]


def rows(text: str) -> list[tuple[str, ...]]:
    """The lines of a text as rows, their cells parted by two spaces or more.

    An empty cell is written ``""``, and a line's end within a cell ``\\n``.
    """
    lines = (line.strip() for line in text.strip("\n").split("\n"))
    return [tuple(_cell(cell) for cell in _BETWEEN_CELLS.split(line)) for line in lines if line]


def cells(text: str) -> list[str]:
    """All cells of all rows."""
    return [cell for row in rows(text) for cell in row]


def _cell(written: str) -> str:
    return "" if written == _EMPTY else written.replace(_LINE_END, "\n")
