"""Settings files: TOML validated by pydantic, with errors that say where, what, and what is allowed."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import Field, fields, is_dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from knowledge.errors import SettingsError
from knowledge.hashing import canonical_json
from knowledge.jsonable import to_json
from knowledge.settings import FILE_NAME, NOTE, NOTE_SOURCE, Settings, settings_path, source_of

_MAX_SHOWN = 80  # characters of a wrong value in an error: enough to find it


def read_settings(path: Path) -> Settings:
    """Read and validate a settings file, or the table in a ``pyproject.toml``. Raises SettingsError."""
    return parse_file(read_bytes(path), path)


def note_settings(root: Path, settings: Settings) -> dict[str, str]:
    """What to note in a catalog, that a dispatch need not validate the settings file again.

    Nothing when the file does not say what ``settings`` say: it was changed meanwhile, or they come from
    elsewhere.
    """
    path = settings_path(root)
    if path is None:
        return {}
    try:
        data = read_bytes(path)
        if parse_file(data, path) != settings:
            return {}
    except SettingsError:
        return {}
    return {NOTE: canonical_json(to_json(settings)), NOTE_SOURCE: source_of(path, data)}


def read_bytes(path: Path) -> bytes:
    """What is in a settings file. Raises SettingsError."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise SettingsError.of_system("cannot be read", error, path, "Make it readable") from None


def parse_file(data: bytes, path: Path) -> Settings:
    """Validate what was read from a file. Raises SettingsError."""
    document = _parse_toml(data, path)
    if path.name == FILE_NAME:
        return parse_settings(document, str(path))
    tools = document.get("tool")
    if isinstance(tools, dict) and "prebrief" in tools:
        return parse_settings(tools["prebrief"], f"{path} [tool.prebrief]")
    return Settings()


def parse_settings(table: object, where: str) -> Settings:
    """Validate a table of settings that was read from ``where``. Raises SettingsError."""
    try:
        return _validator().validate_python(table)
    except ValidationError as error:
        problems = [_describe(item) for item in error.errors(include_url=False)]
        raise SettingsError(
            "; ".join(problems), where=where, remedy="Correct it, or remove the key to take the default"
        ) from None


def keys_of(section: type) -> dict[str, Field[Any]]:
    """The keys of a table of settings."""
    return {item.name: item for item in fields(section)}


def section_of(owner: type, name: str) -> type | None:
    """The class of a key that is a table of its own."""
    kind = get_type_hints(owner)[name]
    return kind if isinstance(kind, type) and is_dataclass(kind) else None


def member_of(owner: type, name: str) -> type | None:
    """The class of the tables within a key, where whoever writes the file names them."""
    kinds = [kind for kind in get_args(get_type_hints(owner)[name])[1:] if isinstance(kind, type)]
    return next((kind for kind in kinds if is_dataclass(kind)), None)


def allowed(owner: type, name: str) -> str:
    """What values a key takes beyond its type: ``0 to 50``, ``"markdown", "xml"`` …; often nothing."""
    kind = get_type_hints(owner)[name]
    if get_origin(kind) is Literal:
        return ", ".join(f'"{value}"' for value in get_args(kind))
    limits = keys_of(owner)[name].metadata
    return f"{limits['ge']} to {limits['le']}" if "ge" in limits else ""


@cache
def _validator() -> TypeAdapter[Settings]:
    return TypeAdapter(Settings)


def _parse_toml(data: bytes, path: Path) -> dict[str, Any]:
    try:
        # TOML's line ends are two; text mode has always taken all three that there are.
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"not valid TOML: {error}", where=str(path), remedy="Correct the file") from None


def _describe(item: ErrorDetails) -> str:
    loc = item["loc"]
    key = ".".join(str(part) for part in loc)
    if item["type"] == "unexpected_keyword_argument":
        return _describe_unknown(key, str(loc[-1]), _known_keys(loc[:-1]))
    message = _MESSAGES.get(item["type"]) or item["msg"].removeprefix("Value error, ")
    range_ = _allowed_at(loc)
    expected = f"{message[0].lower()}{message[1:]}" + (f"; allowed: {range_}" if range_ else "")
    return f"'{key}' = {_shown(item['input'])}: {expected}" if key else expected


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 1]}…"


_MESSAGES = {
    "dataclass_type": "must be a table",
    "dict_type": "must be a table",
    "list_type": "must be a list",
    "string_type": "must be a string",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "literal_error": "not one of the allowed values",
    "greater_than_equal": "too small",
    "less_than_equal": "too large",
    "string_too_short": "must not be empty",
}


def _describe_unknown(key: str, name: str, known: Sequence[str]) -> str:
    close = get_close_matches(name, known, n=1)
    hint = f", did you mean '{close[0]}'?" if close else ";"
    return f"unknown key '{key}'{hint} allowed here: {', '.join(known)}"


def _allowed_at(loc: Sequence[int | str]) -> str:
    """What values are allowed where an error is; nothing for what lies within a key's value."""
    owner = _section_at(loc[:-1])
    return allowed(owner, str(loc[-1])) if loc and owner and loc[-1] in keys_of(owner) else ""


def _known_keys(loc: Sequence[int | str]) -> list[str]:
    section = _section_at(loc)
    return sorted(keys_of(section)) if section else []


def _section_at(loc: Sequence[int | str]) -> type | None:
    section: type | None = Settings
    parts = iter(loc)
    for part in parts:
        if section is None or part not in keys_of(section):
            return None
        member = member_of(section, str(part))
        section = member if member and next(parts, None) is not None else section_of(section, str(part))
    return section
