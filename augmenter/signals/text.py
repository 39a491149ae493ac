"""Signals of words: how well each field of a candidate answers each part of the task.

BM25F adds the fields up before it saturates, and with fixed weights. Kept apart, they let the learned model
say what a word of the title in a function's name is worth beside a word of the prose in its body.
"""

from __future__ import annotations

from collections.abc import Iterator

from augmenter.candidates import Candidate
from augmenter.channels.lexical import K1
from augmenter.query import PARTS, Query
from knowledge.catalog.rows import FIELDS

NAMES = tuple(f"{part}_{field}" for field in FIELDS for part in PARTS)
SIGNALS = (*NAMES, "bm25f", "coverage")
_WIDTH = len(PARTS)


class TextSignals:
    """The signals of one task's words."""

    def __init__(self, query: Query, best: float) -> None:
        self._parts = {term.term: term.parts for term in query.terms}
        self._best = best or 1.0  # BM25F of the best candidate

    def __call__(self, candidate: Candidate) -> Iterator[tuple[str, float]]:
        """What is not zero, each in [0, 1]: the share of a part's mass that a field answers; the whole."""
        hit = candidate.lexical
        if hit is None:
            return
        sums = [0.0] * len(NAMES)
        parts = self._parts
        for number, term, frequency in hit.matches:
            saturated = frequency / (K1 + frequency)
            base = number * _WIDTH
            for offset, share in enumerate(parts[term]):
                if share:
                    sums[base + offset] += share * saturated
        for name, value in zip(NAMES, sums, strict=True):
            if value:
                yield name, value
        yield "bm25f", hit.score / self._best
        yield "coverage", hit.coverage
