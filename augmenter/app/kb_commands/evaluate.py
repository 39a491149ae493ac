"""``kb evaluate``."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from augmenter.app.cache import cache_folder
from augmenter.app.commands.index import show_progress
from augmenter.app.common import print_document, print_text
from augmenter.app.options import add_json, add_root, count, probability
from augmenter.app.streams import tell
from augmenter.app.wording import printable
from augmenter.weights import own_weights
from evals.cases import Case, Problem, read_cases
from evals.evaluation.configurations import configurations_of, own_weights_for
from evals.evaluation.evaluate import Evaluation, Options, evaluate, evaluations_of
from evals.evaluation.places import Provider, no_other_commits
from evals.evaluation.report import write_reports
from evals.evaluation.running import Run
from evals.evaluation.store import copy_files, make_folder
from evals.evaluation.table import document, table
from evals.mining.history import mine
from evals.mining.provider import Checkouts
from evals.statistics import ALPHA
from knowledge.clock import Clock
from knowledge.errors import TaskError
from knowledge.project import Project, ensure_state, locate
from knowledge.settings import Settings
from knowledge.settings_loading import load_settings

DEFAULT_LIMIT = 50  # cases of the history: enough to tell a difference of 15 points from chance
SHOWN_PROBLEMS = 20

_Item = TypeVar("_Item")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_root(parser)
    add_json(parser)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--cases", metavar="FILE", help="cases as JSONL; this or --from-history")
    source.add_argument(
        "--from-history",
        action="store_true",
        help="cases from the repository's own commits: the message is the task, what it changed the answer",
    )
    parser.add_argument(
        "--limit",
        type=count,
        default=DEFAULT_LIMIT,
        metavar="N",
        help=f"at most so many cases of the history (default: {DEFAULT_LIMIT})",
    )
    parser.add_argument(
        "--profile",
        action="append",
        default=[],
        metavar="NAME",
        help="a weight profile instead of the project's; the first decides, others are compared with it",
    )
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="CHANNEL",
        help="also without this channel, to see what it is worth",
    )
    _add_comparison(parser)


def _add_comparison(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--baseline",
        metavar="FILE",
        help="the run to compare with (default: .knowledge/evaluations/baseline.json)",
    )
    parser.add_argument("--keep", action="store_true", help="keep this run there, once it is compared")
    parser.add_argument(
        "--alpha",
        type=probability,
        default=ALPHA,
        metavar="P",
        help=f"a change is significant if its p-value is below (default: {ALPHA})",
    )
    parser.add_argument("--out", metavar="DIR", help="copy the run's files there, reports included")


def run(arguments: argparse.Namespace) -> int:
    """Run the cases and compare: 1 when a figure that decides is significantly worse."""
    project = locate(Path(arguments.root))
    settings = load_settings(project.view_root)
    configurations_of(settings, arguments.profile, arguments.without)  # a wrong name is told before the work
    source = _source(arguments, project, settings)
    own = own_weights_for(project, source.cases)
    if own is None and own_weights(project.weights):
        tell("kb: cases of past commits are ranked by the shipped weights: the project's own have seen them")
    configurations = configurations_of(settings, arguments.profile, arguments.without, own)
    with _commits(project, settings, source.cases) as provider:
        evaluation = evaluate(
            Run(project, source.cases, configurations, provider), _options(arguments), Clock(), progress
        )
    if evaluation.identity.versions.tree:
        tell("kb: files have changed since they were indexed; 'prebrief index' brings the index up to date")
    write_reports(evaluation)
    if arguments.out:
        copy_files(evaluation.folder, Path(arguments.out))
    _answer(arguments, evaluation, source.problems)
    return int(evaluation.has_regressed)


@dataclass(frozen=True, slots=True)
class Source:
    """Where cases come from.

    Attributes:
        cases: in the order in which they are asked.
        problems: what was wrong with other lines.
    """

    cases: Sequence[Case]
    problems: Sequence[Problem] = ()


def _source(arguments: argparse.Namespace, project: Project, settings: Settings) -> Source:
    if arguments.from_history:
        return Source(_mined(project, settings, arguments.limit))
    found = read_cases(Path(arguments.cases))
    for problem in found.problems[:SHOWN_PROBLEMS]:
        tell(f"kb: {arguments.cases}:{problem.line}: {printable(problem.reason)}; the case is left out")
    if len(found.problems) > SHOWN_PROBLEMS:
        tell(f"kb: … and {len(found.problems) - SHOWN_PROBLEMS} more")
    return Source(found.cases, found.problems)


def _mined(project: Project, settings: Settings, limit: int) -> list[Case]:
    mined = mine(project, settings, limit, _state(project), progress=progress)
    for line in mined.explained():
        tell(line)
    if not mined.cases:
        raise TaskError(
            "the history holds no case", where=str(project.view_root), remedy="Write cases, and give --cases"
        )
    return list(reversed(mined.cases))  # oldest first, as each next index is made of the last


def _state(project: Project) -> Path:
    ensure_state(project)
    return make_folder(evaluations_of(project))


@contextmanager
def _commits(project: Project, settings: Settings, cases: Sequence[Case]) -> Iterator[Provider]:
    """What lays out the commits that cases ask."""
    if not any(case.commit for case in cases):
        yield no_other_commits
        return
    with Checkouts(project, settings, Clock(), _state(project), cache=cache_folder()) as checkouts:
        yield checkouts.at


def _options(arguments: argparse.Namespace) -> Options:
    baseline = Path(arguments.baseline) if arguments.baseline else None
    return Options(baseline, arguments.keep, arguments.alpha)


def progress(items: Iterable[_Item], total: int, label: str) -> Iterable[_Item]:
    """Show how many cases are done."""
    return show_progress(items, total, label, "cases")


def _answer(arguments: argparse.Namespace, evaluation: Evaluation, problems: Sequence[Problem]) -> None:
    if arguments.json:
        print_document(document(evaluation, problems))
    else:
        print_text(table(evaluation))
