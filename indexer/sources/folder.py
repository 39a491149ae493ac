"""The files of a folder without git: all that no ``.gitignore`` below it ignores."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.sources.names import ENVIRONMENT_MARK, LEFT_OUT

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

# From the root downwards: the folder of a .gitignore file, and what it says.
_Ignores = tuple[tuple[str, "GitIgnoreSpec"], ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """What a folder holds, in no particular order.

    Attributes:
        paths: everything that is no folder, symbolic links to folders included.
        unreadable: folders that could not be opened.
    """

    paths: tuple[str, ...]
    unreadable: tuple[str, ...]


def list_folder(root: Path) -> Listing:
    """List what lies below ``root``, by the rules of gitignore(5), without the folders in `LEFT_OUT`.

    Symbolic links are listed, never followed, so loops cannot trap it. Repositories further below are
    looked into: whoever indexes a folder of repositories wants them all.

    Raises:
        OSError: ``root`` itself cannot be read.
    """
    paths: list[str] = []
    unreadable: list[str] = []
    waiting: list[tuple[str, _Ignores]] = [("", ())]
    while waiting:
        prefix, ignores = waiting.pop()
        try:
            entries = _scan(f"{root}/{prefix}")
        except OSError as error:
            if not prefix:
                raise
            if not isinstance(error, FileNotFoundError | NotADirectoryError):
                unreadable.append(prefix.rstrip("/"))
            continue
        if prefix and any(entry.name == ENVIRONMENT_MARK for entry in entries):
            continue
        ignores = _with_own(ignores, prefix, entries)
        for entry in entries:
            path = prefix + entry.name
            if not entry.is_dir(follow_symlinks=False):
                if not _is_ignored(path, ignores):
                    paths.append(path)
            elif entry.name not in LEFT_OUT and not _is_ignored(f"{path}/", ignores):
                waiting.append((f"{path}/", ignores))
    return Listing(tuple(paths), tuple(unreadable))


def _scan(folder: str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return list(entries)


def _with_own(ignores: _Ignores, prefix: str, entries: Sequence[os.DirEntry[str]]) -> _Ignores:
    for entry in entries:
        if entry.name == ".gitignore" and entry.is_file(follow_symlinks=False):
            return (*ignores, (prefix, _read_ignores(Path(entry.path))))
    return ignores


def _read_ignores(path: Path) -> GitIgnoreSpec:
    """A ``.gitignore`` file's patterns; a line that is none is passed over, as git does."""
    try:
        lines = path.read_text(encoding="utf-8-sig", errors="surrogateescape").splitlines()
    except OSError:  # git warns and goes on without it
        lines = []
    try:
        return _compile(lines)
    except ValueError:
        return _compile([line for line in lines if _is_pattern(line)])


def _compile(lines: Sequence[str]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 (only where a folder has patterns)

    return GitIgnoreSpec.from_lines(lines)


def _is_pattern(line: str) -> bool:
    try:
        _compile([line])
    except ValueError:
        return False
    return True


def _is_ignored(path: str, ignores: _Ignores) -> bool:
    """The deepest file with a word to say decides, and in it the last matching line (gitignore(5))."""
    for prefix, spec in reversed(ignores):
        verdict = _verdict(spec, path[len(prefix) :])
        if verdict is not None:
            return verdict
    return False


def _verdict(spec: GitIgnoreSpec, path: str) -> bool | None:
    """Whether a file's patterns ignore a path; None when they say nothing of it.

    To pathspec, ``!a`` also takes back ``a/b``, which an earlier line may ignore by name. To git, a pattern
    is about a path itself: what lies below an ignored folder is never looked at.
    """
    found = spec.check_file(path)
    while found.include is not None and not _means(spec.patterns[found.index or 0].pattern, path):
        spec = type(spec)(spec.patterns[: found.index])
        found = spec.check_file(path)
    return found.include


def _means(pattern: object, path: str) -> bool:
    """Whether a pattern that matches means the path itself, and not only a folder above it."""
    line = str(pattern).removeprefix("!").rstrip()
    *above, last = line.strip("/").split("/")
    parts = path.strip("/").split("/")
    if last == "**":
        return True
    if (above or line.startswith("/")) and "**" not in above:
        return len(parts) == len(above) + 1
    return _compile([last]).match_file(parts[-1])
