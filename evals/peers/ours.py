"""This project among its peers: what its context block offers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from augmenter.augment import Request, Tools, augment
from augmenter.candidates import EVERYTHING
from augmenter.deadline import Deadline
from augmenter.pack import Limits
from evals.asking import Asker
from evals.peers.answers import Piece
from evals.peers.showing import SHIPPED
from knowledge.types import Evidence, Kind
from templates.render import Renderer


@dataclass(frozen=True, slots=True)
class Brief:
    """A context block.

    Attributes:
        offered: its patterns, in their order: functions with their names, all else without.
        tokens: of the whole block.
    """

    offered: tuple[Piece, ...]
    tokens: int


MakeBrief = Callable[[str, int, int], Brief]


@contextmanager
def briefs(root: Path, asker: Asker) -> Iterator[MakeBrief]:
    """A function from a task, a number of patterns and a budget to a brief, with the settings as shipped."""
    with asker.tools(root) as plain:
        tools = replace(plain, renderer=Renderer(SHIPPED.format))
        yield lambda text, patterns, budget: _brief(text, Limits(patterns, SHIPPED.rules, budget), tools)


def _brief(text: str, limits: Limits, tools: Tools) -> Brief:
    request = Request(text, None, EVERYTHING, limits, SHIPPED.format)
    pack = augment(request, tools, Deadline(tools.tick)).pack
    return Brief(tuple(_piece(item.candidate.evidence) for item in pack.patterns), pack.tokens)


def _piece(evidence: Evidence) -> Piece:
    """A place; only a function's name can be an answer."""
    name = evidence.name if evidence.kind is Kind.UNIT else ""
    return Piece(evidence.path, evidence.start, evidence.end, name)
