"""What a run's results depend on, and the id that is made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from evals.cases import Case, case_row
from evals.evaluation.configurations import Configuration
from knowledge.catalog.reader import CatalogReader
from knowledge.catalog.rows import FileRow
from knowledge.errors import CatalogMissing
from knowledge.githead import head_stamp, index_stamp
from knowledge.hashing import fingerprint, git_blob_hash, value_hash
from knowledge.jsonable import to_json
from knowledge.learned import learned_fingerprint
from knowledge.project import Project
from knowledge.staleness import is_stale
from knowledge.version import VERSION

ROOMS = ("augmenter", "evals", "indexer", "knowledge", "receipts", "templates")  # with what they ship
ID_DIGITS = 16  # of the hash: enough to tell a project's runs apart, short enough for a folder's name


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions of all that results depend on, beside cases and configurations.

    Attributes:
        prebrief: this version.
        code: hash of the program itself, which changes more often.
        index: fingerprint of the project's index; ``""`` where no case asks it.
        as_of: seconds since the epoch that stand for now in it.
        tree: hash of the files that are no longer as they were indexed; ``""`` if all are.
        learned: hash of what outcomes have taught; ``""`` where it is not asked for, or nothing was learned.
        templates: hash of the project's own templates of briefs; ``""`` without them.
    """

    prebrief: str
    code: str
    index: str = ""
    as_of: str = ""
    tree: str = ""
    learned: str = ""
    templates: str = ""


@dataclass(frozen=True, slots=True)
class Identity:
    """A run, before it has begun.

    Attributes:
        versions: of what it depends on.
        cases: hash of each case by its id.
        configurations: fingerprints of settings and weights by name, in their order.
    """

    versions: Versions
    cases: Mapping[str, str]
    configurations: Mapping[str, tuple[str, str]]

    @property
    def cases_hash(self) -> str:
        """Hash of all cases, in whatever order they were given."""
        return value_hash(dict(self.cases))

    @property
    def run_id(self) -> str:
        """Hash of everything here: the same id, the same results."""
        value = [to_json(self.versions), self.cases_hash, list(to_json(self.configurations).items())]
        return value_hash(value).rpartition(":")[2][:ID_DIGITS]


def identify(project: Project, cases: Sequence[Case], configurations: Sequence[Configuration]) -> Identity:
    """The identity of a run.

    Raises:
        CatalogMissing: cases ask the project's index, and there is none.
        CatalogError: it cannot be read.
    """
    asks_index = any(not case.commit for case in cases)
    return Identity(
        versions=_versions(project, configurations, asks_index),
        cases={case.id: value_hash(case_row(case)) for case in cases},
        configurations={
            one.name: (one.settings.fingerprint, one.profile.fingerprint) for one in configurations
        },
    )


def _versions(project: Project, configurations: Sequence[Configuration], asks_index: bool) -> Versions:
    templates = fingerprint_of_templates(project, configurations[0].settings.brief.templates)
    if not asks_index:
        return Versions(VERSION, code_fingerprint(), templates=templates)
    with CatalogReader(project.catalog) as reader:
        meta = reader.meta()
        if not meta.get("fingerprint"):
            raise CatalogMissing(
                "no run of the indexer has ended here",
                where=str(project.catalog),
                remedy="Run 'prebrief index'",
            )
        tree = Tree(project).fingerprint(reader.files(reader.paths()))
    return Versions(
        prebrief=VERSION,
        code=code_fingerprint(),
        index=meta["fingerprint"],
        as_of=meta.get("as_of", ""),
        tree=tree,
        learned=learned_fingerprint(project.learned),
        templates=templates,
    )


@cache
def code_fingerprint() -> str:
    """Hash of the sources, templates and data of the rooms that take part in an evaluation."""
    root = Path(__file__).parents[2]
    files = (path for room in ROOMS for path in sorted((root / room).rglob("*")) if _counts(path))
    return fingerprint(
        part
        for path in files
        for part in (path.relative_to(root).as_posix(), git_blob_hash(path.read_bytes()))
    )


def _counts(path: Path) -> bool:
    return path.suffix in (".j2", ".json", ".py", ".scm", ".toml", ".tsv", ".txt") and path.is_file()


def fingerprint_of_templates(project: Project, folder: str) -> str:
    """Hash of a project's own templates."""
    if not folder:
        return ""
    files = sorted((project.view_root / folder).glob("*.j2"))
    return fingerprint(part for path in files for part in (path.name, git_blob_hash(path.read_bytes())))


class Tree:
    """The files of a view beside what an index has noted of them, wherever HEAD has gone meanwhile."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._now = {"git_head": head_stamp(project), "git_index": index_stamp(project)}

    def has_changed(self, row: FileRow) -> bool:
        """Whether a file is no longer as it was indexed."""
        return is_stale(self._project, self._now, {row.path: row})

    def fingerprint(self, files: Mapping[str, FileRow]) -> str:
        """Hash of those files that are no longer as they were indexed; ``""`` if all are."""
        changed = [path for path, row in sorted(files.items()) if self.has_changed(row)]
        return fingerprint(part for path in changed for part in (path, self._blob(path))) if changed else ""

    def _blob(self, path: str) -> str:
        try:
            return git_blob_hash((self._project.view_root / path).read_bytes())
        except OSError:
            return ""
