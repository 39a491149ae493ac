"""The settings file that ``prebrief init`` writes: every key, commented out, with its default."""

from __future__ import annotations

import json
from collections.abc import Iterator
from textwrap import wrap

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from knowledge.settings import Settings, allowed, section

_WIDTH = 98  # of comments
_INTRODUCTION = (
    "Settings of Prebrief. Every key below has its default value: remove the '#' in front of a key "
    "to change it. A file without any key is as good as none."
)


def render_settings_file() -> str:
    """A ``prebrief.toml`` that changes nothing.

    Comments begin with ``# ``, keys with ``#``: without the latter the file says what it said before.
    """
    tables = {name: field for name, field in Settings.model_fields.items() if _is_table(field)}
    lines = [*_comment(_INTRODUCTION), ""]
    for name, field in Settings.model_fields.items():
        if name not in tables:
            lines += _key(name, field)
    for name, field in tables.items():
        lines += _table(name, field)
    return "\n".join(lines).rstrip("\n") + "\n"


def _is_table(field: FieldInfo) -> bool:
    return isinstance(field.get_default(), BaseModel | dict)


def _table(name: str, field: FieldInfo) -> Iterator[str]:
    model = section(field)
    yield from _comment(field.description or (model and model.__doc__) or "")
    yield f"[{name}]"
    yield ""
    for key, inner in model.model_fields.items() if model else ():
        yield from _key(key, inner)


def _key(name: str, field: FieldInfo) -> Iterator[str]:
    limits = allowed(field)
    yield from _comment(f"{field.description} Allowed: {limits}." if limits else field.description or "")
    yield f"#{name} = {_value(field.get_default())}"
    yield ""


def _comment(text: str) -> Iterator[str]:
    for line in wrap(text, _WIDTH):
        yield f"# {line}"


def _value(value: object) -> str:
    """A value in TOML, whose strings, lists, numbers and booleans can be written as JSON's."""
    if isinstance(value, str) and "\\" in value and "'" not in value and value.isprintable():
        return f"'{value}'"  # a literal string: regular expressions stay readable
    return json.dumps(value, ensure_ascii=False)
