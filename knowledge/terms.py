"""Terms: how text becomes searchable words, the same way for sources and for tasks.

A word is a run of letters, digits, marks, ``_`` and ``$``. An identifier is split at case changes,
``_``, ``$`` and digits, each part is stemmed (Snowball English), and the whole is kept beside its
parts in one spelling for all styles: ``getUserName`` and ``get_user_name`` both give
``get user name getusername``. Stop words and single letters are dropped. Runs of Chinese, Japanese and
Korean characters, which bear no spaces, become overlapping pairs.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import Stemmer  # type: ignore[import-not-found]  # a C extension without stubs

STOP_WORDS = frozenset(
    """
    a about above after again all also am an and any are as at be because been before being below between
    both but by can cannot could did do does doing down during each few for from further had has have having
    he her here hers him his how i if in into is it its itself just let me more most my no nor not of off on
    once only or other our ours out over own same she should so some such than that the their them then there
    these they this those through to too under until up us very was we were what when where which while who
    whom why will with would you your yours
    don doesn didn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn ve ll re
    etc please would like want need seems must may might shall
    """.split()  # noqa: SIM905 - a word list reads better as text
)
MAX_WORD = 64  # longer runs are hashes, encoded data or minified code, not words
CACHE_SIZE = 1 << 17  # distinct words of a large repository; about 30 MB at the most

_WORD = re.compile(r"[^\W_][\w$]*|[_$]+[^\W_][\w$]*")
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_CJK_RUN = re.compile(f"[{_CJK}]+")
_PART = re.compile(
    r"[A-Z]+(?=[A-Z][a-z])"  # the acronym before a capitalised word: HTTP in HTTPServer
    r"|[A-Z]?[a-z]+"
    r"|[A-Z]+"
    r"|[0-9]+"
    r"|[^\W\d_A-Za-z]+"  # letters beyond ASCII
)
_stemmer = Stemmer.Stemmer("english", CACHE_SIZE)


def split_identifier(word: str) -> tuple[str, ...]:
    """The lower-case parts of an identifier, unstemmed: ``parseHTTPHeader2`` → parse, http, header, 2."""
    return tuple(part.lower() for part in _PART.findall(word))


def words(text: str) -> list[str]:
    """The words of a text as they stand, in order."""
    return _WORD.findall(_normal(text))


def terms(text: str) -> list[str]:
    """All terms of a text, in order, repetitions kept."""
    return term_text(text).split()


def term_text(text: str) -> str:
    """All terms of a text, joined by single spaces: what the full-text index stores."""
    return " ".join(filter(None, map(word_terms, _WORD.findall(_normal(text)))))


@lru_cache(maxsize=CACHE_SIZE)
def word_terms(word: str) -> str:
    """The terms of one word, joined by spaces; empty for stop words and for what is no word."""
    if len(word) > MAX_WORD:
        return ""
    lower = word.lower()
    if lower in STOP_WORDS:
        return ""
    if not word.isascii() and _CJK_RUN.search(word):
        return " ".join(_pairs(word))
    parts = split_identifier(word)
    kept = [stem(part) for part in parts if len(part) > 1 and part not in STOP_WORDS]
    if len(parts) > 1:
        kept.append("".join(parts))
    return " ".join(kept)


def stem(part: str) -> str:
    """The stem of one lower-case word."""
    stemmed: str = _stemmer.stemWord(part)
    return stemmed


def whole(identifier: str) -> str:
    """The one spelling in which a whole identifier is indexed: ``get_user_name`` → ``getusername``."""
    parts = split_identifier(identifier)
    return "".join(parts) if len(parts) > 1 else stem(parts[0]) if parts else ""


def _normal(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def _pairs(word: str) -> list[str]:
    pairs: list[str] = []
    for run in _CJK_RUN.findall(word):
        pairs.extend(run[i : i + 2] for i in range(max(1, len(run) - 1)))
    rest = _CJK_RUN.sub(" ", word)
    return pairs + [t for piece in rest.split() for t in word_terms(piece).split()]
