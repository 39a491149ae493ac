"""Which files a project's view has: git's own answer, or the folder's where there is no git.

A walk costs a stat per file and opens none. What is left out on purpose is counted with its reason; what
git ignores, and the folders in `names.LEFT_OUT`, are no part of the view and are not counted.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.sources.folder import list_folder
from indexer.sources.git import SUBMODULE_MODE, SYMLINK_MODE, Repository
from indexer.sources.limits import limit_of
from indexer.sources.names import ENVIRONMENT_MARK, LEFT_OUT, is_lock_file, is_secret_file
from knowledge.catalog.rows import FileRow
from knowledge.errors import ProjectError, SettingsError
from knowledge.project import STATE_FOLDER, Project
from knowledge.settings import IndexSettings

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

INODE_MASK = 2**63 - 1  # some file systems use 64 bits; the catalog's integers are signed
_STATE = frozenset({STATE_FOLDER})
_VANISHED = frozenset({errno.ENOENT, errno.ENOTDIR})


class SkipReason(StrEnum):
    """Why a file of the view is not indexed."""

    TOO_LARGE = "too-large"  # larger than index.max_file_bytes, or index.max_data_bytes
    BINARY = "binary"
    UNREADABLE = "unreadable"  # permissions, I/O errors, pipes and devices
    SYMLINK = "symlink"  # never followed: its target is indexed where it lies, if in the view
    SUBMODULE = "submodule"  # a repository of its own, hence a project of its own
    NESTED_REPOSITORY = "nested-repository"  # likewise, but not even tracked: a clone, a linked worktree
    EXCLUDED = "excluded"  # by index.include or index.exclude
    GENERATED = "generated"  # a lock file, or generated and larger than index.max_generated_bytes
    SECRET_FILE = "secret-file"  # noqa: S105 (a name, not a secret)
    CLASSIFIED = "classified"  # it says so itself, see index.exclude_classification
    UNSUPPORTED = "unsupported"  # no language is known for it
    MINIFIED = "minified"
    ENCODING = "encoding"  # its text cannot be decoded, or its name is no UTF-8
    PARSE_FAILURE = "parse-failure"
    PARSE_TIMEOUT = "parse-timeout"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A regular file of the view, as a stat saw it.

    Attributes:
        path: relative to the view's root, with ``/``.
        absolute: where it lies; a text, for a `Path` of every file would be half the cost of a walk.
        size: in bytes.
        mtime_ns: time of its last modification, in nanoseconds.
        inode: its number in the file system; a file that was replaced has another.
    """

    path: str
    absolute: str
    size: int
    mtime_ns: int
    inode: int

    def is_as(self, row: FileRow) -> bool:
        """Whether a stat tells nothing else of it than when the row was written."""
        return (self.mtime_ns, self.size, self.inode) == (row.mtime_ns, row.size, row.inode)


@dataclass(frozen=True, slots=True)
class Skip:
    r"""Something in the view that is not indexed.

    Attributes:
        path: relative to the view's root; bytes that are no UTF-8 are written ``\xNN``.
        reason: why.
    """

    path: str
    reason: SkipReason


@dataclass(frozen=True, slots=True)
class Walk:
    """What a walk found, both sorted by path."""

    files: tuple[SourceFile, ...]
    skipped: tuple[Skip, ...]


@dataclass(frozen=True, slots=True)
class _View:
    """Paths to look at, and what is known to be skipped without a look."""

    paths: Sequence[str]
    skipped: Sequence[Skip]


def walk(project: Project, settings: IndexSettings) -> Walk:
    """Find the files of a project's view.

    With git: what it tracks, and what it neither tracks nor ignores. Without: all files that no
    ``.gitignore`` in the folder ignores. A file that vanishes meanwhile is left out without a word.

    Raises:
        ProjectError: the root cannot be read.
        GitError: git is missing or refused. An error is never an empty view.
        SettingsError: a pattern of ``index.include`` or ``index.exclude`` is no pattern.
    """
    root = project.view_root
    _require_readable(root)
    view = _git_view(Repository(root)) if project.git_dir else _folder_view(root)
    choose = _Chooser(settings)
    look = _Looker(root, settings)
    files: list[SourceFile] = []
    skipped = list(view.skipped)
    for path in view.paths:
        seen = choose(path) or look(path)
        if isinstance(seen, SourceFile):
            files.append(seen)
        elif seen is not None:
            skipped.append(Skip(_printable(path), seen))
    return Walk(
        files=tuple(sorted(_without_aliases(root, files), key=lambda file: file.path)),
        skipped=tuple(sorted(skipped, key=lambda skip: (skip.path, skip.reason))),
    )


class _Chooser:
    """Judges a path by its name."""

    def __init__(self, settings: IndexSettings) -> None:
        self._include = patterns(settings.include, "index.include")
        self._exclude = patterns(settings.exclude, "index.exclude")

    def __call__(self, path: str) -> SkipReason | None:
        """Why the path is skipped, or None."""
        if not path.isascii() and not _is_utf8(path):
            return SkipReason.ENCODING
        if self._include and not self._include.match_file(path):
            return SkipReason.EXCLUDED
        if self._exclude and self._exclude.match_file(path):
            return SkipReason.EXCLUDED
        if is_secret_file(path):
            return SkipReason.SECRET_FILE
        return SkipReason.GENERATED if is_lock_file(path) else None


