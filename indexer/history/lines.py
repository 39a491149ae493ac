"""Which functions of today a past commit touched, found by following lines back from today.

Commits on the line of first parents follow each other one by one, so that each line of a file can be followed
exactly. Every line of the file as it is now bears a label: the function it belongs to, of nested ones the
innermost. Of the newest commit that changed the file, the lines that its hunks put there are looked up: their
labels are the functions that it touched. Then the labels are set back to the file as it was before, hunk by
hunk, and the next older commit is looked at.

What a hunk replaced had no labels of its own. If as many lines took its place, each gets the label of one of
them; otherwise all get the one that most of those have. Lines that were only deleted belong to a function if
the lines above and below do.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from knowledge.catalog.commit_writer import Step

_HUNK = 4  # numbers


def follow(
    units: Collection[tuple[int, int, int]], steps: Iterable[Step]
) -> Iterator[tuple[Step, list[int]]]:
    """Each step with the row ids of the functions that it touched, by row id.

    Args:
        units: the file's functions as they are now: row id, first and last line.
        steps: what was done to the file, newest first.
    """
    labels = _labelled(units)
    for step in steps:
        if step.hunks is None:
            labels = array("q")
        yield step, sorted(_step_back(labels, step.hunks) if step.hunks and labels else ())


def _labelled(units: Collection[tuple[int, int, int]]) -> array[int]:
    """For each line its function's row id, or 0; lines after the last function's have no place."""
    labels = array("q", bytes(8 * max((end for _, _, end in units), default=0)))
    for row, start, end in sorted(units, key=lambda unit: (unit[1] - unit[2], unit)):  # the inner ones last
        labels[start - 1 : end] = array("q", [row]) * (end - start + 1)
    return labels


def _step_back(labels: array[int], hunks: array[int]) -> set[int]:
    """Make the labels those of the file before the hunks; the functions that they touched."""
    touched: set[int] = set()
    for at in range(len(hunks) - _HUNK, -1, -_HUNK):  # from below: what is above keeps its place
        _, old, start, new = hunks[at : at + _HUNK]
        first = start - 1 if new else start  # of a mere deletion, the line above it is named
        there = labels[first : first + new]
        label = _dominant(there) if new else _around(labels, first)
        touched.update(there if new else (label,))
        if old != new:
            labels[first : first + new] = array("q", [label]) * old
    touched.discard(0)
    return touched


def _dominant(labels: array[int]) -> int:
    """The most frequent label, of several the first."""
    if len(labels) == 1 or not labels:
        return labels[0] if labels else 0
    return Counter(labels).most_common(1)[0][0]


def _around(labels: array[int], at: int) -> int:
    """The label above and below a gap, if it is the same."""
    return labels[at] if 0 < at < len(labels) and labels[at - 1] == labels[at] else 0
