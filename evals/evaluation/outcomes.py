"""What became of one case under one configuration, as a line of results has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evals.metrics import Rank, utility_of

DIGITS = 6  # of floats in results


@dataclass(frozen=True, slots=True)
class Offer:
    """One pattern of a brief.

    Attributes:
        id: stable id.
        path: file.
        name: qualified name, heading path, or the path.
        start: first line.
        end: last line.
        hit: whether it answers the task.
        authority: how much it binds, from 0 to 1.
        usable: whether it holds, and its file is still as it was indexed.
    """

    id: str
    path: str
    name: str
    start: int
    end: int
    hit: bool
    authority: float
    usable: bool


@dataclass(frozen=True, slots=True)
class Ranks:
    """Of each answer (of ``files``: each file with one) the rank of the first hit; None without one.

    Attributes:
        everything: in the ranking of all kinds of evidence.
        functions: in the ranking of functions; empty for a case that is not about functions.
        files: among the files of one of the two, see `evals.evaluation.judging`.
    """

    everything: tuple[Rank, ...] = ()
    functions: tuple[Rank, ...] = ()
    files: tuple[Rank, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one case under one configuration. Nothing in it varies from run to run.

    Attributes:
        case: its id.
        configuration: its name.
        abstain: whether the case has no answer.
        ranks: of its answers.
        offered: the patterns of the brief, best first.
        coverage: share of the task that the best of them covers.
        tokens: of the context block, as estimated.
        index: fingerprint of the index that was asked.
        figures: by name, as far as they are defined for the case.
    """

    case: str
    configuration: str
    abstain: bool
    ranks: Ranks
    offered: tuple[Offer, ...]
    coverage: float
    tokens: int
    index: str
    figures: Mapping[str, float]

    @property
    def key(self) -> tuple[str, str]:
        """What tells it from others of its run."""
        return self.configuration, self.case

    @property
    def worth(self) -> float:
        """What the brief's evidence is worth: correct × authoritative × usable, each from 0 to 1.

        Correct is the share of the offered items that answer the task, authoritative the mean of their
        authorities (`augmenter.factors.AUTHORITY_VALUES`), usable the share of them that are current and
        whose files hold these lines unchanged. 0 where nothing is offered.
        """
        count = len(self.offered)
        if not count:
            return 0.0
        correct, authority, usable = (
            sum(values) / count
            for values in zip(
                *((item.hit, item.authority, item.usable) for item in self.offered), strict=True
            )
        )
        return float(correct * authority * usable)


@dataclass(frozen=True, slots=True)
class Timed:
    """An outcome with what varies.

    Attributes:
        outcome: what became of the case.
        milliseconds: from task to brief.
    """

    outcome: Outcome
    milliseconds: float

    @property
    def values(self) -> dict[str, float]:
        """All that figures are made of, by name."""
        cost = {"milliseconds": self.milliseconds}
        if self.outcome.tokens and self.milliseconds:
            seconds = self.milliseconds / 1000
            cost["utility"] = utility_of(self.outcome.worth, self.outcome.tokens, seconds)
        return {**self.outcome.figures, **cost}


def outcome_of(row: Mapping[str, Any]) -> Outcome:
    """The outcome in a line of results. Raises KeyError or TypeError."""
    ranks = {name: tuple(values) for name, values in row["ranks"].items()}
    offered = tuple(Offer(**item) for item in row["offered"])
    return Outcome(**{**row, "ranks": Ranks(**ranks), "offered": offered})
