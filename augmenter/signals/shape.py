"""Signals of what a candidate is like, whatever the task: its size, kind and name."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator

from augmenter.candidates import Candidate
from knowledge.types import Kind

FULL_SIZE = 200  # lines from which a function counts as large
NAMESAKES = 50  # as many as make a name say nothing
CONSTRUCTORS = frozenset({"__init__", "__new__", "__construct", "constructor", "init", "initialize"})

SIGNALS = (
    *("size", "method", "constructor", "dunder", "private", "namesakes"),
    *(f"is_{kind.value}" for kind in Kind if kind is not Kind.UNIT and not kind.is_guidance),
)


class ShapeSignals:
    """The signals of candidates' shapes."""

    def __init__(self, candidates: Iterable[Candidate], *, explains: bool = False) -> None:
        self._explains = explains
        self._namesakes = Counter(own_name(c) for c in candidates if c.evidence.kind is Kind.UNIT)

    def __call__(self, candidate: Candidate) -> Iterator[tuple[str, float]]:
        """What is not zero, each in [0, 1]."""
        evidence = candidate.evidence
        if evidence.kind is not Kind.UNIT:
            # What explains is asked for then, and no function is the answer.
            if not self._explains:
                yield f"is_{evidence.kind.value}", 1.0
            return
        lines = evidence.end - evidence.start + 1
        yield "size", min(1.0, math.log1p(lines) / math.log1p(FULL_SIZE))
        owner, _, name = evidence.name.rpartition(".")
        if owner:
            yield "method", 1.0
        if name in CONSTRUCTORS or name == owner.rpartition(".")[2]:
            yield "constructor", 1.0
        elif name.startswith("__"):
            yield "dunder", 1.0
        elif name.startswith("_"):
            yield "private", 1.0
        if (others := self._namesakes[name] - 1) > 0:
            yield "namesakes", min(1.0, math.log1p(others) / math.log1p(NAMESAKES))


def own_name(candidate: Candidate) -> str:
    """The last part of a qualified name."""
    return candidate.evidence.name.rpartition(".")[2]
