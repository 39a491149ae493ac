"""Secrets that are known by what stands around them.

Private key blocks, passwords in URLs and connection strings, authorization headers, values of telling names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from knowledge.patterns import compiled
from knowledge.secret_values import is_name, is_password, is_secret

MAX_KEY_BLOCK = 16_384  # characters of a private key block; RSA 8192 takes 6,400
MAX_LEAD = 80  # characters before a telling name on the line of a settings file
MAX_OPTION = 40  # characters of an option's name before the telling part, with its dashes
MAX_NEIGHBOUR = 240  # characters around a password in which the rest of its connection string is looked for


class Span(NamedTuple):
    """Where a secret stands in a text."""

    start: int
    end: int
    kind: str
    attached: bool = False  # begins within a word: it counts only where another secret ends


def spans_by_context(text: str, lower: bytes) -> Iterator[Span]:
    """Secrets of a text.

    Args:
        text: to look at.
        lower: the same in lower case, in Latin-1, a byte a character.
    """
    first = {name: lower.find(name) for name in _NAMES}
    for name, literal, find in _DETECTORS:
        if first.get(name, 0) >= 0 and literal in lower:
            yield from find(text)
    for name, at in first.items():
        if at >= 0:
            yield from _assigned(text, lower, name, at)


# Private keys

_KEY_BEGIN = r"-----BEGIN (?:[A-Z0-9]{2,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
_KEY_END = r"-----END [A-Z0-9 ]{0,60}-----"
_KEY_DATA = r"[A-Za-z0-9+/]{32}"
_KEY_LINES = r"(?:[\s\"'+\\]|\\[nr]){1,40}(?:[A-Za-z0-9+/=]{16,}(?:[\s\"'+,\\]|\\[nr]){0,40})+"
_PUTTY_BEGIN = r"PuTTY-User-Key-File-\d:"
_PUTTY_END = r"Private-MAC: [0-9a-f]{32,64}"


def _private_keys(text: str) -> Iterator[Span]:
    for match in compiled(_KEY_BEGIN).finditer(text):
        limit = match.end() + MAX_KEY_BLOCK
        stop = text.find("-----", match.end(), limit)
        ending = compiled(_KEY_END).match(text, stop) if stop >= 0 else None
        if ending is None:
            ending = compiled(_KEY_LINES).match(text, match.end(), limit)
        if ending is not None and compiled(_KEY_DATA).search(text, match.end(), ending.end()):
            yield Span(match.start(), ending.end(), "private-key")


def _putty_keys(text: str) -> Iterator[Span]:
    for match in compiled(_PUTTY_BEGIN).finditer(text):
        stop = text.find("Private-MAC", match.end(), match.end() + MAX_KEY_BLOCK)
        ending = compiled(_PUTTY_END).match(text, stop) if stop >= 0 else None
        if ending is not None:
            yield Span(match.end(), ending.end(), "private-key")


# Passwords in URLs and in .netrc

_URL_PASSWORD = r"://([^\s/:@\"'`<>\\]{0,200}):([^\s/\"'`<>()\[\]\\]{1,200})@([\w.\[%$-]{1,253})"  # noqa: S105 (a pattern)
_SAMPLE_HOST = r"(?:.*\.)?(?:example|invalid|test)(?:\.(?:com|net|org))?\Z"  # RFC 2606 reserves them
_NETRC = r"machine[ \t]+[\w.-]{1,200}\s+login\s+(\S{1,200})\s+password[ \t]+([^\s\[<$]\S{3,200})"


def _url_passwords(text: str) -> Iterator[Span]:
    for match in compiled(_URL_PASSWORD).finditer(text):
        user, password, host = match.groups()
        sample = compiled(_SAMPLE_HOST).match(host) and not is_secret(password, password=True)
        if is_password(password, user) and "%20" not in user and not sample:
            yield Span(*match.span(2), "url-password")


def _netrc_passwords(text: str) -> Iterator[Span]:
    for match in compiled(_NETRC).finditer(text):
        if is_password(match[2], match[1]):
            yield Span(*match.span(2), "netrc-password")


# Authorization headers, and what curl sends as such

_AUTHORIZATION = (
    r"uthorization[\"']?\s{0,3}[:=,]\s{0,3}[brf]?[\"'`]?([Bb]earer|[Bb]asic|[Tt]oken|SSWS|[Aa]pi[Kk]ey)"
    r" ([\w.~+/=-]{16,2000})"
)
_CURL_USER = r"curl\b[^\n]{0,400}?\s(?:-u|--user)[ =]?[\"']?([^\s:\"']{1,100}):([^\s\"']{4,200})"


def _authorizations(text: str) -> Iterator[Span]:
    for match in compiled(_AUTHORIZATION).finditer(text):
        scheme, value = match.groups()
        if _is_basic(value) if scheme.lower() == "basic" else is_secret(value, password=False):
            yield Span(*match.span(2), "authorization")


def _curl_users(text: str) -> Iterator[Span]:
    for match in compiled(_CURL_USER).finditer(text):
        if is_password(match[2], match[1]):
            yield Span(*match.span(2), "authorization")


def _is_basic(value: str) -> bool:
    """Whether a value is ``user:password`` in base64, and the password no sample."""
    from binascii import a2b_base64  # noqa: PLC0415 - a library of its own, for one header in a hundred tasks

    try:
        user, colon, password = a2b_base64(value).decode().partition(":")
    except ValueError:
        return False
    return bool(user and colon) and is_password(password, user)


# A telling name and a literal that each match holds, and what looks closer where both are.
_DETECTORS: tuple[tuple[bytes, bytes, Callable[[str], Iterator[Span]]], ...] = (
    (b"key", b"private key", _private_keys),
    (b"key", b"putty-user-key-file", _putty_keys),
    (b"pass", b"machine ", _netrc_passwords),
    (b"", b"://", _url_passwords),
    (b"", b"uthorization", _authorizations),
    (b"", b"curl ", _curl_users),
)

# Values of telling names

_PASSWORD_NAMES = (b"pass", b"pwd")
_NAMES = (*_PASSWORD_NAMES, b"secret", b"token", b"credential", b"key")
# What makes a key a secret one: cache keys, primary keys and public keys are none.
_KEY_OWNERS = tuple(
    f"{owner}{joint}key".encode()
    for owner in (
        *("api", "access", "account", "auth", "client", "deploy", "encryption", "license", "master"),
        *("private", "service", "shared", "signing", "storage", "subscription", "webhook"),
    )
    for joint in ("", "_", "-", " ")
)
_KEY_HASH = b"publickeytoken"  # of .NET's assemblies: tells by whom they are signed
# Behind a telling word, these make the name one of something else: ``token_type``, ``password_hash``.
_OTHER_THING = (
    r"[sS]?[_-]?(?i:(?:[a-z]*[_-])?(?:algorithm|arn|checksum|class|count|digest|dir|endpoint|env|expir\w*|field|file"
    r"|fingerprint|format|hash|header|id|ids|issuer|i[sz]\w*|kind|label|len|length|lifetime|md5|name|names|path|pattern|prefix"
    r"|ref|regex|sha\d*|size|source|ttl|type|uri|url|vars?|version))\Z"
)
_PASS_ENDINGS = (b"w", b"phrase", b"code", b"_", b" =", b" :", b":", b"=", b'"', b"'", b">")
_REST = r"([\w-]{0,40})"
_GIVEN = (
    r"(?:[\"'\]]{0,3}[ \t]*"  # the closing quote or bracket of a name
    r"(?::[ \t]*[\w.]{1,30}(?:\[[\w., ]{1,40}\])?[ \t]*(?==))?"  # a type annotation
    r"(?:=>|:=|[!=]==?|[?+]?=|:)[ \t]*"
    r"|[\"']?[,\s]{1,80}[\"']?(?:default|value)[\"']?[ \t]{0,3}[:=][ \t]{0,3}"  # XML, Kubernetes
    r"|(?<!\Wpassword)[\"'][ \t]*,[ \t]*"  # an argument behind a name
    r"|[ \t]*\([ \t]*)"  # the argument of a call that is named so
    r"(?:[brfuBRFU@]{1,2}(?=[\"']))?"
)
_LEADS_TO_VALUE = r"[\w-]{0,40}[\"'\]]{0,3}\s{0,80}(?:[=:>,(!?+]|value|default)"  # most names lead nowhere
_QUOTED = _REST + _GIVEN + r"([\"'`])([^\"'`\s]{8,512})\2"
_NEXT_LINE = _REST + r"[\"']?[ \t]*\r?\n[ \t]*value:[ \t]*([^\s\"'#]{8,512})"  # of Kubernetes
_ELEMENT = _REST + r">[ \t]{0,9}([^\s<>&]{8,512})[ \t]{0,9}</"
_BARE = _REST + r"[ \t]*(=|:|[ \t])[ \t]*([^\s\"'`<>,;&(){}\[\]|\\]{8,512})"
_VARIABLE = _REST + r"=([^\s\"'`<>;&(){}\[\]|\\]{8,512})(?=[\s;]|\Z)"  # NAME=value
_LINE_BEFORE = r"[ \t]*(?:(?:export|set|ENV|ARG|-)[ \t]+)?[\w.-]{0,60}\Z"
_LINE_AFTER = r"[ \t]*(?:#.*)?\r?$"
_CONNECTION = r"(passw(?:ord|d)?|pwd)\s{0,3}=\s{0,3}([^;&\"'`\s<>{}()$]{4,200})"
_NEIGHBOUR = (
    r"(?i)(?:server|data source|host|user id|uid|user|username|database|initial catalog|jdbc)\s?[=:]|://"
)


def _assigned(text: str, lower: bytes, name: bytes, at: int) -> Iterator[Span]:
    """Values of a name, the first of which stands at ``at``."""
    while at >= 0:
        end = at + len(name)
        if _is_telling(name, lower, end):
            yield from _value_at(text, at, end, password=name in _PASSWORD_NAMES)
        at = lower.find(name, end)


def _is_telling(name: bytes, lower: bytes, end: int) -> bool:
    """Whether a name says secret where it stands: ``db_pass`` does, ``passes`` and ``sort_key`` do not."""
    if name == b"key":
        return lower.endswith(_KEY_OWNERS, max(0, end - 16), end)
    if name == b"token":
        return not lower.endswith(_KEY_HASH, 0, end)
    return name != b"pass" or lower.startswith(_PASS_ENDINGS, end)


def _value_at(text: str, start: int, end: int, *, password: bool) -> Iterator[Span]:
    if (
        not compiled(_LEADS_TO_VALUE).match(text, end)
        and "--" not in text[max(0, start - MAX_OPTION) : start]
    ):
        return
    quoted = compiled(_QUOTED).match(text, end)
    if quoted:
        rest, _, value = quoted.groups()
        if not _is_other(rest) and is_secret(value, password=password):
            yield Span(*quoted.span(3), "assigned-value")
        return
    found = (
        _element(text, end, password)
        or (password and _connection(text, start))
        or _bare(text, start, end, password)
    )
    if found:
        yield found


def _element(text: str, end: int, password: bool) -> Span | None:
    """The content of an XML element that is called so, or the value below a name in YAML."""
    match = compiled(_ELEMENT).match(text, end) or compiled(_NEXT_LINE).match(text, end)
    if match and not _is_other(match[1]) and is_secret(match[2], password=password):
        return Span(*match.span(2), "assigned-value")
    return None


def _connection(text: str, start: int) -> Span | None:
    """A password among the other parts of a connection string."""
    match = compiled(_CONNECTION, re.IGNORECASE).match(text, start)
    if match is None:
        return None
    before = text[max(0, start - MAX_NEIGHBOUR) : start].rpartition("\n")[2]
    after = text[match.end() : match.end() + MAX_NEIGHBOUR].partition("\n")[0]
    joined = before.rstrip()[-1:] in (";", "?", "&") or after[:1] in (";", "&")
    if joined and is_password(match[2]) and compiled(_NEIGHBOUR).search(before + after):
        return Span(*match.span(2), "connection-string")
    return None


def _bare(text: str, start: int, end: int, password: bool) -> Span | None:
    """A value without quotes: of a variable, a setting, an option, a header, a parameter."""
    variable = compiled(_VARIABLE).match(text, end) if text[start:end].isupper() else None
    match = variable or compiled(_BARE).match(text, end)
    if match is None or _is_other(match[1]):
        return None
    value = match[match.lastindex or 0]
    span = Span(*match.span(match.lastindex or 0), "assigned-value")
    if variable or _has_own_line(text, start, match):
        return span if is_secret(value, password=password) and not is_name(value) else None
    option = compiled(r"--[\w-]{0,38}\Z").search(text, max(0, start - MAX_OPTION), start)
    if option:
        return span if is_secret(value, password=password) and not is_name(value) else None
    if match[2].isspace():
        return None
    return span if is_secret(value, password=False) and _is_opaque(value) else None


def _has_own_line(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether a value has a line of a settings file to itself: ``api_key: value``."""
    if match[2].isspace() or not compiled(_LINE_AFTER, re.MULTILINE).match(text, match.end()):
        return False
    line = text.rfind("\n", max(0, start - MAX_LEAD), start) + 1 or max(0, start - MAX_LEAD)
    return bool(compiled(_LINE_BEFORE).match(text, line, start))


def _is_opaque(value: str) -> bool:
    """Whether a value that stands where code could stand is none: it has several digits and no structure."""
    return (
        sum(c.isdigit() for c in value) > 1
        and bool(compiled(r"[\w+/=~-]+\Z").match(value))
        and not is_name(value)
    )


def _is_other(rest: str) -> bool:
    return bool(rest) and bool(compiled(_OTHER_THING).match(rest))
