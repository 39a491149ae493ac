# ruff: noqa: RUF009 - _key and _choice are dataclasses.field, in fewer words
"""Settings: one frozen definition, read from ``prebrief.toml`` or ``[tool.prebrief]`` in ``pyproject.toml``.

The classes are plain dataclasses, of which pydantic understands types and metadata. It validates every file
(`knowledge.settings_file`), but is imported only for that: it would add 100 ms to a dispatch.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal, TypeVar

from knowledge.errors import PrebriefError
from knowledge.hashing import tagged, value_hash
from knowledge.jsonable import to_json
from knowledge.version import VERSION

FILE_NAME = "prebrief.toml"
MEBIBYTE = 1024 * 1024
NOTE, NOTE_SOURCE = "settings", "settings_source"  # keys in the meta table of a catalog

BriefFormat = Literal["markdown", "xml", "plain", "json"]
ProfileName = Literal["original", "rrf"]
PolicyName = Literal["original"]

_T = TypeVar("_T")


class Checked:
    """Marks a type whose values must also pass a function, which raises ValueError for those that do not."""

    __slots__ = ("_check",)

    def __init__(self, check: Callable[[str], str]) -> None:
        self._check = check

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        """What pydantic asks for when it builds a validator."""
        from pydantic_core.core_schema import no_info_after_validator_function  # noqa: PLC0415 - see the module

        return no_info_after_validator_function(self._check, handler(source))


def _regular_expression(value: str) -> str:
    try:
        re.compile(value)
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from None
    return value


def _inner_path(value: str) -> str:
    path = PurePosixPath(value)
    if path.is_absolute() or ".." in path.parts:
        raise ValueError("must be a path inside the project, relative to its root")
    return value


def _key(default: _T, description: str, **limits: float) -> _T:
    """A key of which nothing is converted: a text is no number, a number no truth value."""
    return _field(default, {"description": description, "strict": True, **limits})


def _choice(default: _T, description: str) -> _T:
    """A key with a few allowed values; its type lists them."""
    return _field(default, {"description": description})


def _field(default: _T, metadata: dict[str, object]) -> _T:
    if isinstance(default, list | dict):
        made: _T = field(default_factory=type(default), metadata=metadata)
    else:
        made = field(default=default, metadata=metadata)
    return made


class _Section:
    __slots__ = ()
    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012 - the name is pydantic's


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexSettings(_Section):
    """What is indexed."""

    include: list[str] = _key([], "Only paths that match one of these; empty: all.")
    exclude: list[str] = _key([], "Never these, beside what git ignores.")
    max_file_bytes: int = _key(
        2 * MEBIBYTE, "A larger file is skipped, and counted.", ge=1024, le=1024 * MEBIBYTE
    )
    tests: list[str] = _key([], "More globs whose files count as tests.")
    examples: list[str] = _key([], "More globs whose files count as examples.")
    generated: list[str] = _key([], "More globs whose files count as generated.")
    vendored: list[str] = _key([], "More globs whose files count as vendored.")


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefSettings(_Section):
    """How a brief looks."""

    patterns: int = _key(5, "At most so many patterns.", ge=0, le=50)
    rules: int = _key(3, "At most so many rules and warnings.", ge=0, le=20)
    budget: int = _key(550, "Tokens the context block may take.", ge=0, le=20_000)
    format: BriefFormat = _choice("markdown", "How it is written.")
    templates: str = _key("", "Folder with templates that replace the shipped ones.")
    preamble: Annotated[str, Checked(_regular_expression)] = _key(
        r"^(/\w[\w:-]*[^\n]*|You are [^\n]*)\n+",
        "Regular expression: what it matches at the top of a task stays on top of the brief.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingSettings(_Section):
    """How evidence is found and ordered."""

    profile: ProfileName = _choice("rrf", "Weight profile.")
    narrow: bool = _key(True, "Let component tags narrow the candidates.")
    threshold: float = _key(0.18, "How much of the task an item must cover to be offered.", ge=0.0, le=1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class DispatchSettings(_Section):
    """The path of a dispatch."""

    deadline_ms: int = _key(1000, "Later than this, the task goes out unchanged.", ge=10, le=60_000)
    keep_task: bool = _key(True, "Keep the task's text in the receipt; replay needs it.")
    max_task_bytes: int = _key(
        MEBIBYTE, "Of a longer task only this much is understood.", ge=1024, le=64 * MEBIBYTE
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningSettings(_Section):
    """How confidence moves."""

    policy: PolicyName = _choice("original", "Learning policy.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(_Section):
    """All settings of a project. Every key has a default: no file is needed."""

    knowledge_folder: Annotated[str, Checked(_inner_path)] = _key(
        "knowledge", "Canonical knowledge: rules/, antipatterns/, reports/.", min_length=1
    )
    index: IndexSettings = IndexSettings()
    brief: BriefSettings = BriefSettings()
    ranking: RankingSettings = RankingSettings()
    dispatch: DispatchSettings = DispatchSettings()
    learning: LearningSettings = LearningSettings()
    taxonomy: dict[str, dict[str, list[str]]] = _key(
        {}, "More tags: facet, value, the words and identifiers that signal it."
    )

    @property
    def fingerprint(self) -> str:
        """Hash of every setting."""
        return value_hash(to_json(self))

    @property
    def index_fingerprint(self) -> str:
        """Hash of the settings on which the content of an index depends."""
        chosen = (self.knowledge_folder, self.index, self.taxonomy)
        return value_hash(dict(zip(("knowledge_folder", "index", "taxonomy"), to_json(chosen), strict=True)))


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


def source_of(path: Path, data: bytes) -> str:
    """Stands for a settings file's name and bytes, and for the version that reads it."""
    return tagged(f"{VERSION}\0{path.name}\0".encode() + data)


def _restored(value: dict[str, Any]) -> Settings:
    """Settings from their JSON form, which was valid when it was written."""
    made: dict[str, Any] = {
        name: _TABLES[name](**item) if name in _TABLES else item for name, item in value.items()
    }
    return Settings(**made)


_TABLES: dict[str, Callable[..., object]] = {
    "index": IndexSettings,
    "brief": BriefSettings,
    "ranking": RankingSettings,
    "dispatch": DispatchSettings,
    "learning": LearningSettings,
}


def settings_path(root: Path) -> Path | None:
    """The file that may hold a project's settings."""
    return next((path for name in (FILE_NAME, "pyproject.toml") if (path := root / name).is_file()), None)


def parse_settings(table: object, where: str) -> Settings:
    """Validate a table of settings that was read from ``where``. Raises SettingsError."""
    from knowledge.settings_file import validate  # noqa: PLC0415 - see the module

    return validate(table, where)
