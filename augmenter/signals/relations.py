"""Signals of relations: what the first candidates call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from augmenter.candidates import Candidate
from augmenter.signals.shape import own_name
from knowledge.catalog.record import relations_of
from knowledge.types import Kind, RelationKind

LEADERS = 8  # first candidates by words and mentions whose calls are read; reading one takes 20 microseconds
FADING = 0.3  # how much less each next leader says than the first
MENTION_SHARE = 0.5  # what a mention adds to a leader's standing, as a share of the best score
MOST = 2.0
MAX_NAMESAKES = 3  # among the candidates: more make a call by name point nowhere

SIGNALS = ("called_by_first",)


class RelationSignals:
    """The signals of one task's leaders."""

    def __init__(self, candidates: Sequence[Candidate], best: float) -> None:
        units = [c for c in candidates if c.evidence.kind is Kind.UNIT and c.row is not None]
        leaders = sorted(units, key=lambda c: (-_standing(c, best), c.evidence.sort_key))[:LEADERS]
        self._called: dict[str, float] = {}
        for number, leader in enumerate(leaders):
            weight = 1 / (1 + FADING * number)
            name = own_name(leader)
            for called in sorted(_calls(leader) - {name}):
                self._called[called] = self._called.get(called, 0.0) + weight
        self._counts = Counter(own_name(unit) for unit in units)

    def __call__(self, candidate: Candidate) -> Iterator[tuple[str, float]]:
        """What is not zero, in [0, `MOST`]."""
        name = own_name(candidate)
        if (
            candidate.evidence.kind is Kind.UNIT
            and self._counts[name] <= MAX_NAMESAKES
            and name in self._called
        ):
            yield "called_by_first", min(MOST, self._called[name])


def _standing(candidate: Candidate, best: float) -> float:
    words = candidate.lexical.score if candidate.lexical else 0.0
    return words + (candidate.exact.strength * MENTION_SHARE * best if candidate.exact else 0.0)


def _calls(candidate: Candidate) -> frozenset[str]:
    if candidate.row is None:
        return frozenset()
    relations = relations_of(candidate.row.lines)
    return frozenset(one.target.rpartition(".")[2] for one in relations if one.kind is RelationKind.CALLS)
