"""Where ranking falls short: what the tasks have in common of which a changed function is ranked too low."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from types import SimpleNamespace
from typing import Any

from evals.cases import Answer
from evals.localisation import LIMIT, Case
from evals.metrics import Item, hits, ranks_of
from evals.referee import Predictions

ENOUGH = 10  # a task has failed if not all its functions are among the first so many
NEAR = 20
COLUMNS = (f"{ENOUGH + 1} to {NEAR}", f"{NEAR + 1} to {LIMIT}", f"not among {LIMIT}")


class Kind(StrEnum):
    """What speaks for a function that was missed, the most first."""

    NAMED = "the task names the function"
    AROUND = "the task names its class or file"
    NEIGHBOUR = f"another function of its file is among the first {ENOUGH}"
    NOTHING = "nothing of its file is among them"


@dataclass(frozen=True, slots=True)
class Failure:
    """A task of which not all functions are among the first ten.

    Attributes:
        kind: of the function that has the least to speak for it.
        rank: the lowest rank of its functions; None where one is not ranked at all.
        functions: how many functions it has.
    """

    kind: Kind
    rank: int | None
    functions: int


def failures(
    cases: Iterable[Case], answers: Mapping[str, Sequence[Answer]], found: Predictions
) -> list[Failure]:
    """The tasks that failed, in their order."""
    return [
        failure
        for case in cases
        if (failure := _failure(case.text, answers[case.instance_id], found[case.instance_id].results))
    ]


def _failure(text: str, answers: Sequence[Answer], results: Sequence[Mapping[str, Any]]) -> Failure | None:
    ranked: list[Item] = [SimpleNamespace(id="", path=one["file"], **one) for one in results]
    ranks = ranks_of(ranked, answers)
    missed = [a for a, rank in zip(answers, ranks, strict=True) if rank is None or rank > ENOUGH]
    if not missed:
        return None
    order = list(Kind)
    kind = max((_kind(text, answer, ranked[:ENOUGH]) for answer in missed), key=order.index)
    known = [rank for rank in ranks if rank is not None]
    return Failure(kind, max(known) if len(known) == len(ranks) else None, len(answers))


def _kind(text: str, answer: Answer, first: Sequence[Item]) -> Kind:
    *owners, name = answer.name.split(".")
    if _says(text, name):
        return Kind.NAMED
    if any(_says(text, word) for word in (*owners, PurePosixPath(answer.path).name)):
        return Kind.AROUND
    neighbour = any(item.path == answer.path and not hits(item, answer) for item in first)
    return Kind.NEIGHBOUR if neighbour else Kind.NOTHING


def _says(text: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def table(found: Sequence[Failure], tasks: int) -> str:
    """How many failed, by what speaks for the function that was missed, and by where it was ranked.

    Args:
        found: the tasks that failed.
        tasks: how many were asked.
    """
    count = Counter((failure.kind, _column(failure.rank)) for failure in found)
    lines = [
        f"{len(found)} of {tasks} tasks have a function that is not among the first {ENOUGH};"
        f" {sum(failure.functions > 1 for failure in found)} of them have several.\n",
        f"| of the function missed | {' | '.join(COLUMNS)} | all |",
        f"|---|{'---|' * (len(COLUMNS) + 1)}",
    ]
    return "\n".join([*lines, *_rows(count)])


def _rows(count: Counter[tuple[Kind, int]]) -> Iterator[str]:
    for kind in Kind:
        numbers = [count[kind, column] for column in range(len(COLUMNS))]
        yield f"| {kind} | {' | '.join(map(str, numbers))} | {sum(numbers)} |"


def _column(rank: int | None) -> int:
    if rank is None:
        return 2
    return int(rank > NEAR)
