"""Signals of surroundings: what speaks for a candidate's file and class speaks for their members."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from augmenter.candidates import Candidate
from augmenter.signals.mentioned import MOST
from knowledge.types import Kind

MANY = 150  # functions of one file among the candidates: as many as are looked at

SIGNALS = ("file_count", "file_text", "file_mentioned", "class_text", "class_mentioned")


class MemberSignals:
    """The signals of one task's files and classes."""

    def __init__(self, candidates: Sequence[Candidate], cards: Iterable[Candidate], best: float) -> None:
        self._best = best or 1.0
        self._counts = Counter(c.evidence.path for c in candidates if c.evidence.kind is Kind.UNIT)
        self._cards = {_place(card): card for card in cards}

    def __call__(self, candidate: Candidate) -> Iterator[tuple[str, float]]:
        """What is not zero, each in [0, 1] but for mentions."""
        path = candidate.evidence.path
        yield "file_count", min(1.0, math.log1p(self._counts[path]) / math.log1p(MANY))
        yield from self._card("file", (path, ""), candidate)
        owner = candidate.evidence.name.rpartition(".")[0]
        if owner:
            yield from self._card("class", (path, owner), candidate)

    def _card(self, name: str, place: tuple[str, str], candidate: Candidate) -> Iterator[tuple[str, float]]:
        card = self._cards.get(place)
        if card is None or card.evidence.id == candidate.evidence.id:
            return
        if card.lexical:
            yield f"{name}_text", card.lexical.score / self._best
        if card.exact:
            yield f"{name}_mentioned", min(MOST, card.exact.strength)


def _place(card: Candidate) -> tuple[str, str]:
    """Where members look for a card: by path, and by the class's name; a file's has none."""
    evidence = card.evidence
    return evidence.path, evidence.name if evidence.kind is Kind.CLASS else ""
