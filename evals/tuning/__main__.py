# ruff: noqa: T201 - a command line
"""Fitting the shipped weights, and their figures on repositories that they were not fitted on.

    python -m evals.tuning --bench DIR --snapshots DIR --work DIR [--cases FILE.jsonl …] [--out FILE.json]

Tasks are those of the benchmark's sets (see `evals.localisation`) and of files that `evals.training_cases`
made. Every repository of the benchmark is ranked by weights that were fitted on all other repositories; the
weights that are written are then fitted on all.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from augmenter.profiles import learned_profile
from augmenter.weights import weights_text
from evals.asking import Asker, Indexer
from evals.localisation import Case, Places, read_cases, run_cases, table
from evals.referee import Prediction, Referee
from evals.rows import read_rows
from evals.tuning.examples import Example, IsAnswer, example_of
from evals.tuning.fitting import PENALTY
from evals.tuning.folds import OF_CHANNEL, fit_all, held_out
from knowledge.clock import Clock
from knowledge.errors import PrebriefError
from knowledge.settings import ChannelSettings, Settings
from knowledge.types import Evidence

SETS = ("commit_dev", "swe_dev_anchored")
MIN_OVERLAP = 0.5  # of the shorter of two, from which they are the same function, as the referee has it


@dataclass(frozen=True, slots=True)
class Task:
    """A case and its answer.

    Attributes:
        case: what is asked, and of what.
        answers: path, qualified name, first and last line of each function.
    """

    case: Case
    answers: tuple[tuple[str, str, int, int], ...]

    def is_answer(self) -> IsAnswer:
        """Tells whether a function is one of them."""
        return lambda evidence: any(_is(evidence, answer) for answer in self.answers)


def _is(evidence: Evidence, answer: tuple[str, str, int, int]) -> bool:
    path, name, start, end = answer
    if evidence.path != path:
        return False
    common = min(evidence.end, end) - max(evidence.start, start) + 1
    shorter = min(evidence.end - evidence.start, end - start) + 1
    return evidence.name == name or common >= MIN_OVERLAP * shorter


def read_tasks(path: Path) -> list[Task]:
    """The tasks of a gold file. Raises TaskError for a malformed line."""
    answers = dict(read_rows(path, _answers_of))
    return [Task(case, answers[case.instance_id]) for case in read_cases(path)]


def _answers_of(row: dict[str, Any]) -> tuple[str, tuple[tuple[str, str, int, int], ...]]:
    return row["instance_id"], tuple(
        (one["file"], one["name"], one["start"], one["end"]) for one in row["gold_functions"]
    )


def examples_of(tasks: Iterable[Task], places: Places, clock: Clock) -> list[Example]:
    """What every task found in its own repository."""
    groups: dict[tuple[str, str, str], list[Task]] = defaultdict(list)
    for task in tasks:
        groups[task.case.repo, task.case.snapshot, task.case.base_commit].append(task)
    examples: list[Example] = []
    for (repo, snapshot, commit), members in sorted(groups.items()):
        root = places.checkout(snapshot, commit)
        Indexer(clock)(root)
        with Asker(clock).tools(root) as tools:
            examples += [
                example_of(task.case.instance_id, repo, task.case.text, task.is_answer(), tools)
                for task in members
            ]
        print(f"{repo}@{commit[:10]}: {len(members)} tasks", file=sys.stderr)
    return examples


def predict(
    cases: Sequence[Case],
    weights: Mapping[str, Mapping[str, float]],
    places: Places,
    clock: Clock,
    settings: Settings,
) -> dict[str, Prediction]:
    """What the pipeline answers, each repository with its own weights."""
    found: dict[str, Prediction] = {}
    for repo in sorted({case.repo for case in cases}):
        asker = Asker(clock, weights=learned_profile(weights[repo]), settings=settings)
        own = [case for case in cases if case.repo == repo]
        found |= run_cases(own, places, Indexer(clock), asker, clock).predictions
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Fit, print the held-out figures, write the weights."""
    parser = argparse.ArgumentParser(prog="python -m evals.tuning", description=__doc__)
    parser.add_argument("--bench", type=Path, required=True, help="folder of tasks and referee")
    parser.add_argument("--snapshots", type=Path, required=True, help="folder of git directories")
    parser.add_argument("--work", type=Path, required=True, help="folder for checkouts and indexes")
    parser.add_argument("--cases", type=Path, action="append", default=[], help="more tasks to fit on")
    for option, target, text in (
        ("--without", "without", "fit and ask without a channel"),
        ("--with", "switch_on", "ask with a channel that is off by default"),
    ):
        parser.add_argument(
            option, dest=target, action="append", default=[], choices=sorted(OF_CHANNEL), help=text
        )
    parser.add_argument("--out", type=Path, help="write the weights that are fitted on all tasks")
    try:
        _tune(parser.parse_args(argv))
    except PrebriefError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _tune(arguments: argparse.Namespace) -> None:
    clock = Clock()
    places = Places(arguments.bench, arguments.snapshots, arguments.work, history=True)
    sets = {name: read_tasks(arguments.bench / f"{name}.jsonl") for name in SETS}
    tasks = [task for one in sets.values() for task in one]
    tasks += [task for path in arguments.cases for task in read_tasks(path)]
    examples = examples_of(tasks, places, clock)
    asked = {task.case.repo for one in sets.values() for task in one}
    weights = held_out(examples, asked, lambda text: print(text, file=sys.stderr), arguments.without)
    switched = dict.fromkeys(arguments.without, False) | dict.fromkeys(arguments.switch_on, True)
    settings = Settings(channels=replace(ChannelSettings(), **switched))
    figures: dict[str, dict[str, float]] = {}
    for name, members in sets.items():
        referee = Referee(arguments.bench / "score.py", arguments.bench / f"{name}.jsonl")
        found = predict([task.case for task in members], weights, places, clock, settings)
        rows = referee.compare(found, referee.read(arguments.bench / f"bm25_code_{name}.jsonl"))
        figures[name] = rows[0].ours
        print(f"## {name}, each repository held out\n\n{table(rows)}\n")
    if arguments.out:
        text = weights_text(
            fit_all(examples, without=arguments.without), _provenance(tasks, examples, figures)
        )
        arguments.out.write_text(text, encoding="utf-8")


def _provenance(
    tasks: Sequence[Task], examples: Sequence[Example], figures: Mapping[str, Mapping[str, float]]
) -> dict[str, Any]:
    repositories: dict[str, set[str]] = defaultdict(set)
    for task in tasks:
        repositories[task.case.repo].add(task.case.base_commit[:12])
    useful = [one for one in examples if any(one.is_answer)]
    return {
        "method": "listwise softmax, L2",
        "penalty": PENALTY,
        "tasks": len(tasks),
        "tasks_with_answer_found": len(useful),
        "repositories": {repo: sorted(commits) for repo, commits in sorted(repositories.items())},
        "held_out_figures": {name: dict(sorted(row.items())) for name, row in figures.items()},
    }


if __name__ == "__main__":
    sys.exit(main())
