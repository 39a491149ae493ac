"""semble: chunks of code by a fusion of BM25 and static vectors, in its own pipeline.

Its own model cannot be had without a model hub; the vectors are those that the package wordllama ships, of
English text and not of code. The row says so: it is semble's pipeline, not semble at its best.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.peers.answers import Answer, Ask, Piece
from evals.peers.environments import Environment
from evals.peers.units import UnitMap, distinct, units_of

PINS = (
    "semble==0.7.0",
    "semble-grammars==0.1.2",
    "wordllama==0.4.0.post1",
    "model2vec==0.10.0",
    "vicinity==0.4.6",
    "tokenizers==0.23.3",
    "tree-sitter==0.26.1",
    "numpy==2.4.6",
)
CHUNKS = 100  # an answer: more places than fit the largest budget
_WORKER = Path(__file__).with_name("semble_worker.py")


@dataclass(frozen=True, slots=True)
class Semble:
    """Chunks by semble's own search, and the functions in them."""

    environment: Environment
    name: str = "semble"

    def version(self) -> str:
        """As installed."""
        return self.environment.version()

    @contextmanager
    def open(self, root: Path) -> Iterator[Ask]:
        """Index a checkout."""
        functions = UnitMap(units_of(root))
        with self.environment.worker(_WORKER, str(self.environment.work / "semble-model")) as exchange:
            yield lambda text: _answer_of(
                exchange({"root": str(root), "text": text, "count": CHUNKS}), functions
            )


def _answer_of(row: Mapping[str, Any], functions: UnitMap) -> Answer:
    chunks = tuple(Piece(**chunk) for chunk in row["chunks"])
    mapped = (function for chunk in chunks for function in functions.within(chunk))
    return Answer(functions=distinct(mapped), passages=chunks)
