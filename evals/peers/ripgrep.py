"""ripgrep on a task's rarest words: what an agent without an index begins with.

The rules:

1. The *words* of a task are its identifiers and words as they stand there (``get_user``, ``timeout``), of
   three letters or more, without stop words, each once, whatever its case.
2. A line *matches* a word that it contains, whatever its case, be it within a longer word.
3. The `RAREST` words that match the fewest lines of the repository, but at least one, are searched for; a tie
   goes to the longer word.
4. Files stand in the order of the number of distinct words they match, then of lines that match, then by
   path; functions likewise, by the lines within them. A line belongs to the innermost function around it.
5. Tests are left out (see `evals.peers.units`), and what ripgrep itself leaves out: hidden, ignored and
   binary files.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from evals.peers.answers import Answer, Ask, Piece
from evals.peers.environments import installed
from evals.peers.units import UnitMap, distinct, units_of
from knowledge.catalog.reader import CatalogReader
from knowledge.catalog.rows import FileRow
from knowledge.errors import TaskError
from knowledge.project import locate
from knowledge.terms import STOP_WORDS, words
from knowledge.types import SourceKind

RAREST = 10
SHORTEST = 3
COLUMNS = 300  # bytes: a longer line is minified or data; ripgrep leaves it out
LINES = 200  # an answer: more than fit the largest budget


@dataclass(frozen=True, slots=True)
class Hit:
    """A line that matches.

    Attributes:
        file: relative to the root.
        line: from 1.
        text: the line, without its end.
        words: those that it matches, in lower case.
    """

    file: str
    line: int
    text: str
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Ripgrep:
    """Lines that match the rarest words, and the functions around them."""

    rarest: int = RAREST
    name: str = "ripgrep"

    def version(self) -> str:
        """As installed."""
        return f"{installed((self.name,))}, {self.rarest} words"

    @contextmanager
    def open(self, root: Path) -> Iterator[Ask]:
        """Know which files are tests, and where functions are."""
        functions, tests = UnitMap(units_of(root)), tests_of(root)
        yield lambda text: _answer(rarest_hits(root, text, tests, self.rarest)[1], functions)


def tests_of(root: Path) -> frozenset[str]:
    """The files of an indexed checkout that are tests."""
    return frozenset(path for path, row in files_of(root).items() if row.source_kind is SourceKind.TEST)


def files_of(root: Path) -> dict[str, FileRow]:
    """The files of an indexed checkout, by path."""
    with CatalogReader(locate(root).catalog) as reader:
        return reader.files(reader.paths())


def words_of(text: str) -> list[str]:
    """The words of a task, by rule 1, in lower case and in the order of their first appearance."""
    lowered = (word.lower() for word in words(text))
    kept = (word for word in lowered if len(word) >= SHORTEST and not word.isdigit())
    return [word for word in dict.fromkeys(kept) if word not in STOP_WORDS]


def search(root: Path, wanted: Sequence[str]) -> list[Hit]:
    """The lines that match any of the words, by path and line.

    Raises:
        TaskError: ripgrep is not installed, or refuses.
    """
    if not wanted:
        return []
    patterns = [argument for word in wanted for argument in ("-e", word)]
    options = ("--no-config", "--fixed-strings", "--ignore-case", "--line-number", "--null", "--no-heading")
    command = [_binary(), *options, "--color=never", f"--max-columns={COLUMNS}", *patterns, "--", "."]
    done = subprocess.run(command, cwd=root, check=False, capture_output=True)
    if done.returncode > 1:  # 1: nothing matches
        said = done.stderr.decode(errors="replace").strip()
        raise TaskError(said, where=str(root), remedy="Run ripgrep by itself")
    hits = _read(done.stdout.decode(errors="replace"), wanted)
    return sorted(hits, key=lambda hit: (hit.file, hit.line))


def rarest_of(counts: Mapping[str, int], limit: int) -> list[str]:
    """The words that match the fewest lines, but at least one."""
    found = [word for word, count in counts.items() if count]
    return sorted(found, key=lambda word: (counts[word], -len(word), word))[:limit]


def rarest_hits(root: Path, text: str, tests: frozenset[str], count: int) -> tuple[list[str], list[Hit]]:
    """The rarest words of a task, rarest first, and the lines that match any of them, by path and line.

    Args:
        root: an indexed checkout.
        text: the task.
        tests: files that are left out.
        count: of words.
    """
    hits = [hit for hit in search(root, words_of(text)) if hit.file not in tests]
    chosen = rarest_of(Counter(word for hit in hits for word in hit.words), count)
    wanted = frozenset(chosen)
    kept = (replace(hit, words=hit.words & wanted) for hit in hits)
    return chosen, [hit for hit in kept if hit.words]


def by_worth(matched: Mapping[Piece, Sequence[frozenset[str]]]) -> list[Piece]:
    """Places by the number of distinct words in them, then of lines, then by file and line.

    Args:
        matched: for each place, the words of each line that matches.
    """

    def worth(place: Piece) -> tuple[int, int, str, int, int]:
        lines = matched[place]
        return (-len(frozenset().union(*lines)), -len(lines), place.file, place.start, place.end)

    return sorted(matched, key=worth)


def _answer(hits: Sequence[Hit], functions: UnitMap) -> Answer:
    lines: dict[str, list[Piece]] = defaultdict(list)
    by_file: dict[Piece, list[frozenset[str]]] = defaultdict(list)
    by_function: dict[Piece, list[frozenset[str]]] = defaultdict(list)
    for hit in hits:
        lines[hit.file].append(Piece(hit.file, hit.line, hit.line, text=hit.text))
        by_file[Piece(hit.file, 0, 0)].append(hit.words)
        if (function := functions.innermost(hit.file, hit.line)) is not None:
            by_function[function].append(hit.words)
    passages = (line for whole in by_worth(by_file) for line in lines[whole.file])
    return Answer(functions=distinct(by_worth(by_function)), passages=distinct(passages, LINES))


def _read(output: str, wanted: Sequence[str]) -> Iterator[Hit]:
    for row in output.split("\n"):
        file, nul, rest = row.partition("\0")
        number, colon, text = rest.partition(":")
        if nul and colon and number.isdigit():
            lowered = text.lower()
            matched = frozenset(word for word in wanted if word in lowered)
            yield Hit(file.removeprefix("./"), int(number), text.strip("\r"), matched)


def _binary() -> str:
    beside = Path(sys.executable).with_name("rg")
    found = str(beside) if beside.is_file() else shutil.which("rg")
    if found is None:
        raise TaskError("ripgrep is not installed", where=sys.prefix, remedy="Install the extra 'bench'")
    return found
