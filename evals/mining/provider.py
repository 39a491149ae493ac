"""A project as it was at a commit, checked out and indexed: one working tree, moved from case to case."""

from __future__ import annotations

from pathlib import Path

from evals.mining.clone import Clone, place_in
from indexer.build import Progress, build_index, silent
from knowledge.clock import Clock
from knowledge.closing import Closing
from knowledge.errors import TaskError
from knowledge.project import Project
from knowledge.settings import Settings


class Checkouts(Closing):
    """Views of a project at its commits, one at a time.

    What changed from one to the next is all that is written and indexed, least from older to newer: an index
    knows when its files were last touched, and goes on from there. What is shown stays for the next run.

    Args:
        project: the user's view. Its uncommitted changes, its index and its confidence play no role.
        settings: what to index with.
        clock: for the indexer.
        state: the folder that was given to `evals.mining.history.mine`.
        progress: shows the parsing of each.
        cache: the user's cache folder for what was parsed, or None.

    Raises:
        TaskError: there is no git, the folder cannot be used, or another process is at it.
    """

    def __init__(
        self,
        project: Project,
        settings: Settings,
        clock: Clock,
        state: Path,
        *,
        progress: Progress = silent,
        cache: Path | None = None,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._progress = progress
        self._cache = cache
        self._clone = Clone(project, place_in(state))
        self._at = ""

    def close(self) -> None:
        """Let another process have the working tree."""
        self._clone.close()

    def knows(self, revision: str) -> bool:
        """Whether the repository has a commit: not after a rewritten history, or in a shallow clone."""
        try:
            return self._clone.has(self._clone.resolve(revision))
        except TaskError:
            return False

    def at(self, revision: str) -> Project:
        """The project as it was at a commit, with an index that knows that commit and its ancestors.

        It holds until the next is asked for. Its state lies beside the tree, which might bring one along.

        Args:
            revision: the commit's name, or another that the user's repository knows.

        Raises:
            TaskError: there is no such commit.
            GitError, CatalogError, ProjectError: it cannot be laid out, or not indexed.
        """
        commit = self._clone.resolve(revision)
        tree = self._clone.tree
        view = Project(tree.parent, tree, git_dir=self._clone.git_dir, common_dir=self._clone.git_dir)
        if commit != self._at:
            self._at = ""
            self._clone.check_out(commit)
            build_index(view, self._settings, self._clock, progress=self._progress, cache=self._cache)
            self._at = commit
        return view
