"""What is known of commits: the case that each makes, or why it makes none; kept from run to run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.cases import Answer
from evals.mining.reasons import Reason
from evals.rows import read_rows, row_line, text_of
from knowledge.errors import TaskError


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one commit is good for.

    Attributes:
        commit: its full object name.
        parent: likewise of its first parent, or ``""``.
        reason: why it makes no case; None if it makes one.
        task: what it set out to do, cleaned.
        answers: the functions that it changed, as they are in its parent.
    """

    commit: str
    parent: str
    reason: Reason | None = None
    task: str = ""
    answers: tuple[Answer, ...] = ()


class Kept:
    """Verdicts in a file, one a line, which a run that is cut short has written down up to there.

    A verdict depends on its commit and on how commits are judged, and on nothing else: not on where HEAD is,
    so that rewritten history needs no clearing up. Its commits are not asked for.

    Args:
        path: the file; its folder exists.
        recipe: names all that verdicts depend on. A file of another one is begun anew.
    """

    def __init__(self, path: Path, recipe: str) -> None:
        self._path = path
        self._recipe = recipe
        self._known = self._read()

    def get(self, commit: str) -> Verdict | None:
        """What is known of a commit."""
        return self._known.get(commit)

    def add(self, verdicts: Iterable[Verdict]) -> None:
        """Write verdicts down. Raises TaskError when that cannot be done."""
        new = [verdict for verdict in verdicts if verdict.commit not in self._known]
        self._known.update((verdict.commit, verdict) for verdict in new)
        self._write("a", map(_row_of, new))

    def _read(self) -> dict[str, Verdict]:
        recipes: list[str] = []
        problems: list[int] = []

        def make(row: dict[str, Any]) -> Verdict | None:
            if "recipe" not in row:
                return _verdict_of(row)
            recipes.append(text_of(row, "recipe"))
            return None

        try:
            rows = read_rows(self._path, make, lambda line, _: problems.append(line))
        except TaskError:  # there is none yet, or what lies there is no text
            rows = []
        is_ours = recipes == [self._recipe]
        known = {row.commit: row for row in rows if row is not None and is_ours}
        if problems or not is_ours:
            self._write("w", [{"recipe": self._recipe}, *map(_row_of, known.values())])
        return known

    def _write(self, mode: str, rows: Iterable[dict[str, Any]]) -> None:
        try:
            with self._path.open(mode, encoding="utf-8", newline="\n") as out:
                out.write("".join(map(row_line, rows)))
        except OSError as error:
            raise TaskError.of_system("cannot be written", error, self._path, "Make it writable") from None


def _row_of(verdict: Verdict) -> dict[str, Any]:
    row: dict[str, Any] = {"commit": verdict.commit, "parent": verdict.parent}
    if verdict.reason is not None:
        return row | {"reason": verdict.reason.value}
    answers = [[one.id, one.path, one.name, one.start, one.end] for one in verdict.answers]
    return row | {"task": verdict.task, "answers": answers}


def _verdict_of(row: dict[str, Any]) -> Verdict:
    commit, parent = text_of(row, "commit"), text_of(row, "parent")
    if "reason" in row:
        return Verdict(commit, parent, Reason(row["reason"]))
    answers = tuple(Answer(*answer) for answer in row["answers"])
    return Verdict(commit, parent, None, text_of(row, "task"), answers)
