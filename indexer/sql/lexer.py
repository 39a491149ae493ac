r"""SQL's text cut into statements, whatever the dialect.

A grammar of one dialect loses its way in the next (``tree-sitter-sql`` reports errors in two of five
PostgreSQL migrations, and in nearly every MySQL and T-SQL script), and what it recovers has wrong ends. Where
a statement ends hangs on a few things only, and these are known:

- comments, strings, quoted names and dollar quotes hide what is in them;
- ``;`` ends a statement, or what ``DELIMITER`` says (MySQL), or a line of ``GO`` (T-SQL) or ``/`` (Oracle);
- in the body of a routine ``;`` ends none: it runs to such a line if the file has any, else to the ``END``
  of its ``BEGIN``;
- a line that begins with ``CREATE TABLE`` and its like begins a statement, since T-SQL may leave out ``;``.
- data follow ``COPY … FROM stdin;`` up to ``\.``; lines of ``psql`` begin with ``\``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from indexer.code.source import Source, Span, within

_I = re.IGNORECASE
_MI = re.IGNORECASE | re.MULTILINE

_BLANKS = re.compile(rb"[ \t\r\n\f;]+")
_BATCH_END = rb"^[ \t]*(?:GO(?:[ \t]+\d+)?|/)[ \t]*$"
_COMMAND = re.compile(rb"^[ \t]*(?:DELIMITER[ \t]+(?P<delimiter>\S+)[^\n]*|\\[^\n]*|@@?[\w./-]+[ \t]*$)", _MI)
_OBJECTS = (
    rb"(?:AGGREGATE|DOMAIN|EVENT|FUNCTION|INDEX|MATERIALIZED|PACKAGE|POLICY|PROC|PROCEDURE|RULE|SCHEMA|SEQUENCE"
    rb"|TABLE|TRIGGER|TYPE|UNIQUE[ \t]+INDEX|VIEW|(?:NON)?CLUSTERED[ \t]+INDEX)\b"
)
_STARTS = rb"^[ \t]*(?:CREATE[ \t]+(?:OR[ \t]+(?:REPLACE|ALTER)[ \t]+)?|ALTER[ \t]+)" + _OBJECTS
_ROUTINE = re.compile(
    rb"(?:CREATE|ALTER)\s+(?:OR\s+(?:REPLACE|ALTER)\s+)?(?:[\w=@`.'%*]+\s+){0,12}?"
    rb"(?:FUNCTION|PROCEDURE|PROC|TRIGGER|EVENT|PACKAGE|TYPE\s+BODY)\b",
    _I,
)
_NO_BODY = re.compile(
    rb"(?:CREATE|ALTER)\s+(?:[\w=@`.'%*]+\s+){0,12}?(?:TABLE|VIEW|INDEX|TYPE(?!\s+BODY))\b", _I
)
_COPY = re.compile(rb"COPY\b[^;]*\bFROM\s+STDIN\b", _I)
_COPY_END = re.compile(rb"^\\\.[ \t]*$", re.MULTILINE)
_TAG = re.compile(rb"\$(?:[A-Za-z_]\w*)?\$")
_MYSQL = re.compile(rb"^[ \t]*DELIMITER\b|\bENGINE[ \t]*=|\bAUTO_INCREMENT\b|`", _MI)
# An END closes these without a BEGIN of their own.
_NOT_A_BLOCK = re.compile(rb"\s+(?:IF|LOOP|WHILE|REPEAT|FOR)\b", _I)
_NOT_OPENED = re.compile(rb"\s*(?:;|TRAN|TRANSACTION|WORK|DIALOG)\b|\s*;", _I)
_CONDITIONAL = re.compile(rb"/\*!\d*|\*/")  # MySQL runs what is in such comments
_NOT_LINE_END = re.compile(rb"[^\n]")
_END_CASE_BYTES = 16
# Bytes of a statement that tell what it is.
HEAD_BYTES = 2000


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement, in bytes: its terminator and the comments above are outside, its data within."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Script:
    """A file's statements and comments, in order."""

    statements: tuple[Statement, ...]
    comments: tuple[Span, ...]


def split(data: bytes) -> Script:
    """Cut a script into statements, in time by its size."""
    return _Splitter(data).split()


def nesting(data: bytes, start: int, end: int) -> int:
    """Whether a ``BEGIN``, ``CASE`` or ``END`` opens a block (1), closes one (-1), or neither (0)."""
    word = data[start:end].upper()
    if word == b"END":
        return 0 if _NOT_A_BLOCK.match(data, end) else -1
    if word == b"BEGIN":
        return 0 if _NOT_OPENED.match(data, end) else 1
    return 0 if data[max(0, start - _END_CASE_BYTES) : start].rstrip().upper().endswith(b"END") else 1


def code_between(source: Source, start: int, end: int) -> bytes:
    """The bytes of a range with blanks for its comments, line ends kept."""
    pieces: list[bytes] = []
    position = start
    for comment in within(source.comments, start, end):
        pieces += (
            source.data[position : comment.start],
            _NOT_LINE_END.sub(b" ", source.data[comment.start : comment.end]),
        )
        position = comment.end
    return b"".join([*pieces, source.data[position:end]])


def spans_of(data: bytes, ranges: Iterable[tuple[int, int]]) -> tuple[Span, ...]:
    """Ranges in order, with their rows."""
    spans = []
    row = position = 0
    for start, end in ranges:
        row += data.count(b"\n", position, start)
        last = row + data.count(b"\n", start, end)
        spans.append(Span(start, end, row, last))
        row, position = last, end
    return tuple(spans)


