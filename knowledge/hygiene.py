"""Unicode hygiene: what a reader cannot see must not reach a model, or the index.

Removed: bidirectional controls (they reorder what is displayed: CVE-2021-42574, "Trojan Source"), the tag
block U+E0000 and runs of variation selectors (both carry whole hidden messages), zero-width characters
and invisible fillers, C0 and C1 controls (with the ANSI sequence they begin), interlinear annotation marks,
soft hyphens. A lone surrogate, which no UTF-8 file can hold, becomes U+FFFD.

Kept: joiners and variation selectors that shape visible text, which is to say one between two emoji or two
letters of a script that joins (Arabic, the Indic scripts …), or one selector after a base that has variants.
Sources: UAX #9 (bidi), UTS #51 (emoji sequences), UAX #44 (categories).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from knowledge.secrets import redact
from knowledge.types import Clean, HygieneEvent

ELLIPSIS = "…"
KEPT_TEXTS = 1024  # purified ones are kept: a packer renders the same few dozen again and again

_ALWAYS = {
    "unicode:nul": "\x00",
    "unicode:control": "\x01-\x08\x0b\x0e-\x1f\x7f-\x9f",
    "unicode:soft-hyphen": "\xad",
    "unicode:bidi": "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069",
    "unicode:zero-width": "\u034f\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff",
    "unicode:filler": "\u115f\u1160\u17b4\u17b5\u3164\uffa0",
    "unicode:annotation": "\ufff9-\ufffb",
    "unicode:surrogate": "\ud800-\udfff",
    "unicode:tag": "\U000e0000-\U000e007f",
}
_JOINERS = "\u200c\u200d"
_SELECTORS = "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
_ANSI_SEQUENCE = r"\x1b\[[0-?]*[ -/]*[@-~]"

_SUSPECT = re.compile(f"[{''.join(_ALWAYS.values())}{_JOINERS}{_SELECTORS}]")
_ASCII_SUSPECT = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")
_REMOVED = re.compile(f"{_ANSI_SEQUENCE}|[{''.join(_ALWAYS.values())}]")
_KIND_OF = tuple((kind, re.compile(f"[{chars}]")) for kind, chars in _ALWAYS.items())
_CONDITIONAL_RUN = re.compile(f"[{_JOINERS}{_SELECTORS}]+")
_SELECTOR = re.compile(f"[{_SELECTORS}]")

_ZWJ = "\u200d"
_EMOJI_PRESENTATION = "\ufe0f"
_IDEOGRAPHIC_SELECTORS = range(0xE0100, 0xE01F0)
_JOINING_SCRIPTS = (
    range(0x0600, 0x0E00),  # Arabic, Syriac, N'Ko, Mandaic, Devanagari … Sinhala
    range(0x1000, 0x10A0),  # Myanmar
    range(0x1780, 0x18B0),  # Khmer, Mongolian
    range(0x1A20, 0x1C50),  # Tai Tham, Balinese, Sundanese, Lepcha
    range(0xA800, 0xAC00),  # Syloti Nagri, Phags-pa, Devanagari Extended, Javanese, Meetei Mayek
    range(0xFB50, 0xFE00),  # Arabic presentation forms A
    range(0xFE70, 0xFEFF),  # Arabic presentation forms B
    range(0x10A00, 0x12000),  # Kharoshthi, Manichaean, Brahmi … Gunjala Gondi
)
_EMOJI = (
    range(0x203C, 0x203D),
    range(0x2049, 0x204A),
    range(0x2122, 0x2123),
    range(0x2139, 0x213A),
    range(0x2190, 0x2C00),  # arrows to miscellaneous symbols and arrows
    range(0x3030, 0x303E),
    range(0x3297, 0x329A),
    range(0x1F000, 0x1FB00),
)
_VARIANT_LETTERS = (
    range(0x1000, 0x10A0),  # Myanmar dotted forms
    range(0x1800, 0x18B0),  # Mongolian
    range(0x2E80, 0xA000),  # CJK
    range(0xA840, 0xA880),  # Phags-pa
    range(0xF900, 0xFB00),  # CJK compatibility ideographs
    range(0x10AC0, 0x10B00),  # Manichaean
    range(0x20000, 0x33480),  # CJK extensions B and later
)


def clean_text(text: str) -> Clean:
    r"""Remove what cannot be seen from a text.

    The number of lines (``\n``) never changes, and cleaning twice is cleaning once. Tab, line feed, form
    feed and carriage return stay. A byte order mark at the very start goes without an event.

    Returns:
        The text, and one event per line and kind: ``unicode:bidi``, ``unicode:tag``,
        ``unicode:zero-width``, ``unicode:variation-selector``, ``unicode:control``, ``unicode:nul``,
        ``unicode:annotation``, ``unicode:filler``, ``unicode:soft-hyphen``, ``unicode:surrogate``.
    """
    if not (_ASCII_SUSPECT if text.isascii() else _SUSPECT).search(text):
        return Clean(text)
    found: Counter[tuple[int, str]] = Counter()
    text = _replace(_REMOVED, text.removeprefix("\ufeff"), _always, found)
    text = _replace(_CONDITIONAL_RUN, text, _unless_shaping, found)
    events = tuple(HygieneEvent(line, kind, count) for (line, kind), count in sorted(found.items()))
    return Clean(text, events)


@lru_cache(maxsize=KEPT_TEXTS)
def purify(text: str) -> Clean:
    """A text as it may be kept or shown: without hidden characters, then without secrets.

    In this order: a hidden character within a secret would keep it from being known.
    """
    clean = clean_text(text)
    redacted = redact(clean.text)
    return Clean(redacted.text, clean.events + redacted.events)


def one_line(text: str, limit: int) -> str:
    """A text for rendering in one line: purified, white space folded, at most ``limit`` characters.

    What is cut is cut at a word boundary (within a word if the first is too long) and marked with ``…``.
    """
    folded = " ".join(purify(text).text.split())
    if len(folded) <= limit:
        return folded
    room = limit - len(ELLIPSIS)
    if room <= 0:
        return ELLIPSIS[: max(limit, 0)]
    head = folded[:room]
    if folded[room] != " " and " " in head:
        head = head[: head.rindex(" ")]
    return head.rstrip(" ,;:") + ELLIPSIS


def _replace(
    pattern: re.Pattern[str],
    text: str,
    decide: Callable[[re.Match[str]], tuple[str, str]],
    found: Counter[tuple[int, str]],
) -> str:
    pieces: list[str] = []
    last, line = 0, 1
    for match in pattern.finditer(text):
        start, end = match.span()
        replacement, kind = decide(match)
        line += text.count("\n", last, start)
        pieces += (text[last:start], replacement)
        last = end
        if kind:
            found[line, kind] += 1 if kind == "unicode:control" else end - start
    pieces.append(text[last:])
    return "".join(pieces)


def _always(match: re.Match[str]) -> tuple[str, str]:
    first = match[0][0]
    kind = next(kind for kind, chars in _KIND_OF if chars.match(first))
    return ("\ufffd" if kind == "unicode:surrogate" else ""), kind


def _unless_shaping(match: re.Match[str]) -> tuple[str, str]:
    run, text = match[0], match.string
    before = text[match.start() - 1] if match.start() else "\n"
    after = text[match.end()] if match.end() < len(text) else "\n"
    if _shapes(run, before, after):
        return run, ""
    return "", "unicode:variation-selector" if _SELECTOR.search(run) else "unicode:zero-width"


def _shapes(run: str, before: str, after: str) -> bool:
    """Whether a run of joiners and selectors changes how its neighbours look."""
    if run == _EMOJI_PRESENTATION + _ZWJ:  # a heart on fire: U+2764 U+FE0F U+200D U+1F525
        return _within(before, _EMOJI) and _within(after, _EMOJI)
    if len(run) > 1:
        return False
    if run in _JOINERS:
        return _joins(before, after) or (run == _ZWJ and _within(before, _EMOJI) and _within(after, _EMOJI))
    return _has_variants(before, ideographic=ord(run) in _IDEOGRAPHIC_SELECTORS)


def _joins(before: str, after: str) -> bool:
    return _within(before, _JOINING_SCRIPTS) and _within(after, _JOINING_SCRIPTS)


def _has_variants(base: str, *, ideographic: bool) -> bool:
    if _within(base, _VARIANT_LETTERS):
        return True
    if ideographic:
        return False
    if base.isascii():
        return base in "0123456789#*"  # the keycaps
    return _within(base, _EMOJI) or unicodedata.category(base)[0] in "SP"


def _within(char: str, ranges: tuple[range, ...]) -> bool:
    return any(ord(char) in block for block in ranges)
