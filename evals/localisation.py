# ruff: noqa: T201 - a command line
"""The localisation benchmark: from a task's text to the functions that matter.

    python -m evals.localisation --bench DIR --gold commit_dev --snapshots DIR --work DIR

``--bench`` holds the tasks with their answers, the referee ``score.py`` and ``checkout_at.py``, which are
used as they are. ``--snapshots`` holds the public repositories as git directories, each at
``OWNER+NAME/repo``, ``OWNER/NAME.git`` or ``OWNER/NAME``. Every commit that tasks start from is laid out
below ``--work``, with a history that ends there, indexed once, and asked all its tasks.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from augmenter.profiles import PROFILE_NAMES
from evals.asking import Asker, Indexer
from evals.command import carried_out, tell
from evals.corpora import git_dir
from evals.referee import Comparison, Prediction, Referee
from evals.rows import read_rows, text_of
from knowledge.clock import Clock
from knowledge.errors import TaskError

Checkout = tuple[str, str, str]  # repository, snapshot, commit

LIMIT = 50  # results a query, more than the referee looks at
MEASURES = ("fn_any@5", "fn_acc@5", "fn_acc@10", "fn_mrr", "file_acc@1", "file_acc@5")


@dataclass(frozen=True, slots=True)
class Case:
    """One task with a known answer.

    Attributes:
        instance_id: its name.
        repo: the repository it is about.
        snapshot: the public repository that holds the commit.
        base_commit: what the system may see.
        text: the task.
    """

    instance_id: str
    repo: str
    snapshot: str
    base_commit: str
    text: str


@dataclass(frozen=True, slots=True)
class Run:
    """What a run over a set of tasks gave.

    Attributes:
        predictions: by task.
        milliseconds: of each ranking, by repository.
        indexed: units, files and seconds of each index, by repository and commit.
    """

    predictions: dict[str, Prediction]
    milliseconds: dict[str, list[float]]
    indexed: dict[str, dict[str, Any]]


def read_cases(path: Path) -> list[Case]:
    """The tasks of a gold file.

    Raises:
        TaskError: a line is malformed; says which and why.
    """
    return read_rows(path, _case_of)


def _case_of(row: dict[str, Any]) -> Case:
    text = "problem_statement" if "problem_statement" in row else "message"
    return Case(*(text_of(row, key) for key in ("instance_id", "repo", "snapshot", "base_commit", text)))


def by_checkout(cases: Iterable[Case]) -> list[tuple[Checkout, list[Case]]]:
    """Tasks that share a checkout, in a fixed order."""
    groups: dict[Checkout, list[Case]] = defaultdict(list)
    for case in cases:
        groups[case.repo, case.snapshot, case.base_commit].append(case)
    return sorted(groups.items())


def some_of(cases: Iterable[Case], repos: Sequence[str], limit: int) -> list[Case]:
    """The first tasks of each repository.

    Args:
        cases: all of them.
        repos: only these; empty: all.
        limit: of each repository; 0: all.
    """
    seen: dict[str, int] = defaultdict(int)
    kept: list[Case] = []
    for case in cases:
        seen[case.repo] += 1
        if (not repos or case.repo in repos) and (not limit or seen[case.repo] <= limit):
            kept.append(case)
    return kept


def run_cases(cases: Sequence[Case], places: Places, indexer: Indexer, asker: Asker, clock: Clock) -> Run:
    """Ask every task of its own repository and commit."""
    run = Run({}, defaultdict(list), {})
    for (repo, snapshot, commit), members in by_checkout(cases):
        root = places.checkout(snapshot, commit)
        run.indexed[f"{repo}@{commit[:10]}"] = indexer(root)
        with asker(root) as ask:
            for case in members:
                began = clock.tick()
                run.predictions[case.instance_id] = Prediction(ask(case.text, LIMIT))
                run.milliseconds[repo].append((clock.tick() - began) * 1000)
        tell(f"{repo}@{commit[:10]}: {len(members)} tasks")
    return run


@dataclass(frozen=True, slots=True)
class Places:
    """Where things lie.

    Attributes:
        bench: tasks, referee, ``checkout_at.py``.
        snapshots: git directories.
        work: checkouts and indexes.
        history: whether checkouts have a history.
    """

    bench: Path
    snapshots: Path
    work: Path
    history: bool

    def checkout(self, snapshot: str, commit: str) -> Path:
        """Lay out a commit, once."""
        suffix = "" if self.history else "-no-history"
        root = self.work / f"{snapshot.replace('/', '+')}@{commit[:12]}{suffix}"
        if not (root / ".laid-out").exists():
            options = [] if self.history else ["--no-history"]
            script = str(self.bench / "checkout_at.py")
            command = [
                sys.executable,
                script,
                str(git_dir(self.snapshots, snapshot)),
                commit,
                str(root),
                *options,
            ]
            done = subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            if done.returncode != 0:
                said = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
                raise TaskError(
                    f"commit {commit} cannot be laid out: {said}",
                    where=snapshot,
                    remedy="Fetch the repository again, or leave its tasks out",
                )
            (root / ".laid-out").touch()
        return root


def table(comparisons: Iterable[Comparison]) -> str:
    """Figures side by side, with the paired test against the baseline."""
    lines = [
        f"| set | n | {' | '.join(MEASURES)} | fn_any@5 won/lost (p) |",
        f"|---|---|{'---|' * (len(MEASURES) + 1)}",
    ]
    for row in comparisons:
        figures = (_figure(row, measure) for measure in MEASURES)
        paired = f"{row.won}/{row.lost} ({row.p_value:.3f})" if row.theirs else ""
        lines.append(f"| {row.name} | {row.count} | {' | '.join(figures)} | {paired} |")
    return "\n".join(lines)


def _figure(row: Comparison, measure: str) -> str:
    """Ours and theirs; a dash where no task has gold functions."""
    if measure not in row.ours:
        return "–"
    ours = f"{row.ours[measure]:.1f}"
    return f"**{ours}** ({row.theirs[measure]:.1f})" if row.theirs else ours


def latency(milliseconds: dict[str, list[float]]) -> str:
    """Median and 95th percentile by repository."""
    lines = ["| repository | rankings | p50 ms | p95 ms |", "|---|---|---|---|"]
    for repo, values in sorted(milliseconds.items()):
        p95 = quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]
        lines.append(f"| {repo} | {len(values)} | {median(values):.1f} | {p95:.1f} |")
    return "\n".join(lines)


def index_table(indexed: dict[str, dict[str, Any]]) -> str:
    """What each checkout's index holds, and how long it took."""
    lines = ["| checkout | files | functions | other evidence | seconds |", "|---|---|---|---|---|"]
    for name, row in sorted(indexed.items()):
        units = row["kinds"].get("unit", 0)
        other = sum(row["kinds"].values()) - units
        lines.append(f"| {name} | {sum(row['files'].values())} | {units} | {other} | {row['seconds']} |")
    return "\n".join(lines)


