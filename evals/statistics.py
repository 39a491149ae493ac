"""Intervals and paired tests: how sure a figure is, and whether a difference is more than chance.

Randomness comes from a fixed seed: the same values, the same intervals and p-values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress, product
from math import comb, sqrt
from random import Random

ALPHA = 0.05  # what a p-value must stay below for a difference to be taken for real
CONFIDENCE = 0.95  # of intervals
SEED = 20_240_229  # any number would do; a fixed one makes a run repeatable
RESAMPLES = 2_000  # of a bootstrap: the third digit of an interval's ends stands still
ROUNDS = 4_999  # of a randomisation: p-values to within 0.006 at 0.05; with the observed one 5,000
EXACT = 12  # up to so many pairs that differ, all their 4,096 exchanges are tried
_Z = 1.959964  # of the normal distribution, for CONFIDENCE
_DIGITS = bytes.maketrans(b"01", b"\x00\x01")  # from a number's digits to zeros and ones
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
    ours, theirs = _Side.of([pair[0] for pair in pairs]), _Side.of([pair[1] for pair in pairs])
    different = [pair for pair in pairs if pair[0] != pair[1]]
    # What exchanging a pair adds to our sum and count, and takes from theirs.
    sums = [(pair[1] or 0.0) - (pair[0] or 0.0) for pair in different]
    counts = [(pair[1] is not None) - (pair[0] is not None) for pair in different]
    observed = abs(ours.mean_less(theirs))
    reached = drawn = 0
    for exchanged in _exchanges(len(different), rounds):
        moved, number = sum(compress(sums, exchanged)), sum(compress(counts, exchanged))
        mine = _Side(ours.total + moved, ours.count + number)
        other = _Side(theirs.total - moved, theirs.count - number)
        drawn += 1
        reached += abs(mine.mean_less(other)) >= observed - _TINY
    return reached / drawn


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two whose means are compared."""

    total: float
    count: int

    @classmethod
    def of(cls, values: Sequence[float | None]) -> _Side:
        defined = [value for value in values if value is not None]
        return cls(sum(defined), len(defined))

    def mean_less(self, other: _Side) -> float:
        """The difference of the means; 0 if one of them has nothing defined."""
        if not self.count or not other.count:
            return 0.0
        return self.total / self.count - other.total / other.count


def _exchanges(count: int, rounds: int) -> Iterator[Iterable[int]]:
    """Which pairs to exchange, round by round, as zeros and ones; not any of them in the first."""
    if count <= EXACT:
        yield from product((0, 1), repeat=count)
        return
    yield [0] * count
    random = Random(SEED)  # noqa: S311 - statistics, no secrets
    for _ in range(rounds):
        yield f"{random.getrandbits(count):0{count}b}".encode().translate(_DIGITS)


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values of several tests, corrected for their number (Holm, 1979), each in its place."""
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=lambda index: (p_values[index], index))):
        highest = max(highest, min(1.0, (len(p_values) - place) * p_values[index]))
        corrected[index] = highest
    return corrected
