"""From calls, imports and bases in a syntax tree to relations: what each definition says of others.

What the query files under ``queries/relations/`` capture:

- ``@call``: what is called: the callee of a call without its arguments, the type after ``new``, a
  decorator, a JSX element. Where the grammar keeps object and method apart (Java, Ruby, PHP), the object is
  ``@receiver`` in the same match, and the callee is all that stands from there to the end of ``@call``.
- ``@base``: a superclass, interface, trait, protocol, mixin or embedded type; one capture for each.
- ``@import``: a module, path or qualified name that is imported. With ``@from`` in the same match it is a
  name out of that module: ``from a.b import c`` gives ``a.b`` and ``a.b.c``. A module captured in pieces is
  all from the first to the last. String quotes and the angle brackets of an ``#include`` may be captured
  along.
- ``@subject``: what a test says it is about (``describe('Stream')``).

How names are normalised: `indexer.relations.names`. What is left out: `indexer.relations.noise`.

What belongs to what: an import to the module; a call to the innermost function or class that encloses it,
else the module (default arguments and decorators belong to what they adorn); a base likewise, but
within a scope that only lends its name (Rust's ``impl``) to the class of that name, if the file has it.
Of one kind a target is named once by a definition, where it first occurs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import tree_sitter

from indexer.code.grammar import Grammar
from indexer.code.scan import MATCH_LIMIT, Definition, Scan
from indexer.code.source import Source
from indexer.relations.names import MAX_WRITTEN, base_name, callee_name, import_name, subject_name
from indexer.relations.noise import noise_of
from knowledge.types import Kind, Relation, RelationKind

# Of one definition and kind. 999 of 1,000 functions call fewer others, 98 of 100 modules import fewer names;
# what is longer is a table (of routes, of fields, of exports) whose every line says the same.
MAX_RELATIONS = 50

_LAST = re.compile(r"[.#/]")
_Captures = dict[str, list[tree_sitter.Node]]


class _Named(NamedTuple):
    """Something named at a place."""

    start: int
    kind: RelationKind
    target: str
    line: int


def relate(grammar: Grammar, source: Source, root: tree_sitter.Node, scan: Scan) -> Relations:
    """Find what the definitions of a parsed file, and the file itself, say of others."""
    relations = Relations()
    if grammar.relations is None:
        return relations
    matches = tree_sitter.QueryCursor(grammar.relations, match_limit=MATCH_LIMIT).matches(root)
    named = sorted((one for one in _named(matches, source) if one.target), key=lambda one: one.start)
    noise, own = noise_of(grammar.language.name), _own_names(scan, named)
    classes = {item.name: item for item in scan.all if item.kind is Kind.CLASS}
    for one, within in _placed(named, scan.top):
        if one.kind is not RelationKind.CALLS or not noise.covers(one.target, own):
            relations.add(_owner(one.kind, within, classes), one.kind, one.target, one.line)
    return relations


class Relations:
    """The relations of one file, by the definition that has them."""

    def __init__(self) -> None:
        self._said: dict[int, dict[RelationKind, dict[str, int]]] = {}

    def add(self, owner: Definition | None, kind: RelationKind, target: str, line: int) -> None:
        """Note what a definition, or the module (None), says, unless it has said so or has said too much."""
        targets = self._said.setdefault(id(owner), {}).setdefault(kind, {})
        if len(targets) < MAX_RELATIONS:
            targets.setdefault(target, line)

    def of(self, owner: Definition | None) -> tuple[Relation, ...]:
        """What a definition, or the module (None), says of others, sorted by line, kind and target."""
        found = [
            Relation(kind, target, line)
            for kind, targets in self._said.get(id(owner), {}).items()
            for target, line in targets.items()
        ]
        return tuple(sorted(found, key=lambda one: (one.line, one.kind, one.target)))


def _named(matches: Iterable[tuple[int, _Captures]], source: Source) -> Iterator[_Named]:
    for _, captures in matches:
        if "call" in captures:
            receivers = captures.get("receiver")
            for node in captures["call"]:
                start, end = receivers[0].start_byte if receivers else _beginning(source, node), node.end_byte
                target = callee_name(_written(source, start, end))
                # Where it ends: all callees of a chain of calls begin at its beginning.
                yield _Named(max(start, end - 1), RelationKind.CALLS, target, node.end_point.row + 1)
        elif "base" in captures:
            for node in captures["base"]:
                written = source.data[node.start_byte : min(node.end_byte, node.start_byte + MAX_WRITTEN)]
                yield _at(node, RelationKind.INHERITS, base_name(written))
        elif "import" in captures or "from" in captures:
            yield from _imported(captures, source)
        elif "subject" in captures:
            for node in captures["subject"]:
                written = _written(source, node.start_byte, node.end_byte)
                yield _at(node, RelationKind.TESTS, subject_name(written))


def _beginning(source: Source, node: tree_sitter.Node) -> int:
    """Where a callee begins: among the mere tokens of Rust's macros, with the dot before it."""
    start = node.start_byte
    if source.data[max(0, start - 1) : start] != b".":
        return start
    return start - 1 if node.parent is not None and node.parent.type == "token_tree" else start


