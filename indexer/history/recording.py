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

from collections.abc import Collection, Mapping, Sequence
from contextlib import closing

from indexer.history.line import Link, first_parents, merged_subjects
from indexer.history.lines import follow
from indexer.history.messages import Message, read_message
from indexer.recipe import may_have_language
from indexer.runs.dating import GitState
from indexer.sources.git import Repository
from indexer.sources.patches import Patch, patches, uncommitted
from indexer.sources.pieces import Exhausted
from knowledge.catalog.commit_writer import NewCommit, PastWriter
from knowledge.catalog.commits import FIRST_POSITION
from knowledge.catalog.postings import MAX_POSITION
from knowledge.catalog.writer import CatalogWriter
from knowledge.project import Project

# A commit that changes more files says nothing of any of them: it is kept, for its lines, and not found.
MASS_FILES = 50
# Bytes of patches that are read for all commits together, from the newest on: some five seconds of git's.
MAX_BYTES = 128 * 1024 * 1024
# In the meta table: HEAD when past commits were last looked at, and why there are none. Not part of what the
# catalog says: the commit for which there was no room, and how much there was.
NOTED, NOTE, _TOO_LARGE = "past.head", "past.note", "git_past_end"
PARTIAL = "a partial clone: what past commits changed would have to be downloaded"


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
    is_same = (state.head, state.shallow) == (meta.get(NOTED), meta.get("git_shallow"))
    if is_same and not writer.rewritten and state.index_stamp == meta.get("git_index"):
        return {}
    repository = Repository(project.view_root)
    if project.git_dir is None or not state.head or not limit:
        return _forget_all(writer, meta, "")
    if repository.is_partial():
        return _forget_all(writer, meta, PARTIAL)
    names, end = set(writer.rewritten), meta.get(_TOO_LARGE, "")
    if not is_same:
        line = first_parents(repository, state.head, limit, repository.shallow_boundary())
        found, end = _Line(Repository(project.git_dir), line, writer.past).settle(end)
        names |= found
    names |= writer.past.put_uncommitted(uncommitted(repository, state.head, may_have_language))
    _find_functions(writer, names)
    return {NOTED: state.head, NOTE: "", _TOO_LARGE: end, **writer.past.finish()}


def _forget_all(writer: CatalogWriter, meta: Mapping[str, str], note: str) -> dict[str, str]:
    if meta.get(NOTED):
        writer.past.clear()
    return {NOTED: "", NOTE: note, _TOO_LARGE: "", **writer.past.finish()}


def _find_functions(writer: CatalogWriter, names: Collection[str]) -> None:
    """Find anew what was touched in the files of these names."""
    if not names:
        return
    past = writer.past
    past.release(names)
    for path in past.files():
        if path in names:
            past.claim(path, follow(past.units(path), past.trail(path)))


class _Line:
    """The line of first parents, and what of it the catalog has.

    Args:
        repository: git's own folder.
        links: the line from HEAD on, newest first.
        past: the catalog.
    """

    def __init__(self, repository: Repository, links: Sequence[Link], past: PastWriter) -> None:
        self._repository = repository
        self._links = links
        self._past = past
        self._end = ""  # the commit for which there was no room, and how much there was
        known = past.positions()
        self._new = next((at for at, link in enumerate(links) if link.commit in known), len(links))
        shared = links[self._new : self._new + len(known)]
        self._top = known[shared[0].commit] + self._new if shared else FIRST_POSITION
        lowest = min(known.values(), default=0)
        continues = all(
            known.get(link.commit) == position
            for link, position in zip(shared, range(self._top - self._new, lowest - 1, -1), strict=False)
        )
        if not continues or not len(links) <= self._top <= MAX_POSITION:
            self._new, self._top = len(links), FIRST_POSITION

    def settle(self, end: str) -> tuple[set[str], str]:
        """Make what the catalog has this line.

        Args:
            end: what the last call returned as its second.

        Returns:
            The names of files to which that makes a difference, and what is to be noted for the next call.
        """
        past, top = self._past, self._top
        self._end = end
        names = past.forget(top - len(self._links) + 1, top - self._new)
        names |= self._read(0, self._new, MAX_BYTES)
        low, room = past.trim(top, MAX_BYTES)
        at = top - low + 1  # the first that the catalog has not
        if at < len(self._links) and not self._is_known_as_too_large(at, room):
            self._end = ""
            older = self._read(at, len(self._links), room)
            names |= past.names_of(older) | older
        return names, self._end

    def _is_known_as_too_large(self, at: int, room: int) -> bool:
        commit, _, room_then = self._end.partition(" ")
        return commit == self._links[at].commit and room <= int(room_then)

    def _read(self, first: int, last: int, room: int) -> set[str]:
        """Put a piece of the line into the catalog; the names of the files that it changed."""
        names: set[str] = set()
        links = self._links[first:last]
        merged = merged_subjects(self._repository, links)
        commits = [link.commit for link in links]
        try:
            with closing(patches(self._repository, commits, may_have_language, room)) as found:
                for patch in found:
                    self._past.add(self._top - first, _commit(patch, merged.get(patch.commit, ())))
                    changed = ((change.path, change.before) for change in patch.changes)
                    names.update(name for pair in changed for name in pair if name is not None)
                    room -= patch.size
                    first += 1
        except Exhausted:
            self._end = f"{self._links[first].commit} {room}"
        return names


def _commit(patch: Patch, merged: Sequence[str]) -> NewCommit:
    is_told = 0 < len(patch.changes) <= MASS_FILES
    message = read_message(patch.message, patch.author, merged) if is_told else Message()
    return NewCommit(patch.commit, patch.time, message.subject, message.terms, patch.size, patch.changes)
