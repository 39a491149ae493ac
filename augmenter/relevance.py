"""Relevance: whether a task is about this repository at all, and which candidates are worth offering.

Two numbers decide. A candidate's coverage is the share of the task's weight whose terms occur in it. The
task's known share is the share of its weight whose terms occur anywhere in the catalog: a task from
elsewhere speaks of other things. Their product is the candidate's support. When no leading candidate is
mentioned by name and none has enough support, nothing is offered.

The threshold comes from 229 tasks asked of their own repository and of three others (see
evals/RESULTS.md): it keeps 94 in 100 of the first and turns away 69 in 100 of the second.
"""

from __future__ import annotations

from collections.abc import Sequence

from augmenter.candidates import Candidate
from augmenter.factors import Scored
from augmenter.query import Query

NAMED = 0.2  # strength of a mention from which a thing is meant; a common name in a sample has less
LEADING = 5  # as many as a brief offers: if none of these fits, a later one does not either
ITEM_SHARE = 0.5  # of the threshold, what a single item needs once the task is known to be about this place


def part(scored: Sequence[Scored], query: Query, threshold: float) -> tuple[list[Scored], list[Scored]]:
    """Part candidates into those worth offering and those below the threshold, both in their order.

    Args:
        scored: best first.
        query: the task's.
        threshold: support that a leading candidate needs.
    """
    leading = [item.candidate for item in scored[:LEADING]]
    if not any(_fits(candidate, query, threshold) for candidate in leading):
        return [], list(scored)
    relevant: list[Scored] = []
    below: list[Scored] = []
    for item in scored:
        (relevant if _fits(item.candidate, query, threshold * ITEM_SHARE) else below).append(item)
    return relevant, below


def _fits(candidate: Candidate, query: Query, threshold: float) -> bool:
    named = candidate.exact is not None and candidate.exact.strength >= NAMED
    return named or candidate.coverage * query.known_share >= threshold
