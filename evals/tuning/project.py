"""Weights for one project: fitted on the older part of its history, proved on the newer part.

The cases are the project's own commits, as `kb evaluate --from-history` takes them, each asked of an index of
its parent. They are parted in the order of the log, in which no commit comes before its parents: whatever
the fit has seen was there before the first case that proves it. What is proved is the pipeline's own ranking
by these weights beside its ranking by the shipped ones, and by the project's present ones where it has any.
"""

from __future__ import annotations

import os.path
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from augmenter.augment import Tools
from augmenter.profiles import WeightProfile, learned_profile
from augmenter.weights import SHIPPED, read_weights, weights_text
from evals.cases import Case
from evals.evaluation.evaluate import evaluations_of
from evals.evaluation.places import Provider, open_place
from evals.evaluation.store import make_folder, write_file
from evals.mining.clone import source_of
from evals.mining.history import Mined, mine
from evals.mining.provider import Checkouts
from evals.tuning.examples import Example, example_of
from evals.tuning.fitting import Prior, fit
from evals.tuning.folds import OF_CHANNEL, fit_all
from evals.tuning.penalties import choose_penalty
from evals.tuning.proof import Comparison, Figures, Standing, compare, standing_of
from indexer.build import Progress
from knowledge.clock import Clock
from knowledge.errors import ProjectError, SettingsError
from knowledge.project import Project, ensure_state
from knowledge.settings import Settings

LIMIT = 120  # cases: 40 to prove on tell a gain of a sixth from chance; a history of some months has them
# The share that is fitted on: fitting some dozens of weights needs more than telling two apart.
OLDER = Fraction(2, 3)
# With fewer, what the cases have in common is as often their author's week as the project.
MIN_TO_FIT = 20
# With fewer, hardly any gain is beyond chance: 6 changed ranks of 6 are the least that can be.
MIN_TO_PROVE = 10
MIN_CASES = 30  # of which both parts have enough
DIGITS = 6  # of figures in the provenance

_METHOD = "listwise softmax, L2 towards the shipped weights"
_T = TypeVar("_T")


class Verdict(StrEnum):
    """What came of it."""

    TOO_FEW = "too-few-cases"
    BETTER = "better"  # to be adopted
    NO_BETTER = "no-better-than-shipped"
    NO_BETTER_THAN_OWN = "no-better-than-own"


@dataclass(frozen=True, slots=True)
class Present:
    """A project's own weights as they are.

    Attributes:
        weights: by signal; None if there are none, or none that can be used.
        error: why they cannot be used; None if they can, or there are none.
    """

    weights: Mapping[str, float] | None = None
    error: SettingsError | None = None


@dataclass(frozen=True, slots=True)
class Proof:
    """New weights, and how they did on the newer part.

    Attributes:
        weights: by signal.
        shipped: the shipped ones.
        penalty: of moving away from these, under which they were fitted.
        against_shipped: new beside shipped.
        against_own: new beside the project's present ones; None without any.
        own_against_shipped: these beside the shipped ones; None without any.
    """

    weights: Mapping[str, float]
    shipped: Mapping[str, float]
    penalty: float
    against_shipped: Comparison
    against_own: Comparison | None = None
    own_against_shipped: Comparison | None = None

    @property
    def verdict(self) -> Verdict:
        """Better is what is better than all there is; both must hold, so that no p-value needs correction."""
        if not self.against_shipped.is_better:
            return Verdict.NO_BETTER
        if self.against_own is not None and not self.against_own.is_better:
            return Verdict.NO_BETTER_THAN_OWN
        return Verdict.BETTER


@dataclass(frozen=True, slots=True)
class Tuned:
    """What a project's history gave.

    Attributes:
        mined: the cases and where they came from.
        head: the commit from which history was looked at; ``""`` before the first.
        older: how many cases were to be fitted on.
        newer: how many were to prove it.
        present: the project's own weights before.
        proof: None with too few cases.
    """

    mined: Mined
    head: str
    older: int
    newer: int
    present: Present
    proof: Proof | None = None

    @property
    def verdict(self) -> Verdict:
        """What came of it."""
        return self.proof.verdict if self.proof else Verdict.TOO_FEW

    @property
    def text(self) -> str:
        """The new weights as their file has them, with what speaks for them; ``""`` without any."""
        if self.proof is None:
            return ""
        return weights_text(dict(self.proof.weights), _provenance(self, self.proof))


def tune(
    project: Project,
    settings: Settings,
    limit: int,
    clock: Clock,
    progress: Progress,
    *,
    shipped: Path = SHIPPED,
    cache: Path | None = None,
) -> Tuned:
    """Fit weights on the older part of a project's history, and compare them on the newer part.

    The project's weights stay as they are; see `adopt`. The same history, the same result; what is known of
    commits is kept, so that a run that was interrupted goes on.

    Args:
        project: whose.
        settings: the project's.
        limit: at most so many of the newest cases.
        clock: for the indexer.
        progress: shows the cases as they are found and asked.
        shipped: the file of the weights to start from and to beat.
        cache: the user's cache folder for what was parsed, or None.

    Raises:
        MissingExtra: numpy is not installed.
        PrebriefError: there is no history, or it cannot be laid out, indexed or asked.
    """
    fit((), ())  # for its MissingExtra: now, and not when every case has been asked
    base = read_weights(shipped).weights
    head, state = _head(project), _state(project)
    mined = mine(project, settings, limit, state, progress=progress)
    cases = mined.cases[::-1]
    cut = int(len(cases) * OLDER)
    tuned = Tuned(mined, head, cut, len(cases) - cut, read_present(project))
    if tuned.older < MIN_TO_FIT or tuned.newer < MIN_TO_PROVE:
        return tuned
    with Checkouts(project, settings, clock, state, cache=cache) as checkouts:
        asking = _Asking(project, settings, checkouts.at, clock, progress)
        proof = _prove(asking, cases[:cut], cases[cut:], base, tuned.present.weights)
    return replace(tuned, proof=proof)


