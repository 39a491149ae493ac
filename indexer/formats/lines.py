"""What the extractors that read line by line have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from indexer.documents.declared import Declared, declared_in
from indexer.documents.markdown_inline import Slugs, slug
from indexer.documents.markdown_parts import is_too_large
from indexer.documents.outline import UNTITLED, Heading, Outline, after_blank
from knowledge.types import Draft, Status

MAX_BLOCKS = 40  # blocks of a section in which its first paragraph is looked for
MAX_HEADING = 200  # characters; what is longer is no heading, and would be part of every name below it
MAX_PARAGRAPH = 4_000  # characters of a paragraph that are read


@dataclass(frozen=True, slots=True)
class Extract:
    """What one file gave.

    Attributes:
        drafts: the document first, then its sections, each followed by its parts.
        declared: what it says of its own status, authority, scope and topics.
    """

    drafts: tuple[Draft, ...]
    declared: Declared = field(default=Declared())


def prose(outline: Outline, fields: Mapping[str, object], record_status: Status | None = None) -> Extract:
    """A document whose fields (attributes, front matter) declare what it is."""
    declared = declared_in(fields, record_status)
    outline = outline.declaring(declared.scope, declared.topics)
    is_short = not outline.headings and not is_too_large(outline.lines)
    return Extract(outline.card() if is_short else outline.drafts(), declared)


def paragraph_reader(lines: Sequence[str], read: Callable[[Sequence[str]], str]) -> Callable[[int, int], str]:
    """The `Outline.paragraph` of a text.

    Args:
        lines: the text.
        read: plain text of a block of lines without blank ones; ``""`` if it is no paragraph.
    """

    def first(start: int, stop: int) -> str:
        return next(filter(None, map(read, _blocks(lines, start, stop))), "")

    return first


class Headings:
    """Headings of one file: their texts on one line and bounded, their anchors unique."""

    def __init__(self) -> None:
        self._slugs = Slugs()

    def at(self, line: int, level: int, text: str, anchor: str = "", doc: str = "") -> Heading:
        """A heading at the index of a line; without an anchor of its own it gets its text's slug."""
        text = " ".join(text.split())[:MAX_HEADING] or UNTITLED
        wanted = "".join(anchor.split())[:MAX_HEADING] or slug(text)
        return Heading(level, line, text, self._slugs.unique(wanted), doc)


def edges_of(lines: Sequence[str]) -> tuple[list[int], list[int]]:
    """Where parts may begin: at a block that is not indented, or at any block."""
    blocks = after_blank(lines)
    return [at for at in blocks if not lines[at][0].isspace()], blocks


def folded(lines: Sequence[str]) -> str:
    """Lines as one, white space folded; no more than is read of a paragraph."""
    return " ".join(" ".join(lines)[:MAX_PARAGRAPH].split())


def _blocks(lines: Sequence[str], start: int, stop: int) -> Iterator[Sequence[str]]:
    at = start
    for _ in range(MAX_BLOCKS):
        while at < stop and not lines[at].strip():
            at += 1
        first = at
        while at < stop and lines[at].strip():
            at += 1
        if first == at:
            return
        yield lines[first:at]
