"""What it means that a file is not indexed, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from indexer.sources.limits import limit_of
from indexer.sources.walk import SkipReason
from knowledge.catalog.rows import FileRow
from knowledge.errors import CatalogCorrupt
from knowledge.settings import IndexSettings


@dataclass(frozen=True, slots=True)
class Meaning:
    """What is behind a reason.

    Attributes:
        text: why such a file is left out.
        remedy: how to have it indexed; empty where it is meant to be left out.
        is_trouble: whether something is wrong that somebody should look at.
    """

    text: str
    remedy: str = ""
    is_trouble: bool = False


MEANINGS: Mapping[SkipReason, Meaning] = {
    SkipReason.PARSE_FAILURE: Meaning(  # what went wrong is known to the run that looked at the file
        "its parser failed", "See what 'prebrief index --full --skipped' says", True
    ),
    SkipReason.PARSE_TIMEOUT: Meaning("its parser took too long", "Split the file, or exclude it", True),
    SkipReason.UNREADABLE: Meaning("it cannot be read", "Make it readable", True),
    SkipReason.ENCODING: Meaning("its text or its name cannot be decoded", "Convert it to UTF-8", True),
    SkipReason.TOO_LARGE: Meaning(
        "larger than allowed", "Raise index.max_file_bytes, or for data index.max_data_bytes"
    ),
    SkipReason.GENERATED: Meaning(
        "a lock file, or generated and large", "Raise index.max_generated_bytes (lock files stay out)"
    ),
    SkipReason.MINIFIED: Meaning("nobody edits it"),
    SkipReason.BINARY: Meaning("no text"),
    SkipReason.SECRET_FILE: Meaning("its name says that it holds secrets"),
    SkipReason.CLASSIFIED: Meaning("it says itself that it is not for everybody"),
    SkipReason.EXCLUDED: Meaning("index.include or index.exclude leave it out"),
    SkipReason.SYMLINK: Meaning("what it leads to is indexed where it lies, if in the project"),
    SkipReason.SUBMODULE: Meaning("a project of its own", "Run 'prebrief index --root' on it"),
    SkipReason.NESTED_REPOSITORY: Meaning("a project of its own", "Run 'prebrief index --root' on it"),
    SkipReason.UNSUPPORTED: Meaning("no language is known for it"),
}
_ORDER = {reason: place for place, reason in enumerate(MEANINGS)}


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that is not indexed.

    Attributes:
        path: relative to the view's root.
        reason: why.
        detail: what is known beyond it; mostly empty.
    """

    path: str
    reason: SkipReason
    detail: str = ""


def list_skipped(
    files: Iterable[FileRow], root: Path, settings: IndexSettings, problems: Iterable[str] = ()
) -> list[Skipped]:
    """What the last run did not index: trouble first, what no language is known for last; then by path.

    Args:
        files: the files as the catalog has them; those that are indexed are passed over.
        root: the view's root.
        settings: with the limits that applied.
        problems: what an index run reported of single files.

    Raises:
        CatalogCorrupt: there is a reason that nobody gives.
    """
    told = dict(_told(problem, root) for problem in problems)
    found = [
        Skipped(row.path, reason, _detail(row.path, reason, root, settings) or told.get(row.path, ""))
        for row in files
        if row.skip
        for reason in (_reason_of(row),)
    ]
    return sorted(found, key=lambda item: (_ORDER[item.reason], item.path))


def _reason_of(row: FileRow) -> SkipReason:
    try:
        return SkipReason(row.skip)
    except ValueError:
        raise CatalogCorrupt(
            f"the catalog is damaged (no reason is called '{row.skip}')",
            where=row.path,
            remedy="Run 'prebrief index --full' to rebuild it",
        ) from None


def suffix_of(path: str) -> str:
    """The suffix by which files are grouped: ``*.svg``; a name without one stands for itself."""
    name = path.rpartition("/")[2]
    stem, dot, suffix = name.rpartition(".")
    return f"*.{suffix.lower()}" if dot and stem else name


def _told(problem: str, root: Path) -> tuple[str, str]:
    where, _, text = problem.partition(": ")
    return where.removeprefix(f"{root}/"), text


def _detail(path: str, reason: SkipReason, root: Path, settings: IndexSettings) -> str:
    try:
        if reason is SkipReason.SYMLINK:
            return f"to {(root / path).readlink()}"
        if reason is SkipReason.TOO_LARGE:
            return f"{(root / path).lstat().st_size} bytes; allowed: {limit_of(path, settings)}"
    except OSError:  # it has changed since
        pass
    return ""
