"""How far weights may move from where they start, chosen on nothing but what they are fitted on."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from statistics import fmean

from evals.tuning.examples import Example
from evals.tuning.fitting import Prior
from evals.tuning.folds import fit_all

# With the first, some dozens of tasks outweigh where the weights started; with the last they move little.
# Of three public projects with 80 tasks each, two were served best by 300 (1,000 was worse again), one by all
# from 1 to 300 alike. Closer together the choice among them would be one of chance.
PENALTIES = (3.0, 30.0, 300.0)
EARLIER = Fraction(
    2, 3
)  # the share that is fitted on while the penalty is chosen; the rest tells which one is best


def choose_penalty(
    examples: Sequence[Example], start: Mapping[str, float], unused: Collection[str] = ()
) -> float:
    """The penalty under which weights that were fitted on the earlier examples explain the later ones best.

    By their loss, which says more of few examples than ranks do; of two alike, the one that moves less.

    Args:
        examples: oldest first.
        start: the weights that they are pulled towards.
        unused: signals that do not count in a ranking of this project.

    Raises:
        MissingExtra: numpy is not installed.
    """
    cut = int(len(examples) * EARLIER)
    earlier, later = examples[:cut], examples[cut:]
    losses = [
        (loss_of(later, _counting(fit_all(earlier, Prior(start, penalty)), unused)), -penalty)
        for penalty in PENALTIES
    ]
    return -min(losses)[1]


def _counting(weights: Mapping[str, float], unused: Collection[str]) -> dict[str, float]:
    return {name: weight for name, weight in weights.items() if name not in unused}


def loss_of(examples: Sequence[Example], weights: Mapping[str, float]) -> float:
    """Mean over tasks of the cross entropy that `evals.tuning.fitting` makes small, without its penalty.

    0 where no example has an answer.
    """
    return fmean([_loss(one, weights) for one in examples if any(one.is_answer)] or [0.0])


def _loss(example: Example, weights: Mapping[str, float]) -> float:
    scores = [
        math.fsum(weights.get(name, 0.0) * value for name, value in signals.items())
        for signals in example.signals
    ]
    highest = max(scores)
    whole = highest + math.log(math.fsum(math.exp(score - highest) for score in scores))
    answers = [score for score, is_answer in zip(scores, example.is_answer, strict=True) if is_answer]
    return whole - fmean(answers)