def _imported(captures: _Captures, source: Source) -> Iterator[_Named]:
    module = b""
    if path := captures.get("from"):
        module = _written(source, path[0].start_byte, path[-1].end_byte)
        yield _at(path[0], RelationKind.IMPORTS, import_name(module, b""))
    for node in captures.get("import", ()):
        name = _written(source, node.start_byte, node.end_byte)
        yield _at(node, RelationKind.IMPORTS, import_name(module, name))


def _at(node: tree_sitter.Node, kind: RelationKind, target: str) -> _Named:
    return _Named(node.start_byte, kind, target, node.start_point.row + 1)


def _written(source: Source, start: int, end: int) -> bytes:
    """The text of a name; of a long one its end, behind a bracket that stands for what is cut off.

    A chain of n calls has n callees, each as long as all before it.
    """
    if end - start <= MAX_WRITTEN:
        return source.data[start:end]
    return b")" + source.data[end - MAX_WRITTEN : end]


def _own_names(scan: Scan, named: Iterable[_Named]) -> set[str]:
    """What the file defines at its top or imports by name: such a name means that, not the language's own."""
    own = {definition.name for definition in scan.top}
    own.update(_LAST.split(one.target)[-1] for one in named if one.kind is RelationKind.IMPORTS)
    own.discard("")
    return own


def _placed(named: Iterable[_Named], top: list[Definition]) -> Iterator[tuple[_Named, list[Definition]]]:
    """Each thing named, in order of its place, with the definitions that enclose it, outermost first."""
    coming = list(_with_scopes(top))[::-1]
    within: list[Definition] = []
    for one in named:
        while coming and coming[-1].start <= one.start:
            definition = coming.pop()
            _leave(within, definition.start)
            within.append(definition)
        _leave(within, one.start)
        yield one, within


def _leave(within: list[Definition], position: int) -> None:
    while within and within[-1].end <= position:
        within.pop()


def _with_scopes(top: list[Definition]) -> Iterator[Definition]:
    """All definitions, scopes included, in source order, parents before children."""
    stack = top[::-1]
    while stack:
        definition = stack.pop()
        yield definition
        stack += reversed(definition.children)


def _owner(kind: RelationKind, within: list[Definition], classes: dict[str, Definition]) -> Definition | None:
    """The definition, or None for the module, that says something of a kind within these definitions."""
    if kind is RelationKind.IMPORTS or not within:
        return None
    innermost = within[-1]
    if kind is RelationKind.INHERITS and innermost.kind is None and innermost.name in classes:
        return classes[innermost.name]
    return next((definition for definition in reversed(within) if definition.kind is not None), None)
