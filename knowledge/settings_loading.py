"""Loading settings: from what the catalog noted of the very same file, else by reading and validating it.

Validation takes pydantic, which would add 100 ms to a dispatch: it is imported only when it is needed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from knowledge.errors import PrebriefError
from knowledge.settings import (
    NOTE,
    NOTE_SOURCE,
    RoleSettings,
    Settings,
    settings_path,
    source_of,
)


def load_settings(root: Path, notes: Callable[[], Mapping[str, str]] | None = None) -> Settings:
    """Read a project's settings.

    ``prebrief.toml`` wins over ``[tool.prebrief]`` in ``pyproject.toml``; neither is needed.

    Args:
        root: of the project.
        notes: gives the catalog's meta table, where a run of the indexer noted what it made of the file
            (`knowledge.settings_file.note_settings`): the same bytes need not be validated again.

    Raises:
        SettingsError: the file is no TOML, or a key is unknown or has a value that is not allowed.
    """
    path = settings_path(root)
    if path is None:
        return Settings()
    if notes is not None and (noted := _noted(path, notes)) is not None:
        return noted
    from knowledge.settings_file import read_settings  # noqa: PLC0415 - see the module

    return read_settings(path)


def _noted(path: Path, notes: Callable[[], Mapping[str, str]]) -> Settings | None:
    """What was noted of this very file by this version; None when nothing was."""
    try:
        data, meta = path.read_bytes(), notes()
    except (OSError, PrebriefError):  # whoever needs the file, or the catalog, will say what is wrong with it
        return None
    if meta.get(NOTE_SOURCE) != source_of(path, data):
        return None
    try:
        return _restored(json.loads(meta[NOTE]))
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def _restored(value: dict[str, Any]) -> Settings:
    """Settings from their JSON form, which was valid when it was written."""
    made: dict[str, Any] = {
        name: _TABLES[name](**item) if name in _TABLES else item for name, item in value.items()
    }
    made["roles"] = {name: RoleSettings(**role) for name, role in value["roles"].items()}
    return Settings(**made)


_TABLES: dict[str, Callable[..., object]] = {
    table.name: type(table.default) for table in fields(Settings) if is_dataclass(table.default)
}
