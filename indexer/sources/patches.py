"""Past commits with the lines they changed, read from a stream of patches.

``git log --raw -p -U0 -z`` gives of each commit a header, then one raw record for each changed file (its
status and its names, NUL-separated, as they are), then the patches. Of those, only where hunks begin and end
is kept. What belongs to a patch's content begins with ``+``, ``-``, a blank or a backslash, so that a line
that begins with ``@@``, ``diff --git`` or NUL is never content, whatever the files hold.

Only one piece of the stream is in memory at a time, however large a patch is.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass

from indexer.sources.git import Repository
from knowledge.catalog.commits import FileChange

MAX_MESSAGE = 64 * 1024  # bytes; what a message says after that is not said to anybody
MAX_FIELD = 64 * 1024  # bytes of any other field; paths have 4,096 at the most
MAX_FILES = 20_000  # changed files of one commit that are listed
MAX_HUNKS = 2_000  # of one file in one commit: it was written anew
HUNK = 4  # numbers of a hunk
MAX_LINE = 65_535  # the last line that a hunk can name: what is longer is data
# A file of more bytes is no source that somebody edits by hand, and is compared as binary, which is: not.
_CONFIG = ("core.bigFileThreshold=1m",)

_DIFF = (
    *(
        "--raw",
        "-p",
        "-z",
        "-U0",
        "--no-abbrev",
        "--inter-hunk-context=0",
        "--src-prefix=a/",
        "--dst-prefix=b/",
    ),
    *("--find-renames", "-l400", "--diff-algorithm=myers", "--indent-heuristic", "--ignore-submodules=all"),
    *("--no-ext-diff", "--no-textconv", "--no-color", "--no-relative"),
)
_LOG = (
    *("log", "--first-parent", "--diff-merges=first-parent"),
    *("--no-show-signature", "--no-mailmap", "--no-notes", "--encoding=UTF-8"),
    "--format=%x01%H%x00%ct%x00%P%x00%an%x00%B%x00",
    *_DIFF,
)
_ANCHOR = re.compile(
    rb"\n(?:"
    rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@"
    rb"|--- ([^\n]*)\n\+\+\+ ([^\n]*)(?=\n@@ )"
    rb"|(diff --git )"
    rb"|(\0?(?=\x01))"
    rb")"
)
_BEFORE_PATH, _AFTER_PATH, _NEXT_FILE, _NEXT_COMMIT = 5, 6, 7, 8  # groups
_LINES_OF_ANCHOR = 4  # newlines that follow the begin of a whole anchor
_ESCAPE = re.compile(rb"\\([abfnrtv\"\\]|[0-7]{3})")
_ESCAPED = dict(zip(b'abfnrtv"\\', b'\a\b\f\n\r\t\v"\\', strict=True))


@dataclass(frozen=True, slots=True)
class Patch:
    """One commit, compared with its first parent.

    Attributes:
        commit: full object name.
        time: committer time.
        parents: full object names.
        author: the author's name.
        message: as written, up to `MAX_MESSAGE`; undecodable bytes are replaced.
        changes: by path; names that are no UTF-8 are left out.
        files: how many files it changed, whatever they are called; counted up to `MAX_FILES` + 1.
        size: bytes of the patch.
    """

    commit: str
    time: int
    parents: tuple[str, ...]
    author: str
    message: str
    changes: dict[str, FileChange]
    files: int
    size: int


def patches(repository: Repository, start: str, limit: int) -> Generator[Patch]:
    """The commits on the line of first parents from ``start`` on, newest first.

    Raises:
        GitError: git is missing or refused, an object is missing.
    """
    with closing(repository.stream(*_LOG, f"--max-count={limit}", start, "--", config=_CONFIG)) as chunks:
        pieces = _Pieces(chunks)
        while pieces.passes(b"\x01"):
            yield _patch(pieces)


def uncommitted(repository: Repository, commit: str) -> dict[str, FileChange]:
    """What the worktree has changed since a commit, by path; of what git tracks.

    Raises:
        GitError: git is missing or refused.
    """
    with closing(repository.stream("diff", *_DIFF, commit, "--", config=_CONFIG)) as chunks:
        return _changes(_Pieces(chunks))[0]


class _Pieces:
    """A stream of bytes, read from its front."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._buffer = b""
        self._at = 0
        self._before = 0  # bytes that are no longer in the buffer
        self._is_whole = False  # whether nothing follows the buffer

    @property
    def place(self) -> int:
        """How many bytes were read."""
        return self._before + self._at

    def passes(self, wanted: bytes) -> bool:
        """Whether the next byte that is neither NUL nor a line feed is this one, which is then behind."""
        while True:
            while self._at < len(self._buffer) and self._buffer[self._at] in b"\0\n":
                self._at += 1
            if self._at < len(self._buffer):
                is_next = self._buffer.startswith(wanted, self._at)
                self._at += is_next
                return is_next
            if not self._more():
                return False

    def stands_at(self, wanted: bytes) -> bool:
        """Whether this byte is next."""
        return self._buffer.startswith(wanted, self._at)

    def until_nul(self, most: int) -> bytes:
        """What stands before the next NUL, which is then behind, and of that the first so many bytes."""
        kept = b""
        while True:
            end = self._buffer.find(b"\0", self._at)
            found = self._buffer[self._at : end if end >= 0 else len(self._buffer)]
            kept += found[: most - len(kept)]
            self._at += len(found)
            if end >= 0:
                self._at += 1
                return kept
            if not self._more():
                return kept

    def anchors(self) -> Iterator[re.Match[bytes]]:
        """All anchors up to the next commit, whose header is then next."""
        while True:
            hold = len(self._buffer) if self._is_whole else self._hold()
            for match in _ANCHOR.finditer(self._buffer, self._at):
                if match.start() >= hold:
                    break
                self._at = match.end()
                if match[_NEXT_COMMIT] is not None:
                    return
                yield match
            self._at = max(self._at, hold)
            if self._is_whole:
                return
            self._more()

    def _hold(self) -> int:
        """From where on an anchor may not be whole yet."""
        end = len(self._buffer)
        for _ in range(_LINES_OF_ANCHOR):
            end = self._buffer.rfind(b"\n", self._at, end)
            if end < 0:
                return self._at
        return end

    def _more(self) -> bool:
        chunk = next(self._chunks, b"")
        self._is_whole = not chunk
        self._before += self._at
        self._buffer = self._buffer[self._at :] + chunk
        self._at = 0
        return bool(chunk)


