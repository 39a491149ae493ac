"""Hooks in a JSON document: read, added, removed. Nothing else in the document changes by a byte.

Taking away is the inverse of adding, which the text itself must make possible, for nothing else is kept: a
container that was made here has a blank after its bracket, one that was there and empty gets its first part
right behind the bracket.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from augmenter.app.installing.hooks import Hook, IsOurs, hook_of
from augmenter.app.installing.jsonc import Edit, Node, Part, apply, parse
from knowledge.errors import SettingsError

HOOKS = "hooks"
_INDENT = "  "
_BY_HAND = "Correct it, or add the hooks by hand: 'prebrief hook install HOST --dry-run --json' names them"
_BLANKS = " \t\r\n"
_REST_OF_LINE = re.compile(r"(?:[ \t]*/\*[^\r\n]*?\*/)*(?:[ \t]*(?P<line>//[^\r\n]*))?")


def find(text: str) -> list[Hook]:
    """All hooks of a document, in its order.

    Raises:
        SettingsError: it cannot be read, or its hooks are not where hosts look for them.
    """
    return [found.hook for found in _locate(_root(text))]


def add(text: str | None, hooks: Iterable[Hook]) -> str:
    """The document with more hooks, each behind what its event has already.

    Args:
        text: of the document; None makes one.
        hooks: the new ones.

    Raises:
        SettingsError: as for `find`.
    """
    hooks = list(hooks)
    if text is None:
        return json.dumps({HOOKS: _by_event(hooks)}, indent=len(_INDENT), ensure_ascii=False) + "\n"
    root = _root(text)
    table = root.member(HOOKS)
    if table is None:
        return _append(text, root, root, _Value(_by_event(hooks), HOOKS))
    for event, groups in _by_event(hooks).items():
        text = _add_event(text, event, groups)
    return text


def _add_event(text: str, event: str, groups: Sequence[object]) -> str:
    root = _root(text)
    table = _expect(root.member(HOOKS), "object")
    found = table.value.member(event)
    if found is None:
        return _append(text, root, table.value, _Value(list(groups), event))
    for group in groups:
        root = _root(text)
        array = _expect(_expect(root.member(HOOKS), "object").value.member(event), "array")
        text = _append(text, root, array.value, _Value(group))
    return text


def remove(text: str, is_ours: IsOurs) -> str | None:
    """The document without the hooks whose command is ours; None when nothing is left of it.

    Raises:
        SettingsError: as for `find`.
    """
    while True:
        root = _root(text)
        ours = [found for found in _locate(root) if is_ours(found.hook.command)]
        if not ours:
            return text
        # From the last to the first, as they were added from the first to the last.
        node, index = _outermost(text, ours[-1].chain)
        if index < 0:
            return None
        text = apply(text, _without(text, node, index))


def rest(text: str) -> dict[str, Any]:
    """What a document says of anything else. Raises SettingsError."""
    return {key: value for key, value in _root(text).plain().items() if key != HOOKS}


@dataclass(frozen=True, slots=True)
class _Found:
    """A hook, and the containers around it with its index in each, from the outermost one."""

    hook: Hook
    chain: tuple[tuple[Node, int], ...]


@dataclass(frozen=True, slots=True)
class _Value:
    """What is to be added, with its key in an object."""

    value: object
    key: str = ""


def _root(text: str) -> Node:
    root = parse(text)
    if root.kind != "object":
        raise SettingsError("the settings are no JSON object", remedy=_BY_HAND)
    return root


def _locate(root: Node) -> list[_Found]:
    table = root.member(HOOKS)
    if table is None:
        return []
    at_root = (root, root.parts.index(table))
    found = []
    for number, event in enumerate(_expect(table, "object").value.parts):
        table.value.member(event.key)  # which refuses what is there twice
        if event.value.kind != "array":
            continue  # what is no list of hooks may be any other setting: `enabled`, say
        at_event = (table.value, number)
        for index, group in enumerate(event.value.parts):
            around = (at_root, at_event, (event.value, index))
            found += _in_group(event.key, group.value, around)
    return found


def _in_group(event: str, group: Node, around: tuple[tuple[Node, int], ...]) -> list[_Found]:
    handlers = group.member(HOOKS)
    if handlers is None or handlers.value.kind != "array":
        return []
    return [
        _Found(hook_of(event, group.plain(), part.value.plain()), (*around, (handlers.value, index)))
        for index, part in enumerate(handlers.value.parts)
        if part.value.kind == "object"
    ]


def _expect(part: Part | None, kind: str) -> Part:
    if part is None or part.value.kind != kind:
        raise SettingsError(f"'{part.key if part else HOOKS}' is no JSON {kind}", remedy=_BY_HAND)
    return part


def _by_event(hooks: Iterable[Hook]) -> dict[str, list[object]]:
    events: dict[str, list[object]] = {}
    for hook in hooks:
        events.setdefault(hook.event, []).append(hook.group())
    return events


def _append(text: str, root: Node, container: Node, new: _Value) -> str:
    """The text with a value behind the last part of a container."""
    spread = not root.parts or "\n" in text[root.start : root.end]
    newline = "\r\n" if "\r\n" in text else "\n"
    if not container.parts:
        inside = container.start + 1
        style = _Style(newline, _unit(text, root), _indent_at(text, container.start), spread)
        return apply(text, [(inside, inside, style.render(new))])
    last = container.parts[-1]
    rest = _rest_of_line(text, max(last.end, last.comma + 1))
    own_line = text.rfind("\n", 0, last.start) > container.start or rest.after_line_comment
    style = _Style(newline, _unit(text, root), _indent_at(text, last.start), spread)
    gap = newline + style.indent if own_line else " "
    if last.comma >= 0:
        return apply(text, [(rest.end, rest.end, f"{gap}{style.render(new)},")])
    if rest.end == last.end:
        return apply(text, [(last.end, last.end, f",{gap}{style.render(new)}")])
    return apply(text, [(last.end, last.end, ","), (rest.end, rest.end, gap + style.render(new))])


@dataclass(frozen=True, slots=True)
class _Rest:
    """Where the comments behind a part end that stand on its line."""

    end: int
    after_line_comment: bool


def _rest_of_line(text: str, start: int) -> _Rest:
    found = _REST_OF_LINE.match(text, start)
    if found is None:
        return _Rest(start, after_line_comment=False)
    return _Rest(found.end(), after_line_comment=found["line"] is not None)


@dataclass(frozen=True, slots=True)
class _Style:
    """How a document is laid out: line ends, a level of indentation, that of here, on many lines or one."""

    newline: str
    unit: str
    indent: str
    spread: bool

    def render(self, new: _Value) -> str:
        key = f"{json.dumps(new.key)}: " if new.key else ""
        if not self.spread:
            return key + _on_one_line(new.value, 2)
        text = json.dumps(new.value, indent=self.unit, ensure_ascii=False)
        return key + text.replace("\n", self.newline + self.indent)


def _on_one_line(value: object, levels: int) -> str:
    """JSON on one line, the brackets of outer levels with a blank: the mark of what was made here."""
    if levels and isinstance(value, dict):
        inner = (f"{json.dumps(key)}: {_on_one_line(item, levels - 1)}" for key, item in value.items())
        return f"{{ {', '.join(inner)} }}"
    if levels and isinstance(value, list):
        return f"[ {', '.join(_on_one_line(item, 0) for item in value)} ]"
    return json.dumps(value, ensure_ascii=False)


def _unit(text: str, root: Node) -> str:
    if not root.parts or "\n" not in text[root.start : root.parts[0].start]:
        return _INDENT
    outer, inner = _indent_at(text, root.start), _indent_at(text, root.parts[0].start)
    return inner.removeprefix(outer) or _INDENT


def _indent_at(text: str, at: int) -> str:
    line = text.rfind("\n", 0, at) + 1
    return text[line : len(text) - len(text[line:].lstrip(" \t"))]


def _outermost(text: str, chain: Sequence[tuple[Node, int]]) -> tuple[Node, int]:
    """What goes along with a hook: the widest container of nothing else; index -1 for the whole document."""
    *outer, (node, index) = chain
    if len(node.parts) > 1:
        return node, index
    node, index = outer.pop()  # the group, whose only hook this is
    while len(node.parts) == 1 and _was_made_here(text, node):
        if not outer:
            return node, -1
        node, index = outer.pop()
    return node, index


def _was_made_here(text: str, node: Node) -> bool:
    """Whether a container of one part was made by `add`: by its mark, and no comment is in it."""
    part = node.parts[0]
    around = text[node.start + 1 : part.start] + text[max(part.end, part.comma + 1) : node.end - 1]
    return text[node.start + 1] in _BLANKS and not around.strip(_BLANKS)


def _without(text: str, node: Node, index: int) -> list[Edit]:
    """The edits that take a part out of a container."""
    part = node.parts[index]
    behind = max(part.end, part.comma + 1)
    if len(node.parts) == 1:
        return [(part.start, behind, "")]
    before = len(text[: part.start].rstrip(_BLANKS))
    if part.comma >= 0:
        return [(before, behind, "")]
    previous = node.parts[index - 1]
    return [(previous.comma, previous.comma + 1, ""), (before, part.end, "")]
