"""Too large a section is cut into parts: at a block's edge if one is near, else at a finer one, or anywhere.

Parts tile the section's lines: none is lost, none is in two parts.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

MAX_SECTION_LINES = 120  # about two screens: more than a reader, or a budget of 550 tokens, can take at once
MAX_SECTION_CHARS = 6_000  # about 1,500 tokens; embedding models read 512 to 8,192
MIN_FILL = 0.25  # a cut that leaves less than this share of a full part is no good cut


def is_too_large(lines: Sequence[str]) -> bool:
    """Whether lines need to be cut into parts."""
    return len(lines) > MAX_SECTION_LINES or sum(map(len, lines)) + len(lines) > MAX_SECTION_CHARS


def cut(lines: Sequence[str], edges: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Cut lines into parts that are not too large.

    A single line longer than a part may be stays whole: ranges are made of lines.

    Args:
        lines: the text.
        edges: where a part may begin, as ascending indexes into ``lines``; the best kind of edge first.

    Returns:
        Half-open ranges of indexes that tile ``lines``.
    """
    sizes = [0, *accumulate(len(line) + 1 for line in lines)]
    parts: list[tuple[int, int]] = []
    start = 0
    while start < len(lines):
        limit = _limit(sizes, start)
        stop = limit if limit == len(lines) else _best_edge(start, limit, edges)
        parts.append((start, stop))
        start = stop
    return parts


def _limit(sizes: Sequence[int], start: int) -> int:
    """How far a part that begins at ``start`` may reach; at least one line."""
    by_size = bisect_right(sizes, sizes[start] + MAX_SECTION_CHARS) - 1
    return max(start + 1, min(by_size, start + MAX_SECTION_LINES))


def _best_edge(start: int, limit: int, edges: Sequence[Sequence[int]]) -> int:
    least = start + max(1, round((limit - start) * MIN_FILL))
    for kind in edges:
        at = bisect_right(kind, limit) - 1
        if at >= 0 and kind[at] >= least:
            return kind[at]
    return limit
