"""The benchmark's own referee, loaded from its file and used as it is, and paired comparisons by it."""

from __future__ import annotations

import importlib.util
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path
from types import ModuleType
from typing import Any

PAIRED = "fn_any@5"  # what a brief of five patterns needs
Predictions = Mapping[str, list[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One row: a group of tasks, our figures, the baseline's on the same tasks, and a paired test.

    Attributes:
        name: of the group.
        count: tasks.
        ours: measures in percent.
        theirs: likewise; empty without a baseline.
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
        self._gold = [json.loads(line) for line in gold.read_text(encoding="utf-8").splitlines()]

    @staticmethod
    def read(path: Path) -> dict[str, list[dict[str, Any]]]:
        """Predictions of a file; none when it does not exist."""
        if not path.is_file():
            return {}
        rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        return {row["instance_id"]: row["results"] for row in rows}

    @staticmethod
    def write(predictions: Predictions, path: Path) -> None:
        """Write predictions in the form that ``score.py`` reads."""
        with path.open("w", encoding="utf-8") as out:
            for instance_id, results in sorted(predictions.items()):
                out.write(json.dumps({"instance_id": instance_id, "results": results}) + "\n")

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
        mine, other = self._by_task(ours), self._by_task(theirs)
        return [self._row(name, ids, mine, other) for name, ids in groups.items()]

    def _by_task(self, predictions: Predictions) -> dict[str, dict[str, float]]:
        return {
            row["instance_id"]: self._score.one(*self._score.gold_of(row), predictions[row["instance_id"]])
            for row in self._gold
            if row["instance_id"] in predictions
        }

    def _row(
        self,
        name: str,
        ids: Sequence[str],
        mine: Mapping[str, dict[str, float]],
        other: Mapping[str, dict[str, float]],
    ) -> Comparison:
        paired = [(mine[i].get(PAIRED, 0.0), other[i].get(PAIRED, 0.0)) for i in ids if i in other]
        return Comparison(
            name=name,
            count=len(ids),
            ours=self._score.agg([mine[i] for i in ids]),
            theirs=self._score.agg([other[i] for i in ids if i in other]) if paired else {},
            won=sum(1 for a, b in paired if a > b),
            lost=sum(1 for a, b in paired if a < b),
        )


def mcnemar(won: int, lost: int) -> float:
    """Two-sided exact p-value of McNemar's test: discordant pairs against a fair coin."""
    total = won + lost
    if total == 0:
        return 1.0
    tail = sum(comb(total, k) for k in range(min(won, lost) + 1))
    return min(1.0, 2 * tail / float(1 << total))


def _load(script: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("referee_score", script)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
