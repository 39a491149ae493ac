"""Which files a shell command reads, as far as it shows: agents without a tool for reading use ``cat``."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile

MOST_CHARACTERS = 10_000  # of a command that are looked at: a longer one is a program, not a look into a file

_READERS = frozenset(("bat", "cat", "head", "less", "more", "nl", "sed", "tail"))
_SEPARATORS = re.compile(r"&&|\|\||[;|\n]")
_RANGE = re.compile(r"(\d+),(\d+)p")
_COUNT = re.compile(r"-n?(\d+)")
_WRITES = re.compile(r"\d?>")
_WITH_ONE = 2  # words of a command with one argument
_END = 10**9  # more lines than any file has


@dataclass(frozen=True, slots=True)
class Reading:
    """A file that was opened, and which of its lines, from 1, both ends included."""

    path: str
    first: int = 1
    last: int = _END


def read_by_command(command: str) -> Iterator[Reading]:
    """The files that the readers in a command line are given."""
    folder = ""
    for part in _SEPARATORS.split(command[:MOST_CHARACTERS]):
        try:
            words = shlex.split(part)
        except ValueError:  # a quote that does not close: it was cut within
            continue
        if words[:1] == ["cd"] and len(words) == _WITH_ONE:
            folder = posixpath.join(folder, words[1])
        elif words and words[0] in _READERS:
            for found in _of_reader(words[0], list(takewhile(_is_read, words[1:]))):
                yield replace(found, path=posixpath.join(folder, found.path))


def _is_read(word: str) -> bool:
    """Whether a word, and with it those after it, still names what is read, and not what is written."""
    return not _WRITES.match(word)


def _of_reader(program: str, words: list[str]) -> Iterator[Reading]:
    first, last = _shown(program, words)
    for word in words:
        if word and not word.startswith("-") and not word.isdigit() and not _RANGE.fullmatch(word):
            yield Reading(word, first, last)


def _shown(program: str, words: list[str]) -> tuple[int, int]:
    """Which lines a reader shows; all, where it does not say."""
    if program == "sed":
        found = next(filter(None, map(_RANGE.fullmatch, words)), None)
        return (int(found[1]), int(found[2])) if found else (1, _END)
    if program == "head":
        text = " ".join(words).replace("-n ", "-n")
        counted = next(filter(None, map(_COUNT.fullmatch, text.split())), None)
        return (1, int(counted[1])) if counted else (1, _END)
    return 1, _END
