"""Fitting linear weights to examples: the answers of a task are to come before its other candidates.

The loss of a task is the cross entropy between its answers, all alike, and the softmax of its candidates'
scores (ListNet's top-one loss: Cao, Qin, Liu, Tsai and Li, "Learning to Rank: From Pairwise Approach to
Listwise Approach", 2007). With an L2 penalty it is strictly convex in the weights: there is one minimum,
which Newton's method finds in a dozen steps, the same wherever it starts and in whatever order the examples
come. Signals are divided by their spread while fitting, so that the penalty is fair to all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from evals.tuning.examples import Example
from knowledge.errors import MissingExtra

PENALTY = 10.0  # between 3 and 30 nothing changes by more than half a task in a hundred
MAX_STEPS = 40
DIGITS = 4  # of a weight; what follows changes no order of candidates that is worth telling
_SMALL = 1e-6  # decrease of the loss at which the minimum counts as found
_FLAT = 1e-6  # spread below which a signal says the same of everything


@dataclass(frozen=True, slots=True)
class Prior:
    """Weights to stay near to, as a fit on few examples should.

    Attributes:
        weights: by signal.
        penalty: of moving away from them.
    """

    weights: Mapping[str, float]
    penalty: float


NOWHERE = Prior({}, PENALTY)
NOTHING_FIXED: Mapping[str, float] = MappingProxyType({})


def fit(
    examples: Sequence[Example],
    signals: Sequence[str],
    prior: Prior = NOWHERE,
    fixed: Mapping[str, float] = NOTHING_FIXED,
) -> dict[str, float]:
    """The weights of signals under which the examples' answers come first.

    Args:
        examples: those without an answer among their candidates teach nothing and are passed over. Each group
            counts by the square root of its size, so that no repository outweighs the others.
        signals: that get a weight.
        prior: what the weights are pulled towards.
        fixed: weights of other signals, which count and stay as they are.

    Raises:
        MissingExtra: numpy is not installed.
    """
    np = _numpy()
    useful = [one for one in examples if any(one.is_answer)]
    if not useful:
        return {name: prior.weights.get(name, 0.0) for name in signals}
    problem = _Problem(np, useful, signals, fixed)
    start = np.array([prior.weights.get(name, 0.0) for name in signals]) * problem.spread
    fitted = _newton(np, problem, start, prior.penalty) / problem.spread
    return {name: round(float(weight), DIGITS) for name, weight in zip(signals, fitted, strict=True)}


class _Problem:
    """The examples as matrices: a row for each candidate, a column for each signal."""

    def __init__(
        self, np: Any, examples: Sequence[Example], signals: Sequence[str], fixed: Mapping[str, float]
    ) -> None:
        place = {name: number for number, name in enumerate(signals)}
        sizes = [len(one.signals) for one in examples]
        rows = np.zeros((sum(sizes), len(signals)))
        self.given = np.zeros(sum(sizes))  # scores by what is fixed
        for row, values in enumerate(values for one in examples for values in one.signals):
            for name, value in values.items():
                if name in place:
                    rows[row, place[name]] = value
                elif name in fixed:
                    self.given[row] += fixed[name] * value
        spread = rows.std(axis=0)
        spread[spread < _FLAT] = 1.0
        self.spread = spread
        self.rows = rows / spread
        self.starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        self.segments = np.repeat(np.arange(len(examples)), sizes)
        self.answers = np.concatenate([_shares(one) for one in examples])
        groups = Counter(one.group for one in examples)
        weights = np.array([groups[one.group] ** -0.5 for one in examples])
        self.weights = (weights / weights.mean())[self.segments]


def _shares(example: Example) -> list[float]:
    count = sum(example.is_answer)
    return [1.0 / count if is_answer else 0.0 for is_answer in example.is_answer]


def _newton(np: Any, problem: _Problem, start: Any, penalty: float) -> Any:
    """Newton's method with halved steps where a whole one would go too far."""
    at = start.copy()
    loss, chances = _loss(np, problem, at, at - start, penalty)
    for _ in range(MAX_STEPS):
        gradient = problem.rows.T @ ((chances - problem.answers) * problem.weights) + penalty * (at - start)
        step = np.linalg.solve(_curvature(np, problem, chances, penalty), gradient)
        share = 1.0
        while True:
            then = at - share * step
            new_loss, new_chances = _loss(np, problem, then, then - start, penalty)
            if new_loss <= loss or share < _SMALL:
                break
            share /= 2
        decrease, at, loss, chances = loss - new_loss, then, new_loss, new_chances
        if decrease < _SMALL:
            break
    return at


def _loss(np: Any, problem: _Problem, at: Any, moved: Any, penalty: float) -> tuple[float, Any]:
    """The loss, and each candidate's chance within its task."""
    scores = problem.rows @ at + problem.given
    scores = scores - np.maximum.reduceat(scores, problem.starts)[problem.segments]
    raised = np.exp(scores)
    sums = np.add.reduceat(raised, problem.starts)[problem.segments]
    entropy = -(problem.answers * (scores - np.log(sums)) * problem.weights).sum()
    return float(entropy + penalty * (moved @ moved) / 2), raised / sums


def _curvature(np: Any, problem: _Problem, chances: Any, penalty: float) -> Any:
    weighted = chances * problem.weights
    means = np.add.reduceat(problem.rows * chances[:, None], problem.starts, axis=0)
    of_task = np.sqrt(problem.weights[problem.starts])[:, None]
    whole = problem.rows.T @ (problem.rows * weighted[:, None]) - (means * of_task).T @ (means * of_task)
    return whole + penalty * np.eye(whole.shape[0])


def _numpy() -> Any:
    try:
        import numpy as np  # noqa: PLC0415 - an extra, and no command but this one needs it
    except ImportError:
        raise MissingExtra(
            "fitting weights needs numpy", remedy="Install it: pip install 'prebrief[tune]'"
        ) from None
    return np
