"""Intervals and paired tests: how sure a figure is, and whether a difference is more than chance.

Randomness comes from a fixed seed: the same values, the same intervals and p-values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import comb, sqrt
from random import Random

ALPHA = 0.05  # what a p-value must stay below for a difference to be taken for real
CONFIDENCE = 0.95  # of intervals
SEED = 20_240_229  # any number would do; a fixed one makes a run repeatable
RESAMPLES = 2_000  # of a bootstrap: the third digit of an interval's ends stands still
ROUNDS = 4_999  # of a randomisation: p-values to within 0.006 at 0.05; with the observed one 5,000
EXACT = 12  # up to so many pairs that differ, all their 4,096 exchanges are tried
_Z = 1.959964  # of the normal distribution, for CONFIDENCE
_TINY = 1e-12  # what sums of floats may differ by and still be equal


@dataclass(frozen=True, slots=True)
class Interval:
    """Where a figure lies with a probability of `CONFIDENCE`."""

    low: float
    high: float


Pair = tuple[float | None, float | None]


def mcnemar(won: int, lost: int) -> float:
    """Two-sided exact p-value of McNemar's test: discordant pairs against a fair coin."""
    total = won + lost
    if total == 0:
        return 1.0
    tail = sum(comb(total, k) for k in range(min(won, lost) + 1))
    return min(1.0, 2 * tail / float(1 << total))


def wilson(hits: int, total: int) -> Interval:
    """Interval of a share (Wilson, 1927): sound also near 0 and 1, and for few cases."""
    share, z2 = hits / total, _Z * _Z / total
    centre = (share + z2 / 2) / (1 + z2)
    half = _Z * sqrt(share * (1 - share) / total + z2 / (4 * total)) / (1 + z2)
    return Interval(max(0.0, centre - half), min(1.0, centre + half))


def bootstrap(
    values: Sequence[float],
    statistic: Callable[[Sequence[float]], float],
    resamples: int = RESAMPLES,
) -> Interval:
    """Interval of a statistic (a mean, a median): percentiles of that of resamples (Efron, 1979)."""
    random = Random(SEED)  # noqa: S311 - statistics, no secrets
    found = sorted(statistic(random.choices(values, k=len(values))) for _ in range(resamples))
    cut = int(resamples * (1 - CONFIDENCE) / 2)
    return Interval(found[cut], found[-1 - cut])


def randomization(pairs: Sequence[Pair], rounds: int = ROUNDS) -> float:
    """Two-sided p-value of a difference of means by paired randomisation (Fisher; Smucker et al., 2007).

    If it makes no difference which of the two a value comes from, exchanging them within pairs leads to
    differences as large as the observed one often enough.

    Args:
        pairs: of each case, the values of both; None where the figure is not defined for one of them.
        rounds: exchanges to draw where there are too many pairs to try all.
    """
    different = [pair for pair in pairs if pair[0] != pair[1]]
    same = [pair[0] for pair in pairs if pair[0] == pair[1] and pair[0] is not None]
    observed = abs(_difference(different, same))
    reached = drawn = 0
    for exchanges in _exchanges(len(different), rounds):
        exchanged = [
            pair[::-1] if exchange else pair for pair, exchange in zip(different, exchanges, strict=True)
        ]
        drawn += 1
        reached += abs(_difference(exchanged, same)) >= observed - _TINY
    return reached / drawn


def _exchanges(count: int, rounds: int) -> Iterator[Sequence[bool]]:
    """Which pairs to exchange, round by round; not any of them in the first."""
    if count <= EXACT:
        yield from product((False, True), repeat=count)
        return
    yield [False] * count
    random = Random(SEED)  # noqa: S311 - statistics, no secrets
    for _ in range(rounds):
        bits = random.getrandbits(count)
        yield [bool(bits >> number & 1) for number in range(count)]


def _difference(pairs: Sequence[Sequence[float | None]], same: Sequence[float]) -> float:
    """The difference of the means of what is defined; 0 if one of them has nothing defined."""
    ours = [*(pair[0] for pair in pairs if pair[0] is not None), *same]
    theirs = [*(pair[1] for pair in pairs if pair[1] is not None), *same]
    if not ours or not theirs:
        return 0.0
    return sum(ours) / len(ours) - sum(theirs) / len(theirs)


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values of several tests, corrected for their number (Holm, 1979), each in its place."""
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=lambda index: (p_values[index], index))):
        highest = max(highest, min(1.0, (len(p_values) - place) * p_values[index]))
        corrected[index] = highest
    return corrected
