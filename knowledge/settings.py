"""Settings: one frozen model, read from ``prebrief.toml`` or ``[tool.prebrief]`` in ``pyproject.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal, get_args, get_origin

from annotated_types import Ge, Le
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from knowledge.errors import SettingsError
from knowledge.hashing import value_hash

FILE_NAME = "prebrief.toml"
MEBIBYTE = 1024 * 1024

BriefFormat = Literal["markdown", "xml", "plain", "json"]
ProfileName = Literal["original", "rrf"]


_MAX_SHOWN = 80  # characters of a wrong value in an error: enough to find it


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


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class IndexSettings(_Section):
    """What is indexed."""

    include: list[str] = Field(default=[], description="Only paths that match one of these; empty: all.")
    exclude: list[str] = Field(default=[], description="Never these, beside what git ignores.")
    max_file_bytes: int = Field(
        default=2 * MEBIBYTE,
        ge=1024,
        le=1024 * MEBIBYTE,
        description="A larger file is skipped, and counted.",
    )
    tests: list[str] = Field(default=[], description="More globs whose files count as tests.")
    examples: list[str] = Field(default=[], description="More globs whose files count as examples.")
    generated: list[str] = Field(default=[], description="More globs whose files count as generated.")
    vendored: list[str] = Field(default=[], description="More globs whose files count as vendored.")


class BriefSettings(_Section):
    """How a brief looks."""

    patterns: int = Field(default=5, ge=0, le=50, description="At most so many patterns.")
    rules: int = Field(default=3, ge=0, le=20, description="At most so many rules and warnings.")
    budget: int = Field(default=550, ge=0, le=20_000, description="Tokens the context block may take.")
    format: BriefFormat = Field(default="markdown", description="How it is written.")
    templates: str = Field(default="", description="Folder with templates that replace the shipped ones.")
    preamble: Annotated[str, AfterValidator(_regular_expression)] = Field(
        default=r"^(/\w[\w:-]*[^\n]*|You are [^\n]*)\n+",
        description="Regular expression: what it matches at the top of a task stays on top of the brief.",
    )


class RankingSettings(_Section):
    """How evidence is found and ordered."""

    profile: ProfileName = Field(default="rrf", description="Weight profile.")
    narrow: bool = Field(default=True, description="Let component tags narrow the candidates.")
    threshold: float = Field(
        default=0.18, ge=0.0, le=1.0, description="How much of the task an item must cover to be offered."
    )


class DispatchSettings(_Section):
    """The path of a dispatch."""

    deadline_ms: int = Field(
        default=1000, ge=10, le=60_000, description="Later than this, the task goes out unchanged."
    )
    keep_task: bool = Field(default=True, description="Keep the task's text in the receipt; replay needs it.")
    max_task_bytes: int = Field(
        default=MEBIBYTE,
        ge=1024,
        le=64 * MEBIBYTE,
        description="Of a longer task only this much is understood.",
    )


class LearningSettings(_Section):
    """How confidence moves."""

    policy: Literal["original"] = Field(default="original", description="Learning policy.")


class Settings(_Section):
    """All settings of a project. Every key has a default: no file is needed."""

    knowledge_folder: Annotated[str, AfterValidator(_inner_path)] = Field(
        default="knowledge", min_length=1, description="Canonical knowledge: rules/, antipatterns/, reports/."
    )
    index: IndexSettings = IndexSettings()
    brief: BriefSettings = BriefSettings()
    ranking: RankingSettings = RankingSettings()
    dispatch: DispatchSettings = DispatchSettings()
    learning: LearningSettings = LearningSettings()
    taxonomy: dict[str, dict[str, list[str]]] = Field(
        default={}, description="More tags: facet, value, the words and identifiers that signal it."
    )

    @property
    def fingerprint(self) -> str:
        """Hash of every setting."""
        return value_hash(self.model_dump(mode="json"))

    @property
    def index_fingerprint(self) -> str:
        """Hash of the settings on which the content of an index depends."""
        chosen = self.model_dump(mode="json", include={"knowledge_folder", "index", "taxonomy"})
        return value_hash(chosen)


def load_settings(root: Path) -> Settings:
    """Read a project's settings.

    ``prebrief.toml`` wins over ``[tool.prebrief]`` in ``pyproject.toml``; neither is needed.

    Raises:
        SettingsError: the file is no TOML, or a key is unknown or has a value that is not allowed.
    """
    path = root / FILE_NAME
    if path.is_file():
        return parse_settings(_read_toml(path), str(path))
    path = root / "pyproject.toml"
    if path.is_file():
        tools = _read_toml(path).get("tool")
        if isinstance(tools, dict) and "prebrief" in tools:
            return parse_settings(tools["prebrief"], f"{path} [tool.prebrief]")
    return Settings()


def parse_settings(table: object, where: str) -> Settings:
    """Validate a table of settings that was read from ``where``. Raises SettingsError."""
    try:
        return Settings.model_validate(table)
    except ValidationError as error:
        problems = [_describe(item) for item in error.errors(include_url=False)]
        raise SettingsError(
            "; ".join(problems), where=where, remedy="Correct it, or remove the key to take the default"
        ) from None


def allowed(field: FieldInfo) -> str:
    """What values a field takes beyond its type: ``0 to 50``, ``"markdown", "xml"`` …; often nothing."""
    if get_origin(field.annotation) is Literal:
        return ", ".join(f'"{value}"' for value in get_args(field.annotation))
    low = next((item.ge for item in field.metadata if isinstance(item, Ge)), None)
    high = next((item.le for item in field.metadata if isinstance(item, Le)), None)
    return "" if low is None or high is None else f"{low} to {high}"


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"not valid TOML: {error}", where=str(path), remedy="Correct the file") from None
    except OSError as error:
        raise SettingsError(
            f"cannot be read: {error.strerror}", where=str(path), remedy="Make it readable"
        ) from None


def _describe(item: ErrorDetails) -> str:
    loc = item["loc"]
    key = ".".join(str(part) for part in loc)
    if item["type"] == "extra_forbidden":
        return _describe_unknown(key, str(loc[-1]), _known_keys(loc[:-1]))
    message = _MESSAGES.get(item["type"]) or item["msg"].removeprefix("Value error, ")
    field = _field(loc)
    range_ = allowed(field) if field else ""
    expected = f"{message[0].lower()}{message[1:]}" + (f"; allowed: {range_}" if range_ else "")
    return f"'{key}' = {_shown(item['input'])}: {expected}" if key else expected


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 1]}…"


_MESSAGES = {
    "model_type": "must be a table",
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
    from difflib import get_close_matches  # noqa: PLC0415 (for errors only; settings are on the dispatch path)

    close = get_close_matches(name, known, n=1)
    hint = f", did you mean '{close[0]}'?" if close else ";"
    return f"unknown key '{key}'{hint} allowed here: {', '.join(known)}"


def _field(loc: Sequence[int | str]) -> FieldInfo | None:
    model: type[BaseModel] | None = Settings
    field = None
    for part in loc:
        field = model.model_fields.get(str(part)) if model else None
        model = section(field) if field else None
    return field


def section(field: FieldInfo) -> type[BaseModel] | None:
    """The model of a field that is a table of its own."""
    kind = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def _known_keys(loc: Sequence[int | str]) -> list[str]:
    field = _field(loc)
    model = section(field) if field else Settings
    return sorted(model.model_fields) if model else []
