"""AsciiDoc by section: titles, anchors, attributes; nothing is included, nothing is executed.

The rules are Asciidoctor's: a section title stands at the first column, outside of delimited blocks, as
``== Title`` (or ``## Title``), or in the old form with a line of ``=-~^+`` below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from indexer.documents.outline import Heading, Outline, text_lines
from indexer.formats.lines import Extract, Headings, edges_of, folded, paragraph_reader, prose

UNDERLINES = "=-~^+"
UNDERLINE_SLACK = 1  # Asciidoctor: an underline is as long as its title, one more or one less
MAX_ATTRIBUTES = 200  # of a header

_DELIMITER = re.compile(
    r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|[|,:!]={3,}|`{3,}[^`]*|~{4,})[ \t]*\Z"
)

_LINE_ABOVE = re.compile(r"\[[^\n]*\][ \t]*\Z|//(?!/)")


def extract_asciidoc(text: str) -> Extract:
    """Read one AsciiDoc file. Never raises.

    A section begins with the anchor and the block attributes above its title; its anchor is the one that is
    given there, else the slug of its title.
    """
    lines = text_lines(text)
    headings = list(_headings(lines))
    attributes = _attributes(lines)
    paragraph = paragraph_reader(lines, _read)
    title = headings[0].text if headings else str(attributes.get("doctitle", ""))
    abstract = str(attributes.get("description") or paragraph(0, len(lines)))
    outline = Outline(lines, headings, paragraph, edges_of(lines), title=title, abstract=abstract)
    return prose(outline, attributes)


_SIGNS = re.compile(
    r"""
    (?:\{[\w-]+\}\S{0,200}?|https?://\S{1,200}?|(?:link|xref|mailto|kbd|btn|menu|footnote|pass|stem):\S{0,200}?)
      \[(?P<macro>[^\[\]]{0,200}?)\^?\] | \[[.\w-]{1,40}\](?=[_*`\#])
    | \(\(\([^()\n]{1,200}\)\)\) | (?<![\w(])\(\((?P<term>[^()\n]{1,200})\)\)(?!\))   # terms of the index
    | <<[^<>,\n]{1,200},\s*(?P<titled>[^<>\n]{1,200})>> | <<(?P<target>[^<>\n]{1,200})>>
    | (?P<fence>[`*_+\#]{1,2})(?P<quoted>[^\s`*_+\#](?:[^`\n]{0,300}?[^\s`])?)(?P=fence)(?!\w)
    """,
    re.VERBOSE,
)
_SHOWN = ("macro", "term", "titled", "target", "quoted")  # what is left of a sign


def plain(source: str) -> str:
    """Inline markup as plain text."""
    text = _SIGNS.sub(lambda m: next(filter(None, m.group(*_SHOWN)), ""), source)
    return " ".join(text.split())


_DISCRETE = re.compile(r"\[(?:discrete|float)\b")


def _headings(lines: Sequence[str]) -> Iterator[Heading]:
    made = Headings()
    least = 0
    for at, level, title in _titles(lines):
        start, given = _above(lines, at, least)
        if any(map(_DISCRETE.match, lines[start:at])):
            continue
        yield made.at(start, level, plain(title), given)
        least = at + 1


_TITLE = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*?)(?:[ \t]+\1)?[ \t]*\Z")


def _titles(lines: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Index, level and source of each title outside of delimited blocks."""
    closes = ""
    for at, line in enumerate(lines):
        if closes:
            closes = "" if line.rstrip() == closes else closes
        elif title := _TITLE.match(line):
            yield at, len(title[1]), title[2]
        elif level := _level_by_underline(lines, at):
            yield at, level, line.strip()
        elif _DELIMITER.match(line) and not _is_underline(lines, at):
            closes = "```" if line.startswith("```") else line.rstrip()


_UNDERLINE = re.compile(r"([=\-~^+])\1+[ \t]*\Z")


def _level_by_underline(lines: Sequence[str], at: int) -> int:
    """The level of a title with a line below it; 0 if this is none."""
    title = lines[at].rstrip()
    below = lines[at + 1].rstrip() if at + 1 < len(lines) else ""
    if not _UNDERLINE.match(below) or abs(len(below) - len(title)) > UNDERLINE_SLACK:
        return 0
    if not title[:1].isalnum() or (at and lines[at - 1].strip() and not _LINE_ABOVE.match(lines[at - 1])):
        return 0
    return UNDERLINES.index(below[0]) + 1


def _is_underline(lines: Sequence[str], at: int) -> bool:
    return at > 0 and _level_by_underline(lines, at - 1) > 0


_ANCHOR = re.compile(r"\[\[([^\],]+)[^\]]*\]\][ \t]*\Z|\[(?:[\w-]*)#([\w:.-]+)[^\]]*\][ \t]*\Z")


def _above(lines: Sequence[str], title: int, least: int) -> tuple[int, str]:
    """Where the anchors, attributes and comments above a title begin, and the anchor they give."""
    at = title
    given = ""
    while at > least and _LINE_ABOVE.match(lines[at - 1]):
        at -= 1
        if anchor := _ANCHOR.match(lines[at]):
            given = anchor[1] or anchor[2]
    return at, given


_ATTRIBUTE = re.compile(r":([\w-]+):[ \t]*(.*)\Z")


def _attributes(lines: Sequence[str]) -> dict[str, object]:
    """The attributes of the header: what comes before the first blank line after the first text."""
    found: dict[str, object] = {}
    for line in lines[:MAX_ATTRIBUTES]:
        if match := _ATTRIBUTE.match(line):
            found.setdefault(match[1], match[2].strip())
        elif found and not line.strip():
            break
    return found


_ASIDE = re.compile(r"//|\[[^\n]*\][ \t]*\Z|\w+::\S*\[|:[!\w-]+:|={1,6}[ \t]|#{1,6}[ \t]")
_NO_PROSE = re.compile(r"[\s|]|\.\w|[-*.]+[ \t]|<<<|'''|\+\Z")


def _read(block: Sequence[str]) -> str:
    if any(line.startswith("= ") for line in block):
        return ""  # the header: title, authors, revision, attributes
    if len(block) > 1 and _level_by_underline(block, 0):
        block = block[2:]
    block = [line for line in block if not _ASIDE.match(line)]
    if not block or _DELIMITER.match(block[0]) or _NO_PROSE.match(block[0]):
        return ""
    return plain(folded(block))