def add_places(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where things lie, and which set is asked."""
    add_folders(parser)
    parser.add_argument("--gold", default="commit_dev", help="name of a set of the bench")


def add_folders(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where things lie."""
    parser.add_argument("--bench", type=Path, required=True, help="folder of tasks and referee")
    parser.add_argument("--snapshots", type=Path, required=True, help="folder of git directories")
    parser.add_argument("--work", type=Path, required=True, help="folder for checkouts and indexes")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and print its tables."""
    parser = argparse.ArgumentParser(prog="python -m evals.localisation", description=__doc__)
    add_places(parser)
    parser.add_argument("--repo", action="append", default=[], help="only these repositories")
    parser.add_argument(
        "--profile", default="", choices=PROFILE_NAMES, help="weight profile (default: the shipped one)"
    )
    parser.add_argument("--no-history", action="store_true", help="checkouts without any history")
    arguments = parser.parse_args(argv)
    return carried_out(lambda: _print_all(arguments))


def _print_all(arguments: argparse.Namespace) -> None:
    gold = arguments.bench / f"{arguments.gold}.jsonl"
    cases = [case for case in read_cases(gold) if not arguments.repo or case.repo in arguments.repo]
    referee = Referee(arguments.bench / "score.py", gold)
    baseline = referee.read(arguments.bench / f"bm25_code_{arguments.gold}.jsonl")
    places = Places(arguments.bench, arguments.snapshots, arguments.work, not arguments.no_history)
    arguments.work.mkdir(parents=True, exist_ok=True)
    clock = Clock()
    run = run_cases(cases, places, Indexer(clock), Asker(clock, arguments.profile), clock)
    referee.write(run.predictions, arguments.work / f"predictions_{arguments.gold}.jsonl")
    print(table(referee.compare(run.predictions, baseline)))
    print()
    print(latency(run.milliseconds))
    print()
    print(index_table(run.indexed))


if __name__ == "__main__":
    sys.exit(main())
