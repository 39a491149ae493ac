"""The settings file that ``prebrief init`` writes: every key, commented out, with its default."""

from __future__ import annotations

import json
from collections.abc import Iterator
from textwrap import wrap

from knowledge.jsonable import to_json
from knowledge.settings import Settings
from knowledge.settings_file import allowed, keys_of, section_of

_WIDTH = 98  # of comments
_INTRODUCTION = (
    "Settings of Prebrief. Every key below has its default value: remove the '#' in front of a key "
    "to change it. A file without any key is as good as none."
)


def render_settings_file() -> str:
    """A ``prebrief.toml`` that changes nothing.

    Comments begin with ``# ``, keys with ``#``: without the latter the file says what it said before.
    """
    tables = [name for name in keys_of(Settings) if isinstance(_default(Settings, name), dict)]
    lines = [*_comment(_INTRODUCTION), ""]
    for name in keys_of(Settings):
        if name not in tables:
            lines += _key(Settings, name)
    for name in tables:
        lines += _table(name)
    return "\n".join(lines).rstrip("\n") + "\n"


def _table(name: str) -> Iterator[str]:
    section = section_of(Settings, name)
    yield from _comment(_description(Settings, name) or (section and section.__doc__) or "")
    yield f"[{name}]"
    yield ""
    for key in keys_of(section) if section else ():
        yield from _key(section or Settings, key)


def _key(owner: type, name: str) -> Iterator[str]:
    limits = allowed(owner, name)
    description = _description(owner, name)
    yield from _comment(f"{description} Allowed: {limits}." if limits else description)
    yield f"#{name} = {_value(_default(owner, name))}"
    yield ""


def _description(owner: type, name: str) -> str:
    return str(keys_of(owner)[name].metadata.get("description", ""))


def _default(owner: type, name: str) -> object:
    return to_json(getattr(owner(), name))


def _comment(text: str) -> Iterator[str]:
    for line in wrap(text, _WIDTH):
        yield f"# {line}"


def _value(value: object) -> str:
    """A value in TOML, whose strings, lists, numbers and booleans can be written as JSON's."""
    if isinstance(value, str) and "\\" in value and "'" not in value and value.isprintable():
        return f"'{value}'"  # a literal string: regular expressions stay readable
    return json.dumps(value, ensure_ascii=False)
