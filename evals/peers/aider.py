"""aider's repo map: what a page rank over definitions and references puts first, as aider shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.peers.answers import Answer, Ask, Piece, View
from evals.peers.environments import Environment
from knowledge import tokens

PINS = ("aider-chat==0.86.2",)  # which pins all that it depends on itself
SECONDS = 120  # for the map of one task at all budgets; parsing a checkout, once, is not counted
_WORKER = Path(__file__).with_name("aider_worker.py")


@dataclass(frozen=True, slots=True)
class Aider:
    """Maps of a repository, at each budget."""

    environment: Environment
    budgets: Sequence[int]
    name: str = "aider"

    def version(self) -> str:
        """As installed."""
        return self.environment.version()

    @contextmanager
    def open(self, root: Path) -> Iterator[Ask]:
        """Start a worker for a checkout."""
        with self.environment.worker(_WORKER, tokens.__file__, str(SECONDS)) as exchange:
            yield lambda text: _answer_of(
                exchange({"root": str(root), "text": text, "budgets": list(self.budgets)})
            )


def _answer_of(row: Mapping[str, Any]) -> Answer:
    if "error" in row:
        return Answer(failure=row["error"])
    views = {int(budget): _view_of(view) for budget, view in row["answer"]["views"].items()}
    return Answer(views=views)


def _view_of(view: Mapping[str, Any]) -> View:
    places = (Piece(file, line, line) for file, lines in view["lines"] for line in lines)
    return View(view["text"], tuple(places))
