"""How far a view has moved away from its catalog: the whole tree is looked at, nothing is indexed.

Slower and surer than `knowledge.staleness`, which a dispatch can afford.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from indexer.recipe import may_have_language
from indexer.sources.decode import SkippedSource, read_source
from indexer.sources.limits import limit_of
from indexer.sources.walk import SourceFile, walk
from knowledge.catalog.rows import FileRow
from knowledge.hashing import git_blob_hash
from knowledge.project import Project
from knowledge.settings import IndexSettings


@dataclass(frozen=True, slots=True)
class Changes:
    """Paths of what an index run would look at; each sorted.

    Attributes:
        added: new files that may be indexed.
        changed: files of another content than what was looked at last.
        removed: indexed files that are gone, or are skipped now.
    """

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many files they are."""
        return len(self.added) + len(self.changed) + len(self.removed)


def changes_since(project: Project, settings: IndexSettings, known: Mapping[str, FileRow]) -> Changes:
    """Compare a view's tree with the files of its catalog.

    Args:
        project: which view.
        settings: what is indexed.
        known: the catalog's files, by path.

    Raises:
        ProjectError, GitError: the tree cannot be seen.
    """
    present = {file.path: file for file in walk(project, settings).files if may_have_language(file.path)}
    return Changes(
        added=tuple(path for path in present if path not in known),
        changed=tuple(
            path
            for path, file in present.items()
            if path in known and _has_changed(file, known[path], settings)
        ),
        removed=tuple(sorted(path for path, row in known.items() if not row.skip and path not in present)),
    )


def _has_changed(file: SourceFile, row: FileRow, settings: IndexSettings) -> bool:
    if file.is_as(row):
        return False
    if not row.blob:  # was never read: it has changed if it can be now
        return _content(file, settings) is not None
    return _content(file, settings) != row.blob


def _content(file: SourceFile, settings: IndexSettings) -> str | None:
    try:
        return git_blob_hash(read_source(file.absolute, limit_of(file.path, settings)))
    except (SkippedSource, FileNotFoundError):
        return None
