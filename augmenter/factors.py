"""Factors: the named parts of relevance, each a value in [0, 1], all kept with the item.

`recency` and `cache_freshness` derive from the ledger and the as-of time, never from the clock.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import NamedTuple

from augmenter.candidates import Candidate
from augmenter.profiles import DEMOTION, WeightProfile
from augmenter.query import Query
from knowledge.learned import LearnedState
from knowledge.types import Authority, Kind, SourceKind

RRF_K = (
    60  # Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion" (2009): flat enough to trust no channel alone
)
CHANNEL_WEIGHTS = {"exact": 0.5, "lexical": 1.0}  # names in a task are incidental as often as not
_BEST_FUSION = sum(weight / (RRF_K + 1) for weight in CHANNEL_WEIGHTS.values())  # first in every channel
DAY = 86_400.0
RECENCY_HALF_LIFE = 30 * DAY  # a month without use halves what a use says about today
CACHE_HALF_LIFE = 7 * DAY  # a week: how long an offer of unchanged content counts as fresh
FRESHNESS_HALF_LIFE = 365 * DAY  # code a year old is half as likely to be what is being worked on
FULL_SIZE = 100  # lines from which a thing counts as large; few functions are longer
USAGE_SATURATION = 5.0  # uses at which the factor reaches one half; the next hundred change little
# Learned scores of a task's first five lie within about ten of each other; divided by this, their relevance
# beside the best can be told apart in two digits.
RELEVANCE_SPREAD = 4.0
SCORE_DIGITS = 9  # scores are rounded before they are compared, so that no platform's last bit decides
NEUTRAL = 0.5  # of what nothing is known
START_CONFIDENCE = 0.5

AUTHORITY_VALUES = {
    Authority.POLICY: 1.0,
    Authority.ACCEPTED_DECISION: 0.9,
    Authority.IMPLEMENTATION: 0.8,
    Authority.PROCEDURE: 0.6,
    Authority.REVIEWED_NOTE: 0.5,
    Authority.GENERATED: 0.2,
    Authority.UNTRUSTED: 0.0,
}


class Factor(NamedTuple):
    """One factor of one item. A tuple: a thousand are made for each dispatch."""

    value: float
    weight: float

    @property
    def contribution(self) -> float:
        """What it added to the score."""
        return self.value * self.weight


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its relevance and every factor of it.

    Attributes:
        candidate: what was scored.
        score: sum of the factors' contributions.
        values: of the factors and signals.
        weights: theirs.
        relevance: what it is worth by itself, in [0, 1]: what speaks for it, or, of a learned score, how near
            it comes to the task's best candidate. A demotion says where it stands only.
    """

    candidate: Candidate
    score: float
    values: Mapping[str, float]
    weights: Mapping[str, float]
    relevance: float = 0.0

    @property
    def factors(self) -> dict[str, Factor]:
        """Every factor, in the profile's order; of signals those that are not zero, the weightiest first."""
        return {
            name: Factor(self.values[name], weight)
            for name, weight in self.weights.items()
            if name in self.values
        }


@dataclass(frozen=True, slots=True)
class Scale:
    """What factors are measured against.

    Attributes:
        query: the task's.
        learned: what the ledger taught, by evidence id.
        as_of: seconds since the epoch; 0 when unknown.
        paths: files that the task mentions, as lower-case parts.
    """

    query: Query
    learned: Mapping[str, LearnedState]
    as_of: int
    paths: tuple[tuple[str, ...], ...]


def make_scale(query: Query, learned: Mapping[str, LearnedState], as_of: int) -> Scale:
    """The scale of one dispatch."""
    paths = tuple(PurePosixPath(mention.path.lower()).parts for mention in query.mentions if mention.path)
    return Scale(query, learned, as_of, paths)


def score_all(
    candidates: Sequence[Candidate],
    profile: WeightProfile,
    scale: Scale,
    signals: Sequence[Mapping[str, float]] = (),
) -> list[Scored]:
    """Candidates by relevance, best first; ties end in (path, start, id).

    Args:
        candidates: what is scored.
        profile: the weights.
        scale: of the dispatch.
        signals: of each candidate, where the profile has weights for signals.
    """
    needed = [(name, FACTORS[name]) for name in profile.weights]
    weights = {**profile.weights, **profile.signals}
    values = [{name: function(candidate, scale) for name, function in needed} for candidate in candidates]
    if profile.signals:
        for number, theirs in enumerate(signals):
            values[number].update(theirs)
    totals = [_total(one, weights) for one in values]
    worth = [total - weights[DEMOTION] * one[DEMOTION] for total, one in zip(totals, values, strict=True)]
    best = max(worth, default=0.0)
    scored = [
        Scored(
            candidate,
            round(total, SCORE_DIGITS),
            one,
            weights,
            math.exp((alone - best) / RELEVANCE_SPREAD) if profile.signals else min(1.0, alone),
        )
        for candidate, one, total, alone in zip(candidates, values, totals, worth, strict=True)
    ]
    return sorted(scored, key=lambda s: (-s.score, s.candidate.evidence.sort_key))


