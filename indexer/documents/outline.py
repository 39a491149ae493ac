"""From headings to drafts: what all documents share, whatever they are written in.

An extractor finds the headings of its format and says what the first paragraph of a range of lines is. Here
they become a document card, a section per heading, and parts of sections that are too large.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from indexer.documents.entities import entities_of
from indexer.documents.markdown_parts import cut, is_too_large
from knowledge.types import Card, Draft, Kind

PATH_SEPARATOR = " › "
UNTITLED = "(untitled)"
MAX_GAP = 80  # characters in which the next comment begins
MAX_OUTLINE = 200  # headings in a document card; a longer outline is an index of its own


@dataclass(frozen=True, slots=True)
class Heading:
    """Where a section begins.

    Attributes:
        level: 1 for the highest.
        line: index of the section's first line.
        text: plain text; of a data file a key.
        anchor: unique in its file; never ``""``, which is the text before the first heading.
        doc: what the section is for, where its first paragraph does not tell.
    """

    level: int
    line: int
    text: str
    anchor: str
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Outline:
    """A document, as far as an extractor has understood it.

    Attributes:
        lines: its text.
        headings: in the order of their lines.
        paragraph: plain text of the first paragraph in a half-open range of line indexes.
        edges: where parts may begin, the best kind first (see `indexer.documents.markdown_parts.cut`).
        start: index of the first line after the front matter.
        title: of the whole.
        abstract: what the whole is about.
        scope: globs of the paths that it says it is about.
        topics: what it says it is about, in words.
    """

    lines: Sequence[str]
    headings: Sequence[Heading]
    paragraph: Callable[[int, int], str]
    edges: Sequence[Sequence[int]] = ()
    start: int = 0
    title: str = ""
    abstract: str = ""
    scope: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()

    def declaring(self, scope: tuple[str, ...], topics: tuple[str, ...]) -> Outline:
        """The same document with what it declares."""
        return replace(self, scope=scope, topics=topics)

    def drafts(self) -> tuple[Draft, ...]:
        """The document, then each section in order, each followed by its parts.

        A section reaches from its heading to the line before the next heading of any level; its name is the
        path of headings. Text before the first heading is a section with name and anchor ``""``.
        """
        drafts = [self._document()]
        for section in self._sections():
            drafts += self._section_drafts(section)
        return tuple(drafts)

    def card(self) -> tuple[Draft, ...]:
        """The document alone, with the text itself if it is short: for a file whose sections say nothing."""
        body = "\n".join(self.lines)
        card = self._document()
        return (card if is_too_large(self.lines) else replace(card, body=body),)

    def _document(self) -> Draft:
        levels = [f"{'  ' * (h.level - 1)}- {h.text}" for h in self.headings[:MAX_OUTLINE]]
        said = (self.title, self.abstract)
        return Draft(
            kind=Kind.DOCUMENT,
            name="",
            start=1,
            end=max(1, len(self.lines)),
            signature="",
            doc="\n\n".join(filter(None, said)),
            body="\n\n".join(filter(None, (*said, "\n".join(levels)))),
            card=Card(self.title, self.scope, self.topics, entities_of(self.abstract)),
        )

    def _sections(self) -> Iterator[_Section]:
        headings = self.headings
        first = headings[0].line if headings else len(self.lines)
        if _is_said(self.lines[self.start : first]):
            yield _Section("", "", "", "", "", self.start, first)
        path: list[Heading] = []
        stops = [heading.line for heading in headings[1:]] + [len(self.lines)]
        for heading, stop in zip(headings, stops, strict=False):
            while path and path[-1].level >= heading.level:
                path.pop()
            parent = path[-1].anchor if path else ""
            path.append(heading)
            name = PATH_SEPARATOR.join(above.text for above in path)
            yield _Section(name, heading.text, heading.anchor, parent, heading.doc, heading.line, stop)

    def _section_drafts(self, section: _Section) -> Iterator[Draft]:
        whole = self._draft(section, section.start, section.stop, part=0)
        yield whole
        own = self.lines[section.start : section.stop]
        if not is_too_large(own):
            return
        edges = [_between(kind, section.start, section.stop) for kind in self.edges]
        for number, (start, stop) in enumerate(cut(own, edges), 1):
            yield self._draft(section, section.start + start, section.start + stop, part=number)

    def _draft(self, section: _Section, start: int, stop: int, *, part: int) -> Draft:
        body = "\n".join(self.lines[start:stop])
        card = None
        if not part:
            card = Card(section.title, entities=entities_of(body), parent=section.parent)
        return Draft(
            kind=Kind.SECTION,
            name=section.name,
            start=start + 1,
            end=stop,
            signature="",
            doc=(section.doc if not part else "") or self.paragraph(start, stop),
            body=body,
            part=part,
            anchor=section.anchor,
            card=card,
        )


@dataclass(frozen=True, slots=True)
class _Section:
    name: str
    title: str
    anchor: str
    parent: str
    doc: str
    start: int
    stop: int


def _between(edges: Sequence[int], start: int, stop: int) -> list[int]:
    """The edges within a section, counted from its start."""
    within = edges[bisect_right(edges, start) : bisect_left(edges, stop)]
    return [at - start for at in within]


def _is_said(preface: Sequence[str]) -> bool:
    """Whether the lines before the first heading hold more than comments of HTML: licences, mostly."""
    text = "\n".join(preface)
    at = 0
    while (end := text.find("-->", at)) >= 0 and text[at : at + MAX_GAP].lstrip().startswith("<!--"):
        at = end + len("-->")
    return bool(text[at:].strip())


def text_lines(text: str) -> list[str]:
    """The text's lines without their ends; a carriage return within a line is a space."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", " ").split("\n")
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    return lines


def after_blank(lines: Sequence[str]) -> list[int]:
    """Indexes of the lines with text that follow a line without."""
    return [at for at in range(1, len(lines)) if lines[at].strip() and not lines[at - 1].strip()]
