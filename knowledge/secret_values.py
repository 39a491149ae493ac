"""Judging a value by itself: random enough to be a secret, or a placeholder, a reference, a word, a path."""

from __future__ import annotations

import math
import re
from collections import Counter

from knowledge.patterns import compiled

MIN_TOKEN_LENGTH = 16  # of a token: issued ones are longer, words in tests are shorter
MIN_TOKEN_ENTROPY = 3.0  # bits per character: 16 random hex digits have about 3.3, base64 over 3.7
MIN_WORD_LENGTH = 3.5  # letters of one case in a run, on average: random base62 has under 2
MIN_VOWELS = 0.22  # share of the letters of words: English has 0.38, random letters have 0.19
MAX_RANDOM_RUN = 2.7  # as the length of words, of a value without any digit: camelCase has about 3 and more
MIN_PASSWORD_LENGTH = 8  # of a value assigned to a name that says password; shorter ones are samples
MIN_RANDOM_PASSWORD_LENGTH = 10  # of one whose characters are of fewer kinds, but at random
MIN_PASSWORD_CLASSES = 3  # of lower, upper, digit, sign: chosen passwords mix them, identifiers don't

SAMPLE_PASSWORDS = frozenset(
    {
        *(
            "admin",
            "bar",
            "baz",
            "demo",
            "foo",
            "foobar",
            "guest",
            "hunter2",
            "mypass",
            "none",
            "null",
            "pass",
        ),
        *(
            "open sesame",
            "passwd",
            "password",
            "postgres",
            "pw",
            "pwd",
            "qwerty",
            "root",
            "secret",
            "test",
            "token",
            "user",
        ),
        *("username", "welcome"),
    }
)
_PLACEHOLDER = (
    r"change.?(?:me|it)|place.?holder|ex[ae]mple|sample|dummy|your[_-]?|my[_-]?(?:secret|password|token|key|api)"
    r"|insert|replace|redacted|x{4,}|\*{3,}|\.{3}|0{8,}|1234567|abcdefg|lorem|fake|todo|not[_-]a"
    r"|test[_-]?(?:key|token|secret|pass)|(?:secret|token|password|api[_-]?key)[_-]?here"
)
_REFERENCE = (
    r"^[<{$@\[&]|^%\w+%|[$#%]\{|\{\{|\$\(|\$[A-Z_]{4}|%[sdv(]"
    r"|\[redacted:|environ|getenv|process\.env|secrets\."
)
_PATH = r"(?:\w+:/)?[./~]?(?:/[\w.@-]+)+/?\Z"
_PUBLISHED = r"pk[._]|phc_|sb_publishable_|age1|ssh-"  # keys that are made to be shown
_RUN = r"[A-Z]?[a-z]+|[A-Z]+"
_NAME = r"[\w.:>-]+\Z"
_DOTTED = r"[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)+\Z"


def is_secret(value: str, *, password: bool) -> bool:
    """Whether a value that was given to a telling name is a secret.

    Args:
        value: without quotes.
        password: whether the name says that people choose the value.
    """
    return _is_shaped(value, password=password) and not is_placeholder(value) and not _is_structured(value)


def _is_shaped(value: str, *, password: bool) -> bool:
    """Whether a value looks chosen by a person for a password, or by chance."""
    if password and len(value) >= MIN_PASSWORD_LENGTH and _classes(value) >= MIN_PASSWORD_CLASSES:
        return True
    least = MIN_RANDOM_PASSWORD_LENGTH if password else MIN_TOKEN_LENGTH
    return len(value) >= least and _is_random(value)


def is_password(value: str, user: str = "") -> bool:
    """Whether a value in the place of a password is one: no sample, no reference, not the user's own name."""
    if (
        len(value) < 4
        or value.lower() in SAMPLE_PASSWORDS
        or value in "1234567890"
        or user in (value, "anonymous")
    ):
        return False
    return "%20" not in value and not is_placeholder(value)  # no password has a blank: a text about URLs


def is_placeholder(value: str) -> bool:
    """Whether a value stands for another: ``<token>``, ``${TOKEN}``, ``changeme``, ``…EXAMPLE``."""
    if compiled(_REFERENCE).search(value) or compiled(_PLACEHOLDER, re.IGNORECASE).search(value):
        return True
    return len(set(value)) < len(value) / 6  # the same few characters again and again


def is_name(value: str) -> bool:
    """Whether a value without quotes is a name in code rather than text."""
    return bool(compiled(_NAME).match(value)) and (
        reads_as_words(value) or bool(compiled(_DOTTED).match(value))
    )


def reads_as_words(value: str) -> bool:
    """Whether the letters of a value fall into words.

    In random text, runs of one case are short; where there is but one case, vowels are rare.
    """
    if _mean_run(value) < MIN_WORD_LENGTH:
        return False
    return not (value.islower() or value.isupper()) or _vowels(value) >= MIN_VOWELS


def shannon_entropy(value: str) -> float:
    """Bits per character of a text, by the frequencies of its own characters."""
    total = len(value)
    return -sum(n / total * math.log2(n / total) for n in Counter(value).values())


def _is_random(value: str) -> bool:
    if not any(c.isalpha() for c in value) or reads_as_words(value):
        return False
    if not any(c.isdigit() for c in value) and (value.islower() or _mean_run(value) > MAX_RANDOM_RUN):
        return False
    return shannon_entropy(value) >= MIN_TOKEN_ENTROPY


def _mean_run(value: str) -> float:
    """Length of the runs of letters of one case, on average."""
    runs = compiled(_RUN).findall(value)
    return sum(map(len, runs)) / len(runs) if runs else 0.0


def _vowels(value: str) -> float:
    """Share of vowels among the letters."""
    letters = [c for c in value.lower() if c.isalpha()]
    return sum(c in "aeiou" for c in letters) / len(letters) if letters else 0.0


def _classes(value: str) -> int:
    lower = any(c.islower() for c in value)
    upper = any(c.isupper() for c in value)
    digit = any(c.isdigit() for c in value)
    sign = not value.replace("_", "").replace("-", "").isalnum()  # these two only join words
    return lower + upper + digit + sign


def _is_structured(value: str) -> bool:
    """Whether a value means what it says: a path, a URL, a call, an escape, a name, a published key."""
    if "://" in value or "::" in value or "(" in value or "\\" in value:
        return True
    if compiled(_DOTTED).match(value) and reads_as_words(value):
        return True
    return bool(compiled(_PATH).match(value) or compiled(_PUBLISHED).match(value))
