"""The last commit of every file, kept from run to run and looked up only where it can have changed.

A file that is not in HEAD's tree has none, whatever happened to a file of its name in the past: what an
agent has just written need not be searched for in the whole log.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace

from indexer.sources.git import Repository
from indexer.sources.history import Touch, last_touched
from knowledge.catalog.rows import FileRow
from knowledge.githead import head_stamp, index_stamp
from knowledge.hashing import fingerprint
from knowledge.project import Project


@dataclass(frozen=True, slots=True)
class GitState:
    """What git said before the tree was walked, so that a change meanwhile makes the catalog stale.

    Attributes:
        head: the commit that is checked out, or ``""``.
        time: its committer time, or 0.
        head_stamp: see `knowledge.githead`.
        index_stamp: likewise.
        shallow: hash of the list of commits at which a shallow clone was cut off, or ``""``.
    """

    head: str
    time: int
    head_stamp: str
    index_stamp: str
    shallow: str

    def meta(self) -> dict[str, str]:
        """What the catalog keeps of it."""
        return {
            "head": self.head,
            "as_of": str(self.time),
            "git_head": self.head_stamp,
            "git_index": self.index_stamp,
            "git_shallow": self.shallow,
        }


def observe(project: Project, meta: Mapping[str, str]) -> GitState:
    """Look at git's state; asks git itself only when HEAD is not what the catalog noted in ``meta``.

    Raises:
        GitError: git is missing or refused.
    """
    stamp = head_stamp(project)
    if project.git_dir is None:
        head, time = "", 0
    elif stamp and stamp == meta.get("git_head") and meta.get("head") and meta.get("as_of", "").isdigit():
        head, time = meta["head"], int(meta["as_of"])
    else:
        found = Repository(project.view_root).head()
        head, time = (found.commit, found.time) if found else ("", 0)
    return GitState(head, time, stamp, index_stamp(project), _shallow(project))


def date_files(
    project: Project,
    state: GitState,
    rows: Mapping[str, FileRow],
    known: Mapping[str, FileRow],
    meta: Mapping[str, str],
) -> list[FileRow]:
    """The rows whose date differs from the one they carry, with the right one, by path.

    Args:
        project: which view.
        state: what is checked out.
        rows: all files, with the dates of the last run where there are any.
        known: all files as of the last run.
        meta: what the catalog noted then.

    Raises:
        GitError: git is missing or refused.
    """
    paths = sorted(path for path, row in rows.items() if not row.skip)
    fresh = [path for path in paths if path not in known or known[path].skip]
    since = meta.get("head", "") if state.shallow == meta.get("git_shallow", "") else ""
    if state.head and state.head == since and not fresh:
        return []
    touches, kept = _look_up(project, paths, fresh, state.head, since) if state.head else ({}, frozenset())
    dated = (_dated(rows[path], touches.get(path), keep=path in kept) for path in paths)
    return [row for row in dated if row != rows[row.path]]


def _look_up(
    project: Project, paths: list[str], fresh: list[str], head: str, since: str
) -> tuple[dict[str, Touch], frozenset[str]]:
    """Who touched what, and the paths of which the known date still holds."""
    repository = Repository(project.view_root)
    committed = _committed(repository)
    wanted = [path for path in paths if path in committed]
    touches: dict[str, Touch] = {}
    if head != since:
        history = last_touched(repository, wanted, since=since)
        if not history.incremental:
            return history.touches, frozenset()
        touches.update(history.touches)
    older = [path for path in fresh if path in committed and path not in touches]
    if older:
        touches.update(last_touched(repository, older).touches)
    return touches, frozenset(wanted).difference(fresh)


def _dated(row: FileRow, touch: Touch | None, *, keep: bool) -> FileRow:
    if touch is not None:
        return replace(row, last_commit=touch.commit, last_commit_time=touch.time)
    return row if keep or not row.last_commit else replace(row, last_commit="", last_commit_time=0)


def _committed(repository: Repository) -> frozenset[str]:
    """The paths in HEAD's tree; none where a partial clone would have to download it."""
    if repository.lacks_trees():
        return frozenset()
    listing = repository.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD")
    return frozenset(os.fsdecode(name) for name in listing.split(b"\0") if name)


def _shallow(project: Project) -> str:
    if project.common_dir is None:
        return ""
    try:
        return fingerprint([(project.common_dir / "shallow").read_text(encoding="ascii")])
    except (OSError, UnicodeDecodeError):
        return ""
