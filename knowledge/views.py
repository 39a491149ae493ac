"""Which views a project has, by the files that git keeps of its linked worktrees (gitrepository-layout(5)).

Without a git process: as plain files they read the same under every version of git, and where git refuses.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from knowledge.errors import ProjectError
from knowledge.project import Project, view_id_of


@dataclass(frozen=True, slots=True)
class LinkedView:
    """A linked worktree that git knows.

    Attributes:
        view_id: names its state's folder.
        root: where it lies, or lay.
        is_gone: there is nothing any more where it lay; git would prune it.
        is_locked: 'git worktree lock' says that it will come back, as from a disk that is unplugged.
    """

    view_id: str
    root: Path
    is_gone: bool
    is_locked: bool

    @property
    def is_needed(self) -> bool:
        """Whether its state is worth keeping."""
        return self.is_locked or not self.is_gone


def linked_views(project: Project) -> tuple[LinkedView, ...]:
    """The linked worktrees of a project, by id.

    Raises:
        ProjectError: git's files cannot be read. That must not look like worktrees that are gone.
    """
    if project.common_dir is None:
        return ()
    place = project.common_dir / "worktrees"
    try:
        folders = sorted(entry for entry in place.iterdir() if entry.is_dir()) if place.exists() else []
        found = [view for view in map(_view_in, folders) if view]
    except OSError as error:
        raise ProjectError.of_system(
            "cannot be read", error, error.filename or place, "Make it readable"
        ) from None
    return tuple(sorted(found, key=lambda view: view.view_id))


def _view_in(folder: Path) -> LinkedView | None:
    """The worktree of which git keeps a folder; None where that is not one, or is half made."""
    try:
        pointer = os.fsdecode((folder / "gitdir").read_bytes()).strip()
    except (FileNotFoundError, NotADirectoryError):
        return None
    entry = folder / pointer  # absolute; since git 2.48 possibly relative to the folder
    root = entry.parent.resolve()
    return LinkedView(
        view_id=view_id_of(folder.name, root),
        root=root,
        is_gone=not _exists(entry),
        is_locked=(folder / "locked").exists(),
    )


def _exists(path: Path) -> bool:
    """Whether something is there; what cannot be looked at is: it may come back."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True
