r"""What keeps indexed text inside its frame, whatever it contains.

Every function maps text to text of one line. For XML and JSON the environment escapes on output (by
autoescape, by writing JSON values); Markdown and plain text have no escape that reads well in code, so
what could end a frame there is replaced by a look-alike, and what could open one gets a backslash.
"""

from __future__ import annotations

import re

from knowledge.hygiene import purified_line

_CLOSER_LOOKALIKE = "‹"

# What hygiene leaves and XML 1.0 still cannot carry: noncharacters, which no text legitimately holds.
_NONCHARACTERS = re.compile(
    "[\ufdd0-\ufdef"
    + "".join(f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(17))
    + "]"
)

# ``<`` that closes or opens markup. After an identifier it is a generic type (``Promise<void>``) or a
# comparison, which stays readable; ``</``, ``<!`` and ``<?`` are markup anywhere.
_MARKUP = re.compile(r"<(?=[/!?])|(?<!\w)<(?=[A-Za-z])")
_COMMENT_END = re.compile(r"--(?=!?>)")
_BARE_PIPE = re.compile(r"(?<!\\)((?:\\\\)*)\|")

# What Markdown reads as structure at the start of a line: a heading, list marker, quote, fence, thematic
# break, setext underline or link definition (CommonMark 0.31, sections 4 and 5).
_BLOCK_START = re.compile(
    r"(?:#{1,6}|[-+*])(?=\s|$)|>|~~~|=+$|-+$|([-*_])(?:\s*\1){2,}$|\[[^\]]*\]:",
)
_ORDERED_MARKER = re.compile(r"(\d{1,9})(?=[.)](?:\s|$))")
_TRAILING_BACKSLASHES = re.compile(r"\\+$")


def fold(text: str) -> str:
    """One line without hidden characters and secrets: every run of white space becomes one blank."""
    return " ".join(_NONCHARACTERS.sub("", purified_line(text).text).split())


def plain(text: str) -> str:
    """One line that opens and closes no markup."""
    return _COMMENT_END.sub("- -", _MARKUP.sub(_CLOSER_LOOKALIKE, fold(text)))


def markdown(text: str) -> str:
    """One line that is inert both as Markdown text and in a code span.

    Emphasis marks stay: they cannot leave the line, and ``__init__`` should read as ``__init__``.
    """
    line = plain(text).replace("`", "'")
    line = _BARE_PIPE.sub(r"\1\\|", line)
    line = _ORDERED_MARKER.sub(r"\1\\", line, count=1) if _ORDERED_MARKER.match(line) else line
    line = f"\\{line}" if _BLOCK_START.match(line) else line
    return _even_end(line)


def _even_end(line: str) -> str:
    """Complete an odd run of backslashes at the end, which would escape what a template puts next."""
    run = _TRAILING_BACKSLASHES.search(line)
    return f"{line}\\" if run and len(run.group()) % 2 else line
