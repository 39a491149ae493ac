"""Choosing rules and warnings: by scope, tags and terms, among all reviewed guidance that still holds."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from augmenter.factors import SCORE_DIGITS, Factor
from augmenter.query import Query
from augmenter.task import Task
from knowledge.terms import terms
from knowledge.types import STANDING, Evidence, Guidance, Kind
from knowledge.validity import is_expired

WEIGHTS = {
    "tags": 0.35,  # tags are broad: one in common makes guidance likely, not certain
    "terms": 0.5,  # a person wrote a term down because it calls for this guidance
    "scope": 0.3,  # its scope covers what the task mentions or what is offered
    "words": 0.4,  # its own words cover the task
}
THRESHOLD = 0.35  # one tag, or one term, or scope and some words
_KIND_ORDER = {Kind.RULE: 0, Kind.ANTIPATTERN: 1, Kind.REPORT: 2}


@dataclass(frozen=True, slots=True)
class Chosen:
    """A rule or warning that fits a task.

    Attributes:
        evidence: where it stands.
        guidance: what it says and when it applies.
        parts: what speaks for it, by name (tags, terms, scope, words), each in [0, 1].
        why: the same in words.
    """

    evidence: Evidence
    guidance: Guidance
    parts: dict[str, float]
    why: str

    @property
    def factors(self) -> dict[str, Factor]:
        """What speaks for it, weighted."""
        return {name: Factor(value, WEIGHTS[name]) for name, value in self.parts.items()}

    @property
    def score(self) -> float:
        """How well it fits, in [0, 1]."""
        total = math.fsum(factor.contribution for factor in self.factors.values())
        return round(min(1.0, total), SCORE_DIGITS)


def choose_guidance(
    rows: Iterable[tuple[Evidence, Guidance]], task: Task, query: Query, paths: Iterable[str], as_of: int
) -> list[Chosen]:
    """The guidance that fits a task, best first; rules before warnings among equals.

    Args:
        rows: all guidance of the catalog.
        task: the task.
        query: what it asks.
        paths: of the mentioned files and of the patterns that rank first.
        as_of: seconds since the epoch; guidance that expired before is left out.
    """
    standing = [row for row in rows if row[0].status in STANDING and not is_expired(row[1].expires, as_of)]
    if not standing:  # as in most repositories; the task is not read again for nothing
        return []
    mentioned, said = tuple(paths), frozenset(terms(f"{task.title}\n{task.prose}\n{task.code}"))
    chosen = [_fit(evidence, guidance, query, said, mentioned) for evidence, guidance in standing]
    fitting = [item for item in chosen if item is not None and item.score >= THRESHOLD]
    return sorted(fitting, key=_order)


def _order(item: Chosen) -> tuple[float, int, int, tuple[str, int, str]]:
    kind = _KIND_ORDER[item.evidence.kind]
    return (-item.score, kind, -item.guidance.evidence_count, item.evidence.sort_key)


def _fit(
    evidence: Evidence, guidance: Guidance, query: Query, said: frozenset[str], paths: tuple[str, ...]
) -> Chosen | None:
    in_scope = [p for p in paths if any(fnmatchcase(p, glob) for glob in guidance.scope)]
    if guidance.scope and not in_scope:
        return None
    tags = sorted({*guidance.tags} & {*query.tags})
    called = [term for term in guidance.terms if _is_said(term, said)]
    mass = {term.term: term.mass for term in query.terms}
    words = {*terms(f"{guidance.statement} {evidence.name}")} & mass.keys()
    total = sum(mass.values())
    parts = {
        "tags": 1.0 if tags else 0.0,
        "terms": min(1.0, len(called) / 2 + 0.5) if called else 0.0,
        "scope": 1.0 if in_scope else 0.0,
        "words": sum(mass[word] for word in sorted(words)) / total if total else 0.0,
    }
    return Chosen(evidence, guidance, parts, _why(tags, called, in_scope, sorted(words)))


def _is_said(term: str, said: frozenset[str]) -> bool:
    """Whether all the words of a guidance's term occur in the task."""
    needed = terms(term)
    return bool(needed) and said.issuperset(needed)


def _why(tags: list[str], called: list[str], in_scope: list[str], words: list[str]) -> str:
    reasons = (
        ("tags", tags),
        ("terms", called),
        ("scope covers", in_scope[:1]),
        ("words", words[:5]),
    )
    return "; ".join(f"{name} {', '.join(values)}" for name, values in reasons if values)
