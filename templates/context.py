"""What is rendered: plain values, already chosen, ordered and counted.

The renderer decides how a brief looks, never what is in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

GuidanceKind = Literal["rule", "antipattern", "report"]


@dataclass(frozen=True, slots=True)
class PatternLine:
    """One code pattern or document section, on one line.

    Attributes:
        name: qualified name (``EventStream.close``) or heading path.
        kind: what it is (``unit``, ``class``, ``section`` …).
        relevance: in [0, 1]; shown with two decimals.
        description: one sentence.
        path: file, relative to the view's root.
        start: first line, counted from 1.
        end: last line, included.
        changed: whether it has changed since the agent was given it earlier in its session.
    """

    name: str
    kind: str
    relevance: float
    description: str
    path: str
    start: int
    end: int
    changed: bool = False


@dataclass(frozen=True, slots=True)
class GuidanceLine:
    """One prevention rule, or one warning (an antipattern or an incident report).

    Attributes:
        kind: ``rule``, ``antipattern`` or ``report``.
        statement: one sentence.
        evidence_count: in how many cases it was seen; 0 when nobody counted.
        severity: a ``severity`` value of the taxonomy, or ``""``.
        path: the file that states it, relative to the view's root.
        start: first line, counted from 1.
        end: last line, included.
        changed: whether it has changed since the agent was given it earlier in its session.
    """

    kind: GuidanceKind
    statement: str
    evidence_count: int
    severity: str
    path: str
    start: int
    end: int
    changed: bool = False


@dataclass(frozen=True, slots=True)
class BlockContext:
    """Everything a context block says.

    Attributes:
        patterns: best first.
        guidance: best first; rules and warnings mixed, the templates part them.
        left_out: items that were relevant and did not fit the budget.
        given: items that fit the task and that the agent was given earlier in its session.
        below_threshold: candidates that stayed below the relevance threshold.
        stale: the index is older than the working tree.
        coverage: share of the task that the items cover, in [0, 1].
        low_coverage: whether that share is low enough to be worth a remark.
    """

    patterns: tuple[PatternLine, ...] = ()
    guidance: tuple[GuidanceLine, ...] = ()
    left_out: int = 0
    given: int = 0
    below_threshold: int = 0
    stale: bool = False
    coverage: float = 1.0
    low_coverage: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether there is no item; remarks alone are never worth an agent's attention."""
        return not self.patterns and not self.guidance
