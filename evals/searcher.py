# ruff: noqa: T201 - a command line
"""The saving: what an agent reads to reach the right functions by grep and opening files, and by a brief.

    python -m evals.searcher --bench DIR --gold commit_dev --snapshots DIR --work DIR

The folders are those of `evals.localisation`; it needs ripgrep (the extra ``bench``). What is read is counted
by the one estimator. The rules of the searchers are those of `evals.peers.walks`; the reader of a brief

1. reads the whole context block, as shipped;
2. opens what it offers, in its order, at its exact lines, functions in full and of anything else at most
   `OPENED` lines, until it has seen what it looks for.

Both look for the same: for the first, and then for all, of the task's functions that the brief holds. Only
tasks in which it holds any can be compared so. A last table counts all tasks: there, both look for any of the
task's functions, and who reads a brief that holds none opens all that it offers, and then searches as if
there had been none. Walks are kept as the answers of peers are (`evals.budgets`).
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

from evals.asking import Asker, Indexer
from evals.budgets import add_choice
from evals.command import carried_out, tell
from evals.golds import Gold, read_golds
from evals.localisation import Case, Places, add_places, by_checkout, read_cases, some_of
from evals.peers.answers import answered
from evals.peers.choice import FOLDER
from evals.peers.ours import Brief, briefs
from evals.peers.showing import SHIPPED, names
from evals.peers.walks import OPENINGS, Sources, Step, Walker, reached, sees, walks_of
from evals.statistics import bootstrap
from knowledge.clock import Clock

OPENED = 200  # lines, as the searcher's windows: nobody reads a class of a thousand lines to its end
CLAIM = 80  # percent saved: the lower end of what is claimed

FIRST, EVERY, ANY = "first", "all", "any, all tasks"


@dataclass(frozen=True, slots=True)
class Trip:
    """One task, both ways.

    Attributes:
        repo: of the task.
        opening: how the searcher opens.
        goal: `FIRST`, `EVERY` or `ANY`.
        searched: tokens of the searcher.
        briefed: tokens of the reader of the brief.
        found: whether the searcher had it before it gave up.
    """

    repo: str
    opening: str
    goal: str
    searched: int
    briefed: int
    found: bool

    @property
    def saving(self) -> float:
        """In percent; below zero where the brief costs more."""
        return 100 * (1 - self.briefed / max(1, self.searched))


def compare(cases: Sequence[Case], golds: dict[str, list[Gold]], places: Places, asker: Asker) -> list[Trip]:
    """Let searchers and readers look for every task's functions."""
    trips: list[Trip] = []
    for (repo, snapshot, commit), members in by_checkout(cases):
        root = places.checkout(snapshot, commit)
        Indexer(asker.clock)(root)
        texts = [case.text for case in members]
        walks = answered(Walker(), walks_of, root, texts, places.work / FOLDER, tell)
        sources = Sources(root)
        with briefs(root, asker) as brief_of:
            for case in members:
                brief = brief_of(case.text, SHIPPED.patterns, SHIPPED.budget)
                reading, wanted = reading_of(brief, sources), golds[case.instance_id]
                for opening, steps in walks[case.text].steps.items():
                    trips += _trips((repo, opening), steps, reading, wanted)
        tell(f"{root.name}: {len(members)} tasks")
    return trips


def reading_of(brief: Brief, sources: Sources) -> list[Step]:
    """What the reader of a brief reads, in order, if it never finds what it looks for."""
    steps = [Step(brief.tokens)]
    for piece in brief.offered:
        end = piece.end if piece.name else min(piece.end, piece.start + OPENED - 1)
        opened = type(piece)(piece.file, piece.start, end, piece.name)
        steps.append(Step(sources.tokens(opened), opened))
    return steps


def _trips(
    names_of: tuple[str, str], steps: Sequence[Step], reading: Sequence[Step], golds: Sequence[Gold]
) -> list[Trip]:
    opened = [step.place for step in reading if step.place is not None and step.place.name]
    held = [gold for gold in golds if any(names(place, gold) for place in opened)]
    trips: list[Trip] = []
    for goal, wanted in ((FIRST, held), (EVERY, held), (ANY, golds)):
        if wanted:
            every = goal == EVERY
            searched, found = reached(steps, wanted, sees, every=every)
            briefed, helped = reached(reading, wanted, names, every=every)
            trips.append(Trip(*names_of, goal, searched, briefed if helped else briefed + searched, found))
    return trips


