"""Comparison of two runs on the cases that they have in common, figure by figure, with paired tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from evals.evaluation.figures import FIGURES, Figure, Values
from evals.statistics import ALPHA, Pair, holm, mcnemar, randomization

Verdict = Literal["better", "worse", "no difference", ""]


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure of both, on the cases that they have in common.

    Attributes:
        figure: which.
        ours: its value.
        theirs: likewise.
        p_value: of a paired test; None where none is made. Among the figures that decide it is corrected for
            their number (Holm), those left out in which not one case differs: they can tell nothing.
        differing: cases in which the two differ.
        verdict: whether the difference is significant, and in which direction; ``""`` without a test.
    """

    figure: Figure
    ours: float
    theirs: float
    differing: int
    p_value: float | None = None
    verdict: Verdict = ""

    @property
    def change(self) -> float:
        """What is to be added to theirs."""
        return self.ours - self.theirs


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs side by side.

    Attributes:
        name: what it is compared with, for people.
        common: cases that both have asked.
        alpha: what a p-value must be below to be significant.
        differences: by name of the figure, in the order of figures.
    """

    name: str
    common: int
    alpha: float
    differences: Mapping[str, Difference]

    @property
    def regressions(self) -> list[Difference]:
        """The figures that decide and are significantly worse."""
        return [one for one in self.differences.values() if one.figure.decides and one.verdict == "worse"]


def compare(name: str, ours: Values, theirs: Values, alpha: float = ALPHA) -> Comparison:
    """Compare on common cases.

    Args:
        name: of the other.
        ours: by case.
        theirs: likewise; the same id must mean the same case.
        alpha: see `Comparison`.
    """
    common = sorted(ours.keys() & theirs.keys())
    if not common:
        return Comparison(name, 0, alpha, {})
    found = list(_differences([ours[case] for case in common], [theirs[case] for case in common]))
    deciding = [one for one in found if one.figure.decides and one.p_value is not None and one.differing]
    corrected = holm([one.p_value for one in deciding if one.p_value is not None])
    for one, p_value in zip(deciding, corrected, strict=True):
        found[found.index(one)] = replace(one, p_value=p_value)
    judged = (replace(one, verdict=_verdict(one, alpha)) for one in found)
    return Comparison(name, len(common), alpha, {one.figure.name: one for one in judged})


def _differences(
    ours: Sequence[Mapping[str, float]], theirs: Sequence[Mapping[str, float]]
) -> Iterator[Difference]:
    for figure in FIGURES:
        pairs = [(a.get(figure.source), b.get(figure.source)) for a, b in zip(ours, theirs, strict=True)]
        mine, other = ([value for value in side if value is not None] for side in zip(*pairs, strict=True))
        if mine and other:
            p_value = _p_value(figure, pairs) if figure.tested else None
            differing = sum(a != b for a, b in pairs)
            yield Difference(figure, figure.over(mine), figure.over(other), differing, p_value)


def _p_value(figure: Figure, pairs: Sequence[Pair]) -> float:
    """McNemar's exact test of yes and no; randomisation of what is measured, or not defined for both."""
    both = [(a, b) for a, b in pairs if a is not None and b is not None]
    either = sum(pair != (None, None) for pair in pairs)
    if figure.yes_or_no and len(both) == either:
        return mcnemar(sum(a > b for a, b in both), sum(a < b for a, b in both))
    return randomization(pairs)


def _verdict(one: Difference, alpha: float) -> Verdict:
    if one.p_value is None:
        return ""
    if one.p_value >= alpha or not one.change:
        return "no difference"
    return "better" if (one.change > 0) == one.figure.rises else "worse"
