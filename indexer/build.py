"""A run of the indexer: what changed since the last one, and only that, in one transaction.

The flow: walk the tree → compare with the known files → forget what is gone → parse what changed, in worker
processes → date the files by git's log → write the fingerprint. Nothing is visible to readers before the
commit; a crash leaves the previous catalog whole. Whatever happened in between, a run ends in the catalog
that a full one would make, and a run that finds nothing to do writes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeVar

from indexer.history.recording import NOTED, record_history
from indexer.recipe import ParseContext, recipe_of
from indexer.runs.changes import Run, compare, read
from indexer.runs.dating import date_files, observe
from indexer.runs.storing import restamp, store
from indexer.sources.walk import SourceFile, walk
from knowledge.catalog import database
from knowledge.catalog.rows import FileRow
from knowledge.catalog.seed import seed
from knowledge.catalog.writer import CatalogWriter
from knowledge.clock import Clock
from knowledge.errors import CatalogCorrupt, CatalogTooNew
from knowledge.githead import head_stamp
from knowledge.hashing import canonical_json, fingerprint
from knowledge.jsonable import to_json
from knowledge.parse_cache import ParseCache
from knowledge.project import Project, ensure_state
from knowledge.settings import NOTE, NOTE_SOURCE, Settings, settings_path, source_of
from knowledge.taxonomy import load_taxonomy

_Item = TypeVar("_Item")


class Progress(Protocol):
    """Shows how far a loop has come."""

    def __call__(self, items: Iterable[_Item], total: int, label: str) -> Iterable[_Item]:
        """The same items, shown as they pass."""


def silent(items: Iterable[_Item], total: int, label: str) -> Iterable[_Item]:  # noqa: ARG001 - see Progress
    """A `Progress` that shows nothing."""
    return items


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What a run did and what the catalog now holds.

    Attributes:
        fingerprint: of the catalog's content.
        files: indexed files by language.
        kinds: evidence by kind, parts not counted.
        skipped: files by reason.
        events: removals by hygiene, by kind.
        history: past commits (``commits``), and those of them that can be found (``searched``).
        changed: files whose evidence this run wrote, be it parsed or from the cache.
        removed: files forgotten in this run.
        unchanged: files left as they were.
        problems: what cost a file, or a part of one, in this run; one text each.
        seconds: wall time.
    """

    fingerprint: str
    files: dict[str, int]
    kinds: dict[str, int]
    skipped: dict[str, int]
    events: dict[str, int]
    history: dict[str, int]
    changed: int
    removed: int
    unchanged: int
    problems: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class _Plan:
    """What one run is asked to do, and with what."""

    project: Project
    context: ParseContext
    clock: Clock
    progress: Progress
    cache: Path | None
    workers: int
    full: bool


def build_index(
    project: Project,
    settings: Settings,
    clock: Clock,
    *,
    progress: Progress = silent,
    full: bool = False,
    cache: Path | None = None,
    workers: int = 0,
) -> IndexReport:
    """Bring a view's catalog up to date with its tree.

    Args:
        project: which view.
        settings: its settings.
        clock: for the duration, and to tell files that were written just now.
        progress: shows the parsing.
        full: forget the old catalog first, whatever state it is in, and parse everything anew.
        cache: the user's cache folder, where parsed files are kept for all projects; None keeps none.
        workers: at most so many processes parse at once; 0 for one on each processor.

    Raises:
        ProjectError, GitError: the tree cannot be seen; the catalog stays as it was.
        CatalogBusy: another run is at it.
        CatalogCorrupt, CatalogTooNew: the catalog cannot be continued; ``full`` would replace it.
        CatalogError: the catalog cannot be written.
        PrebriefError: no process can be started.
    """
    began = clock.tick()
    context = ParseContext(settings, load_taxonomy(settings.taxonomy))
    plan = _Plan(project, context, clock, progress, cache, workers or processors(), full)
    ensure_state(project)
    with database.only_writer(project.catalog):
        try:
            report = _run(plan)
        except (CatalogCorrupt, CatalogTooNew):
            if not full:
                raise
            database.remove(project.catalog)
            report = _run(plan)
    return replace(report, seconds=clock.tick() - began)


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):  # Linux: less than the machine has, in a container
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _run(plan: _Plan) -> IndexReport:
    project, settings, now = plan.project, plan.context.settings, plan.clock.now()
    recipe = recipe_of(plan.context)
    if not plan.full:
        seed(project, recipe, head_stamp(project))
    with (
        CatalogWriter(project.catalog) as writer,
        ParseCache(plan.cache, recipe, now, write_only=plan.full) as cache,
    ):
        meta = writer.meta()
        if plan.full or meta.get("recipe") != recipe:
            writer.clear()
            meta = {}
        run = Run(plan.context, writer, cache, int(now * 1e9), writer.files())
        state = observe(project, meta)  # before the walk: see GitState
        _update(run, compare(run, walk(project, settings.index)), plan)
        dated = date_files(project, state, run.rows, run.known, meta)
        writer.restamp(dated)
        run.rows.update((row.path, row) for row in dated)
        past = record_history(project, state, writer, meta, settings.index.history_commits)
        if head_stamp(project) != state.head_stamp:  # the dates may be of neither commit: once more next time
            state = replace(state, head="")
        result = _fingerprint(recipe, run.rows, past.get(NOTED, meta.get(NOTED, "")))
        noted = _note(project.view_root, settings, meta)
        writer.set_meta({"recipe": recipe, "fingerprint": result, **state.meta(), **past, **noted})
        return _report(run, result)


def _update(run: Run, changed: list[SourceFile], plan: _Plan) -> None:
    if changed:
        # Only when there is something to parse: the parsers take a tenth of a second to import.
        from indexer.parse import parse_file  # noqa: PLC0415
        from indexer.runs.pool import Pool  # noqa: PLC0415

        with Pool(plan.context, parse_file, plan.workers) as pool:
            jobs = pool.run(read(run, changed))
            for job in plan.progress(jobs, len(changed), "Indexing"):
                store(run, job)
    restamp(run)


def _note(root: Path, settings: Settings, meta: Mapping[str, str]) -> dict[str, str]:
    """What is to be noted of the settings (see `knowledge.settings_file.note_settings`) and is not yet."""
    path = settings_path(root)
    if path is None:
        return {}
    with suppress(OSError):
        is_noted = meta.get(NOTE_SOURCE) == source_of(path, path.read_bytes())
        if is_noted and meta.get(NOTE) == canonical_json(to_json(settings)):
            return {}
    from knowledge.settings_file import note_settings  # noqa: PLC0415 - imports pydantic

    return note_settings(root, settings)


def _fingerprint(recipe: str, rows: dict[str, FileRow], history: str) -> str:
    def parts() -> Iterator[str]:
        yield from (recipe, history)
        for path in sorted(rows):
            row = rows[path]
            yield from (path, row.blob, row.skip, row.last_commit)

    return fingerprint(parts())


def _report(run: Run, result: str) -> IndexReport:
    counts = run.writer.counts()
    indexed = [path for path, row in run.rows.items() if not row.skip]
    changed = sum(path in run.written for path in indexed)
    return IndexReport(
        fingerprint=result,
        files=counts["languages"],
        kinds=counts["kinds"],
        skipped=counts["skipped"],
        events=counts["events"],
        history=counts["history"],
        changed=changed,
        removed=run.removed,
        unchanged=len(indexed) - changed,
        problems=tuple(run.problems[path] for path in sorted(run.problems)),
        seconds=0.0,
    )
