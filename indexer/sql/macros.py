r"""Macros of dbt: the routines of templates that SQL is made from.

``{% macro cents(column) %} … {% endmacro %}`` is what a project's models call, and what a task names; so are
dbt's other blocks with a name: generic tests, materializations, snapshots.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from indexer.code.source import Source, Span
from indexer.sql.lexer import code_between, spans_of

MAX_HEAD = 1_000  # bytes of what a block begins with; dbt's own longest macro takes 500 for its parameters

_TOKEN = re.compile(
    rb"\{\#|\{%[-+]?\s*(?P<head>(?P<end>end)?(?P<what>macro|test|data_test|snapshot|materialization)\b"
    rb"\s*(?P<name>\w*)(?:[^%]|%(?!\})){0," + str(MAX_HEAD).encode() + rb"}+)%\}"
)


@dataclass(frozen=True, slots=True)
class Block:
    """A named block, in bytes.

    Attributes:
        name: its own.
        start: where its first tag begins.
        head: where the word begins that says what it is.
        body_start: where what declares it ends.
        end: where the tag ends that closes it.
    """

    name: str
    start: int
    head: int
    body_start: int
    end: int


@dataclass(frozen=True, slots=True)
class Template:
    """What a script holds that is not SQL.

    Attributes:
        blocks: in order; none within another.
        comments: those outside of blocks, in order.
        sql: the script with blanks for all of these, line ends kept.
    """

    blocks: tuple[Block, ...]
    comments: tuple[Span, ...]
    sql: bytes


def read_template(data: bytes) -> Template:
    """Find the blocks and comments of a template, in time by its size; of mere SQL there are none."""
    blocks: list[Block] = []
    comments: list[tuple[int, int]] = []
    opened: re.Match[bytes] | None = None
    for token, end in _tokens(data):
        if token["what"] is None:
            comments.append((token.start(), end))
        elif token["end"] is None:
            opened = token if token["name"] else None
        elif opened is not None and opened["what"] == token["what"]:
            blocks.append(_block(opened, end))
            opened = None
    ranges = [(block.start, block.end) for block in blocks]
    free = [comment for comment in comments if not _is_within(ranges, comment[0])]
    no_sql = Source(data, spans_of(data, sorted([*ranges, *free])))
    return Template(tuple(blocks), spans_of(data, free), code_between(no_sql, 0, len(data)))


def _is_within(ranges: Sequence[tuple[int, int]], position: int) -> bool:
    before = bisect_right(ranges, position, key=lambda span: span[0])
    return before > 0 and position < ranges[before - 1][1]


def _tokens(data: bytes) -> Iterator[tuple[re.Match[bytes], int]]:
    """Each tag or comment, and where it ends; what a comment holds is none."""
    position = 0
    last = data.rfind(b"#}")
    while token := _TOKEN.search(data, position):
        position = token.end()
        if token["what"] is not None:
            yield token, position
        elif position <= last:
            position = data.find(b"#}", position) + 2
            yield token, position


def _block(opened: re.Match[bytes], end: int) -> Block:
    head = opened["head"].rstrip(b"-+ \t\r\n")
    start = opened.start("head")
    return Block(opened["name"].decode("utf-8", "replace"), opened.start(), start, start + len(head), end)
