"""A run: every case under every configuration; what is done stays done when it is interrupted."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Protocol, TypeVar

from evals.cases import Case
from evals.evaluation.configurations import Configuration
from evals.evaluation.judging import ask
from evals.evaluation.outcomes import Timed, outcome_of
from evals.evaluation.places import Provider, open_place
from evals.rows import row_line
from knowledge.clock import Clock
from knowledge.errors import TaskError
from knowledge.jsonable import to_json
from knowledge.locks import file_lock
from knowledge.project import Project

PARTIAL = "results.partial.jsonl"
LOCK = "run.lock"

Key = tuple[str, str]  # configuration and case
_T = TypeVar("_T")


class Progress(Protocol):
    """Shows how far a run is."""

    def __call__(self, items: Iterable[_T], total: int, label: str) -> Iterable[_T]:
        """The items, one by one."""


@dataclass(frozen=True, slots=True)
class Run:
    """What is to be run.

    Attributes:
        project: of whose index cases without a commit are asked.
        cases: in the order in which they are asked; those of one commit together.
        configurations: each is asked every case.
        provider: has the other commits.
    """

    project: Project
    cases: Sequence[Case]
    configurations: Sequence[Configuration]
    provider: Provider


def run_all(run: Run, folder: Path, clock: Clock, progress: Progress) -> list[Timed]:
    """Ask every case under every configuration, but what an interrupted run has done already.

    Args:
        run: what to run.
        folder: of the run, which exists. What is done is kept there, case by case, until `finish`.
        clock: for durations.
        progress: is shown the cases.

    Returns:
        The outcomes, by configuration in its order and case id.

    Raises:
        PrebriefError: an index cannot be had or used.
        TaskError: another process is at the same run.
    """
    with file_lock(folder / LOCK, 0, error=TaskError):
        done = _resumed(folder / PARTIAL)
        _append(folder / PARTIAL, "\n")  # the last line may be torn
        for timed in _rest(run, done, clock, progress):
            done[timed.outcome.key] = timed
            _append(folder / PARTIAL, row_line(to_json(timed)))
    ids = sorted(case.id for case in run.cases)
    return [done[configuration.name, name] for configuration in run.configurations for name in ids]


def _rest(run: Run, done: Mapping[Key, Timed], clock: Clock, progress: Progress) -> Iterator[Timed]:
    """The outcomes that are missing, commit by commit."""
    missing = [
        case for case in run.cases if any((one.name, case.id) not in done for one in run.configurations)
    ]
    commits = {commit: place for place, commit in enumerate(dict.fromkeys(case.commit for case in missing))}
    missing.sort(key=lambda case: commits[case.commit])
    settings = run.configurations[0].settings
    asked = 0
    shown = progress(missing, len(missing), "evaluating")
    for commit, members in groupby(shown, key=lambda case: case.commit):
        with open_place(run.project, commit, settings, run.provider, clock) as place:
            for case in members:
                turned = deque(run.configurations)
                turned.rotate(-asked)  # the first pays for what others find in a cache: each in its turn
                asked += 1
                for configuration in turned:
                    if (configuration.name, case.id) not in done:
                        yield ask(case, configuration, place)


def _resumed(path: Path) -> dict[Key, Timed]:
    """What an interrupted run has done; its last line may be torn."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except FileNotFoundError:
        return {}
    done: dict[Key, Timed] = {}
    for line in lines:
        try:
            row = json.loads(line)
            timed = Timed(outcome_of(row["outcome"]), row["milliseconds"])
        except (ValueError, KeyError, TypeError):
            continue
        done[timed.outcome.key] = timed
    return done


def _append(path: Path, text: str) -> None:
    try:
        with path.open("a", encoding="utf-8", newline="\n") as out:
            out.write(text)
    except OSError as error:
        raise TaskError.of_system(
            "cannot be written", error, path, "What is done is kept; try again"
        ) from None
