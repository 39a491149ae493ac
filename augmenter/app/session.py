"""What one process holds open of a project: settings, catalog, taxonomy, renderers."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from augmenter.augment import Tools
from augmenter.deadline import Deadline
from augmenter.profiles import WeightProfile, profile_of
from augmenter.weights import own_weights
from knowledge.catalog.reader import CatalogReader
from knowledge.catalog.rows import FileRow
from knowledge.clock import Clock
from knowledge.learned import (
    LearnedState,
    PastDispatch,
    learned_fingerprint,
    past_dispatches,
    read_learned,
)
from knowledge.project import Project
from knowledge.settings import FILE_NAME, Settings
from knowledge.settings_loading import load_settings
from knowledge.staleness import is_stale
from knowledge.taxonomy import Taxonomy, load_taxonomy
from templates.render import Renderer


@dataclass(slots=True)
class Session:
    """Lazily opened parts of a project; every property raises this project's errors.

    Attributes:
        project: which project and view.
        clock: time and randomness.
    """

    project: Project
    clock: Clock
    _settings: Settings | None = None
    _taxonomy: Taxonomy | None = None
    _reader: CatalogReader | None = None
    _opened: tuple[int, int] = (0, 0)
    _openings: int = 0
    _renderers: dict[tuple[str, str], Renderer] = field(default_factory=dict)
    _written: Hashable = None
    _seen_stale: bool = False

    def refresh(self) -> bool:
        """Let go of what was made of settings and templates, if these have been written since; tell if so."""
        before, self._written = self._written, self._sources()
        if before == self._written:
            return False
        self._settings, self._taxonomy = None, None
        self._renderers.clear()
        return True

    @property
    def settings(self) -> Settings:
        """The project's settings."""
        if self._settings is None:
            self._settings = load_settings(self.project.view_root, self._notes)
        return self._settings

    @property
    def taxonomy(self) -> Taxonomy:
        """Shipped tags and the project's own."""
        if self._taxonomy is None:
            self._taxonomy = load_taxonomy(self.settings.taxonomy)
        return self._taxonomy

    @property
    def reader(self) -> CatalogReader:
        """The catalog; opened anew when its file was replaced."""
        identity = _identity(self.project.catalog)
        if self._reader is not None and identity != self._opened:
            self._reader.close()
            self._reader = None
        if self._reader is None:
            self._reader = CatalogReader(self.project.catalog)
            self._opened = identity
            self._openings += 1
        return self._reader

    def renderer(self, brief_format: str, templates: str = "") -> Renderer:
        """The renderer of a format, with templates of a folder, or else the project's own."""
        folder = templates or self.settings.brief.templates
        key = (brief_format, folder)
        if key not in self._renderers:
            overrides = self.project.view_root / folder if folder else None
            self._renderers[key] = Renderer(brief_format, overrides)
        return self._renderers[key]

    def tools(self, brief_format: str, profile: str = "", templates: str = "") -> Tools:
        """What the pipeline works with."""
        return Tools(
            reader=self.reader,
            settings=self.settings,
            taxonomy=self.taxonomy,
            profile=self.profile(profile or self.settings.ranking.profile),
            learned=self._learned,
            renderer=self.renderer(brief_format, templates),
            stale=self.is_stale,
            tick=self.clock.tick,
            lessons=self._lessons,
        )

    def profile(self, name: str) -> WeightProfile:
        """A weight profile, with the weights that `prebrief tune` adopted for this project, if it did."""
        return profile_of(name, own_weights(self.project.weights))

    @contextmanager
    def snapshot(self, deadline: Deadline | None = None) -> Iterator[None]:
        """Hold what is read of the catalog to one state of it, and every query to a deadline."""
        reader = self.reader
        reader.interrupt_when(deadline.expired if deadline else None)
        try:
            reader.begin()
            yield
        finally:
            reader.end()
            reader.interrupt_when(None)

    def learned_fingerprint(self) -> str:
        """Hash of the confidence state; ``""`` when nothing was learned."""
        return learned_fingerprint(self.project.learned)

    def state(self) -> Hashable:
        """What answers depend on beside their question, the settings and the tree.

        That is the catalog, what was learned, and the project's own weights and templates.
        """
        version = self.reader.data_version()
        read = (self.project.learned, self.project.weights, *self._templates(self.settings))
        return (self._openings, version, *map(_stamp, read))

    def is_stale(self, files: Mapping[str, FileRow]) -> bool:
        """Whether the tree has moved on since these files were indexed."""
        stale = is_stale(self.project, self.reader.meta(), files)
        self._seen_stale = self._seen_stale or stale
        return stale

    def seen_stale(self) -> bool:
        """Whether the tree has been seen to have moved on, since the last time that this was asked."""
        seen, self._seen_stale = self._seen_stale, False
        return seen

    def close(self) -> None:
        """Let go of files."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def _sources(self) -> Hashable:
        root = self.project.view_root
        templates = self._templates(self._settings) if self._settings else ()
        return tuple(map(_stamp, (root / FILE_NAME, root / "pyproject.toml", *templates)))

    def _templates(self, settings: Settings) -> tuple[Path, ...]:
        folders = {settings.brief.templates, *(role.templates for role in settings.roles.values())} - {""}
        return tuple(file for name in sorted(folders) for file in _files_in(self.project.view_root / name))

    def _notes(self) -> Mapping[str, str]:
        return self.reader.meta()

    def _lessons(self, terms: Collection[str], limit: int) -> list[PastDispatch]:
        return past_dispatches(self.project.learned, terms, limit)

    def _learned(self, ids: Collection[str]) -> Mapping[str, LearnedState]:
        return read_learned(self.project.learned, ids)


def _files_in(folder: Path) -> tuple[Path, ...]:
    try:
        return tuple(sorted(folder.iterdir()))
    except OSError:
        return ()


def _stamp(path: Path) -> tuple[int, int, int] | None:
    """What changes when a file is written or replaced; None without one."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return (stat.st_ino, stat.st_size, stat.st_mtime_ns)


def _identity(path: Path) -> tuple[int, int]:
    try:
        stat = path.stat()
    except OSError:
        return (0, 0)
    return (stat.st_dev, stat.st_ino)
