# ruff: noqa: T201 - a command line
"""Abstention: tasks asked of their own repository, and of others where they have no answer.

    python -m evals.abstention --bench DIR --gold commit_dev --snapshots DIR --work DIR

The folders are those of `evals.localisation`. For each threshold of `ranking.threshold` two shares are
printed: of the tasks that are offered something by their own repository, and of those that are offered
nothing by another one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from augmenter.candidates import EVERYTHING
from augmenter.relevance import part
from evals.asking import Asker, Indexer, ranking_of
from evals.localisation import Case, Places, add_places, read_cases
from knowledge.clock import Clock
from knowledge.settings import Settings

THRESHOLDS = (0.10, 0.14, 0.18, 0.22, 0.26, 0.30)


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a task is offered anything, at each of `THRESHOLDS`."""

    own: bool
    offered: tuple[bool, ...]


def ask_all(cases: Sequence[Case], places: Places, clock: Clock) -> list[Answer]:
    """Ask every task of every repository."""
    asker, indexer = Asker(clock), Indexer(clock)
    answers: list[Answer] = []
    for repo, snapshot, commit in sorted({(case.repo, case.snapshot, case.base_commit) for case in cases}):
        root = places.checkout(snapshot, commit)
        indexer(root)
        with asker.tools(root) as tools:
            for case in cases:
                ranking = ranking_of(case.text, EVERYTHING, tools)
                offered = (bool(part(ranking.scored, ranking.query, t)[0]) for t in THRESHOLDS)
                answers.append(Answer(case.repo == repo, tuple(offered)))
        print(f"{repo}: {len(cases)} tasks", file=sys.stderr)
    return answers


def table(answers: Sequence[Answer]) -> str:
    """The two shares at each threshold."""
    own = [answer.offered for answer in answers if answer.own]
    other = [answer.offered for answer in answers if not answer.own]
    lines = [
        f"| threshold | own repository: offered something (n = {len(own)})"
        f" | another one: offered nothing (n = {len(other)}) |",
        "|---|---|---|",
    ]
    for number, threshold in enumerate(THRESHOLDS):
        mark = " (shipped)" if threshold == Settings().ranking.threshold else ""
        kept = 100 * sum(offered[number] for offered in own) / len(own)
        turned_away = 100 * sum(not offered[number] for offered in other) / max(1, len(other))
        lines.append(f"| {threshold:.2f}{mark} | {kept:.1f} | {turned_away:.1f} |")
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Ask and print the table."""
    parser = argparse.ArgumentParser(prog="python -m evals.abstention", description=__doc__)
    add_places(parser)
    arguments = parser.parse_args(argv)
    cases = read_cases(arguments.bench / f"{arguments.gold}.jsonl")
    places = Places(arguments.bench, arguments.snapshots, arguments.work, history=True)
    print(table(ask_all(cases, places, Clock())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