class _Looker:
    """Judges a path by one stat, and each folder above it by one more."""

    def __init__(self, root: Path, settings: IndexSettings) -> None:
        self._root = str(root)
        self._settings = settings
        self._smallest = min(settings.max_file_bytes, settings.max_data_bytes)
        self._folders = {"": True}

    def __call__(self, path: str) -> SourceFile | SkipReason | None:
        """The file, why it is skipped, or None when there is no such file (any more)."""
        if not self._is_inside(path.rpartition("/")[0]):
            return None
        absolute = f"{self._root}/{path}"
        try:
            found = os.lstat(absolute)
        except OSError as error:
            return None if error.errno in _VANISHED else SkipReason.UNREADABLE
        if stat.S_ISREG(found.st_mode):
            if found.st_size > self._smallest and found.st_size > limit_of(path, self._settings):
                return SkipReason.TOO_LARGE
            inode = found.st_ino & INODE_MASK
            return SourceFile(path, absolute, found.st_size, found.st_mtime_ns, inode)
        if stat.S_ISDIR(found.st_mode):
            return None  # a folder took the place of a tracked file
        return SkipReason.SYMLINK if stat.S_ISLNK(found.st_mode) else SkipReason.UNREADABLE

    def _is_inside(self, folder: str) -> bool:
        """Whether no part of the way to ``folder`` is a symbolic link, which may lead anywhere.

        Git's index can still name files below a folder that was replaced by a link.
        """
        unknown = []
        while folder not in self._folders:
            unknown.append(folder)
            folder = folder.rpartition("/")[0]
        inside = self._folders[folder]
        for name in reversed(unknown):
            inside = inside and not os.path.islink(f"{self._root}/{name}")  # noqa: PTH114 (speed)
            self._folders[name] = inside
        return inside


def _without_aliases(root: Path, files: Sequence[SourceFile]) -> Iterator[SourceFile]:
    """The files without those that are another's under a name the folder does not hold.

    Where case does not count in names, git's index may still know ``A.py`` and ``a.py``: both lead to the
    one file that is there. Hard links are two names that the folder does hold.
    """
    first: dict[int, SourceFile] = {}
    doubtful: dict[int, list[SourceFile]] = {}
    for file in files:
        other = first.setdefault(file.inode, file)
        if other is not file and file.inode:
            doubtful.setdefault(file.inode, [other]).append(file)
    if not doubtful:
        yield from files
        return
    listed = _Listed(root)
    for file in files:
        if file.inode not in doubtful or listed.has(file.path) or not _folded_twin(file, doubtful):
            yield file


def _folded_twin(file: SourceFile, doubtful: Mapping[int, Sequence[SourceFile]]) -> bool:
    """Whether another name of the same file differs in case alone."""
    folded = file.path.casefold()
    return any(other.path != file.path and other.path.casefold() == folded for other in doubtful[file.inode])


class _Listed:
    """Which names the folders below a root hold, letter by letter."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._names: dict[str, frozenset[str]] = {}

    def has(self, path: str) -> bool:
        """Whether every part of the path is spelt as its folder has it."""
        folder, _, name = path.rpartition("/")
        return name in self._in(folder) and (not folder or self.has(folder))

    def _in(self, folder: str) -> frozenset[str]:
        if folder not in self._names:
            try:
                self._names[folder] = frozenset(os.listdir(f"{self._root}/{folder}"))  # noqa: PTH208 (speed)
            except OSError:
                self._names[folder] = frozenset()
        return self._names[folder]


def patterns(lines: Sequence[str], key: str) -> GitIgnoreSpec | None:
    """Compile a setting's globs (``.gitignore`` syntax), or None when there are none.

    Raises:
        SettingsError: one of them is no pattern.
    """
    if not lines:
        return None
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 (only when a setting or folder has patterns)

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError as error:
        raise SettingsError(
            f"not a pattern: {error}", where=key, remedy="Write it as a line of a .gitignore file"
        ) from None


def _git_view(repository: Repository) -> _View:
    listing = repository.listing()
    skipped = [Skip(_printable(path), SkipReason.NESTED_REPOSITORY) for path in listing.repositories]
    skipped += [Skip(_printable(path), SkipReason.UNREADABLE) for path in listing.unreadable]
    paths = list(_without_clutter(listing.untracked))
    for path, mode in listing.tracked.items():
        if mode == SUBMODULE_MODE:
            skipped.append(Skip(_printable(path), SkipReason.SUBMODULE))
        elif mode == SYMLINK_MODE:  # also where core.symlinks=false wrote its target into a file
            skipped.append(Skip(_printable(path), SkipReason.SYMLINK))
        elif STATE_FOLDER not in path or not _has_folder(path, _STATE):
            paths.append(path)
    return _View(paths, skipped)


def _without_clutter(paths: Sequence[str]) -> Iterator[str]:
    """Untracked paths outside of `LEFT_OUT` and of virtual environments."""
    marks = [path for path in paths if path.rpartition("/")[2] == ENVIRONMENT_MARK]
    environments = tuple(mark.removesuffix(ENVIRONMENT_MARK) for mark in marks if "/" in mark)
    for path in paths:
        if not _has_folder(path, LEFT_OUT) and not path.startswith(environments):
            yield path


def _has_folder(path: str, names: frozenset[str]) -> bool:
    return not names.isdisjoint(path.split("/")[:-1])


def _folder_view(root: Path) -> _View:
    try:
        listing = list_folder(root)
    except OSError as error:
        raise _unreadable(root, error) from None
    skipped = [Skip(_printable(path), SkipReason.UNREADABLE) for path in listing.unreadable]
    return _View(listing.paths, skipped)


def _require_readable(root: Path) -> None:
    try:
        with os.scandir(root) as entries:
            next(entries, None)
    except OSError as error:
        raise _unreadable(root, error) from None


def _unreadable(root: Path, error: OSError) -> ProjectError:
    return ProjectError.of_system("the folder cannot be read", error, root, "Make it readable")


def _is_utf8(path: str) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _printable(path: str) -> str:
    return os.fsencode(path).decode("utf-8", "backslashreplace")
