"""Clearing away what nobody will ask for again: views of worktrees that are gone, litter, empty room.

Only projections are touched. Receipts and audit records are canonical, and no business of this module.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from knowledge.catalog.compaction import compact, reclaimable
from knowledge.catalog.seed import SEED_SUFFIX
from knowledge.errors import CatalogBusy, CatalogMissing, PrebriefError, ProjectError
from knowledge.locks import file_lock
from knowledge.parse_cache_trim import UNUSED_DAYS, trim_cache
from knowledge.project import STATE_FOLDER, Project
from knowledge.sessions import MAX_AGE
from knowledge.views import linked_views

DAY = 24 * 3600
EVALUATION_DAYS = 30  # whoever compares with an older run has kept it as the baseline
_WORK = "work"  # in the folder of evaluations: checkouts, behind a lock of their own
_LOG_SUFFIXES = ("-wal", "-shm", "-journal")  # SQLite's side files, which alone say nothing


class Litter(StrEnum):
    """What can be cleared away."""

    VIEW = "view"  # the state of a worktree that is gone
    LEFTOVER = "leftover"  # what a run that was killed has left
    ROOM = "room"  # pages of a catalog that hold nothing
    SESSIONS = "sessions"  # what agents were given, when the last of it no longer counts
    EVALUATION = "evaluation"  # old runs of `kb evaluate`, and the checkouts that they need again
    PARSE_CACHE = "parse-cache"  # what no index run of any project has asked for in a long time


@dataclass(frozen=True, slots=True)
class Cleared:
    """One thing that was cleared away, or would be.

    Attributes:
        what: its kind.
        where: file or folder.
        why: why nobody needs it.
        bytes: how much that frees.
    """

    what: Litter
    where: str
    why: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Kept:
    """Something that would have been cleared away, and why it was not."""

    where: str
    why: str


def clear_away(
    project: Project, cache: Path | None, now: float, *, dry_run: bool = False
) -> Iterator[Cleared | Kept]:
    """Clear a project's state, and the user's cache, of what nobody needs, one thing after the other.

    Args:
        project: of which all views are looked at; its own view is never dropped.
        cache: the user's cache folder, if there is one.
        now: seconds since the epoch.
        dry_run: only say what would be done.

    Raises:
        ProjectError: it cannot be told which worktrees there are, or something cannot be deleted.
    """
    gone, needed = _views(project)
    for folder, why in gone:
        yield _drop_view(folder, why, dry_run=dry_run)
    for folder in (project.state, *needed):
        yield from _leftovers(folder, dry_run=dry_run)
        yield from _room(folder / project.catalog.name, dry_run=dry_run)
    yield from _working_sets(project.sessions, now, dry_run=dry_run)
    yield from _evaluations(project.state / "evaluations", now, dry_run=dry_run)
    if cache is not None:
        path, freed = trim_cache(cache, now, dry_run=dry_run)
        if freed:
            why = f"no run has asked for it in {UNUSED_DAYS} days"
            yield Cleared(Litter.PARSE_CACHE, str(path), why, freed)


def _views(project: Project) -> tuple[list[tuple[Path, str]], list[Path]]:
    """The folders of views that are gone, with the reason, and of those that are needed."""
    folders = [entry for entry in _entries(project.views) if entry.is_dir() and not entry.is_symlink()]
    if project.common_dir is None:  # git's folder may just be away
        return [], folders
    views = {view.view_id: view for view in linked_views(project)}
    gone: list[tuple[Path, str]] = []
    needed: list[Path] = []
    for folder in folders:
        view = views.get(folder.name)
        if folder.name == project.view_id or (view and view.is_needed):
            needed.append(folder)
        else:
            where = f"there is nothing any more at {view.root}" if view else "git knows no such worktree"
            gone.append((folder, where))
    return gone, needed


def _drop_view(folder: Path, why: str, *, dry_run: bool) -> Cleared | Kept:
    cleared = Cleared(Litter.VIEW, str(folder), why, _size(folder))
    if not dry_run:
        try:
            with file_lock(folder / "catalog.sqlite.lock", 0, error=CatalogBusy):
                _delete(folder)
        except CatalogBusy as error:
            return Kept(str(folder), error.what)
    return cleared


def _working_sets(path: Path, now: float, *, dry_run: bool) -> Iterator[Cleared]:
    """What agents were given, where all of it is too old to count; it bounds itself only while in use."""
    files = [file for file in (path, *_logs_of(path)) if file.is_file()]
    if not files or now - max(file.stat().st_mtime for file in files) <= MAX_AGE:
        return
    yield Cleared(Litter.SESSIONS, str(path), "no session in it is recent", sum(map(_size, files)))
    if not dry_run:
        for file in files:
            _delete(file)


def _evaluations(folder: Path, now: float, *, dry_run: bool) -> Iterator[Cleared | Kept]:
    """Runs that are old and not the baseline; the checkouts of past commits, if none was asked for lately."""
    why = f"nobody has evaluated with it in {EVALUATION_DAYS} days"
    kept = _baseline_of(folder)
    for path in _entries(folder):
        is_ours = path.name == _WORK or (path / "run.json").is_file()
        if not is_ours or path.name == kept or now - _last_change(path) < EVALUATION_DAYS * DAY:
            continue
        cleared = Cleared(Litter.EVALUATION, str(path), why, _size(path))
        lock = file_lock(path / "lock", 0, error=CatalogBusy) if path.name == _WORK else nullcontext()
        if not dry_run:
            try:
                with lock:
                    _delete(path)
            except CatalogBusy as error:
                yield Kept(str(path), error.what)
                continue
        yield cleared


def _last_change(folder: Path) -> float:
    """When something in a folder, or one below it, was last written."""
    near = [folder, *_entries(folder), *_entries(folder / STATE_FOLDER)]
    return max(path.lstat().st_mtime for path in near)


def _baseline_of(folder: Path) -> str:
    """The run that later ones are compared with; ``""`` without one."""
    try:
        return str(json.loads((folder / "baseline.json").read_text(encoding="utf-8"))["runId"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _leftovers(folder: Path, *, dry_run: bool) -> Iterator[Cleared | Kept]:
    """What a killed run left, each behind the lock of those who might still be at it."""
    catalog, seeded = folder / "catalog.sqlite", folder / f"catalog.sqlite{SEED_SUFFIX}"
    unfinished = [(folder / "learned.sqlite.new", "learned.sqlite.lock")]
    unfinished += [(path, "catalog.sqlite.lock") for path in (seeded, *_logs_of(seeded))]
    found = [(path, lock, "it was never finished") for path, lock in unfinished]
    if not catalog.exists():
        found += [(log, "catalog.sqlite.lock", "its catalog is gone") for log in _logs_of(catalog)]
    for path, lock, why in found:
        if not path.exists():
            continue
        cleared = Cleared(Litter.LEFTOVER, str(path), why, _size(path))
        if not dry_run:
            try:
                with file_lock(folder / lock, 0, error=CatalogBusy):
                    _delete(path)
            except CatalogBusy as error:
                yield Kept(str(path), error.what)
                continue
        yield cleared


def _logs_of(database: Path) -> list[Path]:
    return [database.with_name(database.name + suffix) for suffix in _LOG_SUFFIXES]


def _room(catalog: Path, *, dry_run: bool) -> Iterator[Cleared | Kept]:
    try:
        free = reclaimable(catalog)
        if free and not dry_run:
            free = compact(catalog)
    except CatalogMissing:  # a first run that failed: there is nothing to give back, and nothing to say
        return
    except PrebriefError as error:
        yield Kept(str(catalog), f"{error.what}. {error.remedy}")
        return
    if free:
        yield Cleared(Litter.ROOM, str(catalog), "it holds nothing any more", free)


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ProjectError.of_system("cannot be read", error, folder, "Make it readable") from None


def _size(path: Path) -> int:
    """Bytes of a file, or of all files below a folder."""
    if not path.is_dir():
        return path.lstat().st_size
    below = (Path(top, name) for top, _, names in os.walk(path) for name in names)
    return sum(file.lstat().st_size for file in below)


def _delete(path: Path) -> None:
    try:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise ProjectError.of_system(
            "cannot be deleted",
            error,
            error.filename or path,
            "Make the folder writable, or delete it by hand",
        ) from None
