"""Metrics of retrieval, each a pure function of ranks that count from 1.

An answer's rank is the place of the first item that hits it; None where none does. Unless it says
otherwise, a metric lies in [0, 1] and is defined for one answer at least.

Sources: `file_acc@k`, `fn_acc@k`, `fn_any@k` and what counts as a hit are those of the public localisation
benchmark's referee (after LocAgent and SweRank); MRR as in Voorhees, TREC-8 (1999); nDCG as in Järvelin and
Kekäläinen (2002) with gains of 0 and 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import Protocol

from augmenter.candidates import thing_id
from evals.cases import Answer

OVERLAP = 0.5  # of the shorter of the two, how much must be common to both
# A longer item hits nothing by its lines, for it would hit by its length: so many lines, or so many times the
# answer's.
MAX_LINES, MAX_TIMES = 150, 2
UTILITY_UNIT = 1000  # utility is told per thousand token-seconds, to have few zeros

Rank = int | None


class Item(Protocol):
    """What is ranked: evidence, or a record of it."""

    @property
    def id(self) -> str:
        """Stable id."""

    @property
    def path(self) -> str:
        """File."""

    @property
    def name(self) -> str:
        """Qualified name."""

    @property
    def start(self) -> int:
        """First line, from 1."""

    @property
    def end(self) -> int:
        """Last line, included."""


@dataclass(frozen=True, slots=True)
class Abstention:
    """How well "nothing here answers this" is told.

    Attributes:
        precision: of the tasks that were offered nothing, the share that have no answer; None if there are
            none.
        recall: of the tasks that have no answer, the share that were offered nothing; None if there are none.
    """

    precision: float | None
    recall: float | None


def hits(item: Item, answer: Answer) -> bool:
    """Whether an item is what an answer means.

    By its id: the parts of a thing and its namesakes in the same file stand for it, as they do in a brief. Or
    by its file, and there by its name or by its lines; a file alone is hit by all that is in it.
    """
    if answer.id and thing_id(item.id) == thing_id(answer.id):
        return True
    if item.path != answer.path:
        return False
    if not answer.name and not answer.start:
        return not answer.id
    return bool(answer.name and item.name == answer.name) or _overlaps(item, answer)


def _overlaps(item: Item, answer: Answer) -> bool:
    if not answer.start:
        return False
    length, wanted = item.end - item.start + 1, answer.end - answer.start + 1
    common = min(item.end, answer.end) - max(item.start, answer.start) + 1
    near = common > 0 and common >= OVERLAP * min(length, wanted)
    return near and length <= max(MAX_LINES, MAX_TIMES * wanted)


def ranks_of(items: Sequence[Item], answers: Iterable[Answer]) -> tuple[Rank, ...]:
    """Of each answer, the rank of the first item that hits it."""
    return tuple(
        next((rank for rank, item in enumerate(items, start=1) if hits(item, answer)), None)
        for answer in answers
    )


def file_ranks_of(items: Iterable[Item], answers: Iterable[Answer]) -> tuple[Rank, ...]:
    """Of each file with an answer, its rank among the items' files, in the order in which they appear."""
    places = {path: rank for rank, path in enumerate(dict.fromkeys(item.path for item in items), start=1)}
    return tuple(places.get(path) for path in dict.fromkeys(answer.file for answer in answers))


def recall_at(ranks: Sequence[Rank], k: int) -> float:
    """Recall@k: the share of the answers within the first k."""
    return sum(rank is not None and rank <= k for rank in ranks) / len(ranks)


def all_at(ranks: Sequence[Rank], k: int) -> float:
    """1 if all answers are within the first k, else 0: ``file_acc@k`` of files, ``fn_acc@k`` of functions."""
    return float(recall_at(ranks, k) == 1)


def any_at(ranks: Sequence[Rank], k: int) -> float:
    """1 if one answer is within the first k, else 0: ``fn_any@k`` of functions."""
    return float(recall_at(ranks, k) > 0)


def reciprocal_rank(ranks: Sequence[Rank]) -> float:
    """1 / rank of the first hit; 0 without one. Its mean over tasks is the MRR."""
    return 1 / min((rank for rank in ranks if rank is not None), default=float("inf"))


def ndcg_at(ranks: Sequence[Rank], k: int) -> float:
    """nDCG@k: the gain of each answer within the first k, less the later it comes, of the best possible.

    An answer gains once, at its first hit. Where one item hits several answers they all gain there, together
    with the rest to no more than 1.
    """
    gained = sum(_discount(rank) for rank in ranks if rank is not None and rank <= k)
    best = sum(map(_discount, range(1, min(len(ranks), k) + 1)))
    return min(1.0, gained / best)


def _discount(rank: int) -> float:
    return 1 / log2(rank + 1)


def precision_of(items: Sequence[Item], answers: Sequence[Answer]) -> float:
    """The share of the items that hit an answer; there must be one item at least, but no answer."""
    return sum(any(hits(item, answer) for answer in answers) for item in items) / len(items)


def abstention_of(told: Iterable[tuple[bool, bool]]) -> Abstention:
    """Precision and recall of abstention.

    Args:
        told: of each task, whether it was offered nothing, and whether it has no answer.
    """
    pairs = list(told)
    right = sum(abstained and unanswerable for abstained, unanswerable in pairs)
    abstained, unanswerable = sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)
    return Abstention(
        precision=right / abstained if abstained else None,
        recall=right / unanswerable if unanswerable else None,
    )


def utility_of(evidence: float, tokens: int, seconds: float) -> float:
    """What a brief gives for its cost: evidence / (context tokens × latency), per 1,000 token-seconds.

    Args:
        evidence: correct × authoritative × usable, see `evals.evaluation.judging.Worth`.
        tokens: of the context block, as estimated by `knowledge.tokens`; more than 0.
        seconds: from task to brief; more than 0.
    """
    return UTILITY_UNIT * evidence / (tokens * seconds)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest of the values that is no less than a share of them (nearest rank); of at least one."""
    return sorted(values)[max(0, ceil(share * len(values)) - 1)]