def table(trips: Sequence[Trip], goals: Sequence[str]) -> str:
    """Tokens both ways, until what is wanted was seen."""
    lines = [
        "| searcher | until it has seen | n | searched: median, mean | with the brief: median, mean"
        f" | median saving, % | saving of the sums, % | tasks that save {CLAIM} % | gave up |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    groups: dict[tuple[str, str], list[Trip]] = defaultdict(list)
    for trip in trips:
        groups[trip.opening, trip.goal].append(trip)
    rows = ((opening, goal) for opening in OPENINGS for goal in goals if groups[opening, goal])
    return "\n".join([*lines, *(f"| {' | '.join(row)} | {_figures(groups[row])} |" for row in rows)])


def by_repository(trips: Sequence[Trip]) -> str:
    """Median saving until the first function is seen."""
    groups: dict[tuple[str, str], list[Trip]] = defaultdict(list)
    for trip in trips:
        if trip.goal == FIRST:
            groups[trip.repo, trip.opening].append(trip)
    lines = [f"| median saving, % | n | {' | '.join(OPENINGS)} |", f"|---|---|{'---|' * len(OPENINGS)}"]
    for repo in sorted({repo for repo, _ in groups}):
        count = len(groups[repo, OPENINGS[0]])
        cells = (_within(groups[repo, opening], median_saving) for opening in OPENINGS)
        lines.append(f"| {repo} | {count} | {' | '.join(cells)} |")
    return "\n".join(lines)


def median_saving(trips: Sequence[Trip]) -> float:
    """Of the tasks, in percent."""
    return median(trip.saving for trip in trips)


def saving_of_sums(trips: Sequence[Trip]) -> float:
    """Of all that is read in all tasks, in percent: the large tasks decide."""
    return 100 * (1 - sum(trip.briefed for trip in trips) / max(1, sum(trip.searched for trip in trips)))


def _figures(trips: Sequence[Trip]) -> str:
    searched, briefed = [trip.searched for trip in trips], [trip.briefed for trip in trips]
    claimed = 100 * sum(trip.saving >= CLAIM for trip in trips) / len(trips)
    gave_up = 100 * sum(not trip.found for trip in trips) / len(trips)
    return (
        f"{len(trips)} | {median(searched):,.0f}, {mean(searched):,.0f}"
        f" | {median(briefed):,.0f}, {mean(briefed):,.0f} | {_within(trips, median_saving)}"
        f" | {_within(trips, saving_of_sums)} | {claimed:.0f} % | {gave_up:.0f} %"
    )


def _within(trips: Sequence[Trip], statistic: Callable[[Sequence[Trip]], float]) -> str:
    """A figure with its interval."""
    within = bootstrap(range(len(trips)), lambda drawn: statistic([trips[int(n)] for n in drawn]))
    return f"{statistic(trips):.1f} [{within.low:.1f}, {within.high:.1f}]"


def main(argv: Sequence[str] | None = None) -> int:
    """Let them search and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m evals.searcher", description=__doc__)
    add_places(parser)
    add_choice(parser)
    arguments = parser.parse_args(argv)
    return carried_out(lambda: _print_all(arguments))


def _print_all(arguments: argparse.Namespace) -> None:
    gold: Path = arguments.bench / f"{arguments.gold}.jsonl"
    golds = read_golds(gold)
    cases = [
        case for case in some_of(read_cases(gold), arguments.repo, arguments.limit) if golds[case.instance_id]
    ]
    version = Walker().version()  # what is not installed is said before anything is computed
    places = Places(arguments.bench, arguments.snapshots, arguments.work, history=True)
    arguments.work.mkdir(parents=True, exist_ok=True)
    trips = compare(cases, golds, places, Asker(Clock(), arguments.profile))
    held = len({id(trip) for trip in trips if trip.goal == FIRST}) // len(OPENINGS)
    print(f"{len(cases)} tasks; in {held} of them the brief holds a function. Searcher: {version}.\n")
    print(table(trips, (FIRST, EVERY)), end="\n\n")
    print(by_repository(trips), end="\n\n")
    print(table(trips, (ANY,)))


if __name__ == "__main__":
    sys.exit(main())
