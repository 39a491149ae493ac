# ruff: noqa: RUF009 - _key and _choice are dataclasses.field, in fewer words
"""Settings: one frozen definition, read from ``prebrief.toml`` or ``[tool.prebrief]`` in ``pyproject.toml``.

The classes are plain dataclasses, of which pydantic understands types and metadata. It validates every file
(`knowledge.settings_file`), but is imported only for that: it would add 100 ms to a dispatch.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal, TypeVar

from knowledge.hashing import tagged, value_hash
from knowledge.jsonable import to_json
from knowledge.version import VERSION

FILE_NAME = "prebrief.toml"
KIBIBYTE = 1024
MEBIBYTE = 1024 * KIBIBYTE
NOTE, NOTE_SOURCE = "settings", "settings_source"  # keys in the meta table of a catalog

BriefFormat = Literal["markdown", "xml", "plain", "json"]
ProfileName = Literal["original", "rrf", "learned"]
PolicyName = Literal["original"]
KindName = Literal["unit", "class", "module", "section", "document"]
SourceKindName = Literal["implementation", "test", "example", "generated", "vendored", "changelog"]

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
        made: _T = field(default_factory=lambda: type(default)(default), metadata=metadata)
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
        10 * MEBIBYTE, "A larger file is skipped, and counted.", ge=1024, le=1024 * MEBIBYTE
    )
    max_data_bytes: int = _key(
        MEBIBYTE, "The same for data: JSON, YAML, XML, CSV, plain text …", ge=1024, le=1024 * MEBIBYTE
    )
    max_generated_bytes: int = _key(
        64 * KIBIBYTE, "The same for generated files; 0: none is indexed.", ge=0, le=1024 * MEBIBYTE
    )
    exclude_classification: list[str] = _key(
        ["secret", "confidential", "restricted"], "Levels of documents that keep themselves out of the index."
    )
    tests: list[str] = _key([], "More globs whose files count as tests.")
    examples: list[str] = _key([], "More globs whose files count as examples.")
    generated: list[str] = _key([], "More globs whose files count as generated.")
    vendored: list[str] = _key([], "More globs whose files count as vendored.")
    history_commits: int = _key(
        3000, "So many past commits are looked at, from HEAD down; 0: none.", ge=0, le=20_000
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefSettings(_Section):
    """How a brief looks."""

    patterns: int = _key(5, "At most so many patterns.", ge=0, le=50)
    documents: int = _key(
        1, "So many of the patterns may be documents, unless the task asks for an explanation.", ge=0, le=50
    )
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

    profile: ProfileName = _choice("learned", "Weight profile.")
    narrow: bool = _key(True, "Let component tags narrow the candidates.")
    threshold: float = _key(
        0.18,
        "Certainty that a task is about this repository, from which anything is offered; measured, 0.18 keeps"
        " 95 in 100 of a repository's own tasks and turns away 70 of others', 0.3 keeps 94, turns away 80.",
        ge=0.0,
        le=1.0,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelSettings(_Section):
    """Ways of finding and weighing evidence; `kb evaluate --without` shows what each is worth."""

    exact: bool = _key(True, "What the task mentions by name, path or traceback line.")
    lexical: bool = _key(True, "What has words of the task.")
    glossary: bool = _key(True, "What the project's nicknames in the task stand for.")
    history: bool = _key(True, "What past commits with messages like the task touched.")
    dispatches: bool = _key(True, "What past successful dispatches of tasks like this one used.")
    members: bool = _key(False, "What speaks for a file or a class speaks for its members.")
    relations: bool = _key(False, "What the first candidates call.")


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
class ServeSettings(_Section):
    """The daemon, which keeps the projects of a user warm."""

    autostart: bool = _key(True, "A hook that finds no daemon starts one, for the next time.")
    idle_minutes: int = _key(
        30, "A daemon that a hook has started ends when nothing was asked for so long.", ge=1, le=10_080
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleSettings(_Section):
    """What the agents of one role get; a key that is left out, or empty, takes what holds for all."""

    agents: list[str] = _key([], "Agents (globs of names) that have the role when none is told.")
    off: bool = _key(False, "Tasks for this role go out as they are.")
    patterns: int | None = _key(None, "At most so many patterns.", ge=0, le=50)
    rules: int | None = _key(None, "At most so many rules and warnings.", ge=0, le=20)
    budget: int | None = _key(None, "Tokens the context block may take.", ge=0, le=20_000)
    format: BriefFormat | None = _choice(None, "How the brief is written.")
    templates: str = _key("", "Folder with templates that replace the shipped ones.")
    tags: list[str] = _key([], "Tags that the role works in (`component:api`): they count as the task's own.")
    paths: list[str] = _key([], "Only from these paths (globs).")
    kinds: list[KindName] = _key([], "Only evidence of these kinds.")
    source_kinds: list[SourceKindName] = _key([], "Only from these kinds of source.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(_Section):
    """All settings of a project. Every key has a default: no file is needed."""

    knowledge_folder: Annotated[str, Checked(_inner_path)] = _key(
        "knowledge", "Canonical knowledge: rules/, antipatterns/, reports/.", min_length=1
    )
    index: IndexSettings = IndexSettings()
    brief: BriefSettings = BriefSettings()
    ranking: RankingSettings = RankingSettings()
    channels: ChannelSettings = ChannelSettings()
    dispatch: DispatchSettings = DispatchSettings()
    learning: LearningSettings = LearningSettings()
    serve: ServeSettings = ServeSettings()
    roles: dict[str, RoleSettings] = _key(
        {},
        "Roles of agents, each a table [roles.NAME] with any of: agents (globs of names), off, patterns,"
        " rules, budget, format, templates, tags, paths, kinds, source_kinds.",
    )
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


def source_of(path: Path, data: bytes) -> str:
    """Stands for a settings file's name and bytes, and for the version that reads it."""
    return tagged(f"{VERSION}\0{path.name}\0".encode() + data)


def settings_path(root: Path) -> Path | None:
    """The file that may hold a project's settings."""
    return next((path for name in (FILE_NAME, "pyproject.toml") if (path := root / name).is_file()), None)
