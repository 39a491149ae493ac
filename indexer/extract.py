"""Code extraction: every function, method and class of a file, and a card of its module-level code."""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from indexer.code.doc import comment_text, docstring_text, header_text
from indexer.code.grammar import Grammar, grammar_of
from indexer.code.names import signature_of, word_at
from indexer.code.scan import Definition, Scan, scan, visible
from indexer.code.source import Source, annotate, encode
from indexer.code.split import is_large, parts_of
from indexer.languages import BY_NAME, SQL, Language
from indexer.relations.extract import Relations, relate
from knowledge.types import Draft, Kind

_GAPS = re.compile(r"\n(?:[ \t]*\n){2,}")
_ELIDED = " …"
_OPENINGS = ("hash_bang_line", "php_tag", "text")  # not yet code


def extract_code(language: str, text: str) -> tuple[Draft, ...]:
    r"""Extract the units, class cards and the module card of one source file.

    A unit's body is its source; a class card's body is the class with its members' bodies left out; the
    module card (name ``""``, the whole file) is the module-level code with all bodies left out. Units too
    large for a brief also come as parts 1, 2, …, which tile their lines. Overloads, getters beside setters
    and conditional definitions come as several drafts of one name. Where the syntax is broken, what the
    parser recovers is extracted. Line ends come out as ``\n``.

    Args:
        language: a name of `indexer.languages.CODE_LANGUAGES`.
        text: the file's text, with any line ends, with or without a byte order mark.

    Returns:
        Drafts sorted by ``(start, -end, name)``, parts after their whole.

    Raises:
        SourceError: the language is unknown, or its grammar cannot be loaded.
    """
    return _Extraction(*_read(language, encode(text))).drafts()


def _read(language: str, data: bytes) -> tuple[Language, Source, Scan, Relations, int]:
    """A file's definitions and relations, and where its code begins."""
    if language == SQL:
        from indexer.sql.script import read_sql  # noqa: PLC0415 - a reader of its own, for one language

        script = read_sql(data)
        return BY_NAME[SQL], script.source, script.scan, script.relations, script.code_start
    grammar = grammar_of(language)
    root = grammar.parse(data)
    source = annotate(data, grammar.trivia, root)
    found = scan(grammar, source, root)
    return grammar.language, source, found, relate(grammar, source, root, found), _code_start(grammar, root)


def _code_start(grammar: Grammar, root: tree_sitter.Node) -> int:
    for child in root.named_children:
        if child.type not in grammar.language.comments and child.type not in _OPENINGS:
            return child.start_byte
    return root.end_byte


class _Extraction:
    """The drafts of one scanned file."""

    def __init__(
        self, language: Language, source: Source, found: Scan, relations: Relations, code_start: int
    ) -> None:
        self._language = language
        self._source = source
        self._scan = found
        self._relations = relations
        self._code_start = code_start

    def drafts(self) -> tuple[Draft, ...]:
        drafts = [self._module()]
        for definition in self._scan.all:
            if definition.kind is Kind.CLASS:
                drafts.append(self._class(definition))
            else:
                drafts.extend(self._unit(definition))
        drafts.sort(key=lambda draft: (draft.start, -draft.end, draft.name, draft.kind, draft.part))
        return tuple(drafts)

    def _module(self) -> Draft:
        source = self._source
        claimed = {item.comments[-1].start for item in self._scan.all if item.comments}
        doc = self._docstring(self._scan.docstring) or header_text(source, self._code_start, claimed)
        body = self._outline(0, len(source.data), self._scan.top)
        relations = self._relations.of(None)
        return Draft(Kind.MODULE, "", 1, source.lines, "", doc, body, relations=relations)

    def _class(self, definition: Definition) -> Draft:
        start, end = self._source.whole_lines(definition.start, definition.end)
        body = self._outline(start, end, definition.children)
        elsewhere = [self._signature(method) for method in definition.elsewhere]
        return self._draft(Kind.CLASS, definition, "\n".join([body, *elsewhere]))

    def _unit(self, definition: Definition) -> Iterator[Draft]:
        body = self._source.text(*self._source.whole_lines(definition.start, definition.end))
        whole = self._draft(Kind.UNIT, definition, body)
        yield whole
        if not is_large(whole.end - whole.start + 1, len(body)):
            return
        lines = body.split("\n")
        parts = parts_of(lines, definition.start_row, definition.body)
        if len(parts) == 1:
            return
        for number, (first, last) in enumerate(parts, start=1):
            text = "\n".join(lines[first - definition.start_row : last + 1 - definition.start_row])
            yield Draft(Kind.UNIT, whole.name, first + 1, last + 1, whole.signature, "", text, part=number)

    def _draft(self, kind: Kind, definition: Definition, body: str) -> Draft:
        doc = self._docstring(definition.docstring)
        return Draft(
            kind=kind,
            name=definition.name,
            start=definition.start_row + 1,
            end=definition.end_row + 1,
            signature=self._signature(definition),
            doc=doc or comment_text(self._source, definition.comments),
            body=body,
            relations=self._relations.of(definition),
        )

    def _docstring(self, span: tuple[int, int] | None) -> str:
        return docstring_text(self._source.text(*span)) if span else ""

    def _signature(self, definition: Definition) -> str:
        marks = self._language.comment_marks
        source, name_start = self._source, definition.name_start
        signature = signature_of(source, definition.head, name_start, definition.body_start, marks)
        if name_start < definition.body_end:
            return signature
        return f"{signature}{_ELIDED} {word_at(source, name_start)}"  # typedef struct {…} name

    def _outline(self, start: int, end: int, members: list[Definition]) -> str:
        """The text of a range with its members' bodies and doc comments left out."""
        source = self._source
        pieces = []
        position = start
        for member in visible(members):
            comments = member.comments
            if comments and comments[0].start >= position:
                pieces.append(source.text(position, source.line_start(comments[0].start)))
                position = source.line_start(member.start)
            if position <= member.body_start < member.body_end:
                pieces += (source.text(position, member.body_start).rstrip(), _ELIDED)
                position = member.body_end
        pieces.append(source.text(position, max(position, end)))
        return _GAPS.sub("\n\n", "".join(pieces)).strip("\n")
