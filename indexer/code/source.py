"""A file's text as bytes, and what is asked of it by position."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field

import tree_sitter

_BLANKS = b" \t\r\n\f"
_BOM = "\ufeff"

# A body is cut at line ends, except in lines longer than this (minified code), where whole lines
# around each of thousands of functions would take memory by the square of the file's size.
LONG_LINE_BYTES = 4000


@dataclass(frozen=True, slots=True)
class Span:
    """A comment or an annotation, in bytes and rows from 0."""

    start: int
    end: int
    start_row: int
    end_row: int


@dataclass(frozen=True, slots=True)
class Source:
    r"""Text with ``\n`` as line end, UTF-8 encoded once; positions are bytes.

    Attributes:
        data: the bytes.
        comments: all comments in source order.
        annotations: all decorators and annotations in source order.
        comment_ending_at: the last comment that ends on a row.
    """

    data: bytes
    comments: tuple[Span, ...] = ()
    annotations: tuple[Span, ...] = ()
    comment_ending_at: dict[int, Span] = field(default_factory=dict)

    def text(self, start: int, end: int) -> str:
        """The text between two positions."""
        return self.data[start:end].decode("utf-8", "replace")

    def node(self, node: tree_sitter.Node) -> str:
        """The text of a node."""
        return self.text(node.start_byte, node.end_byte)

    def line_start(self, position: int) -> int:
        """Where the line of a position begins."""
        return self.data.rfind(b"\n", 0, position) + 1

    def line_end(self, position: int) -> int:
        """Where the line of a position ends, its line end excluded."""
        end = self.data.find(b"\n", position)
        return len(self.data) if end < 0 else end

    def whole_lines(self, start: int, end: int) -> tuple[int, int]:
        """The bounds of the lines that a range touches, or of itself where these lines are very long."""
        first = self.line_start(start)
        last = self.line_end(end)
        return (
            start if start - first > LONG_LINE_BYTES else first,
            end if last - end > LONG_LINE_BYTES else last,
        )

    def blank_start(self, position: int) -> int:
        """Where the blanks and line ends before a position begin."""
        while position and self.data[position - 1] in _BLANKS:
            position -= 1
        return position

    def begins_line(self, position: int) -> bool:
        """Whether nothing but blanks stands before a position on its line."""
        return not self.data[self.line_start(position) : position].strip()

    def comment_ending(self, position: int) -> Span | None:
        """The comment that ends at a position."""
        at = bisect_left(self.comments, position, key=lambda span: span.end)
        comment = self.comments[at] if at < len(self.comments) else None
        return comment if comment is not None and comment.end == position else None

    @property
    def lines(self) -> int:
        """How many lines there are; an empty text has one."""
        return max(1, self.data.count(b"\n") + (not self.data.endswith(b"\n")))


def encode(text: str) -> bytes:
    r"""UTF-8 bytes with ``\n`` line ends, without a byte order mark; lone surrogates become ``?``."""
    return text.removeprefix(_BOM).replace("\r\n", "\n").encode("utf-8", "replace")


def annotate(data: bytes, trivia: tree_sitter.Query, root: tree_sitter.Node) -> Source:
    """The source of a parsed text, with its comments and annotations at hand."""
    captures = tree_sitter.QueryCursor(trivia).captures(root)
    comments = _spans(captures.get("comment", []))
    annotations = _spans(captures.get("annotation", []))
    return Source(data, comments, annotations, {comment.end_row: comment for comment in comments})


def end_of(node: tree_sitter.Node) -> tuple[int, int]:
    """Byte after a node's last, and row of its last, but for a line end that the grammar counts in.

    So do C's macros and Rust's doc comments.
    """
    row, column = node.end_point
    return (
        (node.end_byte - 1, row - 1) if column == 0 and row > node.start_point.row else (node.end_byte, row)
    )


def within(spans: tuple[Span, ...], start: int, end: int) -> list[Span]:
    """Those spans that begin in a range."""
    first = bisect_left(spans, start, key=lambda span: span.start)
    return list(spans[first : bisect_left(spans, end, lo=first, key=lambda span: span.start)])


def _spans(nodes: list[tree_sitter.Node]) -> tuple[Span, ...]:
    spans = [
        Span(node.start_byte, end, node.start_point.row, row) for node in nodes for end, row in [end_of(node)]
    ]
    return tuple(sorted(spans, key=lambda span: (span.start, -span.end)))
