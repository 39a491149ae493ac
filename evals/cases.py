"""Cases: tasks with known answers, one JSON object a line.

    {"id": "close", "task": "Readers hang after close()", "relevant": [{"path": "src/stream.py", "name": "Stream.close"}]}
    {"id": "bread", "task": "Bake bread", "abstain": true}

A malformed line costs its own case and no other.
"""  # noqa: E501 - a line of the format is one line

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from pathlib import Path, PurePosixPath
from typing import Any

from evals.rows import read_rows, write_rows
from knowledge.errors import TaskError
from knowledge.jsonable import to_json

_ID_PATH = re.compile(r"\w+:(.+?)(?:::.*|#.*)?", re.DOTALL)  # `symbol:src/stream.py::EventStream.close`
_COMMIT = re.compile(r"[0-9a-f]{7,64}")


@dataclass(frozen=True, slots=True)
class Answer:
    """One thing that answers a task: by its stable id, or by its file and what is in it.

    A file alone stands for all that is in it. What has the id or is at the place is an answer; how that is
    judged, `evals.metrics.hits` says.

    Attributes:
        id: stable id (``symbol:src/stream.py::EventStream.close``), or ``""``.
        path: file, relative to the project's root, with ``/``; or ``""``.
        name: qualified name in it (``EventStream.close``), or ``""``.
        start: first line, from 1; 0 without lines.
        end: last line, included; 0 without lines.
    """

    id: str = ""
    path: str = ""
    name: str = ""
    start: int = 0
    end: int = 0

    @property
    def file(self) -> str:
        """The file that it is in; an id tells it too."""
        if self.path:
            return self.path
        found = _ID_PATH.fullmatch(self.id)
        return found[1] if found else ""


@dataclass(frozen=True, slots=True)
class Case:
    """A task, and what answers it.

    Attributes:
        id: names the case in its file.
        task: the task's text.
        commit: hash of what may be seen when it is asked; ``""``: the tree as it is indexed.
        relevant: what answers it; empty only if ``abstain``.
        abstain: nothing here answers it, so that nothing should be offered.
        repo: a label by which cases can be grouped, or ``""``.
    """

    id: str
    task: str
    commit: str = ""
    relevant: tuple[Answer, ...] = ()
    abstain: bool = False
    repo: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a line of a file of cases is none.

    Attributes:
        line: its number, from 1.
        reason: what is wrong with it.
    """

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class CaseFile:
    """What a file holds: its cases, in its order, and what was wrong with its other lines."""

    cases: tuple[Case, ...]
    problems: tuple[Problem, ...]


def read_cases(path: Path) -> CaseFile:
    """The cases of a file.

    Raises:
        TaskError: the file cannot be read, or holds not one good case.
    """
    problems: list[Problem] = []
    seen: set[str] = set()

    def make(row: Any) -> Case:
        case = _case_of(row)
        if case.id in seen:
            raise ValueError(f"there is a case '{case.id}' before it")
        seen.add(case.id)
        return case

    cases = read_rows(path, make, lambda line, reason: problems.append(Problem(line, reason)))
    if not cases:
        first = f"; line {problems[0].line}: {problems[0].reason}" if problems else ""
        raise TaskError(
            f"it holds no case{first}", where=str(path), remedy="One JSON object a line, with id and task"
        )
    return CaseFile(tuple(cases), tuple(problems))


def write_cases(path: Path, cases: Iterable[Case]) -> None:
    """Write cases in their order: the same cases, the same bytes. What has its default is left out."""
    write_rows(path, map(case_row, cases))


def case_row(case: Case) -> dict[str, Any]:
    """A case as a line of the format has it."""
    answers = [_told(answer) for answer in case.relevant]
    return _told(case) | ({"relevant": answers} if answers else {})


def _told(record: Case | Answer) -> dict[str, Any]:
    """The fields that differ from their defaults."""
    values = to_json(record)
    return {
        field.name: values[field.name]
        for field in fields(record)
        if field.default is MISSING or getattr(record, field.name) != field.default
    }


def _case_of(row: Any) -> Case:
    _check(row, Case)
    case = Case(
        id=_text(row, "id"),
        task=_text(row, "task"),
        commit=_text(row, "commit", ""),
        relevant=tuple(map(_answer_of, _value(row, "relevant", list, []))),
        abstain=_value(row, "abstain", bool, False),
        repo=_text(row, "repo", ""),
    )
    if not case.id.strip() or not case.task.strip():
        raise ValueError("'id' and 'task' must not be blank")
    if case.commit and not _COMMIT.fullmatch(case.commit):
        raise ValueError(f"'{case.commit}' is no commit: 7 to 64 hexadecimal digits, for a branch moves on")
    if case.abstain == bool(case.relevant):
        both = "both 'relevant' and 'abstain'" if case.abstain else "neither 'relevant' nor 'abstain'"
        raise ValueError(f"it has {both}")
    return case


def _answer_of(row: Any) -> Answer:
    _check(row, Answer)
    start = _value(row, "start", int, 0)
    answer = Answer(
        id=_text(row, "id", ""),
        path=_text(row, "path", ""),
        name=_text(row, "name", ""),
        start=start,
        end=_value(row, "end", int, start),
    )
    _check_place(answer, bool({"start", "end"} & row.keys()))
    return answer


def _check_place(answer: Answer, has_lines: bool) -> None:
    if not answer.file:
        raise ValueError("an answer needs an 'id' of the form KIND:PATH, or a 'path'")
    path = PurePosixPath(answer.path)
    if path.is_absolute() or ".." in path.parts:
        raise ValueError(f"the path '{answer.path}' leads out of the project")
    if answer.path and str(path) != answer.path:
        raise ValueError(f"the path '{answer.path}' is written '{path}'")
    if has_lines and not 1 <= answer.start <= answer.end:
        raise ValueError(
            f"lines {answer.start} to {answer.end} are none: they count from 1, start before end"
        )


def _check(row: Any, record: type[Case | Answer]) -> None:
    if not isinstance(row, dict):
        raise TypeError(f"the {record.__name__.lower()} is no object")
    known = [field.name for field in fields(record)]
    if unknown := sorted(row.keys() - set(known)):
        raise ValueError(f"there is no key '{unknown[0]}'; allowed: {', '.join(known)}")


def _text(row: Mapping[str, Any], key: str, default: str | None = None) -> str:
    text: str = _value(row, key, str, default)
    return text


def _value(row: Mapping[str, Any], key: str, kind: type, default: Any) -> Any:
    """A value of exactly this type: a truth value is no number. Raises KeyError where there is no default."""
    value = row[key] if default is None else row.get(key, default)
    if type(value) is not kind:
        raise TypeError(f"'{key}' is no {_NAMES[kind]}")
    return value


_NAMES = {str: "text", int: "whole number", bool: "truth value", list: "list"}
