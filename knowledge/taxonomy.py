"""The taxonomy: which tags (``component:storage``, ``issue:race-condition``) a text bears.

Data, not code: ``taxonomy.toml`` as shipped, and what a project adds in its settings. A signal is a word, a
phrase or an identifier. Text and signals are cut into words the same way (`split_identifier`), so
``apiClient``, ``API_CLIENT`` and "the API" all bear ``api``, and "rapid" does not. A whole identifier
counts as a word beside its parts: ``SQLite`` is ``sqlite`` and ``sq lite``.

The one inflection is the plural (``s``, ``es``, ``y`` → ``ies``), of a word or of a phrase's last word; other
forms that signal a tag are listed in the data. Stemming would merge what tags must tell apart.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

from knowledge.errors import SettingsError
from knowledge.hashing import value_hash
from knowledge.terms import split_identifier

FILE_NAME = "taxonomy.toml"
MAX_PHRASE = 6  # words; the longest phrase as shipped has five
MAX_WORD = 64  # characters; longer runs are hashes and encoded data
CACHE_SIZE = 1 << 16  # distinct identifiers whose words are kept; a large repository has about that many

Signals = Mapping[str, Mapping[str, Sequence[str]]]

_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
_IDENTIFIER = re.compile(r"\w+")
_REMEDY = "Write [taxonomy.<facet>] tables of <value> = [words], with names such as 'race-condition'"


class Taxonomy:
    """Facets, their values, and the signals of each value.

    Args:
        signals: facet, value, signals. Raises SettingsError for a name or signal that cannot be used.
    """

    def __init__(self, signals: Signals) -> None:
        self._facets = {facet: tuple(sorted(values)) for facet, values in sorted(signals.items())}
        self._signals = signals
        self._words: dict[str, tuple[str, ...]] = {}
        self._phrases: dict[str, dict[tuple[str, ...], tuple[str, ...]]] = {}
        for tag, signal in _pairs(signals):
            for form in _forms(signal, tag):
                self._add(form, tag)

    @property
    def facets(self) -> dict[str, tuple[str, ...]]:
        """The values of each facet; both sorted."""
        return dict(self._facets)

    @property
    def tags(self) -> tuple[str, ...]:
        """Every tag there is, sorted."""
        return tuple(sorted(f"{facet}:{value}" for facet, values in self._facets.items() for value in values))

    @property
    def fingerprint(self) -> str:
        """Hash of all facets, values and signals."""
        return value_hash(
            {
                facet: {value: sorted(set(words)) for value, words in values.items()}
                for facet, values in self._signals.items()
            }
        )

    def tags_of(self, text: str, minimum: int = 1) -> tuple[str, ...]:
        """The tags that a text bears, sorted.

        Args:
            text: prose, code, a path.
            minimum: how many signals of a tag it takes; repetitions count.
        """
        return self._tags(_text_words(text), minimum)

    def tag(self, words: Iterable[str], minimum: int = 1) -> tuple[str, ...]:
        """The tags that words, identifiers or whole fields bear, sorted. No phrase spans two of them."""
        chained = (word for field in words for word in (*_text_words(field), ("", "")))
        return self._tags(chained, minimum)

    def counts(self, text: str) -> dict[str, int]:
        """How many signals of each tag a text has, by tag."""
        return dict(sorted(Counter(self._hits(_text_words(text))).items()))

    def _tags(self, words: Iterable[tuple[str, str]], minimum: int) -> tuple[str, ...]:
        if minimum <= 1:
            return tuple(sorted(self._any(words)))
        counts = Counter(self._hits(words))
        return tuple(sorted(tag for tag, count in counts.items() if count >= minimum))

    def _any(self, words: Iterable[tuple[str, str]]) -> set[str]:
        """The tags of which there is a signal; by sets, for a long text has thousands of words."""
        pairs = list(words)
        parts = [part for part, _ in pairs]
        said = {*parts, *(whole for _, whole in pairs)}
        found = {tag for word in said if word in self._words for tag in self._words[word]}
        return found.union(self._phrase_hits(parts)) if said & self._phrases.keys() else found

    def _hits(self, words: Iterable[tuple[str, str]]) -> Iterator[str]:
        parts: list[str] = []
        single = self._words
        for part, whole in words:
            if part in single:
                yield from single[part]
            if whole in single:
                yield from single[whole]
            parts.append(part)
        yield from self._phrase_hits(parts)

    def _phrase_hits(self, parts: list[str]) -> Iterator[str]:
        phrases = self._phrases
        for start in [number for number, part in enumerate(parts) if part in phrases]:
            window = tuple(parts[start : start + MAX_PHRASE])
            for phrase, tags in phrases[parts[start]].items():
                if window[: len(phrase)] == phrase:
                    yield from tags

    def _add(self, form: tuple[str, ...], tag: str) -> None:
        if len(form) == 1:
            self._words[form[0]] = _with(self._words.get(form[0], ()), tag)
            return
        phrases = self._phrases.setdefault(form[0], {})
        phrases[form] = _with(phrases.get(form, ()), tag)


def load_taxonomy(extra: Signals) -> Taxonomy:
    """The shipped taxonomy with a project's own signals, values and facets added.

    Args:
        extra: ``Settings.taxonomy``: facet, value, signals.

    Raises:
        SettingsError: a facet, value or signal of ``extra`` cannot be used; tells which, and what is allowed.
    """
    if not extra:
        return _as_shipped()
    merged = _shipped()
    for facet, values in extra.items():
        _check_name(facet, "facet", facet)
        for value, words in values.items():
            _check_name(value, "value", f"{facet}.{value}")
            merged.setdefault(facet, {}).setdefault(value, []).extend(words)
    return Taxonomy(merged)


@cache
def _as_shipped() -> Taxonomy:
    return Taxonomy(_shipped())


def _shipped() -> dict[str, dict[str, list[str]]]:
    # not importlib.resources: its imports cost more than all the rest of loading, in the path of a dispatch
    source = Path(__file__).with_name(FILE_NAME).read_text(encoding="utf-8")
    table: dict[str, dict[str, list[str]]] = tomllib.loads(source)
    return table


def _check_name(name: str, what: str, key: str) -> None:
    if not _NAME.fullmatch(name):
        raise SettingsError(
            f"'{name}' cannot be a {what}: lower-case letters, digits and '-' are allowed",
            where=f"taxonomy.{key}",
            remedy=_REMEDY,
        )


def _pairs(signals: Signals) -> Iterator[tuple[str, str]]:
    for facet, values in sorted(signals.items()):
        for value, words in sorted(values.items()):
            yield from ((f"{facet}:{value}", word) for word in words)


def _with(tags: tuple[str, ...], tag: str) -> tuple[str, ...]:
    return tags if tag in tags else (*tags, tag)


def _forms(signal: str, tag: str) -> Iterator[tuple[str, ...]]:
    """The words of a signal, and with its last word in the plural."""
    words = tuple(part for part, _ in _text_words(signal))
    if not words or len(words) > MAX_PHRASE:
        raise SettingsError(
            f"'{signal}' cannot be a signal: 1 to {MAX_PHRASE} words are allowed",
            where=f"taxonomy.{tag.replace(':', '.')}",
            remedy=_REMEDY,
        )
    yield words
    if words[-1].isalpha() and not words[-1].endswith("s"):
        yield (*words[:-1], _plural(words[-1]))


def _plural(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in ("a", "e", "o", "u", ""):
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("x", "z", "ch", "sh")) else "s")


def _text_words(text: str) -> Iterator[tuple[str, str]]:
    for identifier in _IDENTIFIER.findall(text):
        yield from _identifier_words(identifier)


@lru_cache(maxsize=CACHE_SIZE)
def _identifier_words(identifier: str) -> tuple[tuple[str, str], ...]:
    """Each part of an identifier; with the first part of each ``_``-piece of several parts, the piece."""
    if len(identifier) > MAX_WORD:
        return (("", ""),)
    found: list[tuple[str, str]] = []
    for piece in identifier.split("_"):
        parts = split_identifier(piece)
        whole = piece.lower() if len(parts) > 1 else ""
        found += [(part, "" if at else whole) for at, part in enumerate(parts)]
    return tuple(found)
