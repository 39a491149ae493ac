"""Cases to learn from, of public repositories: many tasks that one index serves.

    python -m evals.training_cases --snapshots DIR --out FILE.jsonl --repo OWNER/NAME …

Cases are mined from each repository's history (see `evals.mining`) and anchored: all are asked at one commit,
before the oldest of them. Kept are those whose functions were all there already, with the lines that they had
then. ``--snapshots`` holds the repositories as `evals.localisation` wants them, which reads what comes out.
Repositories that the file has are passed over, so that a run can be continued.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals import corpora
from evals.cases import Answer
from evals.command import carried_out, tell
from evals.mining.functions import parse_version
from evals.mining.history import good, touches_of
from evals.mining.miner import Miner
from evals.mining.objects import Objects, run_git
from evals.mining.reasons import Reason
from evals.mining.verdicts import Verdict
from evals.mining.versions import Versions
from evals.rows import read_rows, row_line, text_of
from indexer.build import processors
from indexer.recipe import ParseContext
from indexer.runs.pool import Pool
from indexer.sources.git import Repository
from indexer.sources.history import CommitTouch
from knowledge.settings import Settings
from knowledge.taxonomy import load_taxonomy
from knowledge.terms import words

LIMIT = 60  # cases a repository: enough to learn from, and no repository weighs more than another
# Commits that make a case, for each that is kept at most: the further back the anchor, the fewer of them find
# their functions there.
SPARE = 1.5
STEP = 10  # cases from one anchor that is tried to the next
MAX_YEARS = 8  # from the newest to the oldest: what is asked of code that is years younger is another task
_YEAR = 365 * 86_400
MIN_NAME = 4  # characters of a function's own name that a text can be said to mention


@dataclass(frozen=True, slots=True)
class Anchored:
    """The cases of one repository, at one commit.

    Attributes:
        base: the commit.
        cases: newest first, their answers as they are there.
        mined: how many were mined.
        looked_at: commits that were looked at.
    """

    base: str
    cases: tuple[Verdict, ...]
    mined: int
    looked_at: int


def anchored(folder: Path, limit: int) -> Anchored | None:
    """The newest cases of a repository's history that can be asked at one commit; None if it has none.

    Raises:
        GitError: git is missing, or refuses.
    """
    context = ParseContext(Settings(), load_taxonomy({}))
    times: dict[str, int] = {}
    left_out: Counter[Reason] = Counter()
    repository = Repository(folder)
    objects_in = Path(os.fsdecode(repository.run("rev-parse", "--absolute-git-dir")).rstrip("\n"))
    with (
        Objects(objects_in) as objects,
        Pool(context, parse_version, processors()) as pool,
        closing(touches_of(repository)) as touches,
    ):
        verdicts = Miner(objects, context, pool).verdicts(_timed(touches, times))
        found = list(_recent(good(verdicts, round(limit * SPARE), left_out), times))
        if not found:
            return None
        versions = Versions(objects, pool, context.settings.index)
        base, cases = _anchor(objects_in, found, limit, versions)
    return Anchored(base, tuple(cases[-limit:]), len(found), len(found) + left_out.total())


def _anchor(
    git_dir: Path, found: Sequence[Verdict], limit: int, versions: Versions
) -> tuple[str, list[Verdict]]:
    """The oldest parent of a case at which enough of the newer ones can be asked, else most of them.

    Where a project has moved its files, an anchor before that knows few of the functions that came after.
    """
    best: tuple[str, list[Verdict]] = ("", [])
    for count in range(len(found), 0, -STEP):
        base = found[count - 1].parent
        there = _functions_at(git_dir, base, found[:count], versions)
        cases = [moved for case in found[:count] if (moved := _moved(case, there))]
        best = max(best, (base, cases), key=lambda one: len(one[1]))
        if len(best[1]) >= min(limit, count):
            break
    return best


def _timed(touches: Iterable[CommitTouch], times: dict[str, int]) -> Iterator[CommitTouch]:
    for touch in touches:
        times[touch.commit] = touch.time
        yield touch


def _recent(verdicts: Iterable[Verdict], times: dict[str, int]) -> Iterator[Verdict]:
    """Verdicts until they are too much older than the first."""
    newest = 0
    for verdict in verdicts:
        newest = newest or times[verdict.commit]
        if newest - times[verdict.commit] > MAX_YEARS * _YEAR:
            return
        yield verdict


def _functions_at(
    git_dir: Path, base: str, cases: Iterable[Verdict], versions: Versions
) -> dict[str, Answer]:
    """The functions at a commit, by id, of all files that cases name."""
    paths = {answer.path for case in cases for answer in case.answers}
    rows = run_git(git_dir, "ls-tree", "-r", "-z", base).split(b"\0")
    entries = (row.partition(b"\t") for row in rows if row)
    blobs = {os.fsdecode(path): meta.decode("ascii").split(" ")[2] for meta, _, path in entries}
    wanted = sorted((path, blobs[path]) for path in paths & blobs.keys())
    versions.learn(wanted)
    return {
        one.id: Answer(one.id, path, one.name, one.start, one.end)
        for path, blob in wanted
        if not isinstance(version := versions.get(path, blob), Reason)
        for one in version.functions
    }


def _moved(case: Verdict, there: dict[str, Answer]) -> Verdict | None:
    """The case with the lines of its answers at the anchor; None if one of them is not there."""
    answers = [there.get(answer.id) for answer in case.answers]
    found = tuple(answer for answer in answers if answer)
    same = len(found) == len(answers)
    return Verdict(case.commit, case.parent, None, case.task, found) if same else None


def rows_of(name: str, found: Anchored) -> Iterator[dict[str, Any]]:
    """The cases as the localisation benchmark has them."""
    for case in found.cases:
        yield {
            "instance_id": f"{name.replace('/', '__')}-{case.commit[:10]}",
            "repo": name,
            "snapshot": name,
            "base_commit": found.base,
            "commit": case.commit,
            "parent_commit": case.parent,
            "message": case.task,
            "gold_files": sorted({answer.path for answer in case.answers}),
            "gold_functions": [
                {"file": one.path, "name": one.name, "start": one.start, "end": one.end}
                for one in case.answers
            ],
            "mentions_gold_name": mentions(case.task, case.answers),
        }


def mentions(task: str, answers: Iterable[Answer]) -> bool:
    """Whether a task names one of its answers."""
    said = {word.lower() for word in words(task)}
    own = (answer.name.rpartition(".")[2].lower() for answer in answers)
    return any(len(name) >= MIN_NAME and name in said for name in own)


def main(argv: Sequence[str] | None = None) -> int:
    """Mine the cases of repositories, one after the other, and append them to a file."""
    parser = argparse.ArgumentParser(prog="python -m evals.training_cases", description=__doc__)
    parser.add_argument("--snapshots", type=Path, required=True, help="folder of git directories")
    parser.add_argument("--out", type=Path, required=True, help="file to append to")
    parser.add_argument(
        "--repo", action="append", required=True, metavar="OWNER/NAME", help="which; repeatable"
    )
    parser.add_argument("--limit", type=int, default=LIMIT, help="cases a repository (default: %(default)s)")
    arguments = parser.parse_args(argv)
    return carried_out(lambda: _mine_all(arguments))


def _mine_all(arguments: argparse.Namespace) -> None:
    out: Path = arguments.out
    done = set(read_rows(out, lambda row: text_of(row, "repo"))) if out.exists() else set()
    for name in arguments.repo:
        if name in done:
            continue
        found = anchored(corpora.git_dir(arguments.snapshots, name), arguments.limit)
        if found is None:
            tell(f"{name}: no commit makes a case")
            continue
        with out.open("a", encoding="utf-8", newline="\n") as file:
            file.write("".join(map(row_line, rows_of(name, found))))
        tell(
            f"{name}: {len(found.cases)} cases at {found.base[:10]}, of {found.mined} mined"
            f" in {found.looked_at} commits"
        )


if __name__ == "__main__":
    sys.exit(main())
