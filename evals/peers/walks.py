"""A simulated searcher: an agent without an index, which greps a task's words and opens what they lead to.

Its rules, in each of which doubt was decided in its favour:

1. The words of the task are those of `evals.peers.ripgrep`, and it knows which are the rarest, for nothing.
2. It greps for the `FIRST` rarest. Each answer is read: up to `OUTPUT` lines, as agents' tools cut it, each
   with its path and number. Tests do not come up.
3. It opens places that match. First come those in files that the task names, then those that define a
   function of which a word is the name, then those with more distinct words, then with more lines that match,
   then by path and line. All that matches counts, also beyond the lines it was shown. After every `BETWEEN`
   places it greps for the next rarest word, up to `WORDS` in all, and orders what is left anew.
4. What a place is tells searchers apart. *Whole files*: as agents' tools read them, `FILE` lines at once.
   *Windows*: `WINDOW` lines, from the first on. *Exact functions*: the innermost function around a match, as
   if it were known where that begins and ends; what matches outside of functions is never opened.
5. It knows what it looks for when it sees it: half of its lines, or the line that bears its name. Nothing is
   read twice, and lines are opened without numbers.
6. It gives up after `BOUND` tokens, or when nothing is left to open. What it has read until then counts: the
   true cost would be more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from augmenter.mentions import find_mentions
from evals.golds import Gold
from evals.peers.answers import Piece
from evals.peers.ripgrep import Hit, Ripgrep, by_worth, files_of, rarest_hits, tests_of
from evals.peers.showing import Inside, covers, defines
from evals.peers.units import UnitMap, units_of
from knowledge.tokens import estimate_tokens

RULES = 2  # the number of these rules: raise it when they change, so that kept walks are not used
FIRST = 3
WORDS = 10
BETWEEN = 5
OUTPUT = 50
FILE = 2_000
WINDOW = 200
BOUND = 100_000  # half of what the context windows of usual models hold
OPENINGS = ("whole files", "windows", "exact functions")

PlaceOf = Callable[[Hit], Piece | None]


@dataclass(frozen=True, slots=True)
class Step:
    """Something that was read.

    Attributes:
        tokens: it took.
        place: the lines that were opened; None for what is no source.
    """

    tokens: int
    place: Piece | None = None


@dataclass(frozen=True, slots=True)
class Walks:
    """What each of `OPENINGS` reads, in order, if it never finds what it looks for."""

    steps: Mapping[str, tuple[Step, ...]]


@dataclass(frozen=True, slots=True)
class Clue:
    """A line that matches, and what speaks for the place it is in.

    Attributes:
        hit: the line.
        named: whether the task names its file.
        defined: the word that is the name of the function around it, or ``""``.
    """

    hit: Hit
    named: bool
    defined: str


@dataclass(frozen=True, slots=True)
class Found:
    """What a task's words lead to.

    Attributes:
        words: rarest first.
        clues: by path and line.
    """

    words: Sequence[str]
    clues: Sequence[Clue]


class Sources:
    """The files of a checkout, and what it takes to read them."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lines: dict[str, list[str]] = {}
        self._tokens: dict[tuple[str, int, int], int] = {}

    def tokens(self, place: Piece) -> int:
        """Of some lines; 0 for a file that cannot be read."""
        key = (place.file, place.start, place.end)
        if key not in self._tokens:
            lines = self._read(place.file)[place.start - 1 : place.end]
            self._tokens[key] = estimate_tokens("\n".join(lines))
        return self._tokens[key]

    def _read(self, file: str) -> list[str]:
        if file not in self._lines:
            try:
                text = (self._root / file).read_text(encoding="utf-8", errors="replace")
            except OSError:
                text = ""
            self._lines[file] = text.split("\n")
        return self._lines[file]


