"""Unicode hygiene: what a reader cannot see must not reach a model, or the index.

Removed: bidirectional controls (they reorder what is displayed: CVE-2021-42574, "Trojan Source"), the tag
block U+E0000 and runs of variation selectors (both carry whole hidden messages), zero-width characters
and invisible fillers, C0 and C1 controls (with the terminal's sequence they begin), interlinear annotation
marks, soft hyphens. A lone surrogate, which no UTF-8 file can hold, becomes U+FFFD.

Kept: what shapes visible text, which is to say a joiner between two emoji or beside a letter of a script that
joins (Arabic, the Indic scripts …), one selector after a base that has such variants, one mark of direction
near a letter that is written from right to left, the tags of the flags of England, Scotland and Wales.
Sources: UAX #9 (bidi), UTS #51 (emoji sequences), UAX #44 (categories), ECMA-48 (control sequences).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from knowledge.patterns import compiled
from knowledge.secrets import redact
from knowledge.types import Clean, HygieneEvent

ELLIPSIS = "…"
KEPT_TEXTS = 1024  # of those that are shown in one line
KEPT_TASKS = 2  # the one that is being dispatched, and its preamble

_ALWAYS = {
    "unicode:nul": "\x00",
    "unicode:control": "\x01-\x08\x0b\x0e-\x1f\x7f-\x9f",
    "unicode:soft-hyphen": "\xad",
    "unicode:bidi": "\u202a-\u202e\u2066-\u2069",
    "unicode:zero-width": "\u034f\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a",
    "unicode:filler": "\u115f\u1160\u17b4\u17b5\u3164\uffa0",
    "unicode:annotation": "\ufff9-\ufffb",
    "unicode:surrogate": "\ud800-\udfff",
    "unicode:tag": "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff",
}
_JOINERS = "\u200c\u200d"
_MARKS = "\u061c\u200e\u200f"  # of direction, each for its own place
_SELECTORS = "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
# Of terminals: CSI (colours, the cursor), OSC and other strings (titles, links), charsets and single keys.
_CONTROL_SEQUENCE = (
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)"
    r"|\x1b[()*+][0-9A-Z]|\x1b[78=>]"
)
_FLAG = "\U0001f3f4\U000e0067\U000e0062(?:{})\U000e007f".format(
    "|".join("".join(chr(0xE0000 + ord(c)) for c in region) for region in ("eng", "sct", "wls"))
)

_SUSPECT = f"[{''.join(_ALWAYS.values())}{_JOINERS}{_MARKS}{_SELECTORS}]"
_ASCII_SUSPECT = r"[\x00-\x08\x0b\x0e-\x1f\x7f]"
_REMOVED = f"{_FLAG}|{_CONTROL_SEQUENCE}|[{''.join(_ALWAYS.values())}]"
_CONDITIONAL_RUN = f"[{_JOINERS}{_MARKS}{_SELECTORS}]+"
_SELECTOR = f"[{_SELECTORS}]"
MARK_REACH = 16  # characters from a mark of direction to the nearest letter that it can be there for

_ZWJ = "\u200d"
_FIRST_VARIANT, _TEXT_PRESENTATION, _EMOJI_PRESENTATION = "\ufe00", "\ufe0e", "\ufe0f"
_BLACK_FLAG = "\U0001f3f4"
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
    if not compiled(_ASCII_SUSPECT if text.isascii() else _SUSPECT).search(text):
        return Clean(text)
    found: Counter[tuple[int, str]] = Counter()
    text = _replace(_REMOVED, text.removeprefix("\ufeff"), _always, found)
    text = _replace(_CONDITIONAL_RUN, text, _unless_shaping, found)
    events = tuple(HygieneEvent(line, kind, count) for (line, kind), count in sorted(found.items()))
    return Clean(text, events)


def purify(text: str) -> Clean:
    """A text as it may be kept or shown: without hidden characters, then without secrets.

    In this order: a hidden character within a secret would keep it from being known.
    """
    clean = clean_text(text)
    redacted = redact(clean.text)
    return Clean(redacted.text, clean.events + redacted.events)


@lru_cache(maxsize=KEPT_TASKS)
def purified_task(text: str) -> Clean:
    """The same of a task, which is read twice: to be understood, and to be recorded."""
    return purify(text)


@lru_cache(maxsize=KEPT_TEXTS)
def purified_line(text: str) -> Clean:
    """The same of a text that is shown in one line, and kept: a packer renders each again and again."""
    return purify(text)


def one_line(text: str, limit: int) -> str:
    """A text for rendering in one line: purified, white space folded, at most ``limit`` characters.

    What is cut is cut at a word boundary (within a word if the first is too long) and marked with ``…``.
    """
    folded = " ".join(purified_line(text).text.split())
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
    pattern: str,
    text: str,
    decide: Callable[[re.Match[str]], tuple[str, str]],
    found: Counter[tuple[int, str]],
) -> str:
    pieces: list[str] = []
    last, line = 0, 1
    for match in compiled(pattern).finditer(text):
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
    if first == _BLACK_FLAG:
        return match[0], ""
    kind = next(kind for kind, chars in _ALWAYS.items() if compiled(f"[{chars}]").match(first))
    return ("\ufffd" if kind == "unicode:surrogate" else ""), kind


def _unless_shaping(match: re.Match[str]) -> tuple[str, str]:
    run, text = match[0], match.string
    before = text[match.start() - 1] if match.start() else "\n"
    after = text[match.end()] if match.end() < len(text) else "\n"
    if _shapes(run, before, after) or (len(run) == 1 and run in _MARKS and _near_right_to_left(match)):
        return run, ""
    if any(char in _MARKS for char in run):
        return "", "unicode:bidi"
    return "", "unicode:variation-selector" if compiled(_SELECTOR).search(run) else "unicode:zero-width"


def _near_right_to_left(match: re.Match[str]) -> bool:
    near = match.string[max(0, match.start() - MARK_REACH) : match.end() + MARK_REACH]
    return any(unicodedata.bidirectional(char) in ("R", "AL") for char in near if char not in _MARKS)


def _shapes(run: str, before: str, after: str) -> bool:
    """Whether a run of joiners and selectors changes how its neighbours look."""
    emoji = _within(before, _EMOJI) and _within(after, _EMOJI)
    if run == _EMOJI_PRESENTATION + _ZWJ:  # a heart on fire: U+2764 U+FE0F U+200D U+1F525
        return emoji
    if len(run) > 1:
        return False
    if run in _JOINERS:
        return (
            (run == _ZWJ and emoji) or _within(before, _JOINING_SCRIPTS) or _within(after, _JOINING_SCRIPTS)
        )
    return _has_variants(before, run)


def _has_variants(base: str, selector: str) -> bool:
    if _within(base, _VARIANT_LETTERS):
        return True
    if selector == _FIRST_VARIANT:
        return base == "0" or unicodedata.category(base) == "Sm"  # a slashed zero, forms of operators
    if selector not in (_TEXT_PRESENTATION, _EMOJI_PRESENTATION):
        return False
    if base.isascii():
        return base in "0123456789#*"  # the keycaps
    return _within(base, _EMOJI) or unicodedata.category(base)[0] in "SP"


def _within(char: str, ranges: tuple[range, ...]) -> bool:
    return any(ord(char) in block for block in ranges)
