# ruff: noqa: T201 - a command line
"""Abstention: tasks asked of their own repository, and of others where they have no answer.

    python -m evals.abstention --bench DIR --gold commit_dev --snapshots DIR --work DIR

The folders are those of `evals.localisation`; ``--also`` and ``--cases`` take tasks of further sets and files
(of `evals.training_cases`). Every repository is asked all tasks at one commit of it. For each value of
`ranking.threshold` it says what share of the tasks is offered something by their own repository, and what
share is offered nothing by another one, with precision and recall of abstention.

``--fit`` fits the weights of `augmenter.relevance` as well: a logistic regression, as the softmax over two
candidates of which one has the task's signs and one has none. Its table holds each repository out: neither
its tasks nor what it was asked is fitted on.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from augmenter.candidates import EVERYTHING
from augmenter.profiles import PROFILE_NAMES
from augmenter.relevance import (
    GIVEN,
    chance,
    is_supported,
    names_something,
    signs,
    weights_for,
)
from evals.asking import Asker, Indexer, ranking_of
from evals.command import carried_out, tell
from evals.localisation import Case, Places, add_places, read_cases
from evals.metrics import abstention_of
from evals.tuning.examples import Example
from evals.tuning.fitting import Prior, fit
from knowledge.clock import Clock
from knowledge.errors import TaskError
from knowledge.settings import Settings

THRESHOLDS = (0.10, 0.14, 0.18, 0.22, 0.26, 0.30, 0.40, 0.50, 0.70, 0.90)
PENALTY = 1.0  # of a fit with thousands of examples and seven weights; ten times as much changes no figure
_NOTHING: Mapping[str, float] = {}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a repository makes of a task.

    Attributes:
        asked: the repository.
        home: the task's own.
        named: whether something is mentioned by name; then it is sure.
        signs: what `augmenter.relevance` reads certainty from.
        supported: whether any item may be offered once the task is sure.
    """

    asked: str
    home: str
    named: bool
    signs: Mapping[str, float]
    supported: bool = True

    @property
    def own(self) -> bool:
        """Whether the task is about the repository."""
        return self.asked == self.home

    def offered(self, threshold: float, weights: Mapping[str, float]) -> bool:
        """Whether the task is offered anything."""
        return self.supported and (self.named or chance(self.signs, weights) >= threshold)


def spread(cases: Sequence[Case], limit: int) -> list[Case]:
    """So many tasks of each repository, from its first to its last; 0: all."""
    by_repository: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        by_repository[case.repo].append(case)
    if not limit:
        return list(cases)
    return [
        case for _, own in sorted(by_repository.items()) for case in own[:: max(1, len(own) // limit)][:limit]
    ]


def ask_all(
    cases: Sequence[Case], repositories: Iterable[str], places: Places, asker: Asker, indexer: Indexer
) -> list[Answer]:
    """Ask every task of the repositories, each at the first of its commits."""
    commits: dict[str, tuple[str, str]] = {}
    for case in cases:
        commits.setdefault(case.repo, (case.snapshot, case.base_commit))
    answers: list[Answer] = []
    wanted = set(repositories) or set(commits)
    if strange := sorted(wanted - commits.keys()):
        raise TaskError(f"no task is about {strange[0]}", remedy="Name a repository of the sets")
    for repo in sorted(wanted):
        root = places.checkout(*commits[repo])
        indexer(root)
        with asker.tools(root) as tools:
            for case in cases:
                ranking = ranking_of(case.text, EVERYTHING, tools)
                scored, query = ranking.scored, ranking.query
                supported = any(is_supported(item.candidate, query) for item in scored)
                found = signs(scored, query)
                answers.append(Answer(repo, case.repo, names_something(scored), found, supported))
        tell(f"{repo}: {len(cases)} tasks")
    return answers


def fitted(answers: Sequence[Answer]) -> dict[str, float]:
    """Weights by sign; none speaks against a task but those that are the same for all tasks.

    A task of its own repository counts as often as others do in all: certainty is the chance that a task is
    about the repository where half of all tasks are.
    """
    own = [answer for answer in answers if answer.own]
    others = [answer for answer in answers if not answer.own]
    examples = [_example(answer) for answer in (*own * max(1, len(others) // max(1, len(own))), *others)]
    names = tuple(weights_for(answers[0].signs))
    while True:
        weights = fit(examples, names, Prior({}, PENALTY))
        kept = tuple(name for name in names if weights[name] >= 0 or name in GIVEN)
        if kept == names:
            return weights
        names = kept


def _example(answer: Answer) -> Example:
    return Example("", answer.asked, (answer.signs, _NOTHING), (answer.own, not answer.own))


def held_out(answers: Sequence[Answer]) -> dict[str, dict[str, float]]:
    """The weights for each repository, fitted on what has nothing to do with it."""
    return {
        repo: fitted([answer for answer in answers if repo not in (answer.asked, answer.home)])
        for repo in sorted({answer.asked for answer in answers})
    }


def table(answers: Sequence[Answer], weights: Mapping[str, Mapping[str, float]]) -> str:
    """The shares at each threshold.

    Args:
        answers: of all repositories.
        weights: by repository that is asked; the shipped ones for one that is missing.
    """
    own = sum(answer.own for answer in answers)
    lines = [
        f"| threshold | own repository: offered something (n = {own})"
        f" | another one: offered nothing (n = {len(answers) - own}; recall of abstention) | its precision |",
        "|---|---|---|---|",
    ]
    for threshold in THRESHOLDS:
        mark = " (shipped)" if threshold == Settings().ranking.threshold else ""
        told = [
            (not a.offered(threshold, weights.get(a.asked) or weights_for(a.signs)), not a.own)
            for a in answers
        ]
        kept = 100 * sum(not nothing for nothing, foreign in told if not foreign) / max(1, own)
        figures = abstention_of(told)
        cells = (_percent(value) for value in (figures.recall, figures.precision))
        lines.append(f"| {threshold:.2f}{mark} | {kept:.1f} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


def main(argv: Sequence[str] | None = None) -> int:
    """Ask and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m evals.abstention", description=__doc__)
    add_places(parser)
    parser.add_argument("--also", action="append", default=[], metavar="NAME", help="further set of tasks")
    parser.add_argument("--cases", type=Path, action="append", default=[], help="further file of tasks")
    parser.add_argument(
        "--of-each", type=int, default=0, help="at most so many tasks of each repository, of a set"
    )
    parser.add_argument("--repo", action="append", default=[], help="ask only these repositories")
    parser.add_argument("--profile", default="", choices=PROFILE_NAMES, help="weight profile")
    parser.add_argument("--fit", action="store_true", help="fit the weights, too (needs numpy)")
    arguments = parser.parse_args(argv)
    return carried_out(lambda: _run(arguments))


def _run(arguments: argparse.Namespace) -> None:
    files = [arguments.bench / f"{name}.jsonl" for name in (arguments.gold, *arguments.also)]
    cases = [
        case for path in (*files, *arguments.cases) for case in spread(read_cases(path), arguments.of_each)
    ]
    places = Places(arguments.bench, arguments.snapshots, arguments.work, history=True)
    clock = Clock()
    answers = ask_all(cases, arguments.repo, places, Asker(clock, arguments.profile), Indexer(clock))
    print(table(answers, {}))
    if arguments.fit:
        print(f"\nHeld out by repository:\n\n{table(answers, held_out(answers))}")
        print(f"\nFitted on all of it:\n\n{json.dumps(fitted(answers), indent=2)}")


if __name__ == "__main__":
    sys.exit(main())
