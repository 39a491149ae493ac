"""BM25 over functions, by the library bm25s with its own defaults.

A document is a function: its source, its qualified name and its path, in the terms that this project searches
by (identifiers split and kept whole, stemmed, without stop words), which is the strongest form known here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from evals.peers.answers import Answer, Ask
from evals.peers.environments import installed
from evals.peers.units import Unit, distinct, units_of
from knowledge.terms import terms


@dataclass(frozen=True, slots=True)
class Bm25:
    """Functions by BM25."""

    name: str = "bm25s"

    def version(self) -> str:
        """As installed."""
        return installed(("bm25s", "numpy"))

    @contextmanager
    def open(self, root: Path) -> Iterator[Ask]:
        """Index the functions of a checkout."""
        units = units_of(root)
        library = import_module("bm25s")  # not at the top: it is no dependency of this project
        retriever = library.BM25()
        retriever.index([_terms(unit) for unit in units], show_progress=False)
        yield lambda text: _answer(retriever, units, terms(text))


def _terms(unit: Unit) -> list[str]:
    return terms(f"{unit.piece.name} {unit.piece.file}\n{unit.source}")


def _answer(retriever: Any, units: Sequence[Unit], query: list[str]) -> Answer:
    if not query or not units:
        return Answer()
    scores = retriever.get_scores(query)
    order = sorted(range(len(units)), key=lambda number: (-scores[number], number))
    best = (units[number].piece for number in order if scores[number] > 0)
    return Answer(functions=distinct(best))
