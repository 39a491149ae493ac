"""What of a peer's answer an agent would see in so many tokens, and which functions are in that.

The rules are those of `evals.budgets`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from evals.golds import Gold
from evals.peers.answers import Answer, Piece
from knowledge.settings import Settings
from knowledge.tokens import estimate_tokens
from knowledge.types import Kind
from templates.context import BlockContext, PatternLine
from templates.render import Renderer

SHIPPED = Settings().brief
_RENDERER = Renderer(SHIPPED.format)  # once: it compiles its template when it is first used


Inside = Callable[[Piece, Gold], bool]


@dataclass(frozen=True, slots=True)
class Shown:
    """What of a task's functions is in a text of some budget.

    Attributes:
        inside: how many.
        tokens: of the text.
    """

    inside: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """One form of a peer's answers.

    Attributes:
        title: of the row.
        peer: who answers.
        pieces: what of an answer is shown at a budget, and how each piece reads; None where that is the
            peer's own view.
        inside: when a gold function is in a piece.
    """

    title: str
    peer: str
    pieces: Callable[[Answer], Iterable[tuple[Piece, str]]] | None
    inside: Inside


def names(piece: Piece, gold: Gold) -> bool:
    """Whether a piece is the function, by its name or its lines."""
    return (piece.file == gold.file and piece.name == gold.name) or covers(piece, gold)


def covers(piece: Piece, gold: Gold) -> bool:
    """Whether a piece holds at least half of the function."""
    return 2 * _common(piece, gold) >= gold.end - gold.start + 1


def defines(piece: Piece, gold: Gold) -> bool:
    """Whether the function's definition line is in a piece."""
    return piece.file == gold.file and piece.start <= gold.defined <= piece.end


def touches(piece: Piece, gold: Gold) -> bool:
    """Whether any line of the function is in a piece."""
    return _common(piece, gold) > 0


def _common(piece: Piece, gold: Gold) -> int:
    return min(piece.end, gold.end) - max(piece.start, gold.start) + 1 if piece.file == gold.file else 0


@lru_cache(maxsize=1 << 16)
def line_of(piece: Piece) -> str:
    """A function as a line of this project's brief. The relevance is a number like any other: it costs."""
    item = PatternLine(piece.name, Kind.UNIT.value, 0.5, piece.text, piece.file, piece.start, piece.end)
    block = _RENDERER.block(BlockContext(patterns=(item,)))
    return next(line for line in block.split("\n") if piece.file in line)


def _as_lines(answer: Answer) -> Iterator[tuple[Piece, str]]:
    return ((piece, line_of(piece)) for piece in answer.functions)


def _as_chunks(answer: Answer) -> Iterator[tuple[Piece, str]]:
    return ((piece, f"{_place(piece)}\n\n{piece.text}\n") for piece in answer.passages)


def _as_places(answer: Answer) -> Iterator[tuple[Piece, str]]:
    return ((piece, _place(piece)) for piece in answer.passages)


def _as_grep(answer: Answer) -> Iterator[tuple[Piece, str]]:
    file = ""
    for piece in answer.passages:
        heading = "" if piece.file == file else f"\n{piece.file}\n"
        file = piece.file
        yield piece, f"{heading}{piece.start}:{piece.text}"


def _place(piece: Piece) -> str:
    return f"{piece.file}:{piece.start}-{piece.end}"


ROWS = (
    Row("bm25s over functions", "bm25s", _as_lines, names),
    Row("ripgrep, functions around its hits", "ripgrep", _as_lines, names),
    Row("ripgrep, its own output", "ripgrep", _as_grep, touches),
    Row("aider's repo map", "aider", None, defines),
    Row("semble with general static vectors, its chunks", "semble", _as_chunks, covers),
    Row("semble …, places of chunks alone", "semble", _as_places, covers),
    Row("semble …, functions in its chunks", "semble", _as_lines, names),
)


def shown_by(row: Row, answer: Answer, golds: Sequence[Gold], budget: int) -> Shown:
    """What of the gold is in a peer's answer when it is cut to a budget."""
    if row.pieces is None:
        view = answer.views.get(budget)
        return Shown(count_inside(view.shown, golds, row.inside), _tokens(view.text)) if view else Shown()
    kept: list[Piece] = []
    used = 0
    for piece, text in row.pieces(answer):
        tokens = _tokens(f"{text}\n")
        if used + tokens <= budget:
            kept.append(piece)
            used += tokens
    return Shown(count_inside(kept, golds, row.inside), used)


def count_inside(pieces: Sequence[Piece], golds: Sequence[Gold], inside: Inside) -> int:
    """How many functions are in any of the pieces."""
    return sum(any(inside(piece, gold) for piece in pieces) for gold in golds)


@lru_cache(maxsize=1 << 16)
def _tokens(text: str) -> int:
    return estimate_tokens(text)