def _total(values: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The sum of the contributions, in the order of the values, which is always the same."""
    return sum(value * weights[name] for name, value in values.items() if name in weights)


_FactorFunction = Callable[[Candidate, Scale], float]


def _fusion(candidate: Candidate, scale: Scale) -> float:  # noqa: ARG001 - see _FactorFunction
    """Weighted reciprocal ranks over the channels, 1 for what is first in every channel."""
    ranks = candidate.channels
    return (
        sum(w / (RRF_K + ranks[name]) for name, w in CHANNEL_WEIGHTS.items() if name in ranks) / _BEST_FUSION
    )


def _keyword_density(candidate: Candidate, scale: Scale) -> float:  # noqa: ARG001
    return candidate.coverage


def _tag_overlap(candidate: Candidate, scale: Scale) -> float:
    """Jaccard overlap of the task's and the item's tags."""
    mine, theirs = set(candidate.evidence.tags), set(scale.query.tags)
    both = len(mine & theirs)
    return both / len(mine | theirs) if both else 0.0


def _path_proximity(candidate: Candidate, scale: Scale) -> float:
    """How much of its path an item shares with the nearest path that the task mentions.

    A task that mentions no path is near to the items whose path holds its terms.
    """
    path = candidate.evidence.path.lower()
    if scale.paths:
        parts = tuple(path.split("/"))
        return max(_shared(parts, wanted) for wanted in scale.paths)
    if candidate.lexical is None:
        return 0.0
    name = path.rpartition("/")[2]
    stem = name.rpartition(".")[0] or name
    return 1.0 if any(term in stem for term in candidate.lexical.terms if len(term) > 2) else 0.0


def _shared(path: tuple[str, ...], wanted: tuple[str, ...]) -> float:
    """1 where one path ends in the other, else the share of folders that they have in common from the top."""
    tail = min(len(path), len(wanted))
    if path[-tail:] == wanted[-tail:]:
        return 1.0
    common = 0
    for mine, theirs in zip(path[:-1], wanted[:-1], strict=False):
        if mine != theirs:
            break
        common += 1
    return common / max(len(path), len(wanted))


def _quality(candidate: Candidate, scale: Scale) -> float:  # noqa: ARG001
    return candidate.evidence.quality.score


def _usage(candidate: Candidate, scale: Scale) -> float:
    """Uses so far, saturating."""
    state = scale.learned.get(candidate.evidence.id)
    return state.uses / (state.uses + USAGE_SATURATION) if state else 0.0


def _confidence(candidate: Candidate, scale: Scale) -> float:
    state = scale.learned.get(candidate.evidence.id)
    return state.confidence if state else START_CONFIDENCE


def _recency(candidate: Candidate, scale: Scale) -> float:
    """Halves with every month between the last use and the as-of time."""
    state = scale.learned.get(candidate.evidence.id)
    return _fading(state.last_used_time, scale.as_of, RECENCY_HALF_LIFE) if state and state.uses else 0.0


def _cache_freshness(candidate: Candidate, scale: Scale) -> float:
    """Halves with every week since the last offer of the same content."""
    state = scale.learned.get(candidate.evidence.id)
    if state is None or state.content_hash != candidate.evidence.content_hash:
        return 0.0
    return _fading(state.last_offered_time, scale.as_of, CACHE_HALF_LIFE)


def _size(candidate: Candidate, scale: Scale) -> float:  # noqa: ARG001
    """Log of a function's lines, 1 from `FULL_SIZE` on: of two that fit alike, work is on the longer one.

    Classes, modules and documents are as long as what they hold, which tells nothing.
    """
    if candidate.evidence.kind is not Kind.UNIT:
        return NEUTRAL
    lines = candidate.evidence.end - candidate.evidence.start + 1
    return min(1.0, math.log1p(lines) / math.log1p(FULL_SIZE))


def _authority(candidate: Candidate, scale: Scale) -> float:  # noqa: ARG001
    return AUTHORITY_VALUES[candidate.evidence.authority]


def _freshness(candidate: Candidate, scale: Scale) -> float:
    """Halves with every year between the file's last commit and the as-of time."""
    changed = candidate.evidence.last_commit_time
    return _fading(changed, scale.as_of, FRESHNESS_HALF_LIFE) if changed and scale.as_of else NEUTRAL


def _demotion(candidate: Candidate, scale: Scale) -> float:
    """1 for a kind of source that does not come before implementation, unless the task asks for it."""
    kind = candidate.evidence.source_kind
    if kind is SourceKind.IMPLEMENTATION or kind in scale.query.asked:
        return 0.0
    return 0.0 if candidate.exact and candidate.exact.by_path else 1.0


def _fading(then: int, now: int, half_life: float) -> float:
    return math.exp2(-max(0, now - then) / half_life)


FACTORS: dict[str, _FactorFunction] = {
    "fusion": _fusion,
    "keyword_density": _keyword_density,
    "tag_overlap": _tag_overlap,
    "path_proximity": _path_proximity,
    "quality": _quality,
    "usage": _usage,
    "confidence": _confidence,
    "recency": _recency,
    "cache_freshness": _cache_freshness,
    "size": _size,
    "authority": _authority,
    "freshness": _freshness,
    "demotion": _demotion,
}
