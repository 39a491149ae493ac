"""Secrets are redacted before text is indexed, and again before it is returned.

Five detectors, one pass: issued credentials by their format (`knowledge.secret_formats`), private key blocks,
passwords in URLs, authorization headers, and values of high entropy assigned to names such as ``api_key``.
Clean text costs a search for literals and no more.

What is found becomes ``[redacted:<kind>]``. Line numbers stay as they were. The event tells the line and the
kind, never the value.
"""

from __future__ import annotations

import math
import re
from binascii import a2b_base64
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from knowledge.secret_formats import FORMATS, MIN_LENGTH
from knowledge.types import Clean, HygieneEvent

MIN_TOKEN_LENGTH = 16  # of an assigned value: issued tokens are longer, words in tests are shorter
MIN_TOKEN_ENTROPY = 3.5  # bits per character: random hex has about 3.7, base64 over 4, words about 3
MIN_WORD_LENGTH = 3.5  # letters or digits of one case in a run, on average: random base62 has under 2
MIN_PASSWORD_LENGTH = 8  # of a value assigned to a name that says password; shorter ones are samples
MIN_PASSWORD_CLASSES = 3  # of lower, upper, digit, sign: chosen passwords mix them, identifiers don't
MAX_LEAD = 80  # characters before a telling name on the line of a settings file
MAX_KEY_BLOCK = 16_384  # characters of a private key block; RSA 8192 takes 6,400
MAX_PASSES = 4  # redaction can bare a neighbour; one that needs more was made to

_MARK = "[redacted:"


class _Span(NamedTuple):
    start: int
    end: int
    kind: str
    attached: bool = False  # begins within a word: it counts only where another secret ends


def redact(text: str) -> Clean:
    """Replace secrets by ``[redacted:<kind>]``.

    The number of lines never changes, and redacting twice is redacting once.

    Returns:
        The text, and one event per line and kind: ``secret:aws-access-key``, ``secret:private-key``,
        ``secret:url-password``, ``secret:authorization``, ``secret:assigned-value``,
        and the kinds of `knowledge.secret_formats`.
    """
    found: Counter[tuple[int, str]] = Counter()
    for _ in range(MAX_PASSES):
        spans = _merge(_spans(text))
        if not spans:
            break
        text = _replace(text, spans, found)
    events = tuple(HygieneEvent(line, f"secret:{kind}", n) for (line, kind), n in sorted(found.items()))
    return Clean(text, events)


def shannon_entropy(value: str) -> float:
    """Bits per character of a text, by the frequencies of its own characters."""
    total = len(value)
    return -sum(n / total * math.log2(n / total) for n in Counter(value).values())


def _spans(text: str) -> list[_Span]:
    return [
        *_issued(text),
        *_private_keys(text),
        *_url_passwords(text),
        *_authorizations(text),
        *_assigned(text),
    ]


def _merge(spans: list[_Span]) -> list[_Span]:
    """Disjoint spans in order; where some overlap, the kind of the first and longest."""
    merged: list[_Span] = []
    for span in sorted(spans, key=lambda s: (s.start, -s.end, s.kind)):
        last_end = merged[-1].end if merged else -1
        if span.attached and span.start != last_end:
            continue
        if span.start < last_end:
            merged[-1] = merged[-1]._replace(end=max(last_end, span.end))
        else:
            merged.append(span)
    return merged


def _replace(text: str, spans: list[_Span], found: Counter[tuple[int, str]]) -> str:
    pieces: list[str] = []
    last, line = 0, 1
    for start, end, kind, _ in spans:
        line += text.count("\n", last, start)
        found[line, kind] += 1
        breaks = text.count("\n", start, end)
        pieces += (text[last:start], f"{_MARK}{kind}]", "\n" * breaks)
        last, line = end, line + breaks
    pieces.append(text[last:])
    return "".join(pieces)


# Issued credentials


def _issued(text: str) -> Iterator[_Span]:
    long_words = "\n".join([word for word in text.split() if len(word) >= MIN_LENGTH])  # a quarter of code
    for index, spec in enumerate(FORMATS):
        place = text if spec.beside else long_words
        if not any(anchor in place for anchor in spec.anchors):
            continue
        pattern = _format_pattern(index)
        for match in pattern.finditer(text):
            start, end = match.span(1 if pattern.groups else 0)
            shown = _is_placeholder(text[start:end]) if spec.beside else bool(_MASKED.search(match[0]))
            if not shown:
                yield _Span(start, end, spec.kind, attached=not _begins_a_word(text, match.start()))


