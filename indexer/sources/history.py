"""Past commits and the paths they touched, from one walk of the log.

A path's last commit is the one that ``git log -1 -- PATH`` names, found for all paths at once. One
``git log --raw`` gives every commit with its parents and what it changed against the first of them,
children before parents. Each path follows a trail from HEAD down: it ends at the first commit that changed
it; at a merge that did, it goes on along the second parent, and if it turns out there that the content was
another, the merge itself was the last to touch it (history simplification, as in git-log(1)). Crediting
whichever commit comes first in the log would be simpler, and wrong for 18 % of sympy's files, where merged
side branches had added again what was there already.

Raw records hold names and no content: the walk reads commits and trees, never a blob, and no file name
can be mistaken for anything else. Renames are not followed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise

from indexer.sources.git import Repository

# How far back one walk goes. At 45 microseconds a commit that is 3 to 4 seconds at worst, once; later
# walks take only what is new. Files that nobody touched since have no known last commit.
MAX_COMMITS = 80_000

# One commit's header. What follows, raw records and paths in turns, cannot be mistaken for one: a path
# may look like its begin, but is followed by a raw record's colon and never by a number.
_HEADER = re.compile(rb"\x01([0-9a-f]{40,64})\0([0-9]+)\0([0-9a-f ]*)\0([^\0]*)\0")
_LOG = (
    "log",
    "--date-order",  # no commit before all its children
    "--diff-merges=first-parent",  # git 2.31
    "--raw",
    "-r",
    "-z",
    "--no-abbrev",  # as they are: finding short unique names takes longer than the walk
    "--no-renames",
    "--no-color",
    "--no-show-signature",
    "--no-mailmap",
    "--encoding=UTF-8",
    "--format=%x01%H%x00%ct%x00%P%x00%B",
)


@dataclass(frozen=True, slots=True)
class Touch:
    """When a path was last touched.

    Attributes:
        commit: the commit's full object name.
        time: its committer time.
    """

    commit: str
    time: int


@dataclass(frozen=True, slots=True)
class CommitTouch:
    """A past commit and what it touched.

    Attributes:
        commit: full object name.
        time: committer time.
        parents: full object names; two or more make a merge.
        message: as written, decoded; undecodable bytes are replaced.
        paths: added, changed or deleted since the first parent; of a merge, all that it merged.
    """

    commit: str
    time: int
    parents: tuple[str, ...]
    message: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class History:
    """Who touched which path last.

    Attributes:
        touches: by path; one that is missing is unknown or, if ``incremental``, unchanged.
        incremental: whether only the commits since the given one were walked, so that what was known
            then about the other paths still holds.
    """

    touches: dict[str, Touch]
    incremental: bool = False


def last_touched(repository: Repository, paths: Iterable[str], *, since: str = "") -> History:
    """Find the last commit that touched each of ``paths``, by one walk that stops when all are found.

    Unknown stay: paths that are in no commit; those untouched for `MAX_COMMITS`; in a shallow clone those
    untouched since it was cut; in a clone without trees, all.

    Args:
        repository: where.
        paths: relative to the view's root.
        since: a commit for which the answer is known for all of ``paths``. Only what follows is walked,
            if that is enough to give the same answer as a full walk.

    Raises:
        GitError: git is missing or refused.
    """
    head = repository.head()
    if head is None or repository.lacks_trees():
        return History({})
    wanted = [os.fsencode(path) for path in paths]
    boundary = repository.shallow_boundary()
    if since and repository.is_ancestor(since):
        trails = _Trails(head.commit, wanted, boundary)
        trails.follow(_records(repository, head.commit, since, MAX_COMMITS))
        if trails.lead_only_to(since):
            return History(trails.touches(), incremental=True)
    trails = _Trails(head.commit, wanted, boundary)
    trails.follow(_records(repository, head.commit, "", MAX_COMMITS))
    return History(trails.touches())


def commits(repository: Repository, *, since: str = "", limit: int = MAX_COMMITS) -> Iterator[CommitTouch]:
    """Walk the commits reachable from HEAD, newest first; closing the iterator ends the walk.

    Commits whose parents a shallow clone has cut off are left out: what they touched is unknown.

    Args:
        repository: where; without commits, or as a partial clone without trees, it yields none.
        since: leave out this commit and all it can reach.
        limit: look at so many at most.

    Raises:
        GitError: git is missing or refused.
    """
    head = repository.head()
    if head is None or repository.lacks_trees():
        return
    boundary = repository.shallow_boundary()
    with closing(_records(repository, head.commit, since, limit)) as records:
        for record in records:
            if record.commit not in boundary:
                yield record.public()


@dataclass(frozen=True, slots=True)
class _Record:
    """One commit of the log; most are passed by, so what it changed is parsed on demand."""

    commit: str
    time: int
    parents: tuple[str, ...]
    message: bytes
    raw: bytes

    def changes(self) -> dict[bytes, bytes]:
        """Each path, with its raw record (``:modes blobs status``)."""
        fields = self.raw.removeprefix(b"\n").split(b"\0")
        return dict(zip(fields[1::2], fields[0::2], strict=False))

    def public(self) -> CommitTouch:
        return CommitTouch(
            commit=self.commit,
            time=self.time,
            parents=self.parents,
            message=self.message.decode("utf-8", "replace").strip("\n"),
            paths=tuple(os.fsdecode(path) for path in self.changes()),
        )


def _result(raw: bytes) -> bytes:
    """Mode and blob after the change."""
    _, mode, _, blob, _ = raw.split(b" ")
    return mode + blob


@dataclass(frozen=True, slots=True)
class _Merged:
    """A trail that left a merge along its second parent.

    Attributes:
        result: mode and blob that the merge gave the path.
        merge: who touched the path last, if the second parent turns out to have something else.
    """

    result: bytes
    merge: Touch


class _Trails:
    """The trail of each wanted path, by the commit it has reached."""

    def __init__(self, head: str, wanted: Iterable[bytes], boundary: frozenset[str]) -> None:
        self._at: dict[str, dict[bytes, _Merged | None]] = {head: dict.fromkeys(wanted)}
        self._boundary = boundary
        self._found: dict[bytes, Touch] = {}

    def touches(self) -> dict[str, Touch]:
        """What was found, by path, in the paths' order."""
        return {os.fsdecode(path): self._found[path] for path in sorted(self._found)}

    def lead_only_to(self, commit: str) -> bool:
        """Whether all trails that are still open have reached ``commit``, with nothing to be compared."""
        return self._at.keys() <= {commit} and not any(self._at.get(commit, {}).values())

    def follow(self, records: Generator[_Record]) -> None:
        """Follow the trails through the log until all have ended, or it ends."""
        with closing(records):
            for record in records:
                trails = self._at.pop(record.commit, None)
                if trails and record.commit not in self._boundary:
                    self._step(record, trails)
                if not self._at:
                    return

    def _step(self, record: _Record, trails: dict[bytes, _Merged | None]) -> None:
        touch = Touch(record.commit, record.time)
        turned: dict[bytes, _Merged | None] = {}
        changes = record.changes()
        for path in changes.keys() & trails.keys():
            merged, result = trails.pop(path), _result(changes[path])
            if merged and merged.result != result:
                self._found[path] = merged.merge
            elif len(record.parents) > 1:
                turned[path] = _Merged(result, touch)
            else:
                self._found[path] = touch
        if record.parents:
            self._pass_on(record.parents[0], trails)
            self._pass_on(record.parents[-1], turned)
        else:  # the path never existed on this side: the merge brought it
            self._found.update({path: merged.merge for path, merged in trails.items() if merged})

    def _pass_on(self, commit: str, trails: dict[bytes, _Merged | None]) -> None:
        if not trails:
            return
        there = self._at.get(commit, {})
        small, large = sorted((there, trails), key=len)
        large.update(small)  # no path is in both: it has one trail
        self._at[commit] = large


def _records(repository: Repository, head: str, since: str, limit: int) -> Generator[_Record]:
    revisions = (head, f"^{since}") if since else (head,)
    with closing(repository.stream(*_LOG, f"--max-count={limit}", *revisions, "--")) as stream:
        yield from _parse(stream)


def _parse(chunks: Iterable[bytes]) -> Iterator[_Record]:
    buffer = b""
    for chunk in chunks:
        buffer += chunk
        headers = list(_HEADER.finditer(buffer))
        for header, following in pairwise(headers):
            yield _record(header, buffer[header.end() : following.start()])
        if headers:
            buffer = buffer[headers[-1].start() :]
    if last := _HEADER.match(buffer):
        yield _record(last, buffer[last.end() :])


def _record(header: re.Match[bytes], raw: bytes) -> _Record:
    name, time, parents, message = header.groups()
    return _Record(name.decode("ascii"), int(time), tuple(parents.decode("ascii").split()), message, raw)