def _head(project: Project) -> str:
    head = source_of(project, "elsewhere the shipped weights are what there is").head()
    return head.commit if head else ""


def _state(project: Project) -> Path:
    ensure_state(project)
    return make_folder(evaluations_of(project))


def read_present(project: Project) -> Present:
    """A project's own weights, or why there are none that can be used."""
    if not os.path.lexists(project.weights):
        return Present()
    try:
        return Present(read_weights(project.weights).weights)
    except SettingsError as error:
        return Present(error=error)


@dataclass(frozen=True, slots=True)
class _Asking:
    """What cases are asked with."""

    project: Project
    settings: Settings
    provider: Provider
    clock: Clock
    progress: Progress

    def each(self, cases: Sequence[Case], label: str, ask: Callable[[Case, Tools], _T]) -> list[_T]:
        """What asking each case gives, at its own commit."""
        return list(self._answers(cases, label, ask))

    def _answers(self, cases: Sequence[Case], label: str, ask: Callable[[Case, Tools], _T]) -> Iterator[_T]:
        for case in self.progress(cases, len(cases), label):
            with self._at(case.commit) as tools:
                yield ask(case, tools)

    @contextmanager
    def _at(self, commit: str) -> Iterator[Tools]:
        with open_place(self.project, commit, self.settings, self.provider, self.clock) as place:
            yield place.tools


def _prove(
    asking: _Asking,
    older: Sequence[Case],
    newer: Sequence[Case],
    shipped: Mapping[str, float],
    own: Mapping[str, float] | None,
) -> Proof:
    # Of signals alone that have a weight: so few cases are no reason to bring in another.
    examples = asking.each(older, "fitting on", lambda case, tools: _example(case, tools, shipped))
    penalty = choose_penalty(examples, shipped, _unused(asking.settings))
    weights = fit_all(examples, Prior(shipped, penalty))
    profiles = [learned_profile(one) for one in (weights, shipped, own) if one is not None]
    rows = asking.each(newer, "proving on", lambda case, tools: _standings(case, profiles, tools))
    new, base, *rest = ([row[place] for row in rows] for place in range(len(profiles)))
    return Proof(
        weights=weights,
        shipped=shipped,
        penalty=penalty,
        against_shipped=compare(new, base),
        against_own=compare(new, rest[0]) if rest else None,
        own_against_shipped=compare(rest[0], base) if rest else None,
    )


def _example(case: Case, tools: Tools, weighed: Collection[str]) -> Example:
    """A case as an example, of some signals."""
    found = example_of(case.id, "", case.task, case.relevant, tools)
    kept = ({name: value for name, value in one.items() if name in weighed} for one in found.signals)
    return replace(found, signals=tuple(kept))


def _standings(case: Case, profiles: Sequence[WeightProfile], tools: Tools) -> list[Standing]:
    return [standing_of(case, profile, tools) for profile in profiles]


def _unused(settings: Settings) -> list[str]:
    """The signals of channels that a project has switched off."""
    off = [field.name for field in fields(settings.channels) if not getattr(settings.channels, field.name)]
    return [signal for name in off for signal in OF_CHANNEL.get(name, ())]


def _provenance(tuned: Tuned, proof: Proof) -> dict[str, Any]:
    found = proof.against_shipped
    compared = {"fitted": found.ours, "shipped": found.theirs}
    if proof.against_own:
        compared["own_before"] = proof.against_own.theirs
    return {
        "method": _METHOD,
        "head": tuned.head,
        "cases": {"fitted_on": tuned.older, "proved_on": tuned.newer},
        "penalty": proof.penalty,
        "newer_cases": {name: figures_row(figures) for name, figures in compared.items()},
        "p_mrr": round(found.p_mrr, DIGITS),
        "p_fn_any@5": round(found.p_fn_any, DIGITS),
    }


def figures_row(figures: Figures) -> dict[str, float]:
    """Figures as JSON has them."""
    return {"mrr": round(figures.mrr, DIGITS), "fn_any@5": round(figures.fn_any, DIGITS)}


def adopt(project: Project, tuned: Tuned) -> None:
    """Make the new weights the project's own, at once. Raises TaskError when they cannot be written."""
    write_file(project.weights, tuned.text)


def reset(project: Project, *, dry_run: bool = False) -> bool:
    """Remove a project's own weights, so that the shipped ones hold; returns whether there were any.

    Raises:
        ProjectError: they cannot be removed.
    """
    was_there = os.path.lexists(project.weights)
    try:
        if was_there and not dry_run:
            project.weights.unlink()
    except OSError as error:
        raise ProjectError.of_system(
            "cannot be removed", error, project.weights, "Make its folder writable"
        ) from None
    return was_there
