"""Identity: which project and which view of it a folder belongs to, and where their state lies.

Found from the file system alone: the path of a dispatch starts no git process.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from knowledge.errors import ProjectError
from knowledge.settings import FILE_NAME

STATE_FOLDER = ".knowledge"
_VIEW_ID_BYTES = 6


@dataclass(frozen=True, slots=True)
class Project:
    """One view of one project.

    Attributes:
        root: the project's root: the main worktree of its repository, or the folder without git.
        view_root: the worktree in which the work is done; the same as ``root`` in the main view.
        view_id: ``main``, or the linked worktree's id.
        git_dir: the view's own git directory (``.git``, ``.git/worktrees/x``), or None without git.
        common_dir: the repository's shared git directory, or None without git.
    """

    root: Path
    view_root: Path
    view_id: str = "main"
    git_dir: Path | None = None
    common_dir: Path | None = None

    @property
    def state(self) -> Path:
        """The folder of everything Prebrief keeps: ``.knowledge`` in the project's root."""
        return self.root / STATE_FOLDER

    @property
    def view_state(self) -> Path:
        """The folder of what belongs to this view alone."""
        return self.state if self.view_id == "main" else self.views / self.view_id

    @property
    def views(self) -> Path:
        """The folder of the linked worktrees' views, each in a folder named by its id."""
        return self.state / "worktrees"

    @property
    def catalog(self) -> Path:
        """This view's catalog."""
        return self.view_state / "catalog.sqlite"

    @property
    def receipts(self) -> Path:
        """The ledger's folder, one for all views."""
        return self.state / "receipts"

    @property
    def audit(self) -> Path:
        """The audit records' folder, one for all views."""
        return self.state / "audit"

    @property
    def sessions(self) -> Path:
        """The working sets of agents, one file for all views."""
        return self.state / "sessions.sqlite"

    @property
    def learned(self) -> Path:
        """What learning derived from the ledger, one for all views."""
        return self.state / "learned.sqlite"

    @property
    def weights(self) -> Path:
        """The project's own weights of the learned profile, one for all views."""
        return self.state / "models" / "weights.json"

    @property
    def is_in_use(self) -> bool:
        """Whether anybody has set Prebrief up here: elsewhere it leaves no trace."""
        return self.state.is_dir() or (self.view_root / FILE_NAME).is_file()


def locate(start: Path) -> Project:
    """Find the project and view that ``start`` (a folder or file) belongs to.

    Upwards from ``start``, the first folder that holds ``.git`` is the view's root. Without one, the
    first that holds ``prebrief.toml`` or ``.knowledge``; without these, ``start`` itself.

    What somebody has laid into a folder where everybody may (``/tmp/.git``, ``/tmp/.knowledge``) is refused:
    it would decide what the agents of all who work below are told. So git has it, too (CVE-2022-24765).

    Raises:
        ProjectError: ``start`` does not exist or cannot be read, lies in a bare repository, or belongs to
            what is another user's; or a ``.git`` file points nowhere.
    """
    try:
        folder = start.resolve(strict=True)
        folder = folder if folder.is_dir() else folder.parent
        return _project_of(folder)
    except PermissionError as error:
        raise ProjectError(
            "cannot be read: permission denied",
            where=os.fspath(error.filename or start),
            remedy="Make it readable, or give another --root",
        ) from None
    except (OSError, RuntimeError):  # RuntimeError: a loop of symbolic links
        raise ProjectError("no such folder", where=str(start), remedy="Give an existing --root") from None


def _project_of(folder: Path) -> Project:
    chain = (folder, *folder.parents)
    for candidate in chain:
        if _is_git_entry(candidate / ".git"):
            _refuse_planted(candidate / ".git")
            return _git_project(candidate)
        if _is_bare(candidate):
            raise ProjectError(
                "a bare repository has no files to index",
                where=str(candidate),
                remedy="Give one of its worktrees as --root ('git worktree list' names them)",
            )
    for candidate in chain:
        for entry, is_it in ((candidate / FILE_NAME, stat.S_ISREG), (candidate / STATE_FOLDER, stat.S_ISDIR)):
            if is_it(_mode(entry)):
                _refuse_planted(entry)
                return Project(root=candidate, view_root=candidate)
    return Project(root=folder, view_root=folder)


def ensure_state(project: Project) -> None:
    """Create the state folder, which ignores itself, and the view's folder in it.

    Raises:
        ProjectError: it cannot be written.
    """
    try:
        project.view_state.mkdir(parents=True, exist_ok=True)
        ignore = project.state / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")
    except (FileExistsError, NotADirectoryError):
        raise ProjectError(
            "it is no folder", where=str(project.state), remedy="Move away what lies in its place"
        ) from None
    except OSError as error:
        raise ProjectError.of_system(
            "cannot be written", error, project.state, "Make the folder writable"
        ) from None


def _is_git_entry(entry: Path) -> bool:
    mode = _mode(entry)
    return stat.S_ISREG(mode) or (stat.S_ISDIR(mode) and stat.S_ISREG(_mode(entry / "HEAD")))


def _is_bare(folder: Path) -> bool:
    """Whether a folder is a repository without a worktree, by what git itself looks for in one."""
    if ".git" in folder.parts or not stat.S_ISREG(_mode(folder / "HEAD")):
        return False
    return all(stat.S_ISDIR(_mode(folder / name)) for name in ("objects", "refs"))


def _refuse_planted(entry: Path) -> None:
    """Refuse what neither this user nor its folder's owner has put into a folder open to everybody."""
    folder = entry.parent.stat()
    owner = entry.lstat().st_uid
    if folder.st_mode & stat.S_IWOTH and owner not in (os.geteuid(), folder.st_uid):
        raise ProjectError(
            "it is another user's, in a folder where everybody may write",
            where=str(entry),
            remedy="Remove it, or work in a folder that is not below it",
        )


def _mode(path: Path) -> int:
    """The file's mode, 0 if there is none. What cannot be read raises: it must not look absent."""
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return 0


def _git_project(view_root: Path) -> Project:
    entry = view_root / ".git"
    git_dir = entry if entry.is_dir() else _follow(entry)
    pointer = git_dir / "commondir"
    if not _mode(pointer):
        return Project(root=view_root, view_root=view_root, git_dir=git_dir, common_dir=git_dir)
    common = (git_dir / _read_path(pointer)).resolve()
    if common.name != ".git":  # a bare repository's worktree, or a submodule's: there is no main worktree
        return Project(root=view_root, view_root=view_root, git_dir=git_dir, common_dir=common)
    return Project(
        root=common.parent,
        view_root=view_root,
        view_id=view_id_of(git_dir.name, view_root),
        git_dir=git_dir,
        common_dir=common,
    )


def view_id_of(name: str, view_root: Path) -> str:
    """The id of a linked worktree's view: git's name for it, and a hash of where it lies."""
    place = blake2b(os.fsencode(view_root), digest_size=_VIEW_ID_BYTES).hexdigest()
    return f"{name}-{place}"


def _follow(pointer: Path) -> Path:
    text = _read_path(pointer)
    target = (pointer.parent / text.removeprefix("gitdir:").strip()).resolve()
    if not text.startswith("gitdir:") or not target.is_dir():
        raise ProjectError(
            "this .git file points to no git directory",
            where=str(pointer),
            remedy="Run 'git worktree repair' in the main worktree ('git submodule update' for a submodule)",
        )
    return target


def _read_path(pointer: Path) -> str:
    return os.fsdecode(pointer.read_bytes()).strip()
