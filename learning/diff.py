"""A unified diff, parsed: which lines were added, removed and kept, and where.

Reads what ``git diff``, ``git show``, ``git format-patch`` and ``diff -u`` write. Written here because the
library for it, unidiff, gives neither line numbers with its errors nor git's octal escapes in paths, and
its lists would have to be copied into frozen types anyway.

Source of the format: git's documentation, "Generating patch text with -p", and POSIX ``diff -u``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from knowledge.errors import DiffError

LineKind = Literal["added", "removed", "context"]
_KINDS: dict[str, LineKind] = {"+": "added", "-": "removed", " ": "context"}
_NOWHERE = "/dev/null"
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_ESCAPED = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
# git's own prefixes, and those of diff.mnemonicPrefix: commit, index, object, work tree.
_PREFIX = re.compile(r"[abciow]/")


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a hunk, without its mark and line end.

    Attributes:
        kind: added, removed, or context.
        text: the line.
        old: its number in the old file; for an added line, that of the line it follows (0 at the top).
        new: its number in the new file; for a removed line, that of the line it followed.
    """

    kind: LineKind
    text: str
    old: int
    new: int


@dataclass(frozen=True, slots=True)
class FileDiff:
    """What happened to one file.

    Attributes:
        old_path: its path before, None if it is new.
        new_path: its path after, None if it was deleted.
        binary: whether its content is not text.
        lines: the lines of all its hunks, in order.
    """

    old_path: str | None
    new_path: str | None
    binary: bool = False
    lines: tuple[DiffLine, ...] = ()

    def of_kind(self, kind: LineKind) -> Iterator[DiffLine]:
        """Its lines of one kind, in order."""
        return (line for line in self.lines if line.kind == kind)


@dataclass(frozen=True, slots=True)
class Diff:
    """A diff: its files, in the order of the text."""

    files: tuple[FileDiff, ...] = ()


def parse_diff(text: str) -> Diff:
    """Parse a unified diff. An empty one has no files.

    Prefixes (``a/``, ``b/`` …) are taken off the paths, also in a diff made without them: a top folder of
    such a name needs a diff with prefixes.

    Raises:
        DiffError: the text is no diff, is cut off, or is a combined diff of a merge; with the line.
    """
    return Diff(tuple(_Parser(text).files()))


@dataclass(slots=True)
class _Draft:
    """One file, as far as it has been read."""

    old_path: str | None
    new_path: str | None
    binary: bool
    lines: list[DiffLine]

    def freeze(self) -> FileDiff:
        return FileDiff(self.old_path, self.new_path, self.binary, tuple(self.lines))