def _patch(pieces: _Pieces) -> Patch:
    fields = [pieces.until_nul(most) for most in (*(MAX_FIELD,) * 4, MAX_MESSAGE)]
    commit, time, parents, author, message = (field.decode("utf-8", "replace") for field in fields)
    began = pieces.place
    changes, files = _changes(pieces)
    return Patch(
        commit, int(time), tuple(parents.split()), author, message, changes, files, pieces.place - began
    )


def _changes(pieces: _Pieces) -> tuple[dict[str, FileChange], int]:
    changes: dict[str, FileChange] = {}
    files = 0
    while pieces.passes(b":"):
        files += 1
        if (change := _record(pieces)) is not None and files <= MAX_FILES:
            _keep(changes, change)
    if files and not pieces.stands_at(b"\x01"):
        _read_hunks(pieces, changes)
    return changes, files


def _record(pieces: _Pieces) -> FileChange | None:
    """One raw record; None where a name is no UTF-8: no such file is indexed."""
    status = pieces.until_nul(MAX_FIELD).rpartition(b" ")[2][:1]
    names = [pieces.until_nul(MAX_FIELD) for _ in range(2 if status in b"RC" else 1)]
    try:
        before, path = names[0].decode(), names[-1].decode()
    except UnicodeDecodeError:
        return None
    is_new = status in b"ACT"  # of another type is another file
    return FileChange(path, None if is_new else before, status == b"D")


def _keep(changes: dict[str, FileChange], change: FileChange) -> None:
    changes[change.path] = change
    if change.before is not None and change.before != change.path:
        changes.setdefault(change.before, FileChange(change.before, change.before, is_deleted=True))


def _read_hunks(pieces: _Pieces, changes: dict[str, FileChange]) -> None:
    change: FileChange | None = None
    is_head = True  # whether the patch's own lines are next, and not content
    for anchor in pieces.anchors():
        if anchor[_NEXT_FILE] is not None:
            change, is_head = None, True
        elif anchor[_AFTER_PATH] is None:
            _add_hunk(change, anchor)
        elif is_head:
            change, is_head = changes.get(_path(anchor[_AFTER_PATH], b"b/")), False


def _add_hunk(change: FileChange | None, anchor: re.Match[bytes]) -> None:
    if change is None or change.hunks is None:
        return
    hunk = [1 if number is None else int(number) for number in anchor.groups()[:HUNK]]
    if len(change.hunks) >= HUNK * MAX_HUNKS or hunk[0] + hunk[1] > MAX_LINE or hunk[2] + hunk[3] > MAX_LINE:
        change.hunks = None
    else:
        change.hunks.extend(hunk)


def _path(written: bytes, prefix: bytes) -> str:
    """The path in a patch's ``+++`` line: quoted like a string of C where it holds what needs to be."""
    name = written.removesuffix(b"\t")
    if name.startswith(b'"'):
        name = _ESCAPE.sub(_unescaped, name[1:-1])
    return name.removeprefix(prefix).decode("utf-8", "replace")


def _unescaped(match: re.Match[bytes]) -> bytes:
    code = match[1]
    return bytes([int(code, 8) if len(code) > 1 else _ESCAPED[code[0]]])
