"""From query matches to a tree of definitions.

What the query files capture:

- ``@unit``, ``@class``: a function or method; something class-like. ``@scope``: something that only lends
  its name to the definitions within it (an object literal bound to a variable).
- ``@prototype``: a function's declaration alone (C's headers). It counts as a unit, unless the file defines
  what it declares, or it stands within a function.
- ``@name``, ``@receiver``, ``@body``: of that definition. A name captured in pieces is all of them
  (``operator`` and ``+``), a body runs from the first piece to the last; one captured as a bare token
  (``{``) runs from there to the definition's end, and so does one that only ``end`` follows.
- ``@alias``: another name of it (C's ``typedef struct tag {…} name``), under which it comes once more.
- ``@widen`` with ``@range``: the definition at ``@widen`` begins and ends with ``@range`` (decorators,
  ``export``, ``const``). ``@head``: its signature begins here.
- ``@documented`` with ``@docstring``: the definition, or the whole file, and its docstring.

Several patterns may match one definition: ranges widen each other, and the earliest pattern gives the name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import tree_sitter

from indexer.code.doc import comments_before
from indexer.code.grammar import Grammar
from indexer.code.names import own_name
from indexer.code.source import Source, Span, end_of
from knowledge.types import Kind

# Definitions nested more deeply belong to the body of the one at this depth. People nest fewer than ten;
# without a bound, a generated file's names and bodies would grow with the square of its length.
MAX_DEPTH = 40

_BLANKS = b" \t\r\n"
_CLOSING_WORD = b"end"  # Ruby's and Lua's blocks end in a word that grammars don't count to the body
# Matches begun and not completed that a query keeps in mind; of more it drops the outermost. Each of C++'s
# nested classes begins a dozen; without a bound, time would grow with the square of the depth.
MATCH_LIMIT = 2000

_KINDS = {"unit": Kind.UNIT, "prototype": Kind.UNIT, "class": Kind.CLASS, "scope": None}
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
        prototype: whether it is a declaration without a body that a definition may follow.
        alias: another name, as the source has it.
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
    prototype: bool = False
    alias: str = ""
    elsewhere: list[Definition] = field(default_factory=list)
    _pattern: int = 1 << 30

    def describe(self, captures: _Captures, pattern: int, grammar: Grammar, source: Source) -> None:
        """Take name and body from a match, unless an earlier pattern gave a name already."""
        bodies = captures.get("body")
        if bodies and self.body is None:
            self.body = bodies[-1]
            self.body_start = _comments_start(source, self.start, bodies[0].start_byte)
            self.body_end = min(self.body.end_byte, self.end) if self.body.is_named else self.end
            if source.data[self.body_end : self.end].strip() == _CLOSING_WORD:
                self.body_end = self.end
        if pattern <= self._pattern:
            self._pattern = pattern
            if "alias" in captures:
                self.alias = source.node(captures["alias"][0])
            if "name" in captures:
                self._take_name(captures, grammar, source)
            else:
                self.name_start = self.head
                self.name = grammar.fixed_names.get(pattern, "")

    def _take_name(self, captures: _Captures, grammar: Grammar, source: Source) -> None:
        nodes = captures["name"]
        receivers = captures.get("receiver")
        self.name_start = nodes[0].start_byte
        written = " ".join(map(source.node, nodes))
        self.name = own_name(
            written,
            receiver=source.node(receivers[0]) if receivers else "",
            erased=grammar.language.erased_names,
            scope_mark=grammar.language.scope_mark,
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
            end, end_row = end_of(node)
            if end > self.end:
                self.end, self.end_row = end, end_row
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
    matches = tree_sitter.QueryCursor(grammar.definitions, match_limit=MATCH_LIMIT).matches(root)
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
    everything = _without_repetitions(everything)
    for definition in everything:
        definition.comments = comments_before(source, definition.start, definition.start_row)
    _attach_methods(top)
    named_twice = [item for item in everything if item.alias and _beside(item, item.alias) != item.name]
    everything += [replace(item, name=_beside(item, item.alias)) for item in named_twice]
    return Scan(top, everything, docstrings.get(root.id))


def _found(matches: list[tuple[int, _Captures]], grammar: Grammar, source: Source) -> dict[int, Definition]:
    found: dict[int, Definition] = {}
    for pattern, captures in matches:
        for capture, kind in _KINDS.items():
            if capture in captures:
                node = captures[capture][0]
                definition = found.get(node.id) or found.setdefault(node.id, _definition(kind, node, source))
                definition.prototype |= capture == "prototype"
                definition.describe(captures, pattern, grammar, source)
    return found


def _definition(kind: Kind | None, node: tree_sitter.Node, source: Source) -> Definition:
    start = node.start_byte
    end, end_row = end_of(node)
    if end > start and source.data[end - 1] in _BLANKS:
        trimmed = _end_of_code(source, start, end)
        end_row -= source.data.count(b"\n", trimmed, end)
        end = trimmed
    return Definition(
        kind=kind,
        start=start,
        end=end,
        start_row=node.start_point.row,
        end_row=end_row,
        head=start,
        body_start=end,
        body_end=end,
    )


def _end_of_code(source: Source, start: int, end: int) -> int:
    """Where a definition ends that reaches to the next token, as Scala's indented blocks do."""
    return source.blank_start(_comments_start(source, start, end))


def _comments_start(source: Source, first: int, position: int) -> int:
    """Where the comments on lines of their own begin that lead up to a position; itself if there are none."""
    comment = source.comment_ending(source.blank_start(position))
    while comment is not None and comment.start > first and source.begins_line(comment.start):
        position = comment.start
        comment = source.comment_ending(source.blank_start(position))
    return position


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
        if definition.prototype and any(outer.kind is Kind.UNIT for outer in stack):
            continue
        if stack and stack[-1].name:
            definition.name = f"{stack[-1].name}.{definition.name}" if definition.name else stack[-1].name
        (stack[-1].children if stack else top).append(definition)
        if definition.kind is not None:
            everything.append(definition)
        stack.append(definition)
    return top, everything


def _without_repetitions(everything: list[Definition]) -> list[Definition]:
    """Without the prototypes of what has a body in the same file; these count as mere text from here on."""
    defined = {item.name for item in everything if item.body is not None}
    for item in everything:
        if item.prototype and item.name in defined:
            item.kind = None
    return [item for item in everything if item.kind is not None]


def _beside(item: Definition, alias: str) -> str:
    """An alias qualified as the definition's name is."""
    scope, dot, _ = item.name.rpartition(".")
    return f"{scope}{dot}{alias}"


def _attach_methods(top: list[Definition]) -> None:
    outermost = list(visible(top))
    classes = {item.name: item for item in reversed(outermost) if item.kind is Kind.CLASS}
    for item in outermost:
        owner = classes.get(item.name.rpartition(".")[0])
        if item.kind is Kind.UNIT and owner is not None and not _declares(owner, item.name):
            owner.elsewhere.append(item)


def _declares(owner: Definition, name: str) -> bool:
    return any(child.prototype and child.name == name for child in owner.children)


def visible(members: list[Definition]) -> Iterator[Definition]:
    """Members in source order, seen through scopes, which are no members themselves."""
    stack = members[::-1]
    while stack:
        member = stack.pop()
        if member.kind is None:
            stack += reversed(member.children)
        else:
            yield member
