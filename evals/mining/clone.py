"""A repository of our own that borrows the user's objects: it can be moved from commit to commit.

It has a HEAD, detached, and no other reference, so that whatever is asked of its history knows the commit
that is checked out and its ancestors. Nothing is written to the user's repository, be it a main worktree, a
linked one, or shallow; and of what its commits hold nothing runs: no hooks, no filters, no submodules (see
`evals.mining.objects`). Files whose content the user's clone does not have (a partial clone) are left out.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

from evals.mining.objects import run_git
from indexer.sources.git import Repository
from knowledge.closing import Closing
from knowledge.errors import GitError, TaskError
from knowledge.locks import file_lock
from knowledge.project import Project, ensure_state

_CONFIG = (
    "advice.detachedHead=false",
    f"core.attributesFile={os.devnull}",
    "core.autocrlf=false",
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.logAllRefUpdates=false",  # a log of HEAD would know of later commits
    "core.sparseCheckout=true",
    "core.sparseCheckoutCone=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "submodule.recurse=false",
)
BUSY_SECONDS = 0.0  # a run is at its cases for minutes: not to be waited for
_ATTRIBUTES = "info/attributes"  # goes before those that a tree brings along
_NO_PROGRAMS = "* !filter !diff !merge\n"  # whoever asks our clone with the user's settings runs none
_SPARSE = "info/sparse-checkout"
_ALL = "/*\n"
_MARK = "prebrief-clone"  # tells our folder from one that a repository brought along under the same name
_NAME = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_SPECIAL = re.compile(r"([\\*?\[\]!# ])")


class Clone(Closing):
    """A working tree that borrows a repository's objects, for one process at a time.

    Args:
        project: the user's view.
        place: a folder that is ours alone, and may be deleted at any time. It is made where it is missing.

    Attributes:
        tree: the folder with the files.
        git_dir: its git directory.

    Raises:
        TaskError: there is no git, the folder cannot be used, or another process is at it.
        GitError: git is missing, or refuses.
    """

    def __init__(self, project: Project, place: Path) -> None:
        self._project = project
        self._source = source_of(project)
        self.tree = place / "tree"
        self.git_dir = self.tree / ".git"
        self._held = ExitStack()
        self._is_partial = False
        if place.is_relative_to(project.state):
            ensure_state(project)
        try:
            _refuse_links(place.parent, place, self.tree)
            place.mkdir(parents=True, exist_ok=True)
            self._held.enter_context(file_lock(place / "lock", BUSY_SECONDS, error=TaskError))
            self._prepare()
        except OSError as error:
            self.close()
            raise TaskError.of_system("cannot be written", error, place, "Make the folder writable") from None
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let another process have it."""
        self._held.close()

    def resolve(self, revision: str) -> str:
        """A commit's full object name, asked of the user's repository. Raises TaskError if there is none."""
        if _NAME.fullmatch(revision):
            return revision
        asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        try:
            return self._source.run(*asked).decode("ascii").strip()
        except GitError:
            raise self._no_such(revision) from None

    def has(self, commit: str) -> bool:
        """Whether the repository has a commit, by its full object name."""
        try:
            self._git("cat-file", "-e", f"{commit}^{{commit}}")
        except GitError:
            return False
        return True

    def check_out(self, commit: str) -> None:
        """Make the tree that of a commit.

        Raises:
            TaskError: the repository does not have it.
            GitError: git refuses for another reason.
        """
        if not self.has(commit):
            raise self._no_such(commit)
        if self._is_partial:
            self._leave_out(self._missing(commit))
        try:
            self._switch(commit)
        except GitError:  # something is missing, or a run was killed at it: from the beginning
            shutil.rmtree(self.tree, ignore_errors=True)
            self._prepare()
            self._is_partial = True
            self._leave_out(self._missing(commit))
            self._switch(commit)

    def _switch(self, commit: str) -> None:
        self._git("checkout", "--quiet", "--force", "--detach", commit, "--")

    def _prepare(self) -> None:
        if not (self.git_dir / _MARK).is_file():
            shutil.rmtree(self.tree, ignore_errors=True)
            self.tree.mkdir(parents=True)
            form = self._source.run("rev-parse", "--show-object-format").decode("ascii").strip()
            self._git("init", "--quiet", "--template=", f"--object-format={form}")
            (self.git_dir / _MARK).touch()
        self._write("objects/info/alternates", "".join(f"{path}\n" for path in objects_of(self._project)))
        self._write("shallow", "".join(f"{name}\n" for name in sorted(self._source.shallow_boundary())))
        self._write(_ATTRIBUTES, _NO_PROGRAMS)
        self._write(_SPARSE, _ALL)
        (self.git_dir / "index.lock").unlink(missing_ok=True)  # of a run that was killed; ours are excluded

    def _write(self, name: str, text: str) -> None:
        path = self.git_dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text:
            path.write_bytes(os.fsencode(text))
        else:
            path.unlink(missing_ok=True)

    def _missing(self, commit: str) -> list[str]:
        """The files of a commit whose content is not there."""
        rows = [row for row in self._git("ls-tree", "-r", "-z", commit).split(b"\0") if b" blob " in row]
        blobs = [row.partition(b"\t")[0].rpartition(b" ")[2] for row in rows]
        told = self._git("cat-file", "--batch-check", stdin=b"".join(blob + b"\n" for blob in blobs)).split(
            b"\n"
        )
        found = zip(rows, told, strict=False)  # what is told ends in a line end
        return [os.fsdecode(row.partition(b"\t")[2]) for row, answer in found if answer.endswith(b" missing")]

    def _leave_out(self, paths: Iterable[str]) -> None:
        escaped = (_SPECIAL.sub(r"\\\1", path) for path in paths if "\n" not in path)
        self._write(_SPARSE, "".join([_ALL, *(f"!/{path}\n" for path in escaped)]))

    def _git(self, *arguments: str, stdin: bytes = b"") -> bytes:
        settings = [part for setting in _CONFIG for part in ("-c", setting)]
        return run_git(self.git_dir, f"--work-tree={self.tree}", *settings, *arguments, stdin=stdin)

    def _no_such(self, revision: str) -> TaskError:
        remedy = "Fetch it, or leave its cases out"
        return TaskError(f"no such commit: {revision}", where=str(self._source.view_root), remedy=remedy)


def _refuse_links(*folders: Path) -> None:
    """Refuse links in place of our folders: a repository may bring them, and they may lead anywhere."""
    for folder in folders:
        if folder.is_symlink():
            raise TaskError("it is a link", where=str(folder), remedy="Remove it")


def place_in(state: Path) -> Path:
    """Where the clone lies in a folder of evaluations."""
    return state / "work"


def source_of(project: Project, otherwise: str = "or write cases by hand") -> Repository:
    """The user's repository. Raises TaskError without git, which also tells what else there is to do."""
    if project.git_dir is None:
        raise TaskError(
            "there is no history here: it is no git repository",
            where=str(project.view_root),
            remedy=f"Give --root a git repository; {otherwise}",
        )
    return Repository(project.view_root)


def objects_of(project: Project) -> list[Path]:
    """The folders in which a repository's objects lie: its own, and those it borrows from itself.

    Git follows a relative path among the latter only in the repository that is asked.
    """
    if project.common_dir is None:
        return []
    own = project.common_dir.resolve() / "objects"
    try:
        rows = os.fsdecode((own / "info" / "alternates").read_bytes()).splitlines()
    except OSError:
        rows = []
    return [own, *(own / row for row in rows if row and not row.startswith("#"))]
