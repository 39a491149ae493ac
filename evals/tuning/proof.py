"""Whether weights rank better than others on tasks that they were not fitted on, by paired tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from augmenter.augment import Tools
from augmenter.profiles import WeightProfile
from evals.asking import FUNCTIONS, ranking_of
from evals.cases import Case
from evals.metrics import any_at, ranks_of, reciprocal_rank
from evals.statistics import ALPHA, mcnemar, randomization

CUT = 5  # as many as a brief offers


@dataclass(frozen=True, slots=True)
class Standing:
    """How high a ranking puts a task's answers.

    Attributes:
        reciprocal: 1 / rank of the first; 0 without one.
        among_first: whether one is among the first `CUT`.
    """

    reciprocal: float
    among_first: bool


@dataclass(frozen=True, slots=True)
class Figures:
    """Standings in sum.

    Attributes:
        mrr: mean reciprocal rank of the first answer.
        fn_any: share of the tasks with an answer among the first `CUT`.
    """

    mrr: float
    fn_any: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two rankings of the same tasks, ours and theirs.

    Attributes:
        ours: figures.
        theirs: likewise.
        p_mrr: p-value of the difference of mean reciprocal ranks (paired randomisation).
        p_fn_any: that of ``fn_any`` (McNemar, exact).
    """

    ours: Figures
    theirs: Figures
    p_mrr: float
    p_fn_any: float

    @property
    def is_better(self) -> bool:
        """Whether ours is better beyond chance, and finds no fewer answers among the first."""
        is_higher = self.ours.mrr > self.theirs.mrr and self.p_mrr < ALPHA
        return is_higher and self.ours.fn_any >= self.theirs.fn_any

    @property
    def is_worse(self) -> bool:
        """Whether ours is worse beyond chance."""
        return self.ours.mrr < self.theirs.mrr and self.p_mrr < ALPHA


def standing_of(case: Case, profile: WeightProfile, tools: Tools) -> Standing:
    """Ask a case of an index as the pipeline does, of functions alone as the figures are."""
    scored = ranking_of(case.task, FUNCTIONS, replace(tools, profile=profile)).scored
    ranks = ranks_of([item.candidate.evidence for item in scored], case.relevant)
    return Standing(reciprocal_rank(ranks), bool(any_at(ranks, CUT)))


def compare(ours: Sequence[Standing], theirs: Sequence[Standing]) -> Comparison:
    """Compare two rankings, task by task; of one task at least."""
    pairs = list(zip(ours, theirs, strict=True))
    won = sum(one.among_first and not other.among_first for one, other in pairs)
    lost = sum(other.among_first and not one.among_first for one, other in pairs)
    return Comparison(
        ours=_figures(ours),
        theirs=_figures(theirs),
        p_mrr=randomization([(one.reciprocal, other.reciprocal) for one, other in pairs]),
        p_fn_any=mcnemar(won, lost),
    )


def _figures(standings: Sequence[Standing]) -> Figures:
    return Figures(
        fmean(one.reciprocal for one in standings), fmean(float(one.among_first) for one in standings)
    )
