"""Whether an index is older than the tree, by a look at a few files: no git process, no walk."""

from __future__ import annotations

from collections.abc import Mapping
from stat import S_ISREG

from knowledge.catalog.rows import FileRow
from knowledge.githead import head_stamp, index_stamp
from knowledge.hashing import git_blob_hash
from knowledge.project import Project


def is_stale(project: Project, meta: Mapping[str, str], files: Mapping[str, FileRow]) -> bool:
    """Whether HEAD has moved, files were added or removed in git's index, or one of ``files`` has changed.

    Args:
        project: which view.
        meta: what the catalog noted at its last run.
        files: the files to look at, usually those of the offered items.
    """
    if head_stamp(project) != meta.get("git_head", "") or index_stamp(project) != meta.get("git_index", ""):
        return True
    return any(_has_changed(project, row) for _, row in sorted(files.items()))


def _has_changed(project: Project, row: FileRow) -> bool:
    path = project.view_root / row.path
    try:
        stat = path.lstat()
        if not S_ISREG(stat.st_mode) or stat.st_size != row.size:
            return True
        return stat.st_mtime_ns != row.mtime_ns and git_blob_hash(path.read_bytes()) != row.blob
    except OSError:
        return True
