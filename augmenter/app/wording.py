"""Sizes, paths and lists, for people."""

from __future__ import annotations

from collections.abc import Sequence

_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB")
_STEP = 1024


def in_words(size: float) -> str:
    """A number of bytes in the largest unit of which there is one: ``3.2 MiB``."""
    unit = 0
    while size >= _STEP and unit < len(_UNITS) - 1:
        size /= _STEP
        unit += 1
    return f"{size:.1f} {_UNITS[unit]}" if unit else f"{size:.0f} {_UNITS[0]}"


def counted(count: int, noun: str, rest: str = "") -> str:
    """``1 file``, ``2 files``; ``rest`` follows the noun."""
    return f"{count} {noun}{'s' * (count != 1)}{rest}"


def printable(path: str) -> str:
    r"""A path on one line that does nothing to a terminal: control characters are written ``\x1b``."""
    return path if path.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in path)


def some_of(names: Sequence[str], shown: int = 3) -> str:
    """The first of many, and whether there are more."""
    return ", ".join([*map(printable, names[:shown]), *(["…"] if len(names) > shown else [])])
