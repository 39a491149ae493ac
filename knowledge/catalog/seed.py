"""A new view's first catalog, copied from another view of the same project: most of their files are equal.

What comes out is no index yet, but what a run of the indexer can go on from as after a checkout: every file
must be looked at, its evidence is there if its content is the same.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from knowledge.catalog import database
from knowledge.errors import PrebriefError
from knowledge.project import Project

SEED_SUFFIX = ".seed"  # of the copy's name while it is made
MAX_SOURCES = 8  # views that are asked; a project may have hundreds


def seed(project: Project, recipe: str, git_head: str) -> bool:
    """Make the catalog of a view that has none from that of another view, if one fits.

    Only for its `database.only_writer`. Copies the catalog and nothing else, and of it nothing that is noted
    of the other view's settings. Whatever goes wrong, there is no catalog, as before.

    Args:
        project: the view.
        recipe: what the other's content must have been made by.
        git_head: `knowledge.githead.head_stamp` of this view; another one at the same commit is preferred.
    """
    target = project.catalog
    if target.exists() or project.common_dir is None:
        return False
    found = [(source, _meta(source)) for source in _others(project)]
    fitting = [
        (meta.get("git_head") != git_head, source) for source, meta in found if meta.get("recipe") == recipe
    ]
    fitting.sort(key=lambda pair: pair[0])
    return any(_copy(source, target) for _, source in fitting)


def _others(project: Project) -> list[Path]:
    """The other views' catalogs: the main one first, then the newest."""
    dated: list[tuple[float, Path]] = []
    for path in project.views.glob(f"*/{project.catalog.name}"):
        with suppress(OSError):
            dated.append((-path.stat().st_mtime, path))
    found = [project.state / project.catalog.name, *(path for _, path in sorted(dated))]
    return [path for path in found if path != project.catalog][:MAX_SOURCES]


def _meta(path: Path) -> dict[str, str]:
    try:
        with closing(database.open_reader(path)) as connection:
            return dict(connection.execute("SELECT key, value FROM meta"))
    except (PrebriefError, sqlite3.Error):
        return {}


def _copy(source: Path, target: Path) -> bool:
    new = target.with_name(target.name + SEED_SUFFIX)
    try:
        database.remove(new)
        with closing(database.open_reader(source)) as here, closing(sqlite3.connect(new)) as there:
            here.backup(there)  # in one step: as of one moment, whoever writes meanwhile
            _unfinish(there)
        new.replace(target)
    except (OSError, PrebriefError, sqlite3.Error):
        with suppress(PrebriefError):
            database.remove(new)
        return False
    return True


def _unfinish(connection: sqlite3.Connection) -> None:
    """Let it be no index to readers, and hold no stamp of another worktree's files."""
    connection.execute("PRAGMA journal_mode = DELETE")  # one file, that can be moved into place
    connection.execute("PRAGMA secure_delete = ON")
    with connection:
        connection.execute("DELETE FROM meta WHERE key = 'fingerprint' OR key GLOB 'settings*'")
        connection.execute("UPDATE files SET mtime_ns = 0, inode = 0")
