"""Terms: how text becomes searchable words, the same way for sources and for tasks.

A word is a run of letters, digits, marks, ``_`` and ``$``. An identifier is split at case changes (of any
alphabet), ``_``, ``$`` and digits, each part is stemmed (Snowball English), and the whole is kept beside its
parts in one spelling for all styles: ``getUserName`` and ``get_user_name`` both give
``get user name getusername``. Stop words and single letters are dropped. Runs of scripts without spaces
(Chinese, Japanese, Korean, Thai, Lao, Burmese, Khmer) become overlapping pairs.

Terms are compared as Unicode's compatibility normal form, case folded (NFKC, then case folding, as UAX #31
has it for identifiers): ``Größe`` and ``GRÖSSE`` are one. Stems are not stemmed again: terms of terms may be
other terms.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import Stemmer

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
MAX_WORD = 64  # longer runs are hashes, encoded data or minified code, not words …
MAX_NAME = 4 * MAX_WORD  # … unless they read like a name, as those of tests do:
MIN_LETTERS_PER_PART = 3  # parts of English words; those of hashes and of base64 have two characters
CACHE_SIZE = 1 << 17  # distinct words of a large repository; about 30 MB at the most

# Letters of scripts that are written without spaces, as the content of a class in a regular expression:
# Thai and Lao, Burmese, Khmer, kana and ideographs with their marks, hangul. (Korean has spaces, but glues
# particles to its words.)
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u31a0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_UNSPACED_RUN = re.compile(f"([{_UNSPACED}]+)")
_PART = re.compile(
    r"[A-Z]+(?=[A-Z][a-z])"  # the acronym before a capitalised word: HTTP in HTTPServer
    r"|[A-Z]?[a-z]+"
    r"|[A-Z]+"
    r"|[0-9]+"
)
_stemmer = Stemmer.Stemmer("english", CACHE_SIZE)


def split_identifier(word: str) -> tuple[str, ...]:
    """The lower-case parts of an identifier, unstemmed: ``parseHTTPHeader2`` → parse, http, header, 2."""
    if word.isascii():
        return tuple(part.lower() for part in _PART.findall(word))
    shape = "".join(map(_shape, word))
    return tuple(_folded(word[part.start() : part.end()]) for part in _PART.finditer(shape))


def words(text: str) -> list[str]:
    """The words of a text as they stand, in order, in Unicode's compatibility normal form."""
    if text.isascii():
        return _word_pattern("").findall(text)
    text = unicodedata.normalize("NFKC", text)
    marks = sorted(char for char in set(text) if unicodedata.category(char)[0] == "M")
    return _word_pattern("".join(marks)).findall(text)


def terms(text: str) -> list[str]:
    """All terms of a text, in order, repetitions kept."""
    return term_text(text).split()


def term_text(text: str) -> str:
    """All terms of a text, joined by single spaces: what the full-text index stores."""
    return " ".join(filter(None, map(word_terms, words(text))))


@lru_cache(maxsize=CACHE_SIZE)
def word_terms(word: str) -> str:
    """The terms of one word, joined by spaces; empty for stop words and for what is no word."""
    if not word.isascii() and _UNSPACED_RUN.search(word):
        return " ".join(_pairs(word))
    if word.lower() in STOP_WORDS:
        return ""
    parts = split_identifier(word)
    if len(word) > MAX_WORD and not _reads_like_name(word, parts):
        return ""
    kept = [stem(part) for part in parts if len(part) > 1 and part not in STOP_WORDS]
    if len(parts) > 1:
        kept.append("".join(parts))
    return " ".join(kept)


def blank_unspaced(text: str) -> str:
    """A text with blanks for the scripts that bear no spaces; every other character keeps its place."""
    return text if text.isascii() else _UNSPACED_RUN.sub(lambda run: " " * len(run[0]), text)


def stem(part: str) -> str:
    """The stem of one lower-case word."""
    stemmed: str = _stemmer.stemWord(part)
    return stemmed


def whole(identifier: str) -> str:
    """The one spelling in which a whole identifier is indexed: ``get_user_name`` → ``getusername``."""
    parts = split_identifier(identifier)
    return "".join(parts) if len(parts) > 1 else stem(parts[0]) if parts else ""


@lru_cache(maxsize=256)  # few sets of marks occur together
def _word_pattern(marks: str) -> re.Pattern[str]:
    """What a word is in a text with these combining marks, which `re` does not count as word characters."""
    return re.compile(rf"[^\W_][\w${marks}]*|[_$]+[^\W_][\w${marks}]*")


def _shape(char: str) -> str:
    """The ASCII character that stands for a character's class where identifiers are split."""
    if char in "_$":
        return "_"
    if char.isdecimal():
        return "0"
    return "A" if char.isupper() or char.istitle() else "a"


def _folded(part: str) -> str:
    """The form in which letters beyond ASCII are compared: what looks or sounds the same is the same."""
    return part.lower() if part.isascii() else unicodedata.normalize("NFKC", part.casefold())


def _reads_like_name(word: str, parts: tuple[str, ...]) -> bool:
    if len(word) > MAX_NAME or not parts:
        return False
    return len(word) >= MIN_LETTERS_PER_PART * len(parts) and max(map(len, parts)) <= MAX_WORD // 2


def _pairs(word: str) -> list[str]:
    """Overlapping pairs of what is written without spaces, and the terms of what stands between."""
    found: list[str] = []
    for number, piece in enumerate(_UNSPACED_RUN.split(word)):
        if number % 2:
            found += [piece[i : i + 2] for i in range(max(1, len(piece) - 1))]
        elif piece:
            found += word_terms(piece).split()
    return found
