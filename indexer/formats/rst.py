"""reStructuredText by section, without docutils: titles, labels, first paragraphs, fields.

docutils reads half a megabyte a second, complains of every role and directive it does not know (Sphinx's
all) and gives no lines of sections. Here only titles are looked for, by docutils' own rules (the states
Body, Text and Line of its state machine): whatever a directive, a list or a literal block holds is indented,
so a title is what begins a block at the first column and has an adornment below it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from indexer.documents.outline import Heading, Outline, text_lines
from indexer.formats.lines import Extract, Headings, edges_of, folded, paragraph_reader, prose
from knowledge.types import Status

FIELD_LINES = 40  # first lines in which fields say something of the document as a whole
MIN_SHORT = 4  # docutils: an adornment shorter than its title counts if it has as many characters
TOP_LINES = 12  # lines after the title in which ".. deprecated::" is said of the whole

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*[ \t]*\Z")
_NO_TITLE = re.compile(r"[-*+|•][ \t]|\.\.([ \t]|\Z)|__[ \t]|>>>[ \t]|\|\Z|\s")
# What stands above a title and names it: labels, and directives that only mark the place.
_LABEL = re.compile(
    r"\.\.[ \t]+(?:_[^\n]+:"
    r"|(?:index|setting|confval|module|currentmodule|program|templatetag|templatefilter|fieldlookup"
    r"|django-admin)::[^\n]*)[ \t]*\Z"
)
_FIELD = re.compile(r"[ \t]{0,8}:([A-Za-z][\w -]*):[ \t]+(\S.*)\Z|([A-Z][\w-]*):[ \t]+(\S.*)\Z")
_FIELD_START = re.compile(r":[A-Za-z][\w -]*:([ \t]|\Z)")
_DEPRECATED = re.compile(r"\.\.[ \t]+(?:deprecated|versionremoved)::")
_SIGNS = re.compile(
    r"""
    :(?:[\w+.-]{1,40}:){1,3}`(?:[!~])?(?P<role>[^`<]*?)\s*(?:<[^`]*>)?`   # :ref:`title <target>`
    | ``(?P<code>[^`\n]+)`` | `(?P<quoted>[^`]*?)\s*(?:<[^`<>]*>)?`_{0,2}   # ``code``, `title <url>`_
    | \*{1,2}(?P<strong>\S[^*]*?)\*{1,2} | \|(?P<replaced>\w[^|]*)\|_{0,2}
    """,
    re.VERBOSE,
)
_REFERENCE = re.compile(r"\s?\[[#*\w-]{0,40}\]_(?!\w)|(?<=[^\W_])__?(?=[\s.,;:)]|\Z)")  # [1]_, Site_
_ESCAPE = re.compile(r"\\(.)")
_DIRECTIVE = re.compile(r"^\.\.[ \t]+[\w:-]+::|^\.\.[ \t]+_[^\n]+:|:[a-z]+:`[^`\n]+`", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Title:
    line: int
    text: str
    style: str


def extract_rst(text: str) -> Extract:
    """Read one file of reStructuredText; Sphinx's roles and directives are fine. Never raises.

    A section begins with the label (``.. _retry:``) above its title, if there is one. Levels follow from the
    order in which styles of adornment appear. Anchors are slugs of titles, as Sphinx makes them.
    """
    lines = text_lines(text)
    titles = list(_titles(lines))
    headings = _headings(lines, titles)
    fields = _fields(lines)
    paragraph = paragraph_reader(lines, _read)
    abstract = str(fields.get("description") or paragraph(0, len(lines)))
    title = headings[0].text if headings else str(fields.get("title", ""))
    outline = Outline(
        lines, headings, paragraph, edges_of(lines), _after_fields(lines), title=title, abstract=abstract
    )
    if _is_deprecated(lines, titles):
        fields.setdefault("status", Status.DEPRECATED.value)
    return prose(outline, fields)


def looks_like_rst(text: str) -> bool:
    """Whether a text that is named ``.txt`` is reStructuredText: it has titles, and roles or directives."""
    lines = text_lines(text[:20_000])
    return bool(_DIRECTIVE.search(text, 0, 20_000)) and next(_titles(lines), None) is not None


def plain(source: str) -> str:
    """Inline markup as plain text."""
    text = _SIGNS.sub(lambda match: next(filter(None, match.groups()), ""), source)
    text = _REFERENCE.sub("", text)
    return " ".join(_ESCAPE.sub(r"\1", text.replace("\\ ", "")).split())


def _headings(lines: Sequence[str], titles: Sequence[_Title]) -> list[Heading]:
    made = Headings()
    styles: list[str] = []
    headings: list[Heading] = []
    for title in titles:
        if title.style not in styles:
            styles.append(title.style)
        least = headings[-1].line + 1 if headings else 0
        start = _with_labels(lines, title.line, least)
        headings.append(made.at(start, styles.index(title.style) + 1, plain(title.text)))
    return headings


def _with_labels(lines: Sequence[str], title: int, least: int) -> int:
    """Where the labels above a title begin."""
    start = at = title
    while at > least:
        at -= 1
        if lines[at].strip():
            if not _LABEL.match(lines[at]):
                break
            start = at
    return start


def _titles(lines: Sequence[str]) -> Iterator[_Title]:
    at = 0
    while at < len(lines):
        title = _title_at(lines, at) if _begins_block(lines, at) else None
        if title is None:
            at += 1
        else:
            yield title
            at += 3 if len(title.style) > 1 else 2


def _begins_block(lines: Sequence[str], at: int) -> bool:
    """Whether a paragraph cannot already be open: there is a blank line above, or what ends a block."""
    if not lines[at].strip():
        return False
    above = lines[at - 1] if at else ""
    return not above.strip() or above[0].isspace() or above.startswith("..") or bool(_ADORNMENT.match(above))


def _title_at(lines: Sequence[str], at: int) -> _Title | None:
    line = lines[at]
    below = lines[at + 1] if at + 1 < len(lines) else ""
    if _ADORNMENT.match(line):
        if not below.strip() or at + 2 >= len(lines) or lines[at + 2].rstrip() != line.rstrip():
            return None
        return _Title(at, below.strip(), line[0] * 2) if _is_long_enough(line, below) else None
    if _NO_TITLE.match(line) or not _ADORNMENT.match(below) or not _is_long_enough(below, line):
        return None
    return _Title(at, line.strip(), below[0])


def _is_long_enough(adornment: str, title: str) -> bool:
    length = len(adornment.rstrip())
    return length >= MIN_SHORT or length >= _width(title.strip())


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _fields(lines: Sequence[str]) -> dict[str, object]:
    """Fields at the top, by lower-case name: docinfo, ``.. meta::``, or the header of a PEP."""
    fields: dict[str, object] = {}
    is_header = bool(lines) and lines[0].startswith(("PEP:", "Title:", "Author:"))
    for line in lines[:FIELD_LINES]:
        match = _FIELD.match(line)
        if match and match[1]:
            fields.setdefault(match[1].lower(), plain(match[2]))
        elif match and is_header:
            fields.setdefault(match[3].lower(), match[4].strip())
        elif is_header and not line.strip():
            is_header = False
    return fields


def _after_fields(lines: Sequence[str]) -> int:
    """Index of the first line after the fields that a text begins with."""
    at = 0
    while at < len(lines) and (not lines[at].strip() or _FIELD_START.match(lines[at])):
        at += 1
        while at < len(lines) and lines[at][:1] == " ":
            at += 1
    return at if _FIELD_START.match(lines[0]) else 0


def _is_deprecated(lines: Sequence[str], titles: Sequence[_Title]) -> bool:
    top = titles[0].line + 2 if titles else 0
    stop = titles[1].line if len(titles) > 1 else len(lines)
    return any(map(_DEPRECATED.match, lines[top : min(top + TOP_LINES, stop)]))


def _read(block: Sequence[str]) -> str:
    if len(block) > 2 and _ADORNMENT.match(block[0]) and _ADORNMENT.match(block[2]):
        block = block[3:]
    elif len(block) > 1 and _ADORNMENT.match(block[1]):
        block = block[2:]
    if not block or not _is_prose(block[0]) or _ADORNMENT.match(block[0]):
        return ""
    return re.sub(r"\s*::\Z", ":", plain(folded(block))).removeprefix(":")


def _is_prose(line: str) -> bool:
    """Whether a block that begins so is a paragraph: no directive, field, table or anything indented."""
    if line.startswith(("..", ">>>", "+-", "==", "__ ")) or line[0].isspace():
        return False
    field_like = re.match(r":[\w -]+:([ \t]|\Z)|[A-Z][\w-]*:[ \t]+\S+\Z", line)
    return field_like is None