@cache
def _format_pattern(index: int) -> re.Pattern[str]:
    """Compiled when first needed: compiling all takes longer than the rest of a dispatch."""
    return re.compile(FORMATS[index].pattern)


_MASKED = re.compile(r"[xX]{6,}|\*{3,}|\.{3}|0{12,}")  # a key shown without its value
_ESCAPE_BEFORE = re.compile(r"(?:\\[nrtbf0]|%[0-9A-Fa-f]{2})\Z")


def _begins_a_word(text: str, start: int) -> bool:
    if start == 0 or not (text[start].isalnum() and text[start - 1].isalnum()):
        return True
    return bool(_ESCAPE_BEFORE.search(text, max(0, start - 3), start))


# Private keys

_KEY_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9]{2,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_KEY_END = re.compile(r"-----END [A-Z0-9 ]{0,60}-----")
_KEY_DATA = re.compile(r"[A-Za-z0-9+/]{32}")
_KEY_LINES = re.compile(r"(?:[\s\"'+\\]|\\[nr]){1,40}(?:[A-Za-z0-9+/=]{16,}(?:[\s\"'+,\\]|\\[nr]){0,40})+")


def _private_keys(text: str) -> Iterator[_Span]:
    if "PRIVATE KEY" not in text:
        return
    for match in _KEY_BEGIN.finditer(text):
        limit = match.end() + MAX_KEY_BLOCK
        stop = text.find("-----", match.end(), limit)
        ending = _KEY_END.match(text, stop) if stop >= 0 else None
        if ending is None:
            ending = _KEY_LINES.match(text, match.end(), limit)
        if ending is not None and _KEY_DATA.search(text, match.end(), ending.end()):
            yield _Span(match.start(), ending.end(), "private-key")


# Passwords in URLs

_URL_PASSWORD = re.compile(r"://[^\s/:@\"'`<>\\]{0,200}:([^\s/\"'`<>\\]{1,200})@[\w.\[%$-]")
_SAMPLE_PASSWORDS = ("pass", "passwd", "password", "pw", "pwd", "secret", "token", "user", "username")


def _url_passwords(text: str) -> Iterator[_Span]:
    if "://" not in text or "@" not in text:
        return
    for match in _URL_PASSWORD.finditer(text):
        if _is_password(match[1]):
            yield _Span(*match.span(1), "url-password")


def _is_password(value: str) -> bool:
    sample = (
        value.lower() in _SAMPLE_PASSWORDS or "%20" in value
    )  # no password has a blank: a text about URLs
    return not sample and not _is_placeholder(value)


# Authorization headers

_AUTHORIZATION = re.compile(
    r"[Aa]uthorization[\"']?\s{0,3}[:=,]\s{0,3}[brf]?[\"'`]?([Bb]earer|[Bb]asic|[Tt]oken)"
    r" ([\w.~+/=-]{16,2000})"
)


def _authorizations(text: str) -> Iterator[_Span]:
    if "uthorization" not in text:
        return
    for match in _AUTHORIZATION.finditer(text):
        scheme, value = match.groups()
        if _is_basic(value) if scheme.lower() == "basic" else _is_secret(value, password=False):
            yield _Span(*match.span(2), "authorization")


def _is_basic(value: str) -> bool:
    """Whether a value is ``user:password`` in base64, and the password no sample."""
    try:
        user, colon, password = a2b_base64(value).decode().partition(":")
    except ValueError:
        return False
    return bool(user and colon) and _is_password(password)


# Values assigned to telling names

_PASSWORD_NAMES = ("passw", "pwd")
_NAMES = (
    *_PASSWORD_NAMES,
    *("secret", "token", "credential", "api_key", "apikey", "api-key", "access_key", "accesskey"),
    *("auth_key", "authkey", "private_key", "privatekey", "client_key", "encryption_key"),
)
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_VALUE = re.compile(
    r"[\w-]{0,40}[\"'\]]{0,2}[ \t]*"  # the rest of the name, its closing quote or bracket
    r"(?::[ \t]*[\w.]{1,30}(?:\[[\w., ]{1,40}\])?[ \t]*(?==))?"  # a type annotation
    r"(?:=>|:=|===?|=|:|,)[ \t]*(?:[brfuBRFU]{1,2}(?=[\"']))?"
    r"([\"'`])([^\"'`\s]{8,512})\1"
)
_VARIABLE_VALUE = re.compile(r"[A-Z0-9_]{0,40}=([A-Za-z0-9+/=_.-]{16,512})(?=\s|\Z)")  # NAME=value
_LINE_BEFORE = re.compile(r"[ \t]*(?:(?:export|set|ENV|ARG|-)[ \t]+)?[\w.-]{0,60}\Z")
_LINE_VALUE = re.compile(
    r"[\w-]{0,40}[ \t]*[:=][ \t]*([^\s\"'`,;(){}\[\]]{8,512})[ \t]*(?:#.*)?\r?$", re.MULTILINE
)
_DOTTED_NAME = re.compile(r"[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)+\Z")


def _assigned(text: str) -> Iterator[_Span]:
    lower = text.lower()
    if len(lower) != len(text):  # a few capitals have two letters in lower case
        lower = _BEYOND_ASCII.sub("?", text).lower()
    for name in _NAMES:
        at = lower.find(name)
        while at >= 0:
            yield from _value_at(text, at, at + len(name))
            at = lower.find(name, at + len(name))


def _value_at(text: str, start: int, end: int) -> Iterator[_Span]:
    password = text[start:end].lower() in _PASSWORD_NAMES
    if match := _VALUE.match(text, end):
        if _is_secret(match[2], password=password):
            yield _Span(*match.span(2), "assigned-value")
        return
    bare = _VARIABLE_VALUE.match(text, end) if text[start:end].isupper() else None
    bare = bare or _line_value(text, start, end)
    if bare and _is_secret(bare[1], password=password) and not _is_name(bare[1]):
        yield _Span(*bare.span(1), "assigned-value")


def _line_value(text: str, start: int, end: int) -> re.Match[str] | None:
    """A value without quotes that has a line of a settings file to itself: ``api_key: value``."""
    match = _LINE_VALUE.match(text, end)
    if match is None:
        return None
    line = text.rfind("\n", max(0, start - MAX_LEAD), start) + 1 or max(0, start - MAX_LEAD)
    return match if _LINE_BEFORE.match(text, line, start) else None


def _is_name(value: str) -> bool:
    return _reads_as_words(value) or bool(_DOTTED_NAME.match(value))


def _is_secret(value: str, *, password: bool) -> bool:
    if _is_placeholder(value) or _is_structured(value):
        return False
    if password and len(value) >= MIN_PASSWORD_LENGTH and _classes(value) >= MIN_PASSWORD_CLASSES:
        return True
    return (
        len(value) >= MIN_TOKEN_LENGTH
        and any(c.isdigit() for c in value)
        and shannon_entropy(value) >= MIN_TOKEN_ENTROPY
        and not _reads_as_words(value)
    )


def _classes(value: str) -> int:
    lower = any(c.islower() for c in value)
    upper = any(c.isupper() for c in value)
    digit = any(c.isdigit() for c in value)
    sign = not value.replace("_", "").replace("-", "").isalnum()  # these two only join words
    return lower + upper + digit + sign


_PLACEHOLDER = re.compile(
    r"change.?me|placeholder|example|sample|dummy|your[_-]|my[_-]?(?:secret|password|token|key)"
    r"|insert|replace|redacted|x{4,}|\*{3,}|\.{3}|0{8,}|1234567|abcdefg|fake|todo|not[_-]a|test[_-]?(?:key|token)",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"^[<{$%@\[]|[$#%]\{|\{\{|\$\(|%[sdv(]|\[redacted:|environ|getenv|process\.env")


def _is_placeholder(value: str) -> bool:
    return bool(_REFERENCE.search(value) or _PLACEHOLDER.search(value))


_PATH = re.compile(r"(?:\w+:/)?[./~]?(?:/[\w.@-]+)+/?\Z")
_RUN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


def _is_structured(value: str) -> bool:
    """Whether a value is a path, a URL, a call, an escape: something that means what it says."""
    return bool(_PATH.match(value)) or "://" in value or "(" in value or "\\" in value


def _reads_as_words(value: str) -> bool:
    """Whether a value falls into words: the runs of random letters and digits are short."""
    runs = _RUN.findall(value)
    return sum(map(len, runs)) >= MIN_WORD_LENGTH * len(runs)
