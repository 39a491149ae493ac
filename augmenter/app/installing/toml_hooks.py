"""Hooks in a TOML document: read, added behind its end, removed from wherever they are.

What is written is checked by reading it again, for a table can be closed to additions in ways that only a
parser tells.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable
from typing import Any

from augmenter.app.installing.hooks import Hook, IsOurs, hook_of
from knowledge.errors import SettingsError

HOOKS = "hooks"
_BY_HAND = "Edit the file by hand: 'prebrief hook install HOST --dry-run --json' names the hooks"
_HEADER = re.compile(r"^\[\[hooks\.(?P<event>\w+)\]\][ \t]*\r?\n", re.M)


def find(text: str) -> list[Hook]:
    """All hooks of a document. Raises SettingsError: it cannot be read."""
    return _found(_load(text))


def add(text: str | None, hooks: Iterable[Hook]) -> str:
    """The document with more hooks, each behind what its event has already.

    Raises:
        SettingsError: it cannot be read, or cannot be added to.
    """
    hooks, text = list(hooks), text or ""
    newline = "\r\n" if "\r\n" in text else "\n"
    blocks = "\n".join(map(_render, hooks))
    if text and not text.endswith("\n"):  # then there is no end of line either behind what is added
        added = text + newline + blocks.removesuffix("\n").replace("\n", newline)
    else:
        added = text + ("\n" * bool(text) + blocks).replace("\n", newline)
    expected = _by_event(_load(text).get(HOOKS, {}))
    for hook in hooks:
        expected.setdefault(hook.event, []).append(hook.group())
    _expect(text, added, expected)
    return added


def remove(text: str, is_ours: IsOurs) -> str | None:
    """The document without the hooks whose command is ours; None when nothing is left of it.

    Raises:
        SettingsError: it cannot be read, or a hook is written in a way that cannot be taken out.
    """
    shortened = text
    for start, end in reversed(_blocks(text)):
        found = _found(tomllib.loads(shortened[start:end]))
        if found and all(is_ours(hook.command) for hook in found):
            shortened = _without_block(shortened, start, end)
    _expect(text, shortened, _without(_load(text).get(HOOKS, {}), is_ours))
    return shortened or None


def rest(text: str) -> dict[str, Any]:
    """What a document says of anything else."""
    return {key: value for key, value in _load(text).items() if key != HOOKS}


def _load(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsError(f"this is not TOML: {error}", remedy="Correct it, then try again") from None


def _found(document: dict[str, Any]) -> list[Hook]:
    return [
        hook_of(event, group, handler)
        for event, groups in _by_event(document.get(HOOKS, {})).items()
        for group in groups
        if isinstance(group, dict) and isinstance(group.get(HOOKS), list)
        for handler in group[HOOKS]
        if isinstance(handler, dict)
    ]


def _by_event(table: object) -> dict[str, list[Any]]:
    """The lists of a table of hooks: anything else in it is another setting."""
    items = table.items() if isinstance(table, dict) else ()
    return {event: list(groups) for event, groups in items if isinstance(groups, list)}


def _render(hook: Hook) -> str:
    matcher = [] if hook.matcher is None else [f"matcher = {_literal(hook.matcher)}"]
    values = [f"{key} = {_literal(value)}" for key, value in hook.handler.items()]
    lines = (f"[[hooks.{hook.event}]]", *matcher, f"[[hooks.{hook.event}.hooks]]", *values)
    return "\n".join(lines) + "\n"


def _literal(value: str | int) -> str:
    """A TOML value; a string in quotes whose escapes TOML shares with JSON."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _blocks(text: str) -> list[tuple[int, int]]:
    """Where there seem to be groups of hooks of their own: from a header to the last line of its tables."""
    found = []
    for header in _HEADER.finditer(text):
        end = header.end()
        handlers = re.compile(rf"\[\[hooks\.{header['event']}\.hooks\]\][ \t]*\r?$", re.M)
        for line in text[end:].splitlines(keepends=True):
            if line.startswith("[") and not handlers.match(line):
                break
            end += len(line)
        block = text[header.start() : end]
        kept = re.sub(r"(?:^[ \t]*(?:#[^\n]*)?\r?\n)+\Z", "", block, flags=re.M)  # belongs to what follows
        found.append((header.start(), header.start() + len(kept)))
    return [span for span in found if _is_toml(text[slice(*span)])]


def _is_toml(text: str) -> bool:
    try:
        _load(text)
    except SettingsError:
        return False
    return True


def _without_block(text: str, start: int, end: int) -> str:
    """The text without a block, and without the line end before it that came with it."""
    before, behind = text[:start], text[end:]
    for newline in ("\r\n", "\n"):
        if before.endswith(newline * 2) or (not behind and before.endswith(newline)):
            return before.removesuffix(newline) + behind
    return before + behind


def _without(table: object, is_ours: IsOurs) -> dict[str, list[Any]]:
    kept: dict[str, list[Any]] = {}
    for event, groups in _by_event(table).items():
        others = [group for group in groups if not _is_ours(group, is_ours)]
        if others or not groups:
            kept[event] = others
    return kept


def _is_ours(group: object, is_ours: IsOurs) -> bool:
    found = _found({HOOKS: {"": [group]}})
    return bool(found) and all(is_ours(hook.command) for hook in found)


def _expect(before: str, after: str, hooks: dict[str, list[Any]]) -> None:
    try:
        new = _load(after)
    except SettingsError:
        new = {}
    table = new.get(HOOKS, {})
    others_before, others_after = (_others(_load(before)), _others(new))
    if _by_event(table) != hooks or others_before != others_after:
        raise SettingsError("its hooks are written in a way that cannot be edited safely", remedy=_BY_HAND)


def _others(document: dict[str, Any]) -> list[tuple[str, Any]]:
    """All but the lists of hooks."""
    table = document.get(HOOKS, {})
    kept = [(key, value) for key, value in document.items() if key != HOOKS]
    if isinstance(table, dict):
        kept += [(f"{HOOKS}.{key}", value) for key, value in table.items() if not isinstance(value, list)]
    return kept