class _Splitter:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._comments: list[tuple[int, int]] = []
        self._batches = re.search(_BATCH_END, data, _MI) is not None
        self._mysql = _MYSQL.search(data) is not None
        self._tokens = _tokens(b";", mysql=self._mysql)
        self._delimiter = b";"
        self._data_ends = [end.end() for end in _COPY_END.finditer(data)]
        self._last_comment_end = data.rfind(b"*/")
        self._tags: dict[bytes, list[int]] = defaultdict(list)
        for tag in _TAG.finditer(data):
            self._tags[tag[0]].append(tag.start())

    def split(self) -> Script:
        found = []
        position = self._skip(0)
        while position < len(self._data):
            end, following = self._end_of(position)
            if end > position:
                found.append(Statement(position, end))
            position = self._skip(max(following, position + 1))
        return Script(tuple(found), spans_of(self._data, sorted(set(self._comments))))

    def _skip(self, position: int) -> int:
        """Past blanks, comments, terminators and lines that are no SQL."""
        data = self._data
        while position < len(data):
            blank = _BLANKS.match(data, position)
            if blank:
                position = blank.end()
            elif data.startswith(self._delimiter, position):
                position += len(self._delimiter)
            else:
                token = self._tokens.match(data, position)
                if token is not None and token.lastgroup == "comment":
                    position = self._comment(token)
                elif token is not None and token.lastgroup == "batch":
                    position = token.end()
                elif command := self._at_line(_COMMAND, position):
                    self._obey(command)
                    position = command.end()
                else:
                    break
        return position

    def _at_line(self, pattern: re.Pattern[bytes], position: int) -> re.Match[bytes] | None:
        """A match of a whole line, wherever on its blanks one stands."""
        start = self._data.rfind(b"\n", 0, position) + 1
        return None if self._data[start:position].strip() else pattern.match(self._data, start)

    def _obey(self, command: re.Match[bytes]) -> None:
        if command["delimiter"]:
            self._delimiter = command["delimiter"]
            self._tokens = _tokens(self._delimiter, mysql=self._mysql)

    def _end_of(self, start: int) -> tuple[int, int]:
        """Where a statement ends, and where to go on."""
        routine = _is_routine(self._data[start : start + HEAD_BYTES])
        whole = routine and (self._batches or self._delimiter != b";")
        depth = 0
        position = start
        while token := self._tokens.search(self._data, position):
            kind = token.lastgroup
            position = token.end()
            if kind == "string":  # by far the most frequent
                continue
            position = self._past(token)
            if kind == "block":
                depth = max(0, depth + nesting(self._data, token.start(), token.end())) if routine else 0
            elif self._ends(kind, token.start() > start, routine=routine, inside=bool(depth) or whole):
                following = token.start() if kind == "begins" else position
                return self._with_data(start, token.start(), following)
        return self._with_data(start, len(self._data), len(self._data))

    def _ends(self, kind: str | None, later: bool, *, routine: bool, inside: bool) -> bool:
        """Whether a token ends a statement, or begins the next."""
        if kind == "stop":
            return self._delimiter != b";" or not inside
        return kind == "batch" or (kind == "begins" and later and not routine)

    def _past(self, token: re.Match[bytes]) -> int:
        if token.lastgroup == "comment":
            return self._comment(token)
        return self._past_quote(token) if token.lastgroup == "tag" else token.end()

    def _comment(self, token: re.Match[bytes]) -> int:
        """Note a comment; where to go on."""
        end = token.end()
        if token[0].startswith(b"/*"):
            if token.start() + 2 > self._last_comment_end:
                return end  # it is never closed: no comment
            end = self._data.find(b"*/", end) + 2
        self._comments.append((token.start(), end))
        return end

    def _past_quote(self, token: re.Match[bytes]) -> int:
        """Past what a dollar quote quotes, or past the tag if none closes it."""
        places = self._tags[token[0]]
        at = bisect_right(places, token.start())
        return places[at] + len(token[0]) if at < len(places) else token.end()

    def _with_data(self, start: int, end: int, following: int) -> tuple[int, int]:
        """Where a statement ends, with what it reads from the file itself, and where to go on."""
        if _COPY.match(self._data, start, min(end, start + HEAD_BYTES)):
            at = bisect_right(self._data_ends, following)
            if at < len(self._data_ends):
                return self._data_ends[at], self._data_ends[at]
        return start + len(self._data[start:end].rstrip()), following


def _is_routine(head: bytes) -> bool:
    head = _CONDITIONAL.sub(b" ", head).lstrip()
    return _ROUTINE.match(head) is not None and _NO_BODY.match(head) is None


def _tokens(delimiter: bytes, *, mysql: bool) -> re.Pattern[bytes]:
    """What a statement's end hangs on. Strings that are never closed are no strings."""
    string = rb"'(?:[^'\\]|''|\\.)*+'" if mysql else rb"\bE'(?:[^'\\]|''|\\.)*+'|'(?:[^']|'')*+'"
    return re.compile(
        rb"(?P<stop>" + re.escape(delimiter) + rb")"
        rb"|(?P<comment>--[^\n]*|/\*(?!!)|^[ \t]*\#(?=[\s#!=-])[^\n]*)"
        rb"|(?P<string>" + string + rb'|"[^"\n]*"|`[^`\n]*`|\[\w[\w .$#@-]*\])'
        rb"|(?P<tag>\$(?:[A-Za-z_]\w*)?\$)"
        rb"|(?P<batch>" + _BATCH_END + rb")"
        rb"|(?P<begins>" + _STARTS + rb")"
        rb"|(?P<block>(?<!\$)\b(?:BEGIN|CASE|END)\b)",
        _MI | re.DOTALL,
    )
