"""The one estimator of model tokens. Conservative: it counts a little more than tokenizers do.

Byte-pair tokenizers of current models cut English prose at about 4.5 characters a token, code at about 3,
and spend a token or more on each character of other scripts. The estimate walks the text's runs: letters
cost one token for every `LETTERS_PER_TOKEN` begun, digits one for every three begun, each sign one, each
character beyond ASCII one and a half; single spaces ride with the next word.
"""

from __future__ import annotations

import re

LETTERS_PER_TOKEN = 6  # longer runs of letters are split by byte-pair tokenizers more often than not
DIGITS_PER_TOKEN = 3  # current tokenizers cut numbers into groups of at most three
NON_ASCII_TOKENS = 1.5  # CJK characters take one to two tokens each

_RUN = re.compile(r"([A-Za-z]+)|([0-9]+)|([^\x00-\x7f])|(\n+|[ \t]{2,})|([^\sA-Za-z0-9])")


def estimate_tokens(text: str) -> int:
    """About how many model tokens ``text`` takes, rounded up."""
    total = 0.0
    for letters, digits, beyond, blank, sign in _RUN.findall(text):
        if letters:
            total += -(-len(letters) // LETTERS_PER_TOKEN)
        elif digits:
            total += -(-len(digits) // DIGITS_PER_TOKEN)
        elif beyond:
            total += NON_ASCII_TOKENS
        elif blank or sign:
            total += 1
    return int(-(-total // 1))
