r"""The procedures and functions of Oracle's packages and object types, local ones included."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from indexer.code.scan import MAX_DEPTH
from indexer.sql.heads import NAME, plain_name
from indexer.sql.lexer import nesting

_TOKENS = re.compile(
    rb"(?P<header>^[ \t]*(?:(?:FINAL|INSTANTIABLE|NOT|MEMBER|STATIC|CONSTRUCTOR|OVERRIDING|MAP|ORDER)\s+)*"
    rb"(?:PROCEDURE|FUNCTION)\s+(?P<name>" + NAME.replace(b" ", b"[ ]") + rb"))"
    rb"|(?P<block>(?<!\$)\b(?:BEGIN|CASE|END)\b)",
    re.IGNORECASE | re.MULTILINE,
)
# What tells a body from a declaration, outside of the parameters.
_OPENING = re.compile(rb"[();,]|\b(?:IS|AS)\b(?P<foreign>\s+(?:LANGUAGE|EXTERNAL)\b)?", re.IGNORECASE)
_BLANK_OR_NAME = re.compile(rb"[ \t]*[\w$#\".]*[ \t]*;?")


@dataclass(slots=True)
class Member:
    """A procedure or function, in bytes of its package's statement.

    Attributes:
        name: its own.
        start: where its declaration begins.
        body_start: where ``IS`` or ``AS`` stands; ``end`` of a declaration alone.
        end: after its last byte.
        members: local ones.
    """

    name: str
    start: int
    body_start: int
    end: int
    members: list[Member] = field(default_factory=list)


def members_of(code: bytes) -> list[Member]:
    """The members of a package or type, in order.

    One whose end is not found ends where the next begins.

    Args:
        code: the statement, with blanks for what stands in comments and strings.
    """
    top: list[Member] = []
    open_members: list[_Open] = []
    tokens = list(_TOKENS.finditer(code))
    for at, token in enumerate(tokens):
        limit = tokens[at + 1].start() if at + 1 < len(tokens) else len(code)
        if token["header"]:
            member, has_body = _declared(code, token, limit)
            if len(open_members) < MAX_DEPTH:
                (open_members[-1].member.members if open_members else top).append(member)
            if has_body:
                open_members.append(_Open(member))
        elif open_members and open_members[-1].closes(code, token):
            closing = _BLANK_OR_NAME.match(code, token.end())
            open_members.pop().member.end = closing.end() if closing else token.end()
    return top


@dataclass(slots=True)
class _Open:
    """A member whose end has not come yet."""

    member: Member
    depth: int = 0

    def closes(self, code: bytes, block: re.Match[bytes]) -> bool:
        """Whether a ``BEGIN``, ``CASE`` or ``END`` is its last."""
        self.depth = max(0, self.depth + nesting(code, *block.span("block")))
        return self.depth == 0 and block["block"].upper() == b"END"


def _declared(code: bytes, header: re.Match[bytes], limit: int) -> tuple[Member, bool]:
    """A member that ends with its declaration, as far as is known, and whether a body follows."""
    start = header.start() + len(header[0]) - len(header[0].lstrip())
    name = plain_name(header["name"])
    last = header.end() + len(code[header.end() : limit].rstrip())
    depth = 0
    for sign in _OPENING.finditer(code, header.end(), limit):
        depth += (sign[0] == b"(") - (sign[0] == b")")
        if depth > 0 or sign[0] in b"(),":
            continue
        if sign[0] == b";":
            return Member(name, start, sign.start(), sign.start()), False
        end = code.find(b";", sign.end(), limit) if sign["foreign"] else last
        return Member(name, start, sign.start(), end if end >= 0 else last), not sign["foreign"]
    return Member(name, start, last, last), False
