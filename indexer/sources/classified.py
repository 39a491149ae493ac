"""Documents that say of themselves that they are not for everybody.

Read are only forms that documents have: YAML and TOML front matter, the field lists of reStructuredText, the
attributes of AsciiDoc, and a line of its own near the top (``**Classification:** Confidential``).
"""

from __future__ import annotations

import re
from collections.abc import Collection

DOCUMENTS = frozenset({"markdown", "rst", "asciidoc", "text"})
HEAD = 4_000  # characters at a document's beginning in which it may classify itself
NEGATIONS = frozenset({"no", "non", "not", "never"})

_DECLARED = re.compile(
    r"^[ \t>*_:|-]{0,6}(?:access|classification|confidentiality|data[ _-]classification|sensitivity)"
    r"[*_]{0,2}[ \t]{0,3}[:=|][*_]{0,2}[ \t]*(?P<value>[^\n]{1,80})$",
    re.IGNORECASE | re.MULTILINE,
)
_WORD = re.compile(r"[a-z]+")


def excluding_level(language: str, text: str, levels: Collection[str]) -> str | None:
    """The level that keeps a document out of the index, or None.

    A value may say more (``Strictly confidential``), but not deny it (``non-confidential``); one that names
    several levels, as a template does, names none.

    Args:
        language: of the file; code and data classify other things than themselves.
        text: of the file.
        levels: those that keep a document out, in lower case (``index.exclude_classification``).
    """
    if language not in DOCUMENTS or not levels:
        return None
    for declared in _DECLARED.finditer(text, 0, HEAD):
        words = _WORD.findall(declared["value"].lower())
        named = [level for level in levels if level in words]
        if len(named) == 1 and NEGATIONS.isdisjoint(words):
            return named[0]
    return None
