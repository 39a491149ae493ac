"""Settings: one frozen model, read from ``prebrief.toml`` or ``[tool.prebrief]`` in ``pyproject.toml``."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from knowledge.errors import SettingsError
from knowledge.hashing import value_hash

FILE_NAME = "prebrief.toml"
MEBIBYTE = 1024 * 1024

BriefFormat = Literal["markdown", "xml", "plain", "json"]
ProfileName = Literal["original", "rrf"]


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
    format: BriefFormat = Field(default="markdown", description="markdown, xml, plain or json.")
    templates: str = Field(default="", description="Folder with templates that replace the shipped ones.")
    preamble: str = Field(
        default=r"^(/\w[\w:-]*[^\n]*|You are [^\n]*)\n+",
        description="Regular expression: what it matches at the top of a task stays on top of the brief.",
    )


class RankingSettings(_Section):
    """How evidence is found and ordered."""

    profile: ProfileName = Field(default="rrf", description="Weight profile: original or rrf.")
    narrow: bool = Field(default=True, description="Let component tags narrow the candidates.")
    threshold: float = Field(
        default=0.30, ge=0.0, le=1.0, description="How much of the task an item must cover to be offered."
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

    knowledge_folder: str = Field(
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
        table = _read_toml(path).get("tool", {}).get("prebrief")
        if table is not None:
            return parse_settings(table, f"{path} [tool.prebrief]")
    return Settings()


def parse_settings(table: dict[str, Any], where: str) -> Settings:
    """Validate a table of settings that was read from ``where``. Raises SettingsError."""
    try:
        return Settings.model_validate(table)
    except ValidationError as error:
        problems = [_describe(item) for item in error.errors()]
        raise SettingsError(
            "; ".join(problems), where=where, remedy="Correct it, or remove the key to take the default"
        ) from None


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"not valid TOML: {error}", where=str(path), remedy="Correct the file") from None
    except OSError as error:
        raise SettingsError(
            f"cannot be read: {error.strerror}", where=str(path), remedy="Make it readable"
        ) from None


def _describe(item: ErrorDetails) -> str:
    key = ".".join(str(part) for part in item["loc"])
    if item["type"] == "extra_forbidden":
        return f"unknown key '{key}'; allowed here: {', '.join(_known_keys(item['loc'][:-1]))}"
    return f"'{key}' = {item['input']!r}: {item['msg'][0].lower()}{item['msg'][1:]}"


def _known_keys(loc: tuple[int | str, ...]) -> list[str]:
    model: type[BaseModel] = Settings
    for part in loc:
        inner = model.model_fields[str(part)].annotation
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return []
        model = inner
    return sorted(model.model_fields)
