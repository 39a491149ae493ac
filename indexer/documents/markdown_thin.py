r"""Long lists and tables without their middle: the same headings, at a tenth of the cost.

markdown-it needs 30 µs for a list item and as much for a table row. Of a long run of one-line items or of
rows, all that the rest of a file depends on is how the run begins, and which items are open at its end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

MIN_RUN = 200  # lines; a shorter run costs less than 10 ms
KEPT = 20  # lines kept of its beginning: whatever it is, it is that from there on

# One-line items of plain text, and rows. What could be anything else within an item (a heading, a rule, a
# fence, a definition, code, a list within) ends a run; and so does another kind of marker, because what can
# begin a list right below a paragraph depends on it.
_TEXT = r" {1,4}(?:[^\W\d_]|`(?!``)|\*\*(?=\w)|\[(?![^\]\n]*\]:))[^\n|]*\Z"
_SHAPES = (
    re.compile(r" *[-*+]" + _TEXT),
    re.compile(r" *1[.)]" + _TEXT),
    re.compile(r" *(?!1[.)])\d{1,9}[.)]" + _TEXT),
    re.compile(r"\|(?![\s:|-]*\Z)[^\n]*\Z"),
)


def kept_lines(lines: Sequence[str]) -> list[int]:
    """Indexes of the lines that decide where headings and blocks are, ascending."""
    if len(lines) < MIN_RUN:
        return list(range(len(lines)))
    kept: list[int] = []
    at = 0
    for start, stop in _runs(lines):
        kept += range(at, start + KEPT)
        kept += _open_at_end(lines, start + KEPT, stop)
        at = stop
    kept += range(at, len(lines))
    return kept


def _runs(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open ranges of the long runs."""
    start = 0
    shape: re.Pattern[str] | None = None
    for at, line in enumerate(lines):
        if shape is not None and shape.match(line):
            continue
        if shape is not None and at - start >= MIN_RUN:
            yield start, at
        start = at
        shape = next((pattern for pattern in _SHAPES if pattern.match(line)), None)
    if shape is not None and len(lines) - start >= MIN_RUN:
        yield start, len(lines)


def _open_at_end(lines: Sequence[str], start: int, stop: int) -> list[int]:
    """The last line of a run and those that it lies within: each the last with a smaller indent."""
    kept: list[int] = []
    least = len(lines[stop - 1]) + 1
    for at in range(stop - 1, start - 1, -1):
        indent = len(lines[at]) - len(lines[at].lstrip(" "))
        if indent < least:
            kept.append(at)
            least = indent
        if not least:
            break
    return kept[::-1]
