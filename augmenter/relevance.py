"""Relevance: whether a task is about this repository at all, and which candidates are worth offering.

A task from elsewhere speaks of other things: fewer of its words occur here, those that do occur scattered,
and nothing that it names exists. Certainty puts that into one number: the chance, by a logistic regression
over a handful of signs, that the task is about the repository, where half of all tasks are. A task that
names something that is here is certain. When a task is not certain enough, nothing is offered.

Nothing in it depends on the catalog's size: with that the fit was worse for repositories of other sizes than
it had seen (at 95 in 100 issues kept it turned away 41, without it 88), and small ones are of another size.

The weights come from 314 commit messages and issues, asked of their own repository and of seven others:

    python -m evals.abstention --bench DIR --gold commit_dev --also swe_dev_anchored --every 4 --snapshots DIR
        --work DIR --fit --repo encode/httpx --repo gin-gonic/gin --repo google/gson --repo trpc/trpc
        --repo django/django --repo pydata/xarray --repo scikit-learn/scikit-learn --repo sphinx-doc/sphinx

With each repository held out of the fit by which it was judged, the shipped threshold keeps 95 in 100 of the
first and turns away 71 in 100 of the second (evals/RESULTS.md). Where there is no history, it keeps 86.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from augmenter.candidates import Candidate
from augmenter.factors import Scored
from augmenter.query import Query

NAMED = 0.2  # strength of a mention from which a thing is meant; a common name in a sample has less
LEADING = 5  # as many as a brief offers: if none of these fits, a later one does not either
ITEM_SUPPORT = 0.09  # coverage times known share: what an item needs once the task is about this place

CONSTANT = (
    "constant"  # the one sign that speaks against a task; that nothing else does keeps certainty monotone
)
WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        CONSTANT: -6.066,
        "known": 1.2568,
        "best": 7.9939,
        "named": 3.6149,
        "breadth": 0.1432,
        "history": 14.2635,
    }
)


def part(scored: Sequence[Scored], query: Query, threshold: float) -> tuple[list[Scored], list[Scored]]:
    """Part candidates into those worth offering and those below the threshold, both in their order.

    Args:
        scored: best first.
        query: the task's.
        threshold: certainty that the task needs; with 0 everything is offered.
    """
    if certainty(scored, query) < threshold:
        return [], list(scored)
    relevant: list[Scored] = []
    below: list[Scored] = []
    for item in scored:
        (relevant if threshold <= 0 or is_supported(item.candidate, query) else below).append(item)
    return relevant, below


def certainty(scored: Sequence[Scored], query: Query) -> float:
    """How sure it is that a task is about this repository, in [0, 1]; 0 where nothing was found.

    Args:
        scored: best first.
        query: the task's.
    """
    if not scored:
        return 0.0
    return 1.0 if names_something(scored) else chance(signs(scored, query), WEIGHTS)


def names_something(scored: Sequence[Scored]) -> bool:
    """Whether one of the first candidates is mentioned clearly enough to be meant."""
    return any(_is_named(item.candidate) for item in scored[:LEADING])


def signs(scored: Sequence[Scored], query: Query) -> dict[str, float]:
    """What certainty is read from: the best that the first candidates have of each.

    Returns:
        By the names in `WEIGHTS`: the share of the task's weight whose terms occur here at all, and the
        coverage, both times the logarithm of how many terms were looked for (half of a long task says more
        than half of five words); the best score by words per weight of the task; the clearest mention, 1 at
        most; the most telling commit, as far as the task's words occur in what is there.
    """
    leading = [item.candidate for item in scored[:LEADING]]
    coverage = max((c.coverage for c in leading), default=0.0)
    best = max((c.lexical.score for c in leading if c.lexical), default=0.0)
    length = math.log1p(len(query.terms))
    return {
        CONSTANT: 1.0,
        "known": query.known_share * length,
        "best": best / query.mass if query.mass else 0.0,
        "named": min(1.0, max((c.exact.strength for c in leading if c.exact), default=0.0)),
        "breadth": coverage * length,
        "history": coverage * max((c.history.strength for c in leading if c.history), default=0.0),
    }


def chance(found: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The logistic function of the weighted sum of signs."""
    total = math.fsum(weight * found[name] for name, weight in weights.items())
    return 1 / (1 + math.exp(-total)) if total >= 0 else (raised := math.exp(total)) / (1 + raised)


def is_supported(candidate: Candidate, query: Query) -> bool:
    """Whether enough speaks for a single item: a mention, what was done before, or words of the task."""
    before = candidate.history is not None or candidate.used is not None
    return before or _is_named(candidate) or candidate.coverage * query.known_share >= ITEM_SUPPORT


def _is_named(candidate: Candidate) -> bool:
    return candidate.exact is not None and candidate.exact.strength >= NAMED
