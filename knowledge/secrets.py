"""Secrets are redacted before text is indexed, recorded or returned.

Two ways to know one, in one pass: by its own form (`knowledge.secret_formats`) and by what stands around it
(`knowledge.secret_contexts`). Clean text costs a search for literals and no more.

What is found becomes ``[redacted:<kind>]``. Line numbers stay as they were. The event tells the line and the
kind, never the value. Left alone: placeholders and references, and the values of providers' documentation,
which say EXAMPLE.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from knowledge.patterns import compiled
from knowledge.secret_contexts import Span, spans_by_context
from knowledge.secret_formats import ALPHABET, FORMATS, MIN_LENGTH, MIN_LENGTH_BESIDE, Format
from knowledge.types import Clean, HygieneEvent

MAX_PASSES = 4  # redaction can bare a neighbour; one that needs more was made to

_MARK = "[redacted:"


def redact(text: str) -> Clean:
    """Replace secrets by ``[redacted:<kind>]``.

    The number of lines never changes, and redacting twice is redacting once.

    Returns:
        The text, and one event per line and kind: ``secret:private-key``, ``secret:url-password``,
        ``secret:netrc-password``, ``secret:connection-string``, ``secret:authorization``,
        ``secret:assigned-value``, and the kinds of `knowledge.secret_formats`.
    """
    found: Counter[tuple[int, str]] = Counter()
    for _ in range(MAX_PASSES):
        spans = _merge(_spans(text))
        if not spans:
            break
        text = _replace(text, spans, found)
    events = tuple(HygieneEvent(line, f"secret:{kind}", n) for (line, kind), n in sorted(found.items()))
    return Clean(text, events)


def _spans(text: str) -> list[Span]:
    data = text.encode("latin-1", "replace")  # a byte a character: quick to search, and positions agree
    lower = data.lower()
    return [*_issued(text, data, lower), *spans_by_context(text, lower)]


def _merge(spans: list[Span]) -> list[Span]:
    """Disjoint spans in order; where some overlap, the kind of the first and longest.

    Of two alike, a format (which comes first) tells more than a context.
    """
    merged: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, -s.end)):
        last_end = merged[-1].end if merged else -1
        if span.attached and span.start != last_end:
            continue
        if span.start < last_end:
            merged[-1] = merged[-1]._replace(end=max(last_end, span.end))
        else:
            merged.append(span)
    return merged


def _replace(text: str, spans: list[Span], found: Counter[tuple[int, str]]) -> str:
    pieces: list[str] = []
    last, line = 0, 1
    for start, end, kind, _ in spans:
        line += text.count("\n", last, start)
        found[line, kind] += 1
        breaks = text.count("\n", start, end)
        pieces += (text[last:start], f"{_MARK}{kind}]", "\n" * breaks)
        last, line = end, line + breaks
    pieces.append(text[last:])
    return "".join(pieces)


# Issued credentials: runs of their alphabet are cut out, then searched for anchors, then for patterns.

_CLASSES = bytes(ord("x") if chr(code) in ALPHABET else ord(" ") for code in range(256))
_LONG = b"x" * MIN_LENGTH
_BY_ANCHOR = {anchor: spec for spec in FORMATS if not spec.beside for anchor in spec.anchors}
_BESIDE = tuple((tuple(map(str.encode, spec.anchors)), spec) for spec in FORMATS if spec.beside)
_SIGNS = bytes(
    ord("0" if chr(code).isdigit() else "A" if chr(code).isupper() else " ") if code < 128 else ord(" ")
    for code in range(256)
)
_MASKED = r"[xX]{6,}|\*{3,}|\.{3}|0{12,}|EXAMPLE"  # a key shown without its value
_ESCAPE_BEFORE = r"(?:\\[nrtbf0]|%[0-9A-Fa-f]{2})\Z"


def _issued(text: str, data: bytes, lower: bytes) -> Iterator[Span]:
    runs = _runs(data)
    if not runs:
        return
    words = "\n".join(dict.fromkeys([text[start:end] for start, end in runs]))
    for anchor in [anchor for anchor in _BY_ANCHOR if anchor in words]:
        spec = _BY_ANCHOR[anchor]
        for start, end in runs:
            if text.find(anchor, start, end) >= 0:
                yield from _matches(text, start, end, spec)
    yield from _named_beside(text, lower, [run for run in runs if run[1] - run[0] >= MIN_LENGTH_BESIDE])


def _named_beside(text: str, lower: bytes, runs: list[tuple[int, int]]) -> Iterator[Span]:
    """Credentials whose form alone says little, in a text that names their provider."""
    for words, spec in _BESIDE if runs else ():
        spans = [span for start, end in runs for span in _matches(text, start, end, spec)]
        if spans and any(word in lower for word in words):
            yield from spans


def _runs(data: bytes) -> list[tuple[int, int]]:
    """Where a text has no character outside of the alphabet for long enough, and more than words.

    Words have neither a digit nor two capitals in a row. Nor have one credential in 9,000 of 24 letters and
    digits, and one in 1,000 of 34 letters.
    """
    classes, signs = data.translate(_CLASSES), data.translate(_SIGNS)
    runs: list[tuple[int, int]] = []
    start = classes.find(_LONG)
    while start >= 0:
        end = classes.find(b" ", start)
        end = len(classes) if end < 0 else end
        if signs.find(b"0", start, end) >= 0 or signs.find(b"AA", start, end) >= 0:
            runs.append((start, end))
        start = classes.find(_LONG, end)
    return runs


def _matches(text: str, start: int, end: int, spec: Format) -> Iterator[Span]:
    known = compiled(spec.pattern)
    for match in known.finditer(text, start, end):
        first, last = match.span(1 if known.groups else 0)
        if not compiled(_MASKED).search(match[0]):
            yield Span(first, last, spec.kind, attached=not _begins_a_word(text, match.start()))


def _begins_a_word(text: str, start: int) -> bool:
    if start == 0 or not (text[start].isalnum() and text[start - 1].isalnum()):
        return True
    return bool(compiled(_ESCAPE_BEFORE).search(text, max(0, start - 3), start))
