"""Cutting a large unit into parts: at the structure of its body first, then by size.

Parts tile the unit's lines without gap or overlap. Every step works on an explicit stack, because the
depth of a syntax tree has no bound.
"""

from __future__ import annotations

from dataclasses import dataclass

import tree_sitter

# A unit above either size is split. 120 lines are two screens; 6,000 characters about 1,500 tokens, three
# whole briefs. 98 of 100 functions in real repositories stay below both.
SPLIT_LINES = 120
SPLIT_CHARS = 6000
# The size parts aim at: a screen of code, half of what makes a unit too large.
PART_LINES = 60
PART_CHARS = 3000
# Below so many levels of structure, size alone decides: nobody reads code nested more deeply, and a
# generated file may nest without bound.
MAX_STRUCTURE = 64


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines ``first`` to ``last`` (rows from 0, both included) and what structures them.

    Attributes:
        first: first row.
        last: last row.
        node: the node at whose children to cut, if there is one.
        depth: levels of structure above it.
    """

    first: int
    last: int
    node: tree_sitter.Node | None
    depth: int = 0


def is_large(rows: int, chars: int) -> bool:
    """Whether a unit of so many lines and characters is split."""
    return rows > SPLIT_LINES or chars > SPLIT_CHARS


def parts_of(lines: list[str], first: int, body: tree_sitter.Node | None) -> list[tuple[int, int]]:
    """Cut a unit's lines.

    Args:
        lines: the unit's lines.
        first: the row of the first of them in the file.
        body: the node whose children are its statements, if it is known.

    Returns:
        Row ranges in the file, both ends included, in order; one range alone if no cut is possible.
    """
    sizes = _Sizes(lines, first)
    atoms: list[tuple[int, int]] = []
    stack = [Piece(first, first + len(lines) - 1, body)]
    while stack:
        piece = stack.pop()
        if sizes.fit(piece.first, piece.last):
            atoms.append((piece.first, piece.last))
        elif piece.node is None or piece.depth == MAX_STRUCTURE:
            atoms += sizes.cut(piece.first, piece.last)
        else:
            stack += reversed(_at_children(piece, piece.node))
    return sizes.pack(atoms)


def _at_children(piece: Piece, node: tree_sitter.Node) -> list[Piece]:
    """Cut a piece where the children of its node begin; each is then structured by its own largest child."""
    starts: list[int] = [piece.first]
    inner: list[tree_sitter.Node | None] = [None]
    previous: tree_sitter.Node | None = None
    for child in node.named_children:
        row = child.start_point.row
        if row > piece.last:
            break
        if row > starts[-1] and not _explains(previous, row):
            starts.append(row)
            inner.append(child)
        elif inner[-1] is None or _rows(child) > _rows(inner[-1]):
            inner[-1] = child
        previous = child
    ends = [start - 1 for start in starts[1:]] + [piece.last]
    return [
        Piece(first, last, node, piece.depth + 1)
        for first, last, node in zip(starts, ends, inner, strict=True)
    ]


def _explains(comment: tree_sitter.Node | None, row: int) -> bool:
    """Whether the node before a statement is a comment on it, to be kept with it."""
    return comment is not None and "comment" in comment.type and comment.end_point.row in (row, row - 1)


def _rows(node: tree_sitter.Node) -> int:
    return node.end_point.row - node.start_point.row


class _Sizes:
    """Lines and characters of row ranges."""

    def __init__(self, lines: list[str], first: int) -> None:
        self._first = first
        self._until = [0]
        for line in lines:
            self._until.append(self._until[-1] + len(line) + 1)

    def fit(self, first: int, last: int) -> bool:
        """Whether the rows make one part."""
        chars = self._until[last + 1 - self._first] - self._until[first - self._first]
        return last - first < PART_LINES and chars <= PART_CHARS

    def cut(self, first: int, last: int) -> list[tuple[int, int]]:
        """Cut rows by size alone; a line is never cut."""
        return self.pack([(row, row) for row in range(first, last + 1)])

    def pack(self, atoms: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Join neighbours as long as they fit in one part."""
        packed: list[tuple[int, int]] = []
        for first, last in atoms:
            if packed and self.fit(packed[-1][0], last):
                packed[-1] = (packed[-1][0], last)
            else:
                packed.append((first, last))
        return packed
