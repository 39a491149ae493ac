"""Figures, places and verdicts in words and digits, for terminals and reports alike."""

from __future__ import annotations

from dataclasses import dataclass

from evals.cases import Answer
from evals.evaluation.comparison import Difference
from evals.evaluation.evaluate import Evaluation
from evals.evaluation.figures import Unit
from evals.evaluation.outcomes import Offer, Outcome

_DIGITS: dict[Unit, int] = {"percent": 1, "number": 3, "tokens": 0, "ms": 1}
_SIGNS: dict[Unit, str] = {"percent": " %", "number": "", "tokens": "", "ms": " ms"}
SMALLEST_P = 0.001


def shown(value: float, unit: Unit, *, sign: bool = False, bare: bool = False) -> str:
    """A value with its unit: ``61.1 %``; with ``sign`` a change: ``+3.3``."""
    scaled = value * 100 if unit == "percent" else value
    digits = f"{scaled:{'+' if sign else ''}.{_DIGITS[unit]}f}".replace("-", "−")
    return digits if bare or sign else f"{digits}{_SIGNS[unit]}"


def shown_p(p_value: float | None) -> str:
    """A p-value: ``0.013``, ``< 0.001``; a dash where there is none."""
    if p_value is None:
        return "–"
    return f"< {SMALLEST_P}" if p_value < SMALLEST_P else f"{p_value:.3f}"


def told(one: Difference) -> str:
    """A difference in one sentence: ``fn_any@5 61.1 % → 44.4 % (p = 0.013)``."""
    unit = one.figure.unit
    before, after = shown(one.theirs, unit), shown(one.ours, unit)
    return f"{one.figure.name} {before} → {after} (p {_equals(one.p_value)})"


def _equals(p_value: float | None) -> str:
    text = shown_p(p_value)
    return text if text.startswith("<") else f"= {text}"


def verdict_of(evaluation: Evaluation) -> str:
    """The evaluation's outcome in one sentence."""
    found = evaluation.against_baseline
    if found is None or not found.common:
        return "Not compared."
    if found.regressions:
        return f"Significantly worse: {'; '.join(map(told, found.regressions))}."
    better = [one for one in found.differences.values() if one.figure.decides and one.verdict == "better"]
    if better:
        return f"Significantly better: {'; '.join(map(told, better))}."
    return "No significant change in the figures that decide."


@dataclass(frozen=True, slots=True)
class Told:
    """A thing in words.

    Attributes:
        name: what it is called; ``""`` where its place says all.
        place: where it is, ``src/stream.py:3-9``.
    """

    name: str
    place: str

    @property
    def text(self) -> str:
        """Both on one line."""
        return " ".join(part for part in (self.place, self.name) if part)


def told_answer(answer: Answer) -> Told:
    """An answer in words; by its id where it has no place."""
    if answer.id and not answer.path:
        return Told("", answer.id)
    return Told(answer.name, f"{answer.path}{f':{answer.start}-{answer.end}' if answer.start else ''}")


def told_offer(offer: Offer) -> Told:
    """An item of a brief in words."""
    return Told("" if offer.name == offer.path else offer.name, f"{offer.path}:{offer.start}-{offer.end}")


def rank_of(outcome: Outcome) -> int | None:
    """Rank of the first hit, among functions where they are asked for; None without one."""
    ranks = outcome.ranks.functions or outcome.ranks.everything
    return min((rank for rank in ranks if rank is not None), default=None)


def badness(outcome: Outcome) -> tuple[float, float, float, str]:
    """Orders cases, worst first: what is missing in the brief, how late it was found, what is offered."""
    figures = outcome.figures
    if outcome.abstain:
        return (figures["abstention_recall"], 0.0, -len(outcome.offered), outcome.case)
    found = rank_of(outcome)
    return (
        figures["brief_recall"],
        1 / found if found else 0.0,
        figures.get("brief_precision", 0.0),
        outcome.case,
    )
