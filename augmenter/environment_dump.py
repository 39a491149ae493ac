"""Leaving out what a report says of its machine: lists of versions, and the call that makes them.

Such lists name many packages and modules, none of which the report is about, and the functions that print
them would seem to be what is meant.
"""

from __future__ import annotations

import re

MAX_LINE = 200  # characters; an entry of a list of versions is shorter
MIN_LINES = 3  # of versions in a row that make a list; fewer may be what the report is about

# `pandas: 1.0.1`, `numpy==1.19`, `- Python version: 3.8.5 (default, …)`, `libhdf5: None`, `OS: Linux`
_VERSION = re.compile(
    r"[\s>*|#-]*+[A-Za-z][\w.()/-]*+(?: [\w.()/-]++){0,3}+\s*(?::|={1,2}|\s)\s*"
    r"(?:[vV]?\d+(?:\.\w+)+\S*(?:\s[^.?!\n]*)?|None|N/A|True|False|\('?\w+'?, '?[\w-]+'?\))\s*\|?"
)
_SYSTEM = re.compile(
    r"[\s>*|#-]*+(?:OS|Platform|System|Machine|Processor|Architecture|byteorder|LC_ALL|LANG|LOCALE|commit|"
    r"python-bits|OS-release|Browser|Kernel|Distribution)\b[^:\n]{0,20}+:.*",
    re.IGNORECASE,
)
_CALL = re.compile(r"\b(?:show|print|list)_?versions?\b", re.IGNORECASE)


def without_environment(text: str) -> str:
    """A text without its lists of versions, line by line; every other line stays as it is."""
    kept: list[str] = []
    held: list[str] = []  # lines of a list that may yet turn out to be too short
    entries = 0
    for line in [*text.split("\n"), "end."]:
        if _is_entry(line):
            held.append(line)
            entries += 1
        elif held and not line.strip():
            held.append(line)
        else:
            kept += held if entries < MIN_LINES else [""]
            held, entries = [], 0
            kept.append("" if _CALL.search(line) else line)
    return "\n".join(kept[:-1])


def _is_entry(line: str) -> bool:
    return len(line) <= MAX_LINE and (
        _VERSION.fullmatch(line) is not None or _SYSTEM.fullmatch(line) is not None
    )