class _Parser:
    """Walks over the lines of a diff; ``at`` is the index of the next one."""

    def __init__(self, text: str) -> None:
        # Only "\n" ends a line: a form feed or U+2028 is part of the code.
        self._lines = text.removeprefix("\ufeff").split("\n")
        if self._lines[-1] == "":
            self._lines.pop()
        self._at = 0

    def files(self) -> Iterator[FileDiff]:
        draft: _Draft | None = None
        while self._at < len(self._lines):
            line = self._lines[self._at].removesuffix("\r")
            if line.startswith(("diff --cc ", "diff --combined ", "@@@")):
                raise self._error("a combined diff of a merge cannot be used", "Give a diff of two commits")
            if line.startswith("diff --git ") or self._opens_plain_file(draft):
                if draft:
                    yield draft.freeze()
                draft = self._open(line)
            elif line.startswith("@@ "):
                self._read_hunk(draft, line)
            else:
                if draft and not draft.lines:  # what follows the hunks is the next patch's letter
                    _read_header(draft, line)
                self._at += 1
        if draft:
            yield draft.freeze()
        elif any(line.strip() for line in self._lines):
            self._at = 0
            raise self._error("this is no unified diff", "Give the output of 'git diff'")

    def _opens_plain_file(self, draft: _Draft | None) -> bool:
        """Whether a file without git's header starts here: ``---`` and ``+++``, not those of a git header."""
        return self._is_name_pair() and (draft is None or bool(draft.lines))

    def _is_name_pair(self) -> bool:
        following = self._lines[self._at : self._at + 2]
        return len(following) == 2 and following[0].startswith("--- ") and following[1].startswith("+++ ")

    def _open(self, line: str) -> _Draft:
        if line.startswith("diff --git "):
            self._at += 1
            old, new = _git_names(line.removeprefix("diff --git "))
            return _Draft(old, new, binary=False, lines=[])
        old, new = (self._lines[self._at + step][4:].removesuffix("\r") for step in (0, 1))
        self._at += 2
        return _Draft(_path(old), _path(new), binary=False, lines=[])

    def _read_hunk(self, draft: _Draft | None, line: str) -> None:
        match = _HUNK.match(line)
        if match is None:
            raise self._error("this hunk header cannot be read")
        if draft is None:
            raise self._error("a hunk without a file before it")
        old, old_left, new, new_left = (int(n) if n else 1 for n in match.groups())
        # A range of no lines names the line before it; one with lines starts at its number.
        old, new = old - (old_left > 0), new - (new_left > 0)
        header = self._at
        self._at += 1
        while old_left > 0 or new_left > 0:
            kind, text = self._body_line(header)
            old, old_left = (old + 1, old_left - 1) if kind != "added" else (old, old_left)
            new, new_left = (new + 1, new_left - 1) if kind != "removed" else (new, new_left)
            if old_left < 0 or new_left < 0:
                self._at -= 1
                raise self._error("more lines than the hunk's header says")
            draft.lines.append(DiffLine(kind, text, old, new))

    def _body_line(self, header: int) -> tuple[LineKind, str]:
        """The next line of a hunk; marks of a missing line end are passed over."""
        while self._at < len(self._lines):
            line = self._lines[self._at].removesuffix("\r")
            self._at += 1
            if line == "":  # some tools strip the blank off an empty context line
                return "context", ""
            if kind := _KINDS.get(line[0]):
                return kind, line[1:]
            if line[0] != "\\":
                self._at -= 1
                raise self._error("neither added, removed nor context, and the hunk is not complete")
        self._at = header
        raise self._error("the diff ends before this hunk is complete", "Give the whole diff")

    def _error(self, what: str, remedy: str = "Give the output of 'git diff', unchanged") -> DiffError:
        return DiffError(what, where=f"diff line {self._at + 1}", remedy=remedy)


def _read_header(draft: _Draft, line: str) -> None:
    """What one of git's extended header lines says of the file."""
    if line.startswith("--- "):
        draft.old_path = _path(line[4:])
    elif line.startswith("+++ "):
        draft.new_path = _path(line[4:])
    elif line.startswith("new file mode "):
        draft.old_path = None
    elif line.startswith("deleted file mode "):
        draft.new_path = None
    elif line.startswith(("rename from ", "copy from ")):
        draft.old_path = _unquote(line.split(" from ", 1)[1])
    elif line.startswith(("rename to ", "copy to ")):
        draft.new_path = _unquote(line.split(" to ", 1)[1])
    elif line.startswith("GIT binary patch") or (
        line.startswith("Binary files ") and line.endswith(" differ")
    ):
        draft.binary = True


def _git_names(names: str) -> tuple[str | None, str | None]:
    """The two names of a ``diff --git`` line.

    Names may hold blanks, unquoted. Where the two differ beyond their prefix, other header lines name
    them again; so only two equal names matter here.
    """
    quoted = _QUOTED.findall(names)
    if len(quoted) == 2:
        old, new = (f'"{name}"' for name in quoted)
        return _path(old), _path(new)
    middle = len(names) // 2
    old, new = names[:middle], names[middle + 1 :]
    if names[middle : middle + 1] == " " and _path(old) == _path(new):
        return _path(old), _path(new)
    old, _, new = names.partition(" ")
    return _path(old), _path(new)


def _path(name: str) -> str | None:
    """A path from a header: without time stamp, quotes and prefix; None for ``/dev/null``."""
    name = _unquote(name if name.startswith('"') else name.split("\t", 1)[0])
    if name == _NOWHERE:
        return None
    return name[2:] if _PREFIX.match(name) else name


def _unquote(name: str) -> str:
    """Undo git's quoting of names: C escapes, and octal ones for the bytes of UTF-8."""
    match = _QUOTED.match(name)
    if match is None:
        return name
    return _ESCAPE.sub(_unescape, match[1].encode()).decode("utf-8", "replace")


def _unescape(match: re.Match[bytes]) -> bytes:
    code = match[1]
    if len(code) == 3:
        return bytes([int(code, 8) & 0xFF])
    return _ESCAPED.get(code, code)
