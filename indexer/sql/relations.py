r"""What SQL statements say of others.

A statement *calls* the routines that it executes and the tables that it reads, writes, changes or refers to;
names of its own ``WITH`` clauses don't count. A table *inherits* what it is a partition of, inherits, or is
made like. A script *imports* the scripts that it includes (``\i``, ``SOURCE``, ``@``, ``:r``, ``.read``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from indexer.code.scan import Definition
from indexer.code.source import Source
from indexer.relations.extract import Relations
from indexer.relations.names import import_name
from indexer.sql.heads import NAMED, VERBOSE, Head, Role, plain_name
from indexer.sql.lexer import Statement, code_between
from knowledge.types import RelationKind

_USED = re.compile(
    rb"""\b(?:EXTRACT|SUBSTRING|TRIM|OVERLAY)\s*\([^()]*\)|\bDISTINCT\s+FROM\b
    |\b(?:FROM|JOIN|(?:INSERT|REPLACE|MERGE)\s+(?:IGNORE\s+)?INTO|UPDATE|REFERENCES|CALL|EXEC|EXECUTE|PERFORM)\s+
    (?:(?:ONLY|LATERAL|FUNCTION|PROCEDURE|IGNORE|LOW_PRIORITY)\s+)*"""
    + NAMED,
    VERBOSE,
)
_BASE = re.compile(rb"(?:\bINHERITS\s*\(|\bPARTITION\s+OF\b|\(\s*LIKE\b)\s*" + NAMED, VERBOSE)
_WITH = re.compile(
    rb"(?:\bWITH\s+(?:RECURSIVE\s+)?|,\s*|\)\s*,\s*)(\w+)\s*(?:\([^()]*\)\s*)?AS\s+(?:NOT\s+)?(?:MATERIALIZED\s+)?\(",
    VERBOSE,
)
_INCLUDED = re.compile(
    rb"^[ \t]*(?:\\ir?|\\include(?:_relative)?|SOURCE|@@?|:r|\.read)[ \t]*(?P<name>[\w./-]+)[ \t;]*$",
    re.MULTILINE | re.IGNORECASE,
)
_STRING = re.compile(rb"'(?:[^']|'')*+'")
# Words that may stand where a name is expected.
_WORDS = frozenset(
    b"as cascade dual each inserted deleted new null of old on only restrict row select set skip statement "
    b"stdin stdout table values where from join string immediate".split()
)


def relate(
    relations: Relations,
    owner: Definition | None,
    head: Head,
    source: Source,
    statement: Statement,
    line: int,
) -> None:
    """Note what a statement says of others.

    Args:
        relations: where to.
        owner: the definition that the statement is or belongs to; None for the module.
        head: what the statement is.
        source: the script.
        statement: where it stands.
        line: its first line.
    """
    if head.table:
        relations.add(owner, RelationKind.CALLS, head.table, line)
    if head.role is Role.ROWS:
        return
    text = _STRING.sub(_blanks, code_between(source, statement.start, statement.end))
    own = {name.lower() for name in _WITH.findall(text)} if b"(" in text else set()
    own |= {head.name.lower().encode(), b""} | _WORDS
    for kind, pattern in ((RelationKind.CALLS, _USED), (RelationKind.INHERITS, _BASE)):
        for written, row in _with_rows(pattern, text):
            if written.lower() not in own and not written.startswith(b"#"):  # T-SQL's temporary tables
                relations.add(owner, kind, plain_name(written), line + row)


def relate_script(relations: Relations, data: bytes) -> None:
    """Note which scripts a script includes."""
    for written, row in _with_rows(_INCLUDED, data):
        target = import_name(b"", b'"' + written + b'"')
        if target:
            relations.add(None, RelationKind.IMPORTS, target, row + 1)


def _blanks(string: re.Match[bytes]) -> bytes:
    return b"''" + b"\n" * string[0].count(b"\n")


def _with_rows(pattern: re.Pattern[bytes], text: bytes) -> Iterator[tuple[bytes, int]]:
    """The names that a pattern finds, each with its row."""
    row = position = 0
    for found in pattern.finditer(text):
        row += text.count(b"\n", position, found.start())
        position = found.start()
        yield found["name"] or b"", row
