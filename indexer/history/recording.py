"""Bringing the past commits in a catalog up to date, so that they are what a full run would find.

What a commit changed never changes: it is read from git once, and kept. Which function of today that is
changes with every edit; it is found anew for the files that have changed since (see `indexer.history.lines`),
from the hunks that are kept, in milliseconds.

The commits form a line, and the catalog has a piece of it. When HEAD has moved, what is above the place where
the old line and the new one part is forgotten, and what is new is read; at the other end, what lies beyond
the setting's number is forgotten, or read if the line has become shorter. So a commit, an amended one,
another branch, and a clone that has become shallow are all the same to it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import closing

from indexer.history.line import Link, first_parents, merged_subjects
from indexer.history.lines import follow
from indexer.history.messages import Message, read_message
from indexer.recipe import may_have_language
from indexer.runs.dating import GitState
from indexer.sources.git import Repository
from indexer.sources.patches import Patch, patches, uncommitted
from knowledge.catalog.commits import FIRST_POSITION, FileChange, NewCommit
from knowledge.catalog.postings import MAX_POSITION
from knowledge.catalog.writer import CatalogWriter
from knowledge.project import Project

# A commit that changes more files says nothing of any of them: it is kept, for its lines, and not found.
MASS_FILES = 50
NOTED = "past.head"  # in the meta table: HEAD when past commits were last looked at


def record_history(
    project: Project, state: GitState, writer: CatalogWriter, meta: Mapping[str, str], limit: int
) -> dict[str, str]:
    """Bring past commits up to date; what is to be noted in the meta table.

    Args:
        project: which view.
        state: what is checked out.
        writer: the catalog, with the files as they will be.
        meta: what it noted in the last run.
        limit: so many commits at most.

    Raises:
        GitError: git is missing or refused.
    """
    if not state.head or not limit or (repository := Repository(project.view_root)).is_partial():
        return _forget_all(writer, meta)
    moved = (state.head, state.shallow) != (meta.get(NOTED), meta.get("git_shallow"))
    if not moved and not writer.rewritten and state.index_stamp == meta.get("git_index"):
        return {}
    names = set(writer.rewritten)
    if moved:
        names |= _follow_head(repository, state.head, writer, limit)
    changes = uncommitted(repository, state.head)
    names |= writer.past.put_uncommitted(_kept(changes.values()))
    _find_functions(writer, names)
    return {NOTED: state.head, **writer.past.finish()}


def _forget_all(writer: CatalogWriter, meta: Mapping[str, str]) -> dict[str, str]:
    if meta.get(NOTED):
        writer.past.clear()
    return {NOTED: "", **writer.past.finish()}


def _follow_head(repository: Repository, head: str, writer: CatalogWriter, limit: int) -> set[str]:
    """Make the line in the catalog that of HEAD; the names of files to which that makes a difference."""
    past = writer.past
    line = first_parents(repository, head, limit, repository.shallow_boundary())
    known = past.positions()
    new = next((number for number, link in enumerate(line) if link.commit in known), len(line))
    top = known[line[new].commit] + new if new < len(line) else FIRST_POSITION
    if new == len(line) or top > MAX_POSITION or top - len(line) < 0:
        past.clear()
        return _read(repository, writer, line, FIRST_POSITION)
    low = max(min(known.values()), top - len(line) + 1)
    names = past.forget(low, top - new)
    names |= _read(repository, writer, line[:new], top)
    older = _read(repository, writer, line[top - low + 1 :], low - 1)
    return names | past.names_of(older) | older


def _read(repository: Repository, writer: CatalogWriter, links: list[Link], top: int) -> set[str]:
    """Put a piece of the line, of which the newest has this position; the names of the files it changed."""
    names: set[str] = set()
    if not links:
        return names
    merged = merged_subjects(repository, links)
    with closing(patches(repository, links[0].commit, len(links))) as found:
        for position, patch in zip(range(top, top - len(links), -1), found, strict=False):
            commit = _commit(patch, merged.get(patch.commit, ()))
            writer.past.add(position, commit)
            names.update(name for change in commit.changes for name in (change.path, change.before) if name)
    return names


def _commit(patch: Patch, merged: Sequence[str]) -> NewCommit:
    changes = _kept(patch.changes.values())
    is_told = changes and patch.files <= MASS_FILES
    message = read_message(patch.message, patch.author, merged) if is_told else Message()
    return NewCommit(patch.commit, patch.time, message.subject, message.terms, patch.size, changes)


def _kept(changes: Iterable[FileChange]) -> tuple[FileChange, ...]:
    """Those of files that may be indexed, by their names; by path."""
    kept = (change for change in changes if may_have_language(change.path))
    return tuple(sorted(kept, key=lambda change: change.path))


def _find_functions(writer: CatalogWriter, names: Collection[str]) -> None:
    if not names:
        return
    past = writer.past
    past.release(names)
    for path in past.files():
        if path in names:
            past.claim(path, follow(past.units(path), past.trail(path)))
