# ruff: noqa: T201 - a command line
"""Equal budgets: which share of the functions that a task is about can be read from so many tokens.

    python -m evals.peers install --work DIR
    python -m evals.budgets --bench DIR --gold commit_dev --snapshots DIR --work DIR

The folders are those of `evals.localisation`. Every system is asked the same tasks of the same checkouts, and
what it would put into a prompt is cut to 300, 550, 1,000 and 2,000 tokens, counted for all by the one
estimator. Peers' answers are kept in ``WORK/peers`` by peer, version and checkout, so that an interrupted run
goes on where it was, and only this project's rows are computed anew; to ask a peer again, delete its folder.
With ``--kept`` nobody is asked anything new, and the remarks say which rows are of fewer tasks.

What is fair here, and in whose favour it was decided:

- The shipped weights may have been fitted on the very tasks, as no peer is: see their provenance. With
  ``--profile rrf`` nothing is fitted.
- This project is measured with the settings as shipped, but for the number of patterns, which are as many as
  fit. Everything counts: heading, rules, remarks, sections and classes that are no function.
- Peers that rank functions are rendered in the very lines of this project's brief (name, description, path,
  lines): the same cost an item, and neither heading nor remarks. What does not fit is passed over and the
  next is tried, as in this project's own packer.
- A peer's own output is taken as it is: aider's map, drawn to fit (its introduction is not counted);
  ripgrep's matching lines under their files' names; semble's chunks under their places, and the places alone.
- Tests are left out for bm25s and ripgrep, since no answer is ever one.
- A gold function is *inside* when the text names it with its file, or covers at least half of its lines; for
  the map, when its definition line is shown; for ripgrep's own output, when any line of it is.
- A peer that took too long for a task has shown nothing; the table says for how many.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean

from augmenter.profiles import PROFILE_NAMES
from evals.asking import Asker, Indexer
from evals.command import carried_out, tell
from evals.golds import Gold, read_golds
from evals.localisation import Case, Places, add_places, by_checkout, read_cases, some_of
from evals.peers.answers import Answer, Peer, answer_of, answered
from evals.peers.choice import FOLDER, NAMES, all_peers
from evals.peers.ours import briefs
from evals.peers.showing import (
    ROWS,
    SHIPPED,
    Shown,
    count_inside,
    names,
    shown_by,
)
from evals.statistics import bootstrap, mcnemar
from knowledge.clock import Clock

BUDGETS = (300, 550, 1_000, 2_000)
PATTERNS = 50  # more than fit: the budget alone is to decide
OURS = "**Prebrief**"
AS_SHIPPED = f"Prebrief as shipped ({SHIPPED.patterns} patterns)"

Tell = Callable[[str], None]


@dataclass(slots=True)
class Scores:
    """What was measured.

    Attributes:
        golds: by task.
        repos: by task.
        shown: by title and budget, then by task.
        failures: by peer: tasks without an answer.
    """

    golds: dict[str, list[Gold]]
    repos: dict[str, str] = field(default_factory=dict)
    shown: dict[tuple[str, int], dict[str, Shown]] = field(default_factory=lambda: defaultdict(dict))
    failures: dict[str, int] = field(default_factory=lambda: defaultdict(int))


def measure(
    cases: Sequence[Case],
    scores: Scores,
    places: Places,
    peers: Mapping[str, Peer],
    asker: Asker,
    told: Tell | None = tell,
) -> None:
    """Ask everybody about every checkout, one after the other; without ``told`` only what peers have kept."""
    for (repo, snapshot, commit), members in by_checkout(cases):
        root = places.checkout(snapshot, commit)
        Indexer(asker.clock)(root)
        scores.repos |= {case.instance_id: repo for case in members}
        _measure_us(members, scores, root, asker)
        for peer in peers.values():
            texts = [case.text for case in members]
            answers = answered(peer, answer_of, root, texts, places.work / FOLDER, told)
            _measure_peer(members, scores, peer.name, answers)
        tell(f"{root.name}: {len(members)} tasks")


def _measure_us(cases: Sequence[Case], scores: Scores, root: Path, asker: Asker) -> None:
    rows = [(OURS, PATTERNS, budget) for budget in BUDGETS]
    with briefs(root, asker) as brief_of:
        for case in cases:
            golds = scores.golds[case.instance_id]
            for title, patterns, budget in (*rows, (AS_SHIPPED, SHIPPED.patterns, SHIPPED.budget)):
                brief = brief_of(case.text, patterns, budget)
                functions = [piece for piece in brief.offered if piece.name]
                shown = Shown(count_inside(functions, golds, names), brief.tokens)
                scores.shown[title, budget][case.instance_id] = shown


def _measure_peer(cases: Sequence[Case], scores: Scores, peer: str, answers: Mapping[str, Answer]) -> None:
    for case in cases:
        if (answer := answers.get(case.text)) is None:
            continue
        scores.failures[peer] += bool(answer.failure)
        for row in (row for row in ROWS if row.peer == peer):
            for budget in BUDGETS:
                one = shown_by(row, answer, scores.golds[case.instance_id], budget)
                scores.shown[row.title, budget][case.instance_id] = one


def table(scores: Scores) -> str:
    """Shares at every budget, and the paired comparison at the shipped one."""
    titles = list(dict.fromkeys(title for title, _ in scores.shown))
    lines = [
        f"| system | {' | '.join(f'{budget:,}' for budget in BUDGETS)} | tokens of {SHIPPED.budget}"
        f" | Prebrief − it, at {SHIPPED.budget} | any: won/lost (p) |",
        f"|---|{'---|' * (len(BUDGETS) + 3)}",
    ]
    for title in titles:
        cells = (_cell(scores, title, budget) for budget in BUDGETS)
        lines.append(f"| {title} | {' | '.join(cells)} | {_used(scores, title)} | {_paired(scores, title)} |")
    return "\n".join(lines)


def by_repository(scores: Scores) -> str:
    """The same at the shipped budget, repository by repository."""
    titles = list(dict.fromkeys(title for title, _ in scores.shown))
    repos = sorted(set(scores.repos.values()))
    lines = [f"| system, at {SHIPPED.budget} | {' | '.join(repos)} |", f"|---|{'---|' * len(repos)}"]
    for title in titles:
        cells = (_cell(scores, title, SHIPPED.budget, repo) for repo in repos)
        lines.append(f"| {title} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(scores: Scores, title: str, budget: int, repo: str = "") -> str:
    """Share of gold functions, and of tasks with any, in percent."""
    shown = scores.shown.get((title, budget), {})
    tasks = [task for task in shown if repo in ("", scores.repos[task])]
    if not tasks:
        return ""
    share = sum(shown[task].inside for task in tasks) / sum(len(scores.golds[task]) for task in tasks)
    any_ = sum(shown[task].inside > 0 for task in tasks) / len(tasks)
    return f"{100 * share:.1f} / {100 * any_:.1f}"


def _used(scores: Scores, title: str) -> str:
    shown = scores.shown[title, SHIPPED.budget].values()
    return f"{mean(one.tokens for one in shown):.0f}"


def _paired(scores: Scores, title: str) -> str:
    if title == OURS:
        return " | "
    ours, theirs = scores.shown[OURS, SHIPPED.budget], scores.shown[title, SHIPPED.budget]
    pairs = [(ours[task].inside, theirs[task].inside, len(scores.golds[task])) for task in theirs]
    within = bootstrap(range(len(pairs)), lambda drawn: _difference([pairs[int(n)] for n in drawn]))
    won = sum(a > 0 and b == 0 for a, b, _ in pairs)
    lost = sum(b > 0 and a == 0 for a, b, _ in pairs)
    difference = f"{_difference(pairs):+.1f} [{within.low:+.1f}, {within.high:+.1f}]"
    return f"{difference} | {won}/{lost} ({mcnemar(won, lost):.3f})"


def _difference(pairs: Sequence[tuple[int, int, int]]) -> float:
    """Between two shares of gold functions, in points."""
    return 100 * sum(a - b for a, b, _ in pairs) / sum(count for _, _, count in pairs)


def remarks(peers: Mapping[str, Peer], scores: Scores) -> str:
    """Versions, and what took too long."""
    lines = [f"- {name}: {peer.version()}" for name, peer in peers.items()]
    lines += [
        f"- {name}: nothing within its time for {count} tasks"
        for name, count in scores.failures.items()
        if count
    ]
    asked = {row.peer: len(scores.shown[row.title, SHIPPED.budget]) for row in ROWS if row.peer in peers}
    lines += [
        f"- {name}: {count} of {len(scores.repos)} tasks so far; its rows and pairs are of these"
        for name, count in asked.items()
        if count < len(scores.repos)
    ]
    return "\n".join(lines)


def add_choice(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which tasks, and how this project ranks."""
    parser.add_argument("--repo", action="append", default=[], help="only these repositories")
    parser.add_argument("--limit", type=int, default=0, help="at most so many tasks of each")
    parser.add_argument(
        "--profile",
        default="",
        choices=PROFILE_NAMES,
        help="weight profile (default: the shipped one, whose weights may have been fitted on these tasks)",
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Ask everybody and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m evals.budgets", description=__doc__)
    add_places(parser)
    add_choice(parser)
    parser.add_argument("--peer", action="append", choices=(*NAMES, "none"), help="only these peers")
    parser.add_argument("--kept", action="store_true", help="ask no peer what it was not asked before")
    arguments = parser.parse_args(argv)
    return carried_out(lambda: _print_all(arguments))


def _print_all(arguments: argparse.Namespace) -> None:
    gold = arguments.bench / f"{arguments.gold}.jsonl"
    scores = Scores(read_golds(gold))
    cases = [
        case
        for case in some_of(read_cases(gold), arguments.repo, arguments.limit)
        if scores.golds[case.instance_id]
    ]
    peers = all_peers(arguments.work, BUDGETS)
    chosen = {name: peers[name] for name in arguments.peer or NAMES if name in peers}
    for peer in chosen.values():
        peer.version()  # what is not installed is said before anything is computed
    places = Places(arguments.bench, arguments.snapshots, arguments.work, history=True)
    arguments.work.mkdir(parents=True, exist_ok=True)
    measure(
        cases, scores, places, chosen, Asker(Clock(), arguments.profile), None if arguments.kept else tell
    )
    print(f"{len(cases)} tasks, {sum(len(scores.golds[case.instance_id]) for case in cases)} functions.\n")
    print(table(scores), end="\n\n")
    print(by_repository(scores), end="\n\n")
    print(remarks(chosen, scores))


if __name__ == "__main__":
    sys.exit(main())
