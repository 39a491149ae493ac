"""The functions that the tasks of a gold file are about."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.rows import read_rows, text_of


@dataclass(frozen=True, slots=True)
class Gold:
    """A function that a task is about.

    Attributes:
        file: relative to the root.
        name: qualified name.
        start: first line.
        end: last line.
        defined: the line that bears its name.
    """

    file: str
    name: str
    start: int
    end: int
    defined: int


def read_golds(path: Path) -> dict[str, list[Gold]]:
    """The functions of every task.

    Raises:
        TaskError: a line is malformed; says which and why.
    """
    return dict(read_rows(path, _golds_of))


def _golds_of(row: dict[str, Any]) -> tuple[str, list[Gold]]:
    functions = row["gold_functions"]
    return text_of(row, "instance_id"), [
        Gold(one["file"], one["name"], one["start"], one["end"], one.get("def_line", one["start"]))
        for one in functions
    ]
