r"""What an SQL statement is, by how it begins."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from indexer.code.names import MAX_NAME

# A name, perhaps quoted, perhaps with its schema.
_PART = rb"""(?:"[^"]+"|`[^`]+`|\[[^\]]+\]|[^\W\d][\w$\#]*|\#{1,2}\w+)"""
NAME = _PART + rb"(?:\s*\.\s*" + _PART + rb")*"
NAMED = rb"(?P<name>" + NAME + rb")"
VERBOSE = re.IGNORECASE | re.VERBOSE | re.DOTALL


class Role(Enum):
    """What becomes of a statement."""

    CLASS = "class"  # a table, view or type
    PACKAGE = "package"  # likewise, but with routines in it
    UNIT = "unit"  # a routine, trigger, index, policy
    CHANGE = "change"  # of a table or type
    ROWS = "rows"  # of data
    DESCRIPTION = "description"  # COMMENT ON
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Head:
    """What a statement is.

    Attributes:
        role: what becomes of it.
        name: of what it makes or changes; of another statement what may stand for a name.
        table: that it works on, or ``""``.
    """

    role: Role
    name: str
    table: str = ""


_OBJECT = re.compile(
    rb"""(?P<verb>CREATE|ALTER)\s+(?:OR\s+(?:REPLACE|ALTER)\s+)?(?:[\w=@`.'%*]+\s+){0,12}?
    (?P<what>TABLE|VIEW|TYPE(?:\s+BODY)?|DOMAIN|FUNCTION|PROCEDURE|PROC|TRIGGER|EVENT|PACKAGE(?:\s+BODY)?
        |AGGREGATE|RULE|POLICY|MACRO|INDEX)\s+
    (?:CONCURRENTLY\s+)?(?:IF\s+(?:NOT\s+)?EXISTS\s+)?(?:ONLY\s+)?(?:(?!ON\b)"""
    + NAMED
    + rb")?",
    VERBOSE,
)
_ON = re.compile(rb"\bON\s+(?:ONLY\s+)?" + NAMED, VERBOSE)
_ROUTINES = ("FUNCTION", "PROCEDURE", "PROC", "TRIGGER")  # T-SQL redefines them by ALTER
_TYPES = ("TABLE", "VIEW", "TYPE", "DOMAIN")
_WITHIN_A_TABLE = ("TRIGGER", "INDEX", "POLICY", "RULE")
_NAMED_ON_A_TABLE = ("POLICY", "RULE")
# What dumps say of every table, and nobody looks for.
_HOUSEKEEPING = re.compile(
    rb"\bOWNER\s+TO\s+\S+\s*$|\bREPLICA\s+IDENTITY\b|\b(?:EN|DIS)ABLE\s+(?:TRIGGER|KEYS)\b"
    rb"|\bSET\s+DEFAULT\s+nextval\b",
    VERBOSE,
)
_NO_NEW_BODY = re.compile(
    rb"\b(?:OWNER|RENAME)\s+TO\b|\bSET\s+SCHEMA\b|\bDEPENDS\s+ON\b|\b(?:RE)?COMPILE\b(?!\s+AS)|\bRESET\b|"
    rb"\b(?:EN|DIS)ABLE\b",
    VERBOSE,
)
_BODY = re.compile(
    rb"""\bAS\s+(?:\$\w*\$|E?'|BEGIN\b|SET\b|DECLARE\b|SELECT\b|WITH\b|\()|\bBEGIN\b|\b(?:AS|IS)[ \t\r]*\n
    |\bRETURN\b|\bDO\s+(?:ALSO|INSTEAD)\b|\bFOR\s+EACH\s+ROW\s+(?!EXECUTE|WHEN|FOLLOWS|PRECEDES|BEGIN)""",
    VERBOSE,
)
_COLUMNS = re.compile(rb"CREATE\s[^(]*?\bTABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?" + NAME + rb"\s*(?=\()", VERBOSE)
_ROWS = re.compile(rb"(?:INSERT|REPLACE)\b[^;]*?\bVALUES?\b|COPY\b[^;]*\bFROM\s+STDIN\b", VERBOSE)
_TARGET = re.compile(
    rb"""(?P<verb>INSERT|REPLACE|UPDATE|DELETE|MERGE|COPY|TRUNCATE)\s+
    (?:(?:INTO|FROM|IGNORE|LOW_PRIORITY|ONLY|TABLE|OVERWRITE)\s+)*"""
    + NAMED,
    VERBOSE,
)
_DESCRIPTION = re.compile(rb"COMMENT\s+ON\s+(?:\w+\s+){1,2}?" + NAMED + rb"\s*(?:\([^)]*\)\s*)?IS\b", VERBOSE)
_QUERY = re.compile(rb"SELECT\b|WITH\b|\(", VERBOSE)
_COMMENT = re.compile(rb"'(?:[^']|'')*+'|--[^\n]*|/\*!\d*|/\*(?!!).*?\*/|\*/", re.DOTALL)
_QUOTES = re.compile(r'["`\[\]]')
_DOT = re.compile(r"\s*\.\s*")


def head_of(text: bytes) -> Head:
    """What a statement is, by its first bytes."""
    text = _without_comments(text).lstrip()
    found = _OBJECT.match(text)
    if found:
        return _object(found, text)
    if described := _DESCRIPTION.match(text):
        return Head(Role.DESCRIPTION, plain_name(described["name"]))
    if target := _TARGET.match(text):
        table = plain_name(target["name"])
        role = Role.ROWS if _ROWS.match(text) else Role.OTHER
        return Head(role, f"{table}.{_word(target['verb'])}", table)
    return Head(Role.OTHER, "query" if _QUERY.match(text) else "script")


def body_start(statement: bytes) -> int:
    """Where a table's columns or the body of a view or routine begin in their statement; 0 if nowhere."""
    found = _COLUMNS.match(statement) or _BODY.search(statement)
    return (found.end() if found.re is _COLUMNS else found.start()) if found else 0


def _without_comments(text: bytes) -> bytes:
    """Without comments, but with what MySQL runs in comments."""
    return _COMMENT.sub(lambda found: found[0] if found[0].startswith(b"'") else b" ", text)


def plain_name(written: bytes) -> str:
    """A name without quotes."""
    text = _QUOTES.sub("", _DOT.sub(".", written.decode("utf-8", "replace")))
    return " ".join(text.split())[:MAX_NAME].strip(".") or "_"


def _object(found: re.Match[bytes], text: bytes) -> Head:
    whole = _word(found["what"]).upper()
    what = whole.split()[0]
    on = _ON.search(text, found.end()) if what in _WITHIN_A_TABLE else None
    table = plain_name(on["name"]) if on else ""
    own = plain_name(found["name"]) if found["name"] else f"{table or '_'}.{what.lower()}"
    altered = found["verb"].upper() == b"ALTER"
    if what == "PACKAGE" or (what == "TYPE" and not altered):
        return Head(Role.OTHER if altered else Role.PACKAGE, own)
    if what in _TYPES:
        if not altered or body_start(text):
            return Head(Role.CLASS, own)
        return Head(Role.OTHER if _HOUSEKEEPING.search(text) else Role.CHANGE, f"{own}.alter", own)
    if altered and (what not in _ROUTINES or _NO_NEW_BODY.search(text)):
        return Head(Role.OTHER, f"{own}.alter", table)
    return Head(Role.UNIT, f"{table}.{own}" if what in _NAMED_ON_A_TABLE and table else own, table)


def _word(written: bytes) -> str:
    return " ".join(written.decode("utf-8", "replace").split()).lower()