@dataclass(frozen=True, slots=True)
class Walker:
    """Walks for tasks, in all ways of opening."""

    name: str = "searcher"

    def version(self) -> str:
        """Of the rules, and of what they rest on."""
        return f"rules {RULES}, {Ripgrep(WORDS).version()}"

    @contextmanager
    def open(self, root: Path) -> Iterator[Callable[[str], Walks]]:
        """Know which files are tests, and where functions are."""
        functions, tests, sources = UnitMap(units_of(root)), tests_of(root), Sources(root)
        files = files_of(root)
        places: dict[str, PlaceOf] = {
            "whole files": lambda hit: _window(hit, FILE),
            "windows": lambda hit: _window(hit, WINDOW),
            "exact functions": lambda hit: functions.innermost(hit.file, hit.line),
        }

        def walks(text: str) -> Walks:
            words, hits = rarest_hits(root, text, tests, WORDS)
            named = named_files(text, files)
            found = Found(words, [_clue(hit, functions, named) for hit in hits])
            walk = {name: _walk(found, places[name], sources) for name in OPENINGS}
            return Walks({name: tuple(_bounded(steps)) for name, steps in walk.items()})

        yield walks


def named_files(text: str, files: Iterable[str]) -> frozenset[str]:
    """The files of a checkout that a task names by their paths, or by ends of them."""
    paths = {mention.path for mention in find_mentions(text, "") if mention.path}
    return frozenset(
        file
        for file in files
        if any(f"/{file}".endswith(f"/{p}") or f"/{p}".endswith(f"/{file}") for p in paths)
    )


def walks_of(row: Mapping[str, Any]) -> Walks:
    """The inverse of `to_json`."""
    return Walks(
        {
            name: tuple(
                Step(step["tokens"], Piece(**step["place"]) if step["place"] else None) for step in steps
            )
            for name, steps in row["steps"].items()
        }
    )


def sees(place: Piece, gold: Gold) -> bool:
    """Whether who opens a place has seen a function."""
    return covers(place, gold) or defines(place, gold)


def reached(steps: Iterable[Step], golds: Sequence[Gold], inside: Inside, *, every: bool) -> tuple[int, bool]:
    """Tokens that were read until functions were seen, and whether they were.

    Args:
        steps: what is read, in order.
        golds: the functions.
        inside: when one is seen in what was opened.
        every: whether all are wanted, or any.
    """
    missing, tokens = list(golds), 0
    for step in steps:
        tokens += step.tokens
        if step.place is not None:
            missing = [gold for gold in missing if not inside(step.place, gold)]
        if not missing or (not every and len(missing) < len(golds)):
            return tokens, True
    return tokens, False


def _walk(found: Found, place_of: PlaceOf, sources: Sources) -> Iterator[Step]:
    opened: set[Piece] = set()
    for count, word in enumerate(found.words, start=1):
        yield Step(_output([clue.hit for clue in found.clues if word in clue.hit.words]))
        if count < min(FIRST, len(found.words)):
            continue
        places = _places(found.clues, frozenset(found.words[:count]), place_of)
        closed = [place for place in places if place not in opened]
        for place in closed if count == len(found.words) else closed[:BETWEEN]:
            opened.add(place)
            yield Step(sources.tokens(place), place)


def _bounded(steps: Iterable[Step]) -> Iterator[Step]:
    spent = 0
    for step in steps:
        yield step
        spent += step.tokens
        if spent >= BOUND:
            return


def _output(hits: Sequence[Hit]) -> int:
    return estimate_tokens("\n".join(f"{hit.file}:{hit.line}:{hit.text}" for hit in hits[:OUTPUT]))


def _places(clues: Iterable[Clue], words: frozenset[str], place_of: PlaceOf) -> list[Piece]:
    """Where any of the words match, best first."""
    matched: dict[Piece, list[frozenset[str]]] = defaultdict(list)
    told: dict[Piece, tuple[bool, bool]] = defaultdict(lambda: (False, False))
    for clue in clues:
        if (both := clue.hit.words & words) and (place := place_of(clue.hit)) is not None:
            matched[place].append(both)
            told[place] = max(told[place], (clue.named, clue.defined in words))
    return sorted(by_worth(matched), key=lambda place: told[place], reverse=True)


def _clue(hit: Hit, functions: UnitMap, named: frozenset[str]) -> Clue:
    function = functions.innermost(hit.file, hit.line)
    name = function.name.rpartition(".")[2].lower() if function is not None else ""
    return Clue(hit, hit.file in named, name if name in hit.words else "")


def _window(hit: Hit, size: int) -> Piece:
    first = (hit.line - 1) // size * size + 1
    return Piece(hit.file, first, first + size - 1)
