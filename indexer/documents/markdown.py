r"""Markdown by heading: a document card, a section per heading, parts of sections that are too large.

Only blocks are parsed, with markdown-it-py (CommonMark and tables); of inline text only headings and first
paragraphs are. JSX in MDX reads as paragraphs and HTML blocks. Lines are ``\n`` lines of the given text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.front_matter import front_matter_plugin

from indexer.documents.declared import Declared, declared_in, status_line, status_of
from indexer.documents.markdown_inline import Slugs, plain, slug, split_explicit_id, without_tags
from indexer.documents.markdown_thin import kept_lines
from indexer.documents.outline import UNTITLED, Heading, Outline, after_blank, text_lines
from knowledge.types import Draft, Status

MAX_FRONT_MATTER = (
    65_536  # characters; YAML is read at a few hundred kB a second, and this is no place for data
)


@dataclass(frozen=True, slots=True)
class MarkdownFile:
    """One Markdown file.

    Attributes:
        front_matter: its YAML front matter; empty if there is none or it is bad.
        front_matter_error: what is wrong with the front matter, or ``""``.
        drafts: the document, then each section in order, each followed by its parts.
        title: front matter's ``title``, else the first level-1 heading, else the heading that the text
            begins with, else ``""``.
        abstract: first paragraph in plain text, wherever it stands.
        content_start: the first line after the front matter; 1 if there is none.
        declared: what it says of its own status, authority, scope and topics.
    """

    front_matter: dict[str, object]
    front_matter_error: str
    drafts: tuple[Draft, ...]
    title: str = ""
    abstract: str = ""
    content_start: int = 1
    declared: Declared = field(default=Declared())


def extract_markdown(text: str) -> MarkdownFile:
    r"""Read one Markdown file.

    Never raises for what the text holds: bad front matter costs the front matter alone.

    Args:
        text: the file's text; a byte order mark and any line ends are fine.

    Returns:
        Drafts of kind DOCUMENT (name ``""``; ``doc`` is title and first paragraph; ``body`` is title,
        abstract and outline) and SECTION. A section reaches from its heading to the line before the next
        heading of any level; its ``name`` is the path of headings, its ``anchor`` its own GitHub slug. Text
        before the first heading is a section with name and anchor ``""``. Bodies have ``\n`` line ends.
    """
    lines = text_lines(text)
    parser = _parser()
    tokens = _parse(parser, lines)
    start, front_matter, error = _front_matter(lines, tokens)
    headings = _headings(parser, tokens)
    reader = _Reader(parser, tokens)
    abstract = reader.first_paragraph(start, len(lines))
    leads = bool(headings) and not any(line.strip() for line in lines[start : headings[0].line])
    title = _title(front_matter, headings, leads=leads)
    declared = declared_in(front_matter, _record_status(lines[start:], headings, reader))
    outline = Outline(
        lines=lines,
        headings=headings,
        paragraph=reader.first_paragraph,
        edges=_edges(lines, tokens),
        start=start,
        title=title,
        abstract=abstract,
        scope=declared.scope,
        topics=declared.topics,
    )
    return MarkdownFile(front_matter, error, outline.drafts(), title, abstract, start + 1, declared)


class _Reader:
    """Tells the first paragraph of line ranges of one parsed file."""

    def __init__(self, parser: MarkdownIt, tokens: Sequence[Token]) -> None:
        self._parser = parser
        self._paragraphs = list(_paragraphs(tokens))
        self._paragraph_lines = [line for line, _, _ in self._paragraphs]

    def first_paragraph(self, start: int, stop: int) -> str:
        """Plain text of the first paragraph that says something, top-level ones preferred."""
        nested = ""
        first, end = (bisect_left(self._paragraph_lines, line) for line in (start, stop))
        for _, is_nested, source in self._paragraphs[first:end]:
            if (is_nested and nested) or _is_code(source):
                continue
            text = plain(self._parser, source, images=False)
            if text and not is_nested:
                return text
            nested = nested or text
        return nested


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table").use(front_matter_plugin)
    return parser.disable("inline")  # of the core rules: blocks only


def _parse(parser: MarkdownIt, lines: Sequence[str]) -> list[Token]:
    """The blocks of a text; what is within long lists and tables is left out."""
    kept = kept_lines(lines)
    tokens = parser.parse("\n".join([lines[at] for at in kept]) + "\n")
    if len(kept) < len(lines):
        kept.append(len(lines))
        for token in tokens:
            if token.map is not None:
                token.map = [kept[token.map[0]], kept[min(token.map[1], len(kept) - 1)]]
    return tokens


# Front matter


def _front_matter(lines: Sequence[str], tokens: Sequence[Token]) -> tuple[int, dict[str, object], str]:
    """Index of the first line after the front matter, its content, and what is wrong with it."""
    if not tokens or tokens[0].type != "front_matter" or tokens[0].map is None:
        return 0, {}, ""
    stop = tokens[0].map[1]
    data, error = _parse_yaml("\n".join(lines[1 : stop - 1]))
    return stop, data, error


def _parse_yaml(source: str) -> tuple[dict[str, object], str]:
    if len(source) > MAX_FRONT_MATTER:
        return {}, f"front matter is longer than {MAX_FRONT_MATTER} characters"
    data, error = _load_yaml(source)
    if isinstance(data, dict):
        return {str(key): value for key, value in data.items()}, ""
    if data is None or error:
        return {}, error
    return {}, "front matter is not a mapping of keys to values"


def _load_yaml(source: str) -> tuple[object, str]:
    try:
        return yaml.safe_load(source), ""
    except yaml.MarkedYAMLError as error:
        line = f" in line {error.problem_mark.line + 2}" if error.problem_mark else ""
        return None, f"front matter is not valid YAML{line}: {error.problem or error.context}"
    # PyYAML's constructors raise these for a date such as 2024-99-99 or a tag such as '!!int x'
    except (yaml.YAMLError, ValueError, ArithmeticError, LookupError, AttributeError, TypeError) as error:
        return None, f"front matter has a value that YAML cannot read: {error}"
    except RecursionError:
        return None, "front matter is nested too deeply"


# Headings and sections

_HTML_HEADING = re.compile(r"\s*<h([1-6])\b([^>]*)>(.*?)</h\1\s*>", re.DOTALL | re.IGNORECASE)
_HTML_ID = re.compile(r"\bid=[\"']([^\"']+)[\"']")


def _headings(parser: MarkdownIt, tokens: Sequence[Token]) -> list[Heading]:
    slugs = Slugs()
    return [
        Heading(level, line, text or UNTITLED, slugs.unique(explicit or slug(text)))
        for level, line, text, explicit in _heading_texts(parser, tokens)
    ]


def _heading_texts(parser: MarkdownIt, tokens: Sequence[Token]) -> Iterator[tuple[int, int, str, str]]:
    """Level, line, plain text and explicit id of each top-level heading, Markdown or HTML."""
    for at, token in enumerate(tokens):
        if token.level or token.map is None:
            continue
        if token.type == "heading_open":
            source, explicit = split_explicit_id(tokens[at + 1].content)
            yield int(token.tag[1]), token.map[0], plain(parser, source, images=True), explicit
        elif token.type == "html_block" and (match := _HTML_HEADING.match(token.content)):
            given = _HTML_ID.search(match[2])
            yield int(match[1]), token.map[0], without_tags(match[3]), given[1] if given else ""


def _title(front_matter: dict[str, object], headings: Sequence[Heading], *, leads: bool) -> str:
    given = front_matter.get("title")
    if isinstance(given, str) and given.strip():
        return " ".join(given.split())
    first = next((h for h in headings if h.level == 1), headings[0] if leads else None)
    return first.text if first else ""


def _record_status(lines: list[str], headings: Sequence[Heading], reader: _Reader) -> Status | None:
    """The status that a decision record states: in a section of that name, or in a line of its own."""
    at = next((at for at, heading in enumerate(headings) if heading.text.lower() == "status"), None)
    if at is None:
        return status_line(lines)
    stop = headings[at + 1].line if at + 1 < len(headings) else headings[at].line + len(lines)
    return status_of(reader.first_paragraph(headings[at].line, stop))


# Blocks

_CODE_LINE = re.compile(
    r"(?:import\b.*[\"'];?|export\b.*|\{/\*.*\*/\}|:::.*|\[\[?_?TOC_?\]?\])\s*\Z", re.DOTALL
)


def _is_code(paragraph: str) -> bool:
    """Whether a paragraph is MDX's imports and exports, a comment or a directive rather than prose."""
    return bool(_CODE_LINE.match(paragraph))


def _paragraphs(tokens: Sequence[Token]) -> Iterator[tuple[int, bool, str]]:
    """Line, whether within a list or quotation, and source of each paragraph."""
    for opening, token in pairwise(tokens):
        if opening.type == "paragraph_open" and token.map is not None:
            yield token.map[0], opening.level > 0, token.content


def _edges(lines: Sequence[str], tokens: Sequence[Token]) -> tuple[list[int], list[int]]:
    """Where blocks begin; and where table rows, list items and what follows a blank line begin."""
    blocks = {token.map[0] for token in tokens if token.map is not None and token.level == 0}
    finer = {token.map[0] for token in tokens if token.map is not None and token.level > 0}
    left_out = set(range(len(lines))).difference(kept_lines(lines))
    return sorted(blocks), sorted(blocks | finer | left_out | set(after_blank(lines)))
