"""Prometheus' text format, version 0.0.4.

Written by hand: it is two escapes and a rule for numbers, and the client library would be one more package,
with a registry of its own for the whole process.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

# Seconds: a warm dispatch takes some 0.01, and none may take more than the deadline, of a second mostly.
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

Labels = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Sample:
    """One value; ``suffix`` stands behind the name of its family."""

    value: float
    labels: Labels = field(default_factory=dict)
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class Family:
    """All values of one name.

    Attributes:
        name: of the metric.
        kind: ``counter``, ``gauge`` or ``histogram``.
        meaning: in words.
        samples: the values, each with other labels.
    """

    name: str
    kind: str
    meaning: str
    samples: tuple[Sample, ...]

    def lines(self) -> Iterable[str]:
        """As text."""
        yield f"# HELP {self.name} {_escaped(self.meaning)}"
        yield f"# TYPE {self.name} {self.kind}"
        for sample in self.samples:
            labels = ",".join(f'{name}="{_quoted(value)}"' for name, value in sample.labels.items())
            braces = f"{{{labels}}}" if labels else ""
            yield f"{self.name}{sample.suffix}{braces} {number(sample.value)}"


@dataclass(slots=True)
class Histogram:
    """Counts values by the bounds that they do not exceed."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    total: float = 0.0

    def note(self, value: float) -> None:
        """Count a value."""
        self.counts[bisect_left(BOUNDS, value)] += 1
        self.total += value

    def samples(self) -> tuple[Sample, ...]:
        """As Prometheus wants them: cumulated."""
        found, below = [], 0
        for bound, count in zip((*BOUNDS, math.inf), self.counts, strict=True):
            below += count
            found.append(Sample(below, {"le": number(bound)}, "_bucket"))
        return (*found, Sample(self.total, suffix="_sum"), Sample(below, suffix="_count"))


def exposition(families: Iterable[Family]) -> str:
    """The text of all."""
    return "".join(f"{line}\n" for family in families for line in family.lines())


def number(value: float) -> str:
    """A number as Go and Prometheus read it."""
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    if math.isnan(value):
        return "NaN"
    return repr(value)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def _quoted(text: str) -> str:
    return _escaped(text).replace('"', '\\"')
