"""Hears of changes in a project's tree that its index would show.

Only the folders that hold files of the view are watched, each by itself: what git ignores costs nothing,
however large it is. Of what happens in them git is asked whether it is any of its business.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from indexer.sources.git import Repository
from indexer.sources.names import LEFT_OUT
from knowledge.catalog.inspection import list_files
from knowledge.catalog.reader import CatalogReader
from knowledge.errors import PrebriefError
from knowledge.githead import head_stamp, index_stamp
from knowledge.project import STATE_FOLDER, Project

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

QUIET_MS = 500  # without another change, and what has changed is told; a watch ends as soon when it is to end
LONGEST_MS = 3000  # until it is told, however much goes on
POLL_MS = 10_000  # between two looks, where the system tells of no changes
MOST_ASKED = 200  # paths that git is asked about at once; so many are a change of some kind without asking
MOST_NEW = 2000  # folders in a new folder
AGAIN_SECONDS = 5.0  # after something went wrong: a folder has gone, there is no catalog for a moment
JOIN_SECONDS = 3.0  # for a thread to end
_ADDED = 1  # as `watchfiles.Change.added`
_GIT_FILES = ("HEAD", "index", "packed-refs", "tables.list")

Changes = set[tuple[int, str]]


@dataclass(slots=True)
class TreeWatch:
    """Watches one view, in a thread of its own.

    Attributes:
        project: which.
        on_change: is called, within that thread, when the index may have become older than the tree.
        means: how it hears of changes: ``events``, ``polling``, or ``nothing: `` and why.
    """

    project: Project
    on_change: Callable[[], None]
    means: str = "starting"
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None
    _new: set[str] = field(default_factory=set)

    def start(self) -> None:
        """Begin; does not wait."""
        self._thread = threading.Thread(target=self._work, name="watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Let the thread end soon; does not wait."""
        self._stop.set()

    def join(self) -> bool:
        """Wait for the thread's end; False when it does not come."""
        if self._thread is not None:
            self._thread.join(JOIN_SECONDS)
        return self._thread is None or not self._thread.is_alive()

    def _work(self) -> None:
        is_first = True
        while not self._stop.is_set() and self.project.view_root.is_dir():
            try:
                self._watch(is_first=is_first)
            except (OSError, RuntimeError, PrebriefError) as error:  # no catalog for a moment, no git
                self.means = f"nothing: {error}"
                self._stop.wait(AGAIN_SECONDS)
            is_first = False
        self.means = "nothing: it is over"

    def _watch(self, *, is_first: bool) -> None:
        """Watch until there are other folders to watch, or it is over."""
        folders = self._folders()
        with self._notify(folders) as notify:
            if not is_first:
                self.on_change()  # what was missed while nothing, or something else, was watched
            while self.project.view_root.is_dir():
                changes = notify.watch(LONGEST_MS, QUIET_MS, 0, self._stop)
                if isinstance(changes, str):  # it is over
                    return
                if self._look(changes):
                    self.on_change()
                if self._folders() != folders:
                    return

    def _notify(self, folders: list[str]) -> RustNotify:
        """Tells of changes by events, or, where the system has no more of these to give, by polling."""
        from watchfiles import _rust_notify  # noqa: PLC0415 - the wrapper in Python adds nothing that is used

        try:
            self.means = "events"
            return _rust_notify.RustNotify(folders, False, False, POLL_MS, False, True)
        except FileNotFoundError:  # a folder has just gone
            raise
        except (OSError, RuntimeError):
            self.means = "polling"
            return _rust_notify.RustNotify(folders, False, True, POLL_MS, False, True)

    def _folders(self) -> list[str]:
        """What is to be watched: folders with files of the view, new ones, and git's own."""
        root = self.project.view_root
        inside = {path.rpartition("/")[0] for path in list_files(self.project.catalog)}
        inside |= {parent for folder in inside for parent in _parents(folder)}
        self._new = {folder for folder in self._new if (root / folder).is_dir()}
        chosen = [str(root / folder) for folder in sorted({"", *inside, *self._new})]
        return [folder for folder in (*chosen, *self._git_folders()) if os.path.isdir(folder)]  # noqa: PTH112

    def _git_folders(self) -> list[str]:
        """Where git keeps what HEAD is, and what is tracked."""
        git_dir, common = self.project.git_dir, self.project.common_dir
        if git_dir is None or common is None:
            return []
        heads = common / "refs" / "heads"
        branches = sorted(folder for folder, _, _ in os.walk(heads))
        return [
            *sorted({str(git_dir), str(common)}),
            *branches,
            str(common / "reftable"),
            str(git_dir / "reftable"),
        ]

    def _look(self, changes: Changes) -> bool:
        """Whether any of the changes is one that an index run would see."""
        root = f"{self.project.view_root}/"
        git = tuple(f"{folder}/" for folder in {self.project.git_dir, self.project.common_dir} if folder)
        state = f"{root}{STATE_FOLDER}/"
        inner: dict[str, int] = {}
        is_moved = False
        for change, path in sorted(changes):
            if git and path.startswith(git):
                is_moved = is_moved or _is_of_git(path)
            elif path.startswith(root) and not path.startswith(state):
                inner[path.removeprefix(root)] = change
        added = {path for path, change in inner.items() if change == _ADDED}
        return (is_moved and self._has_moved()) or self._concerns(set(inner), added)

    def _has_moved(self) -> bool:
        """Whether HEAD or git's index is another than the catalog's; a `git status` rewrites the latter."""
        with CatalogReader(self.project.catalog) as reader:
            meta = reader.meta()
        project = self.project
        return head_stamp(project) != meta.get("git_head") or index_stamp(project) != meta.get("git_index")

    def _concerns(self, paths: set[str], added: set[str]) -> bool:
        if not paths:
            return False
        if len(paths) > MOST_ASKED or self.project.git_dir is None:
            self._note_new(added)
            return True
        repository = Repository(self.project.view_root)
        listing = ("ls-files", "-z", "--others", "--exclude-standard")
        folders = {path for path in added if (self.project.view_root / path).is_dir()}
        if folders and (named := repository.run(*listing, "--directory", "--", *_literal(folders))):
            self._note_new({os.fsdecode(one).rstrip("/") for one in named.split(b"\0") if one.endswith(b"/")})
        if repository.run(*listing, "--cached", "--", *_literal(paths)):
            return True
        with CatalogReader(self.project.catalog) as reader:  # what was indexed, never tracked, and has gone
            return bool(reader.files(paths))

    def _note_new(self, folders: set[str]) -> None:
        """Watch new folders, and those in them, though they hold nothing yet."""
        root = str(self.project.view_root)
        for folder in sorted(folders):
            for inner, names, _ in os.walk(f"{root}/{folder}"):
                names[:] = sorted(name for name in names if name not in LEFT_OUT)
                if len(self._new) < MOST_NEW:
                    self._new.add(inner.removeprefix(f"{root}/"))


def _is_of_git(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    return name in _GIT_FILES or ("/refs/heads" in folder and not name.endswith(".lock"))


def _literal(paths: set[str]) -> Iterator[str]:
    """As patterns of git's that mean just these."""
    return (f":(literal){path}" for path in sorted(paths))


def _parents(folder: str) -> Iterator[str]:
    while folder:
        folder = folder.rpartition("/")[0]
        yield folder
