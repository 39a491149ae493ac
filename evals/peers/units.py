"""The functions of an indexed checkout: what peers that rank functions choose from, and hits lead to."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from augmenter.pack import describe
from evals.peers.answers import Piece
from knowledge.catalog.reader import CatalogReader
from knowledge.project import locate
from knowledge.types import Kind, SourceKind

MOST = 60  # functions an answer: more than fit the largest budget
_ALL = 1_000_000  # more rows than any file has
_LAST_LINE = 100_000_000


@dataclass(frozen=True, slots=True)
class Unit:
    """A function or method.

    Attributes:
        piece: where it is, with its one-line description.
        source: its text.
    """

    piece: Piece
    source: str


@lru_cache(maxsize=1)  # several peers ask for those of one checkout, one after the other
def units_of(root: Path) -> tuple[Unit, ...]:
    """All functions of a checkout as this project's index has them, by file and line, but those of tests.

    A task's answer is never a test: to leave them out is the kindest that can be done for a peer that cannot
    tell them from the rest.
    """
    found: list[Unit] = []
    with CatalogReader(locate(root).catalog) as reader:
        for path in reader.paths():
            evidence = reader.evidence(reader.in_file(path, 1, _LAST_LINE, _ALL)).values()
            units = [one for one in evidence if one.kind is Kind.UNIT and one.part == 0]
            wanted = [one for one in units if one.source_kind is not SourceKind.TEST]
            lines = _lines(root / path) if wanted else []
            for one in sorted(wanted, key=lambda one: one.sort_key):
                piece = Piece(path, one.start, one.end, one.name, describe(one))
                found.append(Unit(piece, "\n".join(lines[one.start - 1 : one.end])))
    return tuple(found)


class UnitMap:
    """Finds the functions at given lines."""

    def __init__(self, units: Iterable[Unit]) -> None:
        self._by_file: dict[str, list[Piece]] = defaultdict(list)
        for unit in units:
            self._by_file[unit.piece.file].append(unit.piece)
        self._starts = {file: [piece.start for piece in pieces] for file, pieces in self._by_file.items()}

    def innermost(self, file: str, line: int) -> Piece | None:
        """The smallest function that a line is in."""
        end = bisect_right(self._starts.get(file, ()), line)
        around = [piece for piece in self._by_file.get(file, ())[:end] if piece.end >= line]
        return min(around, key=lambda piece: (piece.end - piece.start, -piece.start), default=None)

    def within(self, chunk: Piece) -> list[Piece]:
        """The functions of which a chunk holds at least half, in order; else the one it holds most of."""
        shares = [(_overlap(chunk, piece), piece) for piece in self._by_file.get(chunk.file, ())]
        held = [piece for lines, piece in shares if 2 * lines >= piece.end - piece.start + 1]
        if held:
            return held
        most, piece = max(shares, key=lambda pair: pair[0], default=(0, None))
        return [piece] if piece is not None and most > 0 else []


def distinct(pieces: Iterable[Piece], limit: int = MOST) -> tuple[Piece, ...]:
    """The first few, each once."""
    return tuple(dict.fromkeys(pieces))[:limit]


def _overlap(one: Piece, other: Piece) -> int:
    return min(one.end, other.end) - max(one.start, other.start) + 1


def _lines(path: Path) -> Sequence[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return ()
