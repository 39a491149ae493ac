"""How the evaluations index a repository and ask it: the pipeline alone, without receipts or learning."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from augmenter.augment import Ranking, Stopwatch, Tools, rank
from augmenter.candidates import Filters
from augmenter.deadline import Deadline
from augmenter.profiles import WeightProfile, profile_of
from indexer.build import build_index
from knowledge.catalog.reader import CatalogReader
from knowledge.clock import Clock
from knowledge.project import Project, locate
from knowledge.settings import Settings
from knowledge.taxonomy import load_taxonomy
from knowledge.types import Kind
from templates.render import Renderer

Ask = Callable[[str, int], list[dict[str, Any]]]
FUNCTIONS = Filters(kinds=frozenset({Kind.UNIT}))


@dataclass(frozen=True, slots=True)
class Indexer:
    """Indexes checkouts with the settings as shipped."""

    clock: Clock

    def __call__(self, root: Path) -> dict[str, Any]:
        """Bring a checkout's index up to date; returns what it holds and how long that took."""
        report = build_index(_project(root), Settings(), self.clock)
        return {"kinds": report.kinds, "files": report.files, "seconds": round(report.seconds, 2)}


@dataclass(frozen=True, slots=True)
class Asker:
    """Asks for ranked functions.

    Attributes:
        clock: for durations.
        profile: name of a weight profile; ``""`` for the shipped default.
        weights: a profile instead.
        settings: as shipped, unless others are given.
    """

    clock: Clock
    profile: str = ""
    weights: WeightProfile | None = None
    settings: Settings = field(default_factory=Settings)

    @contextmanager
    def __call__(self, root: Path) -> Iterator[Ask]:
        """A function from a task and a limit to ranked functions, in the referee's form."""
        with self.tools(root) as tools:
            yield lambda text, limit: _functions(text, limit, tools)

    @contextmanager
    def tools(self, root: Path) -> Iterator[Tools]:
        """What the pipeline works with; nothing learned."""
        with open_tools(_project(root).catalog, self.settings, Renderer("plain"), self.clock) as tools:
            profile = self.weights or (profile_of(self.profile) if self.profile else tools.profile)
            yield replace(tools, profile=profile)


@contextmanager
def open_tools(catalog: Path, settings: Settings, renderer: Renderer, clock: Clock) -> Iterator[Tools]:
    """What the pipeline works with: an index, nothing learned, and no look at the tree."""
    with CatalogReader(catalog) as reader:
        yield Tools(
            reader=reader,
            settings=settings,
            taxonomy=load_taxonomy(settings.taxonomy),
            profile=profile_of(settings.ranking.profile),
            learned=lambda _ids: {},
            renderer=renderer,
            stale=lambda _files: False,
            tick=clock.tick,
        )


def ranking_of(text: str, filters: Filters, tools: Tools) -> Ranking:
    """Everything found for a task, without a deadline."""
    return rank(text, filters, tools, Stopwatch(tools.tick, Deadline(tools.tick)))


def _functions(text: str, limit: int, tools: Tools) -> list[dict[str, Any]]:
    found = [item.candidate.evidence for item in ranking_of(text, FUNCTIONS, tools).scored]
    return [
        {"file": evidence.path, "name": evidence.name, "start": evidence.start, "end": evidence.end}
        for evidence in found[:limit]
    ]


def _project(root: Path) -> Project:
    return locate(root)
