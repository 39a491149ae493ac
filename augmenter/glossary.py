"""Expanding a task by the project's glossary: what its nicknames stand for.

Nicknames are compared word by word, in any letter case and inflection (each word by its stem), never within a
longer word; ``gate keeper``, ``gateKeeper`` and ``gate_keeper`` are one. Where nicknames overlap, the longest
one is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from augmenter.mentions import Mention, MentionKind
from augmenter.query import NOTHING, Expansion
from augmenter.task import Task
from knowledge.terms import blank_unspaced, split_identifier, stem, terms, word_terms, words
from knowledge.types import STANDING, GlossaryEntry
from knowledge.validity import is_expired

MAX_MATCHES = 12  # entries that count for one task; one that says more nicknames names them in passing
MAX_MENTIONS = 40  # of all entries together
MAX_TERMS = 40  # likewise, those of the highest weight
MAX_ALIAS = 8  # words of a nickname; a longer one is a sentence

# Weights of terms beside a word of the task's prose, which weighs 1: a glossary says what may be meant.
WORD_WEIGHT = 0.4  # other words, other nicknames, and the parts of names
FOLDER_WEIGHT = 0.2  # names of folders are words of everything that lies in them
IN_CODE = 0.5  # share of these weights where only code has the nickname

_Phrase = tuple[str, ...]  # stems of words that follow each other


@dataclass(frozen=True, slots=True)
class _Match:
    """An entry that a task speaks of, the nickname that it uses, and whether only its code does."""

    entry: GlossaryEntry
    alias: str
    in_code: bool

    @property
    def reason(self) -> str:
        return f"glossary: {self.alias}"


def expand(task: Task, entries: Sequence[GlossaryEntry], as_of: int) -> Expansion:
    """What the nicknames in a task stand for.

    Args:
        task: the task.
        entries: of the project's glossary.
        as_of: seconds since the epoch; entries that expired before do not count, nor do those that are
            deprecated or superseded.
    """
    standing = [
        entry for entry in entries if entry.status in STANDING and not is_expired(entry.expires, as_of)
    ]
    if not standing:  # as in most repositories; the task is not read again for nothing
        return NOTHING
    matches = _matches(task, _Index(standing))
    weights: dict[str, float] = {}
    for match in matches:
        for term, weight in _weighted(match):
            weights[term] = max(weights.get(term, 0.0), weight)
    heaviest = sorted(weights.items(), key=lambda pair: (-pair[1], pair[0]))
    return Expansion(
        mentions=tuple(_mentions(task, matches)),
        terms=tuple(heaviest[:MAX_TERMS]),
        globs=tuple(dict.fromkeys(glob for match in matches for glob in _globs(match.entry))),
        reasons=tuple(match.reason for match in matches),
    )


class _Index:
    """Nicknames by what they begin with."""

    def __init__(self, entries: Iterable[GlossaryEntry]) -> None:
        self._meant: dict[_Phrase, list[tuple[GlossaryEntry, str]]] = {}
        self._lengths: dict[str, set[int]] = {}
        for entry in entries:
            for alias in (entry.term, *entry.aliases):
                for phrase in _spellings(alias):
                    self._meant.setdefault(phrase, []).append((entry, alias))
                    self._lengths.setdefault(phrase[0], set()).add(len(phrase))

    def meant(self, phrase: _Phrase) -> list[tuple[GlossaryEntry, str]]:
        """The entries that a phrase is a nickname of, with the nickname as they spell it."""
        return self._meant[phrase]

    def found(self, text: str) -> list[_Phrase]:
        """The nicknames in a text, in order; of those that overlap the longest, of equals the first."""
        said = _phrase(text)
        places = [
            (-length, at)
            for at, word in enumerate(said)
            for length in self._lengths.get(word, ())
            if said[at : at + length] in self._meant
        ]
        taken: set[int] = set()
        kept: dict[int, _Phrase] = {}
        for length, at in sorted(places):
            span = range(at, at - length)
            if taken.isdisjoint(span):
                taken.update(span)
                kept[at] = said[at : at - length]
        return [kept[at] for at in sorted(kept)]


@lru_cache(maxsize=8192)  # nicknames; a project asks for the same ones with every task
def _spellings(alias: str) -> tuple[_Phrase, ...]:
    """An alias as a phrase, and written as one word."""
    phrase = _phrase(alias)
    if not 0 < len(phrase) <= MAX_ALIAS:
        return ()
    joined = stem("".join(part for word in _kept(alias) for part in split_identifier(word)))
    return (phrase, (joined,)) if len(phrase) > 1 else (phrase,)


def _phrase(text: str) -> _Phrase:
    """The stem of each word of a text that is worth a search; of scripts without spaces, their pairs."""
    return tuple(one for word in _kept(text) for one in _stems(word))


def _kept(text: str) -> Iterator[str]:
    return (word for word in words(text) if word_terms(word))


def _stems(word: str) -> list[str]:
    if blank_unspaced(word) != word:
        return word_terms(word).split()
    return [stem("".join(split_identifier(word)))]


def _matches(task: Task, index: _Index) -> list[_Match]:
    """The entries that a task speaks of, each once: those of its title first, those of its code last."""
    found: dict[str, _Match] = {}
    for text, in_code in ((task.title, False), (task.prose, False), (task.code, True)):
        for phrase in index.found(text):
            for entry, alias in index.meant(phrase):
                found.setdefault(entry.id, _Match(entry, alias, in_code))
    return list(found.values())[:MAX_MATCHES]


def _mentions(task: Task, matches: list[_Match]) -> list[Mention]:
    named = {mention.name.lower() for mention in task.mentions} | {mention.path for mention in task.mentions}
    found: dict[str, Mention] = {}
    for match in matches:
        for name in match.entry.names:
            found.setdefault(name.lower(), _mention(match, name=name))
        for path in match.entry.paths:
            if _is_file(path):
                found.setdefault(path, _mention(match, path=path))
    new = [mention for key, mention in found.items() if key not in named][:MAX_MENTIONS]
    return [
        Mention(one.kind, one.name, one.path, in_code=one.in_code, order=order, reason=one.reason)
        for order, one in enumerate(new, start=len(task.mentions))
    ]


def _mention(match: _Match, *, name: str = "", path: str = "") -> Mention:
    return Mention(MentionKind.ALIAS, name, path, in_code=match.in_code, reason=match.reason)


def _weighted(match: _Match) -> Iterator[tuple[str, float]]:
    entry, share = match.entry, IN_CODE if match.in_code else 1.0
    for text in (entry.term, *entry.aliases, *entry.words, *entry.names):
        for term in terms(text):
            yield term, WORD_WEIGHT * share
    for path in entry.paths:
        for term in terms(PurePosixPath(path.rstrip("/*")).stem):
            yield term, FOLDER_WEIGHT * share


def _globs(entry: GlossaryEntry) -> Iterator[str]:
    """The globs of an entry: what is no file is a folder or a glob already."""
    for path in entry.paths:
        if "*" in path:
            yield path
        elif not _is_file(path):
            yield f"{path.rstrip('/')}/**"


def _is_file(path: str) -> bool:
    return "*" not in path and not path.endswith("/") and bool(PurePosixPath(path).suffix)
