"""From a file's bytes to its text, or the reason why it has none worth indexing."""

from __future__ import annotations

import codecs
import errno
import os
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from indexer.sources.walk import SkipReason
from knowledge.errors import SourceError

BINARY_HEAD = 8000  # bytes that are searched for NUL: as many as git looks at (buffer_is_binary)
# Share of control characters above which a head without NUL is no text. A few form feeds (GNU style),
# escape sequences in a test's expected output or a stray ^Z are text.
MAX_CONTROL_SHARE = 0.05
# A bundler's output has lines of thousands of characters, people's style sheets and scripts average 20
# to 60. Small files are spared: one long line of data in a short script says nothing.
MINIFIED_MIN_BYTES = 8 * 1024
MINIFIED_MEAN_LINE = 400
MINIFIABLE = frozenset({".js", ".mjs", ".cjs", ".jsx", ".css"})
# What tells a bundler's lines from a line of data that a person has put into a script: statements. Of 21
# minified files in public repositories the sparsest has one of these in every 126 bytes, a table has none.
STATEMENT_SPAN = 400
STATEMENT_MARKS = (b";", b"=>", b"function", b"return")

# UTF-32 first: its little-endian mark begins with UTF-16's.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROLS = bytes(c for c in range(32) if c not in b"\t\n\f\r\x1b") + b"\x7f"
_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")  # PEP 263
_PYTHON = frozenset({".py", ".pyi", ".pyw"})
# Codecs a coding line may name: those of text that is ASCII below 128. Python knows others (utf-7,
# unicode_escape, punycode), whose output SQLite refuses or whose decoders are quadratic.
_DECLARABLE = ("utf-8", "ascii", "iso8859", "cp", "koi8", "mac", "euc", "gb", "big5", "shift_jis", "johab")
_FALLBACK = "cp1252"  # what Windows wrote for decades, and latin-1 but for C1 controls that no text has
_LONE_RETURN = re.compile(r"\r(?!\n)")

_REMEDY = "Correct the file, or name it in index.exclude"
_REMEDIES = {
    SkipReason.TOO_LARGE: "Raise index.max_file_bytes or index.max_data_bytes, or name it in index.exclude",
    SkipReason.GENERATED: "Raise index.max_generated_bytes, or name it in index.exclude",
    SkipReason.CLASSIFIED: "Change index.exclude_classification if it may be indexed",
}
ON_PURPOSE = frozenset(
    {
        *(SkipReason.BINARY, SkipReason.MINIFIED, SkipReason.GENERATED, SkipReason.SYMLINK),
        SkipReason.CLASSIFIED,
    }
)


class SkippedSource(SourceError):
    """A file that is not indexed, with the reason it is counted under.

    Args:
        skip: the reason.
        what: what happened, one sentence without a full stop.
        where: the file.
    """

    def __init__(self, skip: SkipReason, what: str, *, where: str) -> None:
        super().__init__(what, where=where, remedy=_REMEDIES.get(skip, _REMEDY))
        self.skip = skip

    @property
    def on_purpose(self) -> bool:
        """Whether there is nothing to correct: such files are meant to be left out."""
        return self.skip in ON_PURPOSE


@dataclass(frozen=True, slots=True)
class Decoded:
    r"""A file's text.

    Attributes:
        text: without byte order mark and NUL; line ends are ``\n`` or ``\r\n`` as in the file.
        encoding: the codec it was read with.
        note: what was guessed or replaced, for a warning; mostly empty.
    """

    text: str
    encoding: str
    note: str = ""


def read_source(path: str | Path, limit: int) -> bytes:
    """Read a regular file of at most ``limit`` bytes; links and pipes are never followed or waited for.

    Raises:
        FileNotFoundError: it has vanished since the walk.
        SkippedSource: it cannot be read, has become a symbolic link, or has grown above the limit.
    """
    try:
        with open(path, "rb", opener=_open_here) as file:
            data = file.read(limit + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise FileNotFoundError(errno.ENOENT, "vanished", str(path)) from None
    except OSError as error:
        skip = SkipReason.SYMLINK if error.errno == errno.ELOOP else SkipReason.UNREADABLE
        raise SkippedSource(skip, f"cannot be read: {error.strerror}", where=str(path)) from None
    if len(data) > limit:
        raise SkippedSource(SkipReason.TOO_LARGE, f"larger than {limit} bytes", where=str(path))
    return data


def _open_here(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def decode(data: bytes, path: str) -> Decoded:
    r"""Turn a file's bytes into text.

    A byte order mark decides; then, in Python files, the coding line (PEP 263); then UTF-8; and what is
    none of these but looks like text is read as Windows-1252. Line ends stay as they are, but for the
    lone carriage returns of old Macs, which become ``\n``.

    Args:
        data: the whole file.
        path: names it in errors; its suffix decides whether a coding line or minification is looked for.

    Raises:
        SkippedSource: it is binary, minified, or not what its byte order mark promises.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _finished(_decode_marked(data[len(mark) :], encoding, path), encoding)
    if _is_binary(data[:BINARY_HEAD]):
        raise SkippedSource(SkipReason.BINARY, "not text", where=path)
    suffix = PurePosixPath(path).suffix.lower()
    if suffix in MINIFIABLE and _is_minified(data, suffix):
        raise SkippedSource(SkipReason.MINIFIED, "minified", where=path)
    declared = _decode_declared(data) if suffix in _PYTHON else None
    return declared or _decode_guessed(data)


def _decode_marked(data: bytes, encoding: str, path: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        raise SkippedSource(
            SkipReason.ENCODING, f"its byte order mark says {encoding}, its content does not", where=path
        ) from None


def _decode_declared(data: bytes) -> Decoded | None:
    for line in data.split(b"\n", 2)[:2]:
        if match := _CODING.match(line):
            try:
                name = codecs.lookup(match[1].decode("ascii")).name
                return _finished(data.decode(name), name) if name.startswith(_DECLARABLE) else None
            except (LookupError, UnicodeError):  # unknown, or not what is there
                return None
    return None


def _decode_guessed(data: bytes) -> Decoded:
    try:
        return _finished(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return _finished(data.decode(_FALLBACK, "replace"), _FALLBACK, f"not UTF-8; read as {_FALLBACK}")


def _finished(text: str, encoding: str, note: str = "") -> Decoded:
    if "\0" in text:  # beyond the head; SQLite's and C parsers' strings end at it
        text = text.replace("\0", "\N{REPLACEMENT CHARACTER}")
        note = note or "NUL characters replaced"
    if "\r" in text:
        text = _LONE_RETURN.sub("\n", text)
    return Decoded(text, encoding, note)


def _is_binary(head: bytes) -> bool:
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return b"\0" in head or controls > MAX_CONTROL_SHARE * len(head)


def _is_minified(data: bytes, suffix: str) -> bool:
    if len(data) < MINIFIED_MIN_BYTES or len(data) <= MINIFIED_MEAN_LINE * (data.count(b"\n") + 1):
        return False
    if suffix == ".css":  # has no long lines of data but those of a bundler
        return True
    lines = [line for line in data.split(b"\n") if len(line) > MINIFIED_MEAN_LINE]
    marks = sum(line.count(mark) for line in lines for mark in STATEMENT_MARKS)
    return marks * STATEMENT_SPAN >= sum(map(len, lines))
