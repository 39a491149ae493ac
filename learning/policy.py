"""Learning policies: from what was observed of one item to how much it is trusted.

A policy is a pure function of the item's observations in order. It keeps no state, so that the ledger
can be replayed by another policy, and the two be compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from knowledge.errors import SettingsError

START = 0.5  # of an item of which nothing is known
FLOOR = 0.05  # above zero: an item at the floor can still rise
CEILING = 1.0

# The original engine's figures. Use must happen in 35 % of the days on which an item is delivered for its
# confidence to hold (ln 0.95 / (ln 0.95 - ln 1.10) = 0.35), more when tasks fail: known to sink useful
# items, and kept as the measure for its successor.
USED_IN_SUCCESS = 1.10
NOT_USED = 0.95
USED_IN_FAILURE = 0.80


@dataclass(frozen=True, slots=True)
class Observation:
    """One dispatch that delivered the item and ended in success or failure.

    Attributes:
        time: of the dispatch, in seconds since the epoch.
        day: the UTC day of that time, in days since the epoch.
        succeeded: whether the dispatch ended in success.
        used: whether the item was used.
        use_known: whether anybody looked for use; if not, ``used`` is False for want of knowledge.
        is_guidance: whether the item is a rule or a warning, with which compliance is silent.
    """

    time: int
    day: int
    succeeded: bool
    used: bool
    use_known: bool
    is_guidance: bool


class Policy(Protocol):
    """How confidence follows from observations."""

    @property
    def name(self) -> str:
        """The name by which settings and receipts know it."""

    def confidence(self, observations: Sequence[Observation]) -> float:
        """Confidence in [`FLOOR`, `CEILING`] after ``observations``, which come in order of time."""


@dataclass(frozen=True, slots=True)
class OriginalPolicy:
    """Multiplicative: ×1.10 used in a success, ×0.80 used in a failure, ×0.95 delivered and not used.

    The decay comes at most once per item and UTC day, at the first such dispatch of the day. A dispatch
    for which nobody looked for use counts as not used, as it did in the original. Rules and warnings
    never decay.
    """

    name: str = "original"

    def confidence(self, observations: Sequence[Observation]) -> float:
        """As `Policy.confidence`."""
        value = START
        decayed_on = None
        for seen in observations:
            if seen.used:
                value *= USED_IN_SUCCESS if seen.succeeded else USED_IN_FAILURE
            elif not seen.is_guidance and seen.day != decayed_on:
                value *= NOT_USED
                decayed_on = seen.day
            value = min(max(value, FLOOR), CEILING)
        return value


_POLICIES: dict[str, Policy] = {"original": OriginalPolicy()}


def policy_named(name: str) -> Policy:
    """The policy of that name. Raises SettingsError."""
    try:
        return _POLICIES[name]
    except KeyError:
        raise SettingsError(
            f"no learning policy '{name}'", where="learning.policy", remedy=f"Allowed: {', '.join(_POLICIES)}"
        ) from None
