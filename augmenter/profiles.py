"""Weight profiles: how much each factor counts towards relevance.

The weights of what speaks for an item sum to 1, so that a score lies in [0, 1]; `demotion` speaks against
it with a weight of 1, so that tests, examples, generated and vendored code and changelogs come after all
implementation unless the task asks for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from knowledge.hashing import value_hash

DEMOTION = "demotion"


@dataclass(frozen=True, slots=True)
class WeightProfile:
    """Named weights of the factors, in the order in which they are explained."""

    name: str
    weights: MappingProxyType[str, float]

    @property
    def fingerprint(self) -> str:
        """Hash of the weights."""
        return value_hash(dict(self.weights))


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
PROFILES = MappingProxyType({profile.name: profile for profile in (ORIGINAL, RRF)})
