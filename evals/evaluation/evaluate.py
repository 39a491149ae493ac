"""An evaluation from cases to verdict: identify, run, store, compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.cases import Case
from evals.evaluation.comparison import Comparison, compare
from evals.evaluation.figures import Value, summarise
from evals.evaluation.identity import Identity, identify
from evals.evaluation.outcomes import Timed
from evals.evaluation.running import Progress, Run, run_all
from evals.evaluation.store import (
    BASELINE,
    Baseline,
    finish,
    keep_baseline,
    make_folder,
    read_baseline,
    values_of,
)
from evals.statistics import ALPHA
from knowledge.clock import Clock
from knowledge.project import Project, ensure_state

FOLDER = "evaluations"  # in a project's state


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What an evaluation found.

    Attributes:
        project: name of the project's folder.
        folder: of the run's files.
        identity: of the run.
        cases: by id.
        timed: outcomes, by configuration in its order and case id.
        summaries: figures by name, by configuration in their order; the first is the main one.
        against_main: each other configuration beside the main one, by name.
        against_baseline: the main one beside the baseline; None without a baseline.
        note: what is to be known of the baseline, in a sentence.
        alpha: what a p-value must be below to be significant.
        date: when the run ended.
        seconds: how long it took.
    """

    project: str
    folder: Path
    identity: Identity
    cases: Mapping[str, Case]
    timed: Sequence[Timed]
    summaries: Mapping[str, Mapping[str, Value]]
    against_main: Mapping[str, Comparison]
    against_baseline: Comparison | None
    note: str
    alpha: float
    date: str
    seconds: float

    @property
    def main(self) -> str:
        """Name of the main configuration, whose comparison with the baseline decides."""
        return next(iter(self.summaries))

    @property
    def has_regressed(self) -> bool:
        """Whether a figure that decides is significantly worse than the baseline's."""
        return self.against_baseline is not None and bool(self.against_baseline.regressions)

    def outcomes(self, configuration: str) -> list[Timed]:
        """Those of one configuration, by case id."""
        return [one for one in self.timed if one.outcome.configuration == configuration]


@dataclass(frozen=True, slots=True)
class Options:
    """How an evaluation is to be compared.

    Attributes:
        baseline: the file; None: the one in the folder of evaluations.
        keep: whether to keep this run as the baseline, when it has been compared.
        alpha: what a p-value must be below to be significant.
    """

    baseline: Path | None = None
    keep: bool = False
    alpha: float = ALPHA


def evaluations_of(project: Project) -> Path:
    """The folder of a project's runs."""
    return project.state / FOLDER


def evaluate(run: Run, options: Options, clock: Clock, progress: Progress) -> Evaluation:
    """Run all cases, store what they gave, and compare it with the baseline.

    Raises:
        PrebriefError: an index cannot be used, a file not be written, or the baseline not be read.
    """
    identity = identify(run.project, run.cases, run.configurations)
    ensure_state(run.project)
    path = options.baseline or evaluations_of(run.project) / BASELINE
    baseline = read_baseline(path)  # before the work: a damaged one is told at once
    folder = make_folder(evaluations_of(run.project) / identity.run_id)
    began = clock.tick()
    timed = run_all(run, folder, clock, progress)
    date, seconds = clock.timestamp(), clock.tick() - began
    finish(folder, identity, timed, date, seconds)
    summaries = {one.name: summarise(values_of(timed, one.name)) for one in run.configurations}
    main, *others = summaries
    ours = values_of(timed, main)
    against_main = {name: compare(main, values_of(timed, name), ours, options.alpha) for name in others}
    against_baseline = None
    if baseline is not None:
        theirs = baseline.same_cases(identity.cases)
        against_baseline = compare(baseline.run_id, ours, theirs, options.alpha)
    note = _note(path, baseline, against_baseline, len(ours))
    if options.keep:
        keep_baseline(path, identity, timed, date)
        note += " From now on this run is the baseline."
    elif baseline is None:
        note += " Keep one with --keep."
    return Evaluation(
        project=run.project.root.name,
        folder=folder,
        identity=identity,
        cases={case.id: case for case in run.cases},
        timed=timed,
        summaries=summaries,
        against_main=against_main,
        against_baseline=against_baseline,
        note=note,
        alpha=options.alpha,
        date=date,
        seconds=seconds,
    )


def _note(path: Path, baseline: Baseline | None, found: Comparison | None, cases: int) -> str:
    if baseline is None or found is None:
        return f"There is no baseline at {path}: nothing to compare with."
    kept = f"the baseline (run {baseline.run_id}, {baseline.configuration}, {baseline.date})"
    if not found.common:
        return f"Nothing is compared: none of these cases is in {kept}."
    if found.common == cases == len(baseline.cases):
        return f"Compared on all {cases} cases with {kept}."
    return (
        f"Compared on the {found.common} common cases alone; there are {cases} now,"
        f" and {len(baseline.cases)} in {kept}."
    )
