"""The benchmark's own referee, loaded from its file and used as it is, and paired comparisons by it."""

from __future__ import annotations

import importlib.util
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from evals.rows import read_rows, text_of
from evals.statistics import mcnemar
from knowledge.errors import TaskError

PAIRED = "fn_any@5"  # what a brief of five patterns needs


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a system answered to one task.

    Attributes:
        results: ranked functions.
        files: ranked files, where the system ranks them apart; None: in the order of the results.
    """

    results: list[dict[str, Any]]
    files: list[str] | None = None


Predictions = Mapping[str, Prediction]
_NOTHING = Prediction([])  # a missing prediction counts as wrong


@dataclass(frozen=True, slots=True)
class Comparison:
    """One row: a group of tasks, our figures, the baseline's on the same tasks, and a paired test.

    Attributes:
        name: of the group.
        count: tasks.
        ours: measures in percent; those of functions are absent where no task has gold functions.
        theirs: likewise on the same tasks; empty when the baseline has answered none of them.
        won: tasks in which only we have `PAIRED`.
        lost: tasks in which only the baseline has.
    """

    name: str
    count: int
    ours: dict[str, float]
    theirs: dict[str, float]
    won: int
    lost: int

    @property
    def p_value(self) -> float:
        """Two-sided exact McNemar test on `won` and `lost`."""
        return mcnemar(self.won, self.lost)


class Referee:
    """Scores predictions against a gold file.

    Args:
        script: ``score.py``.
        gold: the gold file.
    """

    def __init__(self, script: Path, gold: Path) -> None:
        self._score = _load(script)
        self._gold = read_rows(gold, _gold_of)

    @staticmethod
    def read(path: Path) -> dict[str, Prediction]:
        """Predictions of a file; none when it does not exist. Raises TaskError for a malformed line."""
        return dict(read_rows(path, _prediction_of)) if path.is_file() else {}

    @staticmethod
    def write(predictions: Predictions, path: Path) -> None:
        """Write predictions in the form that ``score.py`` reads."""
        with path.open("w", encoding="utf-8") as out:
            for instance_id, prediction in sorted(predictions.items()):
                row: dict[str, Any] = {"instance_id": instance_id, "results": prediction.results}
                if prediction.files is not None:
                    row["files"] = prediction.files
                out.write(json.dumps(row) + "\n")

    def compare(self, ours: Predictions, theirs: Predictions) -> list[Comparison]:
        """Rows for all tasks, those that do not name the answer, and each repository."""
        groups: dict[str, list[str]] = defaultdict(list)
        for row in self._gold:
            if row["instance_id"] not in ours:
                continue
            groups["all"].append(row["instance_id"])
            if row.get("mentions_gold_name") is False:
                groups["gold name not in the text"].append(row["instance_id"])
            groups[row["repo"]].append(row["instance_id"])
        return [self._row(name, ids, ours, theirs) for name, ids in groups.items()]

    def _row(self, name: str, ids: Sequence[str], ours: Predictions, theirs: Predictions) -> Comparison:
        mine = self._measures(ids, ours)
        other = self._measures(ids, theirs) if any(i in theirs for i in ids) else []
        paired = [(a.get(PAIRED, 0.0), b.get(PAIRED, 0.0)) for a, b in zip(mine, other, strict=False)]
        return Comparison(
            name=name,
            count=len(ids),
            ours=self._score.agg(mine),
            theirs=self._score.agg(other) if other else {},
            won=sum(1 for a, b in paired if a > b),
            lost=sum(1 for a, b in paired if a < b),
        )

    def _measures(self, ids: Sequence[str], predictions: Predictions) -> list[dict[str, float]]:
        wanted = set(ids)
        answers = [
            (row, predictions.get(row["instance_id"], _NOTHING))
            for row in self._gold
            if row["instance_id"] in wanted
        ]
        return [self._score.one(*self._score.gold_of(row), a.results, a.files) for row, a in answers]


def _gold_of(row: dict[str, Any]) -> dict[str, Any]:
    text_of(row, "instance_id"), text_of(row, "repo")
    return row


def _prediction_of(row: dict[str, Any]) -> tuple[str, Prediction]:
    return text_of(row, "instance_id"), Prediction(row["results"], row.get("files"))


def _load(script: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("referee_score", script)
    if spec is None or spec.loader is None or not script.is_file():
        raise TaskError("no referee", where=str(script), remedy="Point --bench at the folder that has it")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
