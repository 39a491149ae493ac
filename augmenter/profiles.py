"""Weight profiles: how much each factor counts towards relevance.

`original` and `rrf` were weighed by hand: what speaks for an item sums to 1, a score lies in [0, 1].
`learned` combines signals (`augmenter.signals`) by fitted weights: its score, in natural logarithms, tells
candidates of one task apart, and nothing by itself. In each, `demotion` speaks against an item by
more than all else can make up for, so that tests, examples, generated and vendored code and changelogs come
after all implementation unless the task asks for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from augmenter.signals.mentioned import ALIAS
from augmenter.signals.signals import DISPATCHES
from augmenter.weights import SHIPPED, read_weights
from knowledge.errors import SettingsError
from knowledge.hashing import value_hash

DEMOTION = "demotion"
BEHIND_ALL = -1000.0  # a demotion's weight beside fitted ones, which nobody has chosen to sum to 1
LEARNED = "learned"


@dataclass(frozen=True, slots=True)
class WeightProfile:
    """Named weights of the factors, in the order in which they are explained.

    Attributes:
        name: of the profile.
        weights: by factor, of what it takes from `augmenter.factors`.
        signals: by signal, of what it takes from `augmenter.signals`.
    """

    name: str
    weights: MappingProxyType[str, float]
    signals: MappingProxyType[str, float] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def fingerprint(self) -> str:
        """Hash of the weights."""
        return value_hash({**self.weights, **self.signals})


ORIGINAL = WeightProfile(
    "original",
    MappingProxyType(
        {  # the eight factors of the original engine, as its design card has them
            "keyword_density": 0.15,
            "tag_overlap": 0.15,
            "path_proximity": 0.20,
            "quality": 0.15,
            "usage": 0.10,
            "confidence": 0.10,
            "recency": 0.10,
            "cache_freshness": 0.05,
            "authority": 0.0,
            "freshness": 0.0,
            DEMOTION: -1.0,
        }
    ),
)
RRF = WeightProfile(
    "rrf",
    MappingProxyType(
        {  # relevance decides; what is known of the item itself only tips the scale between near equals
            "fusion": 0.87,
            "size": 0.03,
            "confidence": 0.04,
            "quality": 0.02,
            "authority": 0.02,
            "freshness": 0.02,
            DEMOTION: -1.0,
        }
    ),
)
# What a project's own ledger and documents say of an item, beside the signals. Weighed by hand: there is
# nothing to fit them on before a project has learned something. A confidence of 1 outweighs the usual one of
# 0.5 by 0.75, which is about the distance between neighbours in a ranking.
_GIVEN = MappingProxyType({"confidence": 1.5, "authority": 0.5, "freshness": 0.0, DEMOTION: BEHIND_ALL})
DISPATCHES_WEIGHT = 3.0  # likewise; about what past commits have, which are evidence of the same kind
ALIAS_WEIGHT = 1.0  # what the other mentions of a name have
PROFILE_NAMES = (ORIGINAL.name, RRF.name, LEARNED)


def profile_of(name: str, weights: Path | None = None) -> WeightProfile:
    """A weight profile by name.

    Args:
        name: one of `PROFILE_NAMES`.
        weights: a project's own, for `learned`, where there are any.

    Raises:
        SettingsError: there is no such profile, or its weights cannot be read.
    """
    if name == LEARNED:
        return learned_profile(read_weights(weights).weights) if weights else _shipped()
    for profile in (ORIGINAL, RRF):
        if profile.name == name:
            return profile
    raise SettingsError(f"no weight profile '{name}'", remedy=f"Use one of {', '.join(PROFILE_NAMES)}")


def learned_profile(weights: Mapping[str, float]) -> WeightProfile:
    """The learned profile with these weights of signals."""
    return WeightProfile(
        LEARNED, _GIVEN, MappingProxyType({**weights, DISPATCHES: DISPATCHES_WEIGHT, ALIAS: ALIAS_WEIGHT})
    )


@lru_cache(maxsize=1)
def _shipped() -> WeightProfile:
    return learned_profile(read_weights(SHIPPED).weights)
