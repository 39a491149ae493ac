"""Git's state as plain files tell it: no git process, so that a dispatch can afford to ask."""

from __future__ import annotations

from pathlib import Path

from knowledge.hashing import fingerprint
from knowledge.project import Project

_MAX_SYMBOLIC_DEPTH = 5  # git's own limit for refs that point to refs


def read_head(project: Project) -> str:
    """The commit HEAD points at; ``""`` without git, without a commit, or where the files do not tell."""
    if project.git_dir is None or project.common_dir is None:
        return ""
    value = _read(project.git_dir / "HEAD")
    for _ in range(_MAX_SYMBOLIC_DEPTH):
        if not value.startswith("ref:"):
            return value
        name = value.removeprefix("ref:").strip()
        value = (
            _read(project.git_dir / name)
            or _read(project.common_dir / name)
            or _packed(project.common_dir / "packed-refs", name)
        )
    return ""


def head_stamp(project: Project) -> str:
    """Something that changes when HEAD comes to point at another commit; ``""`` without git or a commit.

    The commit itself where plain files name it. Git's newer "reftable" keeps references in binary files; of
    these the list of files is taken, which every update of a reference rewrites.
    """
    if project.git_dir is None or project.common_dir is None:
        return ""
    lists = [_read(folder / "reftable" / "tables.list") for folder in (project.git_dir, project.common_dir)]
    return read_head(project) or (fingerprint(lists) if any(lists) else "")


def index_stamp(project: Project) -> str:
    """Size of git's index file, as text; ``""`` without one. Changes when files are added or removed.

    Its time is left out: a mere ``git status`` rewrites the index to remember what it saw.
    """
    if project.git_dir is None:
        return ""
    try:
        return str((project.git_dir / "index").stat().st_size)
    except OSError:
        return ""


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _packed(path: Path, name: str) -> str:
    for line in _read(path).splitlines():
        commit, _, ref = line.partition(" ")
        if ref == name:
            return commit
    return ""
