"""Tracebacks: where they say that something happened, and how near that is to what went wrong.

Known are those of Python (also of pytest, pdb, IPython and rich), Java, Kotlin and Scala, JavaScript and
TypeScript (of V8, Firefox, Safari and Vitest), Go, Rust, C# and other .NET, Ruby, PHP, C and C++ (of gdb,
lldb, Valgrind and the sanitizers) and Swift; and the places in messages of tsc and MSBuild. For the forms of
lines see `augmenter.frame_forms`.
"""

from __future__ import annotations

import re

from augmenter.frame_forms import Frame, match_frame, match_frames

CUT = "\f"  # a line in place of those that were taken out of a text
# A line of a traceback that names no place in a file.
_PART = re.compile(
    r"[ \t|+]*+(?:Traceback \(most recent|Exception Group Traceback|During handling of|The above exception"
    r"|_{3,} .* _{3,}$|--- End of |Stack trace:|stack backtrace:|\.\.\. \d+ more$"
    r"|#\d+ +(?:\[internal|\{main\}|0x)|at [^\s().<]*[.<][^\s()]* ?\([^()\n]*+\)$)"
)
_LOCATION = re.compile(
    r"(?:\t(?:[A-Za-z]:)?[^\s:]+\.go:\d"
    r"|[ \t]+(?:[A-Za-z]:)?[^\s:]+\.go:\d+(?: \+0x[0-9a-f]+)?$"  # tabs that were pasted as blanks
    r"|[ \t]+at (?:[A-Za-z]:)?[^\s:]+\.rs:\d)"
)


def find_frames(text: str) -> tuple[list[Frame], str]:
    """All frames, each place once, innermost first; and the text with a blank for each.

    What is innermost is told by the order of the language: Python's last line, others' first. Among frames of
    one depth, the order is that of the text.
    """
    matches = match_frames(text)
    if not matches:
        return [], text
    from augmenter.frame_reading import read_frames  # noqa: PLC0415 - most tasks hold no traceback

    return read_frames(text, matches)


def is_of_traceback(line: str) -> bool:
    """Whether a line is one of a traceback: a frame, or what holds frames together and says nothing else."""
    return match_frame(line) is not None or _PART.match(line) is not None


def is_location_of(line: str) -> bool:
    """Whether a line is the second of a frame in Go or Rust: the one above it names the function."""
    return _LOCATION.match(line) is not None
