"""Cases from a project's history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from evals.cases import Case
from evals.mining.clone import Clone, place_in, source_of
from evals.mining.functions import parse_version
from evals.mining.miner import MINER_VERSION, Miner
from evals.mining.objects import Objects
from evals.mining.reasons import Reason
from evals.mining.verdicts import Kept, Verdict
from indexer.build import Progress, processors, silent
from indexer.recipe import ParseContext, recipe_of
from indexer.runs.pool import Pool
from indexer.sources.git import Repository
from indexer.sources.history import CommitTouch, commits
from knowledge.errors import TaskError
from knowledge.project import Project
from knowledge.settings import Settings
from knowledge.taxonomy import load_taxonomy

ID_DIGITS = 12  # of a commit's name, by which people and the largest repositories tell commits apart
KEPT = "mined.jsonl"
UNFILTER = "'git fetch --refetch --no-filter', then 'git config --unset remote.origin.partialclonefilter'"


@dataclass(frozen=True, slots=True)
class Mined:
    """What a history gave.

    Attributes:
        cases: newest first; each is to be asked at the commit that it names, the parent of the one that
            did it.
        asked: how many were wanted.
        looked_at: how many commits were looked at.
        left_out: how many of them made no case, by reason, most first.
        is_shallow: the history was cut off, so that there may be more to find in a full clone.
    """

    cases: tuple[Case, ...]
    asked: int
    looked_at: int
    left_out: dict[Reason, int]
    is_shallow: bool

    def explained(self) -> tuple[str, ...]:
        """For people: why there are fewer than asked for; nothing if there are enough."""
        if len(self.cases) >= self.asked:
            return ()
        if not self.looked_at and not self.is_shallow:
            return ("There are no commits yet to find cases in.",)
        lines = [f"{len(self.cases)} of {self.asked} cases found, in {self.looked_at} commits; left out:"]
        lines += [f"  {number} {reason}" for reason, number in self.left_out.items()]
        if Reason.MISSING in self.left_out:
            lines.append(f"This is a partial clone; {UNFILTER} bring the contents of its history.")
        if self.is_shallow:
            lines.append("This is a shallow clone; 'git fetch --unshallow' brings the rest of its history.")
        return tuple(lines)


def mine(
    project: Project, settings: Settings, limit: int, state: Path, *, progress: Progress = silent
) -> Mined:
    """The newest cases of a project's history, as seen from HEAD.

    Args:
        project: whose.
        settings: say what is indexed, and what is implementation.
        limit: how many cases are wanted.
        state: a folder of ours, which exists; what is known of commits is kept there.
        progress: shows the cases as they are found.

    Raises:
        TaskError: there is no history to look at, or the folder cannot be used.
        GitError: git is missing, or refuses.
    """
    source = source_of(project)
    if source.lacks_trees():
        raise TaskError(
            "this clone has commits and no trees, so what they changed is unknown",
            where=str(project.view_root),
            remedy=f"Run {UNFILTER}",
        )
    context = ParseContext(settings, load_taxonomy(settings.taxonomy))
    left_out: Counter[Reason] = Counter()
    with (
        Clone(project, place_in(state)) as clone,
        Objects(clone.git_dir) as objects,
        Pool(context, parse_version, processors()) as pool,
        closing(touches_of(source)) as touches,
    ):
        kept = Kept(state / KEPT, f"{MINER_VERSION} {recipe_of(context)}")
        verdicts = Miner(objects, context, pool, kept).verdicts(touches)
        found = [case_of(one) for one in progress(good(verdicts, limit, left_out), limit, "Mining")]
    return Mined(
        cases=tuple(found),
        asked=limit,
        looked_at=len(found) + left_out.total(),
        left_out=dict(sorted(left_out.items(), key=lambda item: (-item[1], item[0]))),
        is_shallow=bool(source.shallow_boundary()),
    )


def touches_of(source: Repository) -> Generator[CommitTouch]:
    """The commits that HEAD reaches, newest first; to be closed by whoever stops before the end."""
    yield from commits(source)


def good(verdicts: Iterable[Verdict], limit: int, left_out: Counter[Reason]) -> Iterator[Verdict]:
    """The first commits that make a case, at most ``limit``; the others are counted as they pass."""
    left = limit
    for verdict in verdicts if limit else ():
        if verdict.reason is not None:
            left_out[verdict.reason] += 1
            continue
        yield verdict
        left -= 1
        if not left:
            return


def case_of(verdict: Verdict) -> Case:
    """The case that a commit makes."""
    return Case(verdict.commit[:ID_DIGITS], verdict.task, verdict.parent, verdict.answers)
