"""The line of first parents from HEAD down, and what side branches brought into it."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from indexer.sources.git import Repository

MAX_SUBJECTS = 20  # of the commits that one merge brought
MAX_SUBJECT = 200  # bytes of each
_SIDE = (
    *("log", "--topo-order", "-z", "--no-show-signature", "--no-mailmap", "--encoding=UTF-8"),
    "--format=%H%x01%ct%x01%P%x01%s",
)


@dataclass(frozen=True, slots=True)
class Link:
    """A commit on the line: its full object name, and its parents'."""

    commit: str
    parents: tuple[str, ...]


def first_parents(repository: Repository, head: str, limit: int, boundary: frozenset[str]) -> list[Link]:
    """The line of first parents, newest first; it ends before a commit whose parents a shallow clone lacks.

    Raises:
        GitError: git is missing or refused.
    """
    listed = repository.run(
        *(
            "log",
            "--first-parent",
            "--no-show-signature",
            "--format=%H %P",
            f"--max-count={limit}",
            head,
            "--",
        )
    )
    line: list[Link] = []
    for row in listed.decode("ascii").splitlines():
        commit, *parents = row.split()
        if commit in boundary:
            break
        line.append(Link(commit, tuple(parents)))
    return line


def merged_subjects(repository: Repository, links: Sequence[Link]) -> dict[str, list[str]]:
    """By merge, the subjects of the commits that it brought: up to `MAX_SUBJECTS`, the newest first.

    Args:
        repository: where.
        links: a piece of the line.

    Raises:
        GitError: git is missing or refused.
    """
    merges = [link for link in links if len(link.parents) > 1]
    if not merges:
        return {}
    order = {link.commit: number for number, link in enumerate(links)}
    owners: dict[str, int] = {}  # by commit that is still to come: the oldest on the line that brought it
    brought: dict[str, list[tuple[int, str, str]]] = {merge.commit: [] for merge in merges}
    base = links[-1].parents[:1]
    for commit, time, parents, subject in _side_log(repository, merges[0].commit, base):
        number = order.get(commit)
        owner = owners.pop(commit, None)
        if number is None and owner is not None:
            _keep(brought[links[owner].commit], (time, commit, subject))
        side = parents[1:] if number is not None else parents
        for parent in side:
            reached = number if number is not None else owner
            if reached is not None and parent not in order:
                owners[parent] = max(owners.get(parent, reached), reached)
    return {commit: [one[2] for one in sorted(found, reverse=True)] for commit, found in brought.items()}


def _keep(heap: list[tuple[int, str, str]], one: tuple[int, str, str]) -> None:
    if len(heap) < MAX_SUBJECTS:
        heapq.heappush(heap, one)
    else:
        heapq.heappushpop(heap, one)


def _side_log(
    repository: Repository, start: str, base: tuple[str, ...]
) -> Iterator[tuple[str, int, tuple[str, ...], str]]:
    revisions = (start, *(f"^{commit}" for commit in base))
    with closing(repository.stream(*_SIDE, *revisions, "--")) as chunks:
        rest = b""
        for chunk in chunks:
            *rows, rest = (rest + chunk).split(b"\0")
            for row in rows:
                commit, time, parents, subject = row.split(b"\x01", 3)
                text = subject[:MAX_SUBJECT].decode("utf-8", "replace")
                yield commit.decode("ascii"), int(time), tuple(parents.decode("ascii").split()), text
