"""Relevance: whether a task is about this repository at all, and which candidates are worth offering.

A task from elsewhere speaks of other things: fewer of its words occur here, those that do occur scattered,
and nothing that it names exists. Certainty puts that into one number: the chance, by a logistic regression
over a handful of signs, that the task is about the repository, where half of all tasks are. A task that
names something that is here is certain. When a task is not certain enough, nothing is offered.

The weights come from ten tasks of each of 34 repositories, asked of their own and of all the others:

    python -m evals.abstention --bench DIR --gold commit_dev --also swe_dev_anchored --cases cases.jsonl
        --of-each 10 --snapshots DIR --work DIR --fit

With each repository held out of the fit by which it was judged, the shipped threshold keeps 95 in 100 of the
first and turns away 70 in 100 of the second (evals/RESULTS.md). Fitted on eight repositories, without the
size of the catalog and what the signals say, it kept 91 and turned away 72; of small repositories, half.
Profiles that keep no signals apart have weights of their own, from six tasks of each (``--profile rrf``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from augmenter.candidates import Candidate
from augmenter.factors import Scored
from augmenter.query import Query
from augmenter.signals.signals import FITTED, MAY_SPEAK_AGAINST

_ANSWERING = frozenset(FITTED) - MAY_SPEAK_AGAINST
NAMED = 0.2  # strength of a mention from which a thing is meant; a common name in a sample has less
LEADING = 5  # as many as a brief offers: if none of these fits, a later one does not either
ITEM_SUPPORT = 0.09  # coverage times known share: what an item needs once the task is about this place

# What is the same for every task may speak against them; that nothing else does keeps certainty monotone.
CONSTANT, SIZE = "constant", "size"
GIVEN = frozenset({CONSTANT, SIZE})
FIT = "fit"  # only where the profile keeps signals apart
WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        CONSTANT: -1.6037,
        SIZE: -0.8079,
        "known": 1.1165,
        "best": 2.5146,
        "named": 2.3508,
        "breadth": 1.3912,
        "history": 0.3342,
        FIT: 0.8258,
    }
)
WITHOUT_SIGNALS: Mapping[str, float] = MappingProxyType(
    {
        CONSTANT: -0.7036,
        SIZE: -0.64,
        "known": 1.1015,
        "best": 10.1669,
        "named": 3.2623,
        "breadth": 1.3471,
        "history": 7.3793,
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
    if names_something(scored):
        return 1.0
    found = signs(scored, query)
    return chance(found, weights_for(found))


def weights_for(found: Mapping[str, float]) -> Mapping[str, float]:
    """The weights of these signs."""
    return WEIGHTS if FIT in found else WITHOUT_SIGNALS


def names_something(scored: Sequence[Scored]) -> bool:
    """Whether one of the first candidates is mentioned clearly enough to be meant."""
    return any(_is_named(item.candidate) for item in scored[:LEADING])


def signs(scored: Sequence[Scored], query: Query) -> dict[str, float]:
    """What certainty is read from: the best that the first candidates have of each.

    Returns:
        By the names in `WEIGHTS`: the share of the task's weight whose terms occur here at all, and the
        coverage, both times the logarithm of how many terms were looked for (half of a long task says more
        than half of five words); the best score by words per weight of the task; the clearest mention, 1 at
        most; the most telling commit, as far as the task's words occur in what is there; the most that the
        signals which answer a task add up to; the logarithm of the catalog's size, for in a large one nearly
        every word occurs somewhere.
    """
    leading = [item.candidate for item in scored[:LEADING]]
    coverage = max((c.coverage for c in leading), default=0.0)
    best = max((c.lexical.score for c in leading if c.lexical), default=0.0)
    length = math.log1p(len(query.terms))
    fit = {FIT: max(map(_fit, scored[:LEADING]), default=0.0)} if _has_signals(scored) else {}
    return {
        CONSTANT: 1.0,
        SIZE: math.log1p(query.statistics.count),
        "known": query.known_share * length,
        "best": best / query.mass if query.mass else 0.0,
        "named": min(1.0, max((c.exact.strength for c in leading if c.exact), default=0.0)),
        "breadth": coverage * length,
        "history": coverage * max((c.history.strength for c in leading if c.history), default=0.0),
        **fit,
    }


def _has_signals(scored: Sequence[Scored]) -> bool:
    return bool(scored) and not _ANSWERING.isdisjoint(scored[0].weights)


def _fit(item: Scored) -> float:
    """What the signals that answer the task add to a score."""
    return math.fsum(
        value * item.weights[name]
        for name, value in item.values.items()
        if name in _ANSWERING and name in item.weights
    )


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
