"""Past commits with the lines they changed, read from a stream of patches.

``git log --raw -p -U0 -z`` gives of each commit a header, then one raw record for each changed file (its
status and its names, NUL-separated, as they are), then the patches. Of those, only where hunks begin and end
is kept. What belongs to a patch's content begins with ``+``, ``-``, a blank or a backslash, so that a line
that begins with ``@@``, ``diff --git`` or NUL is never content, whatever the files hold.

Only one piece of the stream is in memory at a time, however large a patch is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from indexer.sources.git import Repository
from indexer.sources.pieces import Exhausted, Pieces
from knowledge.catalog.commits import FileChange
from knowledge.errors import GitError

MAX_MESSAGE = 16 * 1024  # bytes; what a message says after that is not said to anybody
MAX_FIELD = 64 * 1024  # bytes of any other field; paths have 4,096 at the most
MAX_FILES = 20_000  # of one commit; one that changes more is too large for any room
MAX_HUNKS = 2_000  # of one file in one commit: it was written anew
HUNK = 4  # numbers of a hunk
MAX_LINE = 65_535  # the last line that a hunk can name: what is longer is data
# What a commit counts for of which an object is missing: each takes a start of git.
UNREADABLE_SIZE = 2 * 1024 * 1024

# Files that are never indexed and change much: not to compare them halves the time in a translated project.
NOT_COMPARED = (
    *("po", "pot", "mo", "svg", "map", "lock", "snap", "csv", "xml", "html", "css", "scss", "less"),
    *("patch", "diff"),
)
_EXCLUDED = tuple(f":(exclude)*.{suffix}" for suffix in NOT_COMPARED)
# A file of more bytes is none that somebody edits by hand; git takes it for binary then, without a patch.
_CONFIG = ("core.bigFileThreshold=1m",)
# From within the folder of git itself no .gitattributes is read: what a commit changed must not depend on
# what today's tree says about it. Git may be set not to look at such a folder unless it is named.
_BARE_CONFIG = (*_CONFIG, "safe.bareRepository=all", f"core.attributesFile={os.devnull}")

_RAW = ("--raw", "-z", "--no-abbrev", "--no-relative", "--no-color", "--ignore-submodules=all")
_PATCH = (
    *("-p", "-U0", "--inter-hunk-context=0", "--src-prefix=a/", "--dst-prefix=b/", "--no-ext-diff"),
    *("--find-renames", "-l400", "--diff-algorithm=myers", "--indent-heuristic", "--no-textconv"),
)
_LOG = (
    *("log", "--first-parent", "--sparse", "--diff-merges=first-parent"),  # sparse: also what changed no file
    *("--no-show-signature", "--no-mailmap", "--no-notes", "--encoding=UTF-8"),
    "--format=%x01%H%x00%ct%x00%an%x00%B%x00",
)
_ANCHOR = re.compile(
    rb"\n(?:"
    rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@"
    rb"|--- [^\n]*\n\+\+\+ ([^\n]*)(?=\n@@ )"
    rb"|(diff --git )"
    rb"|((?=\0?\x01))"
    rb")"
)
_PATH, _NEXT_FILE, _NEXT_COMMIT = 5, 6, 7  # groups
_LINES_OF_ANCHOR = 4  # newlines that follow the begin of a whole anchor
_ESCAPE = re.compile(rb"\\([abfnrtv\"\\]|[0-7]{3})")
_ESCAPED = dict(zip(b'abfnrtv"\\', b'\a\b\f\n\r\t\v"\\', strict=True))


_IsWanted = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Patch:
    """One commit, compared with its first parent.

    Attributes:
        commit: full object name.
        time: committer time.
        author: the author's name.
        message: as written, up to `MAX_MESSAGE`; undecodable bytes are replaced.
        changes: by path, of wanted files only.
        size: bytes of the patch, or `UNREADABLE_SIZE`.
    """

    commit: str
    time: int
    author: str
    message: str
    changes: tuple[FileChange, ...]
    size: int


def patches(
    repository: Repository, commits: Sequence[str], is_wanted: _IsWanted, room: int
) -> Generator[Patch]:
    """What commits changed that follow each other on a line of first parents, the newest first.

    It ends before the first one of which not even the trees can be read. Where only the content of a file is
    missing, the commit's files are told, without hunks.

    Args:
        repository: where; of git's own folder.
        commits: full object names.
        is_wanted: whether a file is told, by its path.
        room: bytes that all patches may have together.

    Raises:
        Exhausted: there is no room for the next one.
    """
    done = 0
    while done < len(commits):
        try:
            for patch in _stream(repository, commits[done:], is_wanted, room):
                room -= patch.size
                done += 1
                yield patch
            return
        except GitError:
            found = _unreadable(repository, commits[done], is_wanted)
        if found is None:
            return
        if found.size > room:
            raise Exhausted
        room -= found.size
        done += 1
        yield found


def uncommitted(repository: Repository, commit: str, is_wanted: _IsWanted) -> tuple[FileChange, ...]:
    """What the worktree has changed since a commit, by path; of what git tracks.

    Where the commit's own content of a file is missing, all are told without hunks.

    Raises:
        GitError: git is missing or refused.
    """
    try:
        return _compared(repository, is_wanted, "diff", *_RAW, *_PATCH, commit)
    except GitError:  # `diff-index` looks into no file
        changes = _compared(repository, is_wanted, "diff-index", *_RAW, "--no-renames", commit)
        return _without_hunks(changes)


def _compared(repository: Repository, is_wanted: _IsWanted, *command: str) -> tuple[FileChange, ...]:
    arguments = (*command, "--", *_EXCLUDED)
    with closing(repository.stream(*arguments, config=_CONFIG)) as chunks:
        pieces = Pieces(chunks)
        changes, _ = _changes(pieces, is_wanted)
        pieces.require_whole()
        return changes


def _without_hunks(changes: tuple[FileChange, ...]) -> tuple[FileChange, ...]:
    for change in changes:
        change.hunks = None
    return changes


def _stream(
    repository: Repository, commits: Sequence[str], is_wanted: _IsWanted, room: int
) -> Generator[Patch]:
    arguments = (*_LOG, *_RAW, *_PATCH, f"--max-count={len(commits)}", commits[0], "--", *_EXCLUDED)
    with closing(repository.stream(*arguments, config=_BARE_CONFIG)) as chunks:
        pieces, patch = Pieces(chunks), None
        while pieces.passes(b"\x01"):
            if patch is not None:  # whole, since another follows
                yield patch
            patch = _patch(pieces, is_wanted, room)
            room -= patch.size
        pieces.require_whole()
        if patch is not None:
            yield patch


def _unreadable(repository: Repository, commit: str, is_wanted: _IsWanted) -> Patch | None:
    """A commit whose files cannot be compared; None if its trees cannot, either."""
    arguments = (*_LOG, *_RAW, "--no-renames", "--max-count=1", commit, "--", *_EXCLUDED)
    try:
        with closing(repository.stream(*arguments, config=_BARE_CONFIG)) as chunks:
            pieces = Pieces(chunks)
            patch = _patch(pieces, is_wanted, UNREADABLE_SIZE) if pieces.passes(b"\x01") else None
            pieces.require_whole()
    except GitError:
        return None
    if patch is None:
        return None
    return replace(patch, changes=_without_hunks(patch.changes), size=UNREADABLE_SIZE)


def _patch(pieces: Pieces, is_wanted: _IsWanted, room: int) -> Patch:
    """The next commit. Raises Exhausted if there is no room for it."""
    pieces.limit = None
    fields = [pieces.until_nul(most) for most in (MAX_FIELD, MAX_FIELD, MAX_FIELD, MAX_MESSAGE)]
    commit, time, author, message = (field.decode("utf-8", "replace") for field in fields)
    began = pieces.place
    pieces.limit = began + room
    changes, has_patch = _changes(pieces, is_wanted)
    size = pieces.place - began if has_patch else 0
    if size > room:
        raise Exhausted
    return Patch(commit, int(time or 0), author, message, changes, size)


def _changes(pieces: Pieces, is_wanted: _IsWanted) -> tuple[tuple[FileChange, ...], bool]:
    """What changed, by path, and whether a patch told more of it than the names."""
    changes: dict[str, FileChange] = {}
    while pieces.passes(b":"):
        for change in _record(pieces):
            if is_wanted(change.path) and not (change.is_deleted and change.path in changes):
                changes[change.path] = change
        if len(changes) > MAX_FILES:
            raise Exhausted
    has_patch = pieces.stands_at(b"d") or pieces.stands_at(b"*")
    if has_patch:
        _read_hunks(pieces, changes)
    return tuple(changes[path] for path in sorted(changes)), has_patch


def _record(pieces: Pieces) -> Iterator[FileChange]:
    """What one raw record says; nothing of names that are no UTF-8: no such file is indexed."""
    status = pieces.until_nul(MAX_FIELD).rpartition(b" ")[2][:1]
    names = [_decoded(pieces.until_nul(MAX_FIELD)) for _ in range(2 if status in b"RC" else 1)]
    before, path = names[0], names[-1]
    if path is not None:
        is_new = status in b"ACT"  # of another type is another file
        yield FileChange(path, None if is_new else before, is_deleted=status == b"D")
    if before is not None and before != path:
        yield FileChange(before, before, is_deleted=True)


def _decoded(name: bytes) -> str | None:
    try:
        return name.decode()
    except UnicodeDecodeError:
        return None


def _read_hunks(pieces: Pieces, changes: dict[str, FileChange]) -> None:
    """Add the hunks of a commit's patches to its changes."""
    change: FileChange | None = None
    is_head = True  # whether the patch's own lines are next, and not content
    for anchor in pieces.matches(_ANCHOR, _LINES_OF_ANCHOR):
        if anchor[_NEXT_COMMIT] is not None:
            return
        if anchor[_NEXT_FILE] is not None:
            change, is_head = None, True
        elif anchor[_PATH] is None:
            _add_hunk(change, anchor)
        elif is_head:
            change, is_head = changes.get(_path(anchor[_PATH])), False


def _add_hunk(change: FileChange | None, anchor: re.Match[bytes]) -> None:
    if change is None or change.hunks is None:
        return
    hunk = [1 if number is None else int(number) for number in anchor.groups()[:HUNK]]
    is_beyond = max(hunk[0] + hunk[1], hunk[2] + hunk[3]) > MAX_LINE
    if is_beyond or len(change.hunks) >= HUNK * MAX_HUNKS:
        change.hunks = None
    else:
        change.hunks.extend(hunk)


def _path(written: bytes) -> str:
    """The path in a patch's ``+++`` line: quoted like a string of C where it holds what needs to be."""
    name = written.removesuffix(b"\t")
    if name.startswith(b'"'):
        name = _ESCAPE.sub(_unescaped, name[1:-1])
    return name.removeprefix(b"b/").decode("utf-8", "replace")


def _unescaped(match: re.Match[bytes]) -> bytes:
    code = match[1]
    return bytes([int(code, 8) if len(code) > 1 else _ESCAPED[code[0]]])
