r"""Tables, views, routines and changes of an SQL script.

A table, view or type is a class, with its columns on its card; a function, procedure, trigger, index, event
or policy is a unit. So is a change: ``ALTER TABLE orders …`` is ``orders.alter``, neighbours on the same
table are one, and its signature is the statement itself, so that "add a column to orders" finds both where
orders is made and what migrations did to it. Its name is not ``orders``: who asks for that wants the table.

Of other statements a unit is what has a name (``-- name: FindOrder``, as sqlc, aiosql and HugSQL have it) or
is too large for the module's card, where all others stand. Rows of data are left out of that card. Macros of
dbt are units too.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from indexer.code.doc import comments_before
from indexer.code.scan import Definition, Scan
from indexer.code.source import Source
from indexer.code.split import is_large
from indexer.relations.extract import Relations
from indexer.sql.heads import Head, Role, body_start, head_of
from indexer.sql.lexer import HEAD_BYTES, Statement, code_between, split
from indexer.sql.macros import Block, read_template
from indexer.sql.packages import Member, members_of
from indexer.sql.relations import relate, relate_script
from knowledge.types import Kind

_QUERY_NAME = re.compile(r"--+\s*:?name\s*:?\s*([A-Za-z_][\w-]*)")
_STRING = re.compile(rb"'(?:[^']|'')*'")
_NOT_LINE_END = re.compile(rb"[^\n]")
# Of a statement with rows of data its first line, up to so many bytes, stays on the module's card.
_KEPT_OF_ROWS = 200


@dataclass(frozen=True, slots=True)
class SqlFile:
    """A script as it has been read.

    Attributes:
        source: its text and comments.
        scan: its definitions.
        relations: what they say of others.
        code_start: where its first statement begins.
    """

    source: Source
    scan: Scan
    relations: Relations
    code_start: int


def read_sql(data: bytes) -> SqlFile:
    """Read a script of any dialect, in time by its size."""
    template = read_template(data)
    script = split(template.sql)
    comments = tuple(sorted((*template.comments, *script.comments), key=lambda comment: comment.start))
    source = Source(data, comments, (), {comment.end_row: comment for comment in comments})
    reader = _Reader(source)
    for statement in script.statements:
        reader.read(statement)
    for block in template.blocks:
        reader.add(block)
    relate_script(reader.relations, data)
    starts = [item.start for item in script.statements[:1]] + [item.start for item in template.blocks[:1]]
    code_start = min(starts, default=len(data))
    return SqlFile(source, reader.scan(), reader.relations, code_start)


class _Reader:
    """Statements one after the other, and what has been found in them.

    Attributes:
        relations: what the definitions say of others.
    """

    def __init__(self, source: Source) -> None:
        self.relations = Relations()
        self._source = source
        self._line_ends = [found.start() for found in re.finditer(b"\n", source.data)]
        self._members: list[Definition] = []
        self._found: list[Definition] = []
        self._described: dict[str, tuple[int, int]] = {}
        self._open = Head(Role.OTHER, "")

    def read(self, statement: Statement) -> None:
        """Read the next statement."""
        data = self._source.data
        known = len(self._found)
        head = head_of(data[statement.start : min(statement.end, statement.start + HEAD_BYTES)])
        joined = head == self._open and head.role in (Role.CHANGE, Role.ROWS)
        self._open = head
        if joined:
            self._grow(self._members[-1], statement.end, shown=head.role is Role.CHANGE)
        elif head.role is Role.DESCRIPTION:
            text = _STRING.search(data, statement.start, statement.end)
            if text:
                self._described[head.name] = text.span()
        elif head.role is Role.ROWS:
            self._members.append(self._rows(head, statement))
        else:
            self._define(head, statement)
        owner = next(
            (item for item in self._found[known:] or self._found[-1:] if item.end == statement.end), None
        )
        relate(self.relations, owner, head, self._source, statement, self._row(statement.start) + 1)

    def add(self, block: Block) -> None:
        """A macro's definition."""
        definition = self._definition(Kind.UNIT, block.name, Statement(block.start, block.end))
        definition.head = definition.name_start = block.head
        definition.body_start = block.body_start
        self._members.append(definition)
        self._found.append(definition)

    def scan(self) -> Scan:
        """All definitions, with their documentation."""
        self._members.sort(key=lambda item: item.start)
        self._found.sort(key=lambda item: item.start)  # stable: what lies within follows
        for item in self._found:
            item.comments = comments_before(self._source, item.start, item.start_row)
            item.docstring = self._described.get(item.name)
        return Scan(self._members, self._found, None)

    def _define(self, head: Head, statement: Statement) -> None:
        """Make a class or unit of a statement, if it is to be one."""
        kind, name = Kind.UNIT, head.name
        if head.role in (Role.CLASS, Role.PACKAGE):
            kind = Kind.CLASS
        elif head.role is Role.OTHER:
            named = self._query_name(statement.start)
            if not named and not self._is_large(statement):
                return
            name = named or name
        definition = self._definition(kind, name, statement)
        if head.role in (Role.CLASS, Role.PACKAGE, Role.UNIT):
            self._place_body(definition)
        elif head.role is Role.OTHER and self._is_large(statement):
            definition.body_start = self._end_of_line(statement)
        self._members.append(definition)
        self._found.append(definition)
        if head.role is Role.PACKAGE:
            code = code_between(self._source, statement.start, statement.end)
            self._add_members(definition, members_of(_STRING.sub(_blanks, code)), statement.start)

    def _add_members(self, owner: Definition, members: list[Member], offset: int) -> None:
        """Put the members of a package beneath it, each before its own."""
        waiting = [(owner, member) for member in reversed(members)]
        while waiting:
            outer, member = waiting.pop()
            place = Statement(offset + member.start, offset + member.end)
            definition = self._definition(Kind.UNIT, f"{outer.name}.{member.name}", place)
            definition.body_start = offset + member.body_start
            outer.children.append(definition)
            self._found.append(definition)
            waiting += [(definition, inner) for inner in reversed(member.members)]

    def _definition(self, kind: Kind, name: str, statement: Statement) -> Definition:
        start, end = statement.start, statement.end
        return Definition(
            kind=kind,
            start=start,
            end=end,
            start_row=self._row(start),
            end_row=self._row(max(start, end - 1)),
            head=start,
            name=name,
            name_start=start,
            body_start=end,
            body_end=end,
        )

    def _rows(self, head: Head, statement: Statement) -> Definition:
        rows = self._definition(Kind.UNIT, head.name, statement)
        rows.body_start = self._end_of_line(statement)
        return rows

    def _grow(self, definition: Definition, end: int, *, shown: bool) -> None:
        if shown:
            definition.body_start = end
        definition.end = definition.body_end = end
        definition.end_row = self._row(end - 1)

    def _place_body(self, definition: Definition) -> None:
        start = body_start(code_between(self._source, definition.start, definition.end))
        if start:
            definition.body_start = definition.start + start

    def _end_of_line(self, statement: Statement) -> int:
        """Where the first line of a statement ends, or a character after enough of it."""
        end = min(self._source.line_end(statement.start), statement.end)
        if end - statement.start <= _KEPT_OF_ROWS:
            return end
        kept = self._source.data[statement.start : statement.start + _KEPT_OF_ROWS]
        return statement.start + len(kept.decode("utf-8", "ignore").encode())

    def _is_large(self, statement: Statement) -> bool:
        rows = self._row(statement.end) - self._row(statement.start) + 1
        return is_large(rows, statement.end - statement.start)

    def _query_name(self, start: int) -> str:
        for comment in comments_before(self._source, start, self._row(start)):
            named = _QUERY_NAME.match(self._source.text(comment.start, comment.end))
            if named:
                return named[1]
        return ""

    def _row(self, position: int) -> int:
        return bisect_left(self._line_ends, position)


def _blanks(string: re.Match[bytes]) -> bytes:
    return _NOT_LINE_END.sub(b" ", string[0])
