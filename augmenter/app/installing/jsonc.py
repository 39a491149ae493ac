"""JSON with comments and trailing commas, read with where each part stands, to be edited in place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from knowledge.errors import SettingsError

MAX_DEPTH = 100  # settings have a handful of levels; deeper nesting would exhaust the interpreter's stack
_TRIVIA = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.S)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
BOM = "\ufeff"

Edit = tuple[int, int, str]  # from, to, and what takes the place of what stands there


@dataclass(frozen=True, slots=True)
class Part:
    """A member of an object, or an element of an array.

    Attributes:
        start: where it begins, with its key.
        end: where it ends, without its comma.
        comma: where the comma after it stands; -1 without one.
        value: its value.
        key: its key; ``""`` in an array.
    """

    start: int
    end: int
    comma: int
    value: Node
    key: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """A value, and where it stands.

    Attributes:
        start: of its first character.
        end: behind its last.
        kind: what it is.
        parts: of an object or array.
        scalar: of anything else, its value.
    """

    start: int
    end: int
    kind: Literal["object", "array", "scalar"]
    parts: tuple[Part, ...] = ()
    scalar: str | float | bool | None = None

    def member(self, key: str) -> Part | None:
        """The member of an object; None without one.

        Raises:
            SettingsError: the key is there twice: programs differ in which of the two they take.
        """
        found = [part for part in self.parts if part.key == key]
        if len(found) > 1:
            raise SettingsError(f"the key '{key}' is there twice", remedy="Join the two")
        return found[0] if found and self.kind == "object" else None

    def plain(self) -> Any:
        """The value, as `json.loads` gives it."""
        if self.kind == "object":
            return {part.key: part.value.plain() for part in self.parts}
        if self.kind == "array":
            return [part.value.plain() for part in self.parts]
        return self.scalar


def parse(text: str) -> Node:
    """Read a document.

    Raises:
        SettingsError: it is none; ``what`` tells the line.
    """
    reader = _Reader(text)
    node, end = reader.value(reader.skip(len(BOM) if text.startswith(BOM) else 0), 0)
    if reader.skip(end) != len(text):
        raise reader.wrong(end)
    return node


def has_trailing_comma(node: Node) -> bool:
    """Whether a comma stands behind the last part of a container, here or further in."""
    return any(part.comma >= 0 for part in node.parts[-1:]) or any(
        has_trailing_comma(part.value) for part in node.parts
    )


def skip(text: str, start: int) -> int:
    """Where, from ``start`` on, something other than blanks and comments stands."""
    found = _TRIVIA.match(text, start)
    return found.end() if found else start


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text with its edits, which don't overlap."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


class _Reader:
    """A reader by recursive descent; each method returns what it read, and where that ends."""

    def __init__(self, text: str) -> None:
        self.text = text

    def skip(self, start: int) -> int:
        return skip(self.text, start)

    def wrong(self, at: int) -> SettingsError:
        line = self.text.count("\n", 0, self.skip(at)) + 1
        return SettingsError(f"line {line}: this is not JSON", remedy="Correct it, then try again")

    def value(self, start: int, depth: int) -> tuple[Node, int]:
        if depth > MAX_DEPTH:
            raise SettingsError(f"nested more than {MAX_DEPTH} levels deep", remedy="Edit it by hand")
        first = self.text[start : start + 1]
        if first == "{":
            return self._container(start, depth, "object")
        if first == "[":
            return self._container(start, depth, "array")
        found = (_STRING if first == '"' else _SCALAR).match(self.text, start)
        if not found:
            raise self.wrong(start)
        return Node(start, found.end(), "scalar", scalar=self._loaded(found[0], start)), found.end()

    def _loaded(self, text: str, start: int) -> Any:
        try:
            return json.loads(text)
        except ValueError:  # an escape that does not exist, or a number of thousands of digits
            raise self.wrong(start) from None

    def _container(self, start: int, depth: int, kind: Literal["object", "array"]) -> tuple[Node, int]:
        closing = "}" if kind == "object" else "]"
        parts: list[Part] = []
        at = self.skip(start + 1)
        while not self.text.startswith(closing, at):
            if parts and parts[-1].comma < 0:
                raise self.wrong(at)
            parts.append(self._part(at, depth, kind))
            at = self.skip(max(parts[-1].end, parts[-1].comma + 1))
        return Node(start, at + 1, kind, tuple(parts)), at + 1

    def _part(self, start: int, depth: int, kind: str) -> Part:
        key, at = self._key(start) if kind == "object" else ("", start)
        node, end = self.value(at, depth + 1)
        behind = self.skip(end)
        return Part(start, end, behind if self.text.startswith(",", behind) else -1, node, key)

    def _key(self, start: int) -> tuple[str, int]:
        found = _STRING.match(self.text, start)
        colon = self.skip(found.end()) if found else start
        if not found or not self.text.startswith(":", colon):
            raise self.wrong(start)
        return str(self._loaded(found[0], start)), self.skip(colon + 1)
