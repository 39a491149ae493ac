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
from collections import ChainMap, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from augmenter.profiles import learned_profile
from augmenter.weights import weights_text
from evals import failures
from evals.asking import Asker, Indexer
from evals.cases import Answer
from evals.command import carried_out, tell
from evals.golds import read_golds
from evals.localisation import Case, Places, add_folders, by_checkout, read_cases, run_cases, table
from evals.referee import Prediction, Referee
from evals.tuning.examples import Example, example_of
from evals.tuning.fitting import PENALTY
from evals.tuning.folds import OF_CHANNEL, fit_all, held_out
from knowledge.clock import Clock
from knowledge.settings import ChannelSettings, Settings

SETS = ("commit_dev", "swe_dev_anchored")


Answers = Mapping[str, Sequence[Answer]]  # by task


def read_answers(path: Path) -> dict[str, list[Answer]]:
    """The functions that the tasks of a gold file are about. Raises TaskError for a malformed line."""
    return {
        name: [Answer(path=gold.file, name=gold.name, start=gold.start, end=gold.end) for gold in golds]
        for name, golds in read_golds(path).items()
    }


def examples_of(cases: Iterable[Case], answers: Answers, places: Places, clock: Clock) -> list[Example]:
    """What every task found in its own repository."""
    examples: list[Example] = []
    for (repo, snapshot, commit), members in by_checkout(cases):
        root = places.checkout(snapshot, commit)
        Indexer(clock)(root)
        with Asker(clock).tools(root) as tools:
            examples += [
                example_of(case.instance_id, repo, case.text, answers[case.instance_id], tools)
                for case in members
            ]
        tell(f"{repo}@{commit[:10]}: {len(members)} tasks")
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
    add_folders(parser)
    parser.add_argument("--cases", type=Path, action="append", default=[], help="more tasks to fit on")
    for option, target, text in (
        ("--without", "without", "fit and ask without a channel"),
        ("--with", "switch_on", "ask with a channel that is off by default"),
    ):
        parser.add_argument(
            option, dest=target, action="append", default=[], choices=sorted(OF_CHANNEL), help=text
        )
    parser.add_argument("--out", type=Path, help="write the weights that are fitted on all tasks")
    arguments = parser.parse_args(argv)
    return carried_out(lambda: _tune(arguments))


def _tune(arguments: argparse.Namespace) -> None:
    clock = Clock()
    places = Places(arguments.bench, arguments.snapshots, arguments.work, history=True)
    golds = {name: arguments.bench / f"{name}.jsonl" for name in SETS}
    sets = {name: read_cases(path) for name, path in golds.items()}
    cases = list(chain.from_iterable((*sets.values(), *map(read_cases, arguments.cases))))
    answers = ChainMap(*map(read_answers, (*golds.values(), *arguments.cases)))
    examples = examples_of(cases, answers, places, clock)
    asked = {case.repo for case in chain.from_iterable(sets.values())}
    weights = held_out(examples, asked, tell, arguments.without)
    switched = dict.fromkeys(arguments.without, False) | dict.fromkeys(arguments.switch_on, True)
    settings = Settings(channels=replace(ChannelSettings(), **switched))
    figures: dict[str, dict[str, float]] = {}
    for name, members in sets.items():
        referee = Referee(arguments.bench / "score.py", golds[name])
        found = predict(members, weights, places, clock, settings)
        rows = referee.compare(found, referee.read(arguments.bench / f"bm25_code_{name}.jsonl"))
        figures[name] = rows[0].ours
        print(f"## {name}, each repository held out\n\n{table(rows)}\n")
        print(f"{failures.table(failures.failures(members, answers, found), len(members))}\n")
    if arguments.out:
        text = weights_text(
            fit_all(examples, without=arguments.without), _provenance(cases, examples, figures)
        )
        arguments.out.write_text(text, encoding="utf-8")


def _provenance(
    cases: Sequence[Case], examples: Sequence[Example], figures: Mapping[str, Mapping[str, float]]
) -> dict[str, Any]:
    repositories: dict[str, set[str]] = defaultdict(set)
    for case in cases:
        repositories[case.repo].add(case.base_commit[:12])
    useful = [one for one in examples if any(one.is_answer)]
    return {
        "method": "listwise softmax, L2",
        "penalty": PENALTY,
        "tasks": len(cases),
        "tasks_with_answer_found": len(useful),
        "repositories": {repo: sorted(commits) for repo, commits in sorted(repositories.items())},
        "held_out_figures": {name: dict(sorted(row.items())) for name, row in figures.items()},
    }


if __name__ == "__main__":
    sys.exit(main())
