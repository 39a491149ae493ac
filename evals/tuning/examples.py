"""Examples to learn from: a task's candidates with their signals, and which of them were the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from types import MappingProxyType

from augmenter.augment import Tools
from augmenter.candidates import EVERYTHING
from augmenter.factors import Scored
from augmenter.profiles import BEHIND_ALL, DEMOTION, LEARNED, WeightProfile
from evals.asking import ranking_of
from evals.cases import Answer
from evals.metrics import hits
from knowledge.settings import ChannelSettings
from knowledge.types import Kind

MAX_CANDIDATES = 150  # by words, of each task, beside the answers: the rest tells nothing more
_ORDER = "bm25f"
# Only has to be a profile that takes signals; what it ranks is ordered anew by every fit.
_ANY = WeightProfile(LEARNED, MappingProxyType({DEMOTION: BEHIND_ALL}), MappingProxyType({_ORDER: 1.0}))


@dataclass(frozen=True, slots=True)
class Example:
    """One task.

    Attributes:
        name: of the task.
        group: what is held out together: the repository.
        signals: of each candidate, in order of path, line and id.
        is_answer: of each candidate.
    """

    name: str
    group: str
    signals: tuple[Mapping[str, float], ...]
    is_answer: tuple[bool, ...]


def example_of(name: str, group: str, task: str, answers: Sequence[Answer], tools: Tools) -> Example:
    """Ask a task and keep what was found, but for what is demoted: of that nothing can be learned."""
    scored = ranking_of(task, EVERYTHING, tools_for_signals(tools)).scored
    kept = sorted(_kept(scored, answers), key=lambda item: item.candidate.evidence.sort_key)
    return Example(
        name,
        group,
        tuple(_signals(item) for item in kept),
        tuple(_is_answer(item, answers) for item in kept),
    )


def tools_for_signals(tools: Tools) -> Tools:
    """The same tools, but so that the pipeline gives every signal."""
    every = ChannelSettings(**{field.name: True for field in fields(ChannelSettings)})
    return replace(tools, profile=_ANY, settings=replace(tools.settings, channels=every))


def _kept(scored: list[Scored], answers: Sequence[Answer]) -> list[Scored]:
    standing = [item for item in scored if not item.values[DEMOTION]]
    return [
        item for number, item in enumerate(standing) if number < MAX_CANDIDATES or _is_answer(item, answers)
    ]


def _is_answer(item: Scored, answers: Sequence[Answer]) -> bool:
    evidence = item.candidate.evidence
    return evidence.kind is Kind.UNIT and any(hits(evidence, answer) for answer in answers)


def _signals(item: Scored) -> dict[str, float]:
    return {name: value for name, value in item.values.items() if name != DEMOTION}
