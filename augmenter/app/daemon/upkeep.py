"""Keeps the indexes of warm projects up to date: quietly, in processes of low priority, one at a time."""

from __future__ import annotations

import asyncio
import json
import math
import sys
import time
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from augmenter.app.daemon.starting import program
from augmenter.app.daemon.watching import TreeWatch
from augmenter.app.logs import Log
from knowledge.errors import CatalogBusy, PrebriefError
from knowledge.locks import file_lock
from knowledge.project import Project

NICE = 15  # an agent's own tests and builds go first
REST = 4  # after a run, so many times as long as it took: a fifth of one processor at most
LEAST_REST = 2.0  # seconds
BUSY_SECONDS = 5.0  # until the next look, when somebody else is indexing
FIRST_PAUSE, LONGEST_PAUSE = 5.0, 3600.0  # seconds after failures, doubled with each: git may have been busy
DEAF_SECONDS = 30.0  # to what dispatches say, when a run has found nothing to do
LONGEST_RUN = 3600.0  # seconds; a full index of the largest repositories takes minutes
MOST_WATCHED = 8  # trees: each takes a thread, and a handle of which a user may have 128


@dataclass(slots=True, eq=False)
class _Tree:
    """One view that is looked after."""

    project: Project
    watch: TreeWatch
    task: asyncio.Task[None] | None = None
    wanted: asyncio.Event = field(default_factory=asyncio.Event)
    used: float = 0.0
    runs: int = 0
    has_changed: bool = False  # what the last run found
    failures: int = 0  # in a row
    said: str = ""
    deaf_until: float = (
        0.0  # to dispatches that find the index old: a run is under way, or has found it is not
    )


@dataclass(slots=True)
class Upkeep:
    """Watches trees and has them indexed. All methods belong to the thread of the event loop.

    Attributes:
        log: where events go.
        is_on: whether anything is done at all.
    """

    log: Log
    is_on: bool = True
    _trees: dict[Project, _Tree] = field(default_factory=dict)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    def used(self, project: Project, is_stale: bool) -> None:
        """A project was used, and was perhaps seen to be newer than its index."""
        if not self.is_on or not project.catalog.is_file():  # the first index is the user's to want
            return
        tree = self._trees.get(project) or self._begin(project)
        tree.used = time.monotonic()
        if is_stale and tree.used >= tree.deaf_until:
            tree.wanted.set()

    def keep(self, projects: Collection[Project]) -> None:
        """Look after these only."""
        for project in [one for one in self._trees if one not in projects]:
            self._end(project)

    def as_json(self) -> list[dict[str, Any]]:
        """What is looked after, and how."""
        return [
            {
                "project": str(tree.project.view_root),
                "watched_by": tree.watch.means,
                "runs": tree.runs,
                "failures": tree.failures,
                "last": tree.said,
            }
            for tree in sorted(self._trees.values(), key=lambda tree: str(tree.project.view_root))
        ]

    async def close(self) -> None:
        """End runs and watches."""
        trees = list(self._trees.values())
        self.keep(())
        await asyncio.gather(*(tree.task for tree in trees if tree.task), return_exceptions=True)
        await asyncio.gather(*(asyncio.to_thread(tree.watch.join) for tree in trees))

    def _begin(self, project: Project) -> _Tree:
        if len(self._trees) >= MOST_WATCHED:
            self._end(min(self._trees.values(), key=lambda tree: tree.used).project)
        loop = asyncio.get_running_loop()
        tree = _Tree(project, TreeWatch(project, lambda: _tell(loop, tree)))
        tree.wanted.set()  # nobody knows what has happened before
        tree.watch.start()
        tree.task = loop.create_task(self._care(tree))
        self._trees[project] = tree
        return tree

    def _end(self, project: Project) -> None:
        tree = self._trees.pop(project)
        tree.watch.stop()
        if tree.task:
            tree.task.cancel()

    async def _care(self, tree: _Tree) -> None:
        """Index a tree whenever that is wanted, with rests in between."""
        while True:
            await tree.wanted.wait()
            if _is_being_indexed(tree.project):
                await asyncio.sleep(BUSY_SECONDS)
                continue
            began = time.monotonic()
            tree.deaf_until = math.inf
            async with self._turn:
                tree.wanted.clear()
                tree.has_changed = False
                problem = await self._indexed(tree)
            took = time.monotonic() - began
            tree.deaf_until = 0.0 if tree.has_changed else time.monotonic() + DEAF_SECONDS
            if problem:
                tree.failures += 1
                tree.said = problem
                self.log.warning("index run failed", project=str(tree.project.view_root), problem=problem)
                await asyncio.sleep(min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (tree.failures - 1)))
            else:
                tree.failures = 0
                self.log.info("indexed", project=str(tree.project.view_root), seconds=round(took, 2))
                await asyncio.sleep(max(LEAST_REST, REST * took))

    async def _indexed(self, tree: _Tree) -> str:
        """Have a view indexed; returns what went wrong, whatever it is: the next run may do better."""
        try:
            return await _index(tree)
        except Exception as error:  # no files or memory for a process, or a report that is none
            self.log.debug("index run", exc_info=error)
            return f"{type(error).__name__}: {error}"


async def _index(tree: _Tree) -> str:
    """Have a view indexed; returns what went wrong."""
    root = str(tree.project.view_root)
    command = program("index", "--root", root, "--json", "--jobs", "1", nice=NICE)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        output, errors = await asyncio.wait_for(process.communicate(), LONGEST_RUN)
    except TimeoutError:
        return "it took too long"
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.terminate()
            await process.wait()
    tree.runs += 1
    if process.returncode:
        return (errors.decode("utf-8", "replace").strip().splitlines() or ["no reason given"])[-1]
    report = json.loads(output)
    tree.has_changed = bool(report["changed"] or report["removed"])
    tree.said = f"{report['changed']} changed, {report['removed']} gone, in {report['seconds']} s"
    return ""


def _is_being_indexed(project: Project) -> bool:
    try:
        with file_lock(project.catalog.with_name(f"{project.catalog.name}.lock"), 0, error=CatalogBusy):
            return False
    except CatalogBusy:
        return True
    except PrebriefError:
        return False


def _tell(loop: asyncio.AbstractEventLoop, tree: _Tree) -> None:
    with suppress(RuntimeError):  # the loop has ended
        loop.call_soon_threadsafe(tree.wanted.set)
