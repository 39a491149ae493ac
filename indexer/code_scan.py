"""From query matches to a tree of definitions.

What the query files capture:

- ``@unit``, ``@class``: a function or method; something class-like. ``@scope``: something that only lends
  its name to the definitions within it (an object literal bound to a variable).
- ``@name``, ``@receiver``, ``@body``: of that definition. A body captured as a bare token (``{``) runs from
  there to the definition's end.
- ``@widen`` with ``@range``: the definition at ``@widen`` begins and ends with ``@range`` (decorators,
  ``export``, ``const``). ``@head``: its signature begins here.
- ``@documented`` with ``@docstring``: the definition, or the whole file, and its docstring.

Several patterns may match one definition: ranges widen each other, and the earliest pattern gives the name.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import tree_sitter

from indexer.code_doc import comments_before
from indexer.code_grammar import Grammar
from indexer.code_names import own_name
from indexer.code_source import Source, Span
from knowledge.types import Kind

# Definitions nested more deeply belong to the body of the one at this depth. People nest fewer than ten;
# without a bound, a generated file's names and bodies would grow with the square of its length.
MAX_DEPTH = 40

_KINDS = {"unit": Kind.UNIT, "class": Kind.CLASS, "scope": None}
_Captures = dict[str, list[tree_sitter.Node]]


@dataclass(slots=True)
class Definition:
    """One definition in a file, in bytes of its source and rows from 0.

    Attributes:
        kind: UNIT or CLASS; None for what only lends its name.
        name: qualified name.
        start: first byte, decorators included.
        end: byte after the last.
        start_row: row of the first byte.
        end_row: row of the last byte.
        head: where the signature begins.
        name_start: where the name stands.
        body: the node of its body, if it has one.
        body_start: first byte of the body, or ``end``.
        body_end: byte after the body's last, or ``end``.
        docstring: range of a docstring in the source.
        comments: the comments directly above it.
        children: the outermost definitions within it, in source order.
        elsewhere: methods of this class that are written outside of it (Go's receivers) in the same file.
    """

    kind: Kind | None
    start: int
    end: int
    start_row: int
    end_row: int
    head: int
    name: str = ""
    name_start: int = 0
    body: tree_sitter.Node | None = None
    body_start: int = 0
    body_end: int = 0
    docstring: tuple[int, int] | None = None
    comments: list[Span] = field(default_factory=list)
    children: list[Definition] = field(default_factory=list)
    elsewhere: list[Definition] = field(default_factory=list)
    _pattern: int = 1 << 30

    def describe(self, captures: _Captures, pattern: int, grammar: Grammar, source: Source) -> None:
        """Take name and body from a match, unless an earlier pattern gave a name already."""
        bodies = captures.get("body")
        if bodies and self.body is None:
            self.body = bodies[0]
            self.body_start = self.body.start_byte
            self.body_end = self.body.end_byte if self.body.is_named else self.end
        if pattern <= self._pattern:
            self._pattern = pattern
            if "name" in captures:
                self._take_name(captures, grammar, source)
            else:
                self.name_start = self.head
                self.name = grammar.fixed_names.get(pattern, "")

    def _take_name(self, captures: _Captures, grammar: Grammar, source: Source) -> None:
        node = captures["name"][0]
        receivers = captures.get("receiver")
        self.name_start = node.start_byte
        written = source.node(node)
        self.name = own_name(
            written,
            receiver=source.node(receivers[0]) if receivers else "",
            erased=grammar.language.erased_names,
        )
        if not written:  # the parser made up a name to recover from broken syntax
            self.kind = None
        elif not self.name and self.kind is not None:  # `module.exports = function () {}`, or the key `''`
            self.name = "exports" if written.endswith("exports") else written

    def widen(self, nodes: list[tree_sitter.Node], heads: list[tree_sitter.Node] | None) -> None:
        """Grow to include the given nodes."""
        for node in nodes:
            if node.start_byte < self.start:
                self.start, self.start_row = node.start_byte, node.start_point.row
            if node.end_byte > self.end:
                self.end, self.end_row = node.end_byte, node.end_point.row
        for node in heads or ():
            self.head = min(self.head, node.start_byte)


@dataclass(frozen=True, slots=True)
class Scan:
    """What the query found in one file.

    Attributes:
        top: the outermost definitions, in source order.
        all: every definition except scopes, parents before children, in source order.
        docstring: range of the module's docstring.
    """

    top: list[Definition]
    all: list[Definition]
    docstring: tuple[int, int] | None


def scan(grammar: Grammar, source: Source, root: tree_sitter.Node) -> Scan:
    """Find every definition of a parsed file."""
    matches = tree_sitter.QueryCursor(grammar.definitions).matches(root)
    found = _found(matches, grammar, source)
    docstrings = {
        captures["documented"][0].id: captures["docstring"][0].byte_range
        for _, captures in matches
        if "documented" in captures
    }
    _widen(matches, found)
    if source.annotations:
        _decorate(found, source)
    for key, span in docstrings.items():
        if key in found:
            found[key].docstring = span
    top, everything = _nest(list(found.values()))
    for definition in everything:
        definition.comments = comments_before(source, definition.start, definition.start_row)
    _attach_methods(top)
    return Scan(top, everything, docstrings.get(root.id))


def _found(matches: list[tuple[int, _Captures]], grammar: Grammar, source: Source) -> dict[int, Definition]:
    found: dict[int, Definition] = {}
    for pattern, captures in matches:
        for capture, kind in _KINDS.items():
            if capture in captures:
                node = captures[capture][0]
                definition = found.get(node.id) or found.setdefault(node.id, _definition(kind, node))
                definition.describe(captures, pattern, grammar, source)
    return found


def _definition(kind: Kind | None, node: tree_sitter.Node) -> Definition:
    start, end = node.byte_range
    return Definition(
        kind=kind,
        start=start,
        end=end,
        start_row=node.start_point.row,
        end_row=node.end_point.row,
        head=start,
        body_start=end,
        body_end=end,
    )


def _widen(matches: list[tuple[int, _Captures]], found: dict[int, Definition]) -> None:
    for _, captures in matches:
        if "widen" in captures:
            definition = found.get(captures["widen"][0].id)
            if definition is not None:
                definition.widen(captures["range"], captures.get("head"))


def _decorate(found: dict[int, Definition], source: Source) -> None:
    """Begin each definition at its decorators where a grammar has them as siblings (TypeScript's members)."""
    before = {span.end: span for span in (*source.comments, *source.annotations)}
    annotations = set(source.annotations)
    for definition in found.values():
        span = before.get(source.blank_start(definition.start))
        while span is not None:
            if span in annotations:
                definition.start, definition.start_row = span.start, span.start_row
            span = before.get(source.blank_start(span.start))


def _nest(found: list[Definition]) -> tuple[list[Definition], list[Definition]]:
    """Order definitions, qualify their names, and hang each under the one that encloses it."""
    found.sort(key=lambda d: (d.start, -d.end, d.name_start, d.name))
    top: list[Definition] = []
    everything: list[Definition] = []
    stack: list[Definition] = []
    for definition in found:
        while stack and stack[-1].end < definition.end:
            stack.pop()
        if len(stack) >= MAX_DEPTH:
            continue
        if stack and stack[-1].name:
            definition.name = f"{stack[-1].name}.{definition.name}" if definition.name else stack[-1].name
        (stack[-1].children if stack else top).append(definition)
        if definition.kind is not None:
            everything.append(definition)
        stack.append(definition)
    return top, everything


def _attach_methods(top: list[Definition]) -> None:
    classes = {item.name: item for item in reversed(top) if item.kind is Kind.CLASS}
    for item in top:
        owner = classes.get(item.name.rpartition(".")[0])
        if item.kind is Kind.UNIT and owner is not None:
            owner.elsewhere.append(item)
