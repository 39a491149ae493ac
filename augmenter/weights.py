"""Weights as data: what a learned profile was fitted to be, and where that comes from."""

from __future__ import annotations

import json
import math
import os.path
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from augmenter.signals.signals import FITTED, VERSION
from knowledge.errors import SettingsError

SHIPPED = Path(__file__).with_name("learned_weights.json")
SCHEMA = 1
_MALFORMED = (OSError, ArithmeticError, ValueError, LookupError, TypeError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class Weights:
    """Fitted weights.

    Attributes:
        weights: by signal.
        provenance: what they were fitted on, how, and by which figures they were chosen.
    """

    weights: MappingProxyType[str, float]
    provenance: MappingProxyType[str, Any]


def read_weights(path: Path) -> Weights:
    """Read a file of weights.

    Raises:
        SettingsError: it cannot be read, is malformed, or was fitted to other signals.
    """
    found, is_current = _parse(path)
    if not is_current:
        raise SettingsError(
            "the weights were fitted to other signals",
            where=str(path),
            remedy="Run 'prebrief tune', or delete it",
        )
    return found


def own_weights(path: Path) -> Path | None:
    """A project's own weights, where they are what it is ranked by: else the shipped ones hold.

    They do where the project has none, and where its own were fitted to other signals than those of this
    version: an update must not cost a project its briefs, and `prebrief doctor` tells. A damaged file is
    another matter: nobody knows what it was to say, and reading it is an error.
    """
    if not os.path.isfile(path):  # noqa: PTH113 - False, too, where the folder cannot be searched
        return None
    try:
        return path if _parse(path)[1] else None
    except SettingsError:
        return path


def _parse(path: Path) -> tuple[Weights, bool]:
    """What a file holds, and whether it was fitted to the signals that there are. Raises SettingsError."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        weights = {name: _finite(weight) for name, weight in content["weights"].items()}
        made_for, provenance = (content["schema"], content["signals"]), dict(content["provenance"])
    except _MALFORMED as error:
        raise SettingsError(
            f"the weights cannot be read: {error}",
            where=str(path),
            remedy="Run 'prebrief tune', or delete it",
        ) from None
    is_current = made_for == (SCHEMA, VERSION) and weights.keys() <= set(FITTED)
    return Weights(MappingProxyType(weights), MappingProxyType(provenance)), is_current


def _finite(weight: object) -> float:
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not math.isfinite(weight):
        raise ValueError(f"no weight: {weight!r}")
    return float(weight)


def weights_text(weights: dict[str, float], provenance: dict[str, Any]) -> str:
    """A file of weights: the largest first, so that it can be read."""
    ordered = dict(sorted(weights.items(), key=lambda pair: (-abs(pair[1]), pair[0])))
    content = {"schema": SCHEMA, "signals": VERSION, "provenance": provenance, "weights": ordered}
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"
