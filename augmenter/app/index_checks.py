"""Checks of the index: is it sound, what does it hold, what was left out, is it fresh."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from augmenter.app.checks import finding_of
from augmenter.app.findings import Finding, Level, Patient
from augmenter.app.wording import counted, some_of
from indexer.recipe import ParseContext, recipe_of
from indexer.sources.freshness import changes_since
from indexer.sources.skips import MEANINGS, suffix_of
from indexer.sources.walk import SkipReason
from knowledge.catalog.inspection import Inspection
from knowledge.errors import CatalogMissing, PrebriefError
from knowledge.githead import head_stamp
from knowledge.taxonomy import load_taxonomy

_INDEX = "prebrief index"
_REBUILD = "prebrief index --full"
_LIST = "prebrief index --skipped"


def check_catalog(patient: Patient) -> Iterator[Finding]:
    """Whether there is a catalog, and a sound one."""
    found, error = patient.inspection, patient.catalog_error
    if isinstance(error, CatalogMissing):
        yield Finding("catalog", Level.PROBLEM, error.what, _INDEX)
    elif error:
        yield finding_of("catalog", error)
    elif found and found.complaints:
        text = f"{patient.project.catalog}: the catalog is damaged ({found.complaints[0]})"
        yield Finding("catalog", Level.PROBLEM, text, _REBUILD)
    else:
        yield Finding("catalog", Level.OK, "the catalog is sound")


def check_contents(patient: Patient) -> Iterator[Finding]:
    """What is indexed."""
    if patient.inspection is None or patient.inspection.complaints:
        return
    contents = contents_of(patient.inspection)
    if not contents:
        yield Finding("contents", Level.WARNING, "no file is indexed: nothing can be offered", _LIST)
    for language, counts in sorted(contents.items(), key=lambda item: (-item[1]["files"], item[0])):
        parts = (counted(counts["files"], "file"), counted(counts["evidence"], "piece", " of evidence"))
        yield Finding("contents", Level.OK, f"{language}: {', '.join(parts)}")


def contents_of(inspection: Inspection) -> dict[str, dict[str, int]]:
    """Of each language the number of ``files`` and of ``evidence``."""
    counts = inspection.counts
    evidence = counts.get("evidence", {})
    return {
        language: {"files": files, "evidence": evidence.get(language, 0)}
        for language, files in counts.get("languages", {}).items()
    }


def check_skips(patient: Patient) -> Iterator[Finding]:
    """What is not indexed, and whether somebody should look at it."""
    by_reason: dict[str, list[str]] = {}
    for path, row in sorted(patient.files.items()):
        if row.skip:
            by_reason.setdefault(row.skip, []).append(path)
    for reason, meaning in MEANINGS.items():
        paths = by_reason.get(reason, [])
        if not paths:
            continue
        text = f"{len(paths)} {reason} ({meaning.text}): {some_of(_names(reason, paths))}"
        level = Level.WARNING if meaning.is_trouble else Level.NOTE
        yield Finding("skips", level, text, meaning.remedy)
    if not by_reason and patient.inspection:
        yield Finding("skips", Level.OK, "every file is indexed")


def _names(reason: str, paths: list[str]) -> list[str]:
    if reason != SkipReason.UNSUPPORTED:
        return paths
    groups = Counter(map(suffix_of, paths))
    return [f"{count} {name}" for name, count in sorted(groups.items(), key=lambda g: (-g[1], g[0]))]


def check_freshness(patient: Patient) -> Iterator[Finding]:
    """Whether the tree is still what was indexed."""
    found, settings = patient.inspection, patient.settings
    if found is None or found.complaints or settings is None:
        return
    context = ParseContext(settings, load_taxonomy(settings.taxonomy))
    if found.meta.get("recipe") != recipe_of(context):
        text = "settings or parsers are others than those that the index was made with"
        yield Finding("freshness", Level.WARNING, text, _INDEX)
    try:
        changes = changes_since(patient.project, settings.index, patient.files)
    except PrebriefError as error:
        yield finding_of("freshness", error)
        return
    moved = head_stamp(patient.project) != found.meta.get("git_head", "")
    if moved:
        yield Finding("freshness", Level.WARNING, "HEAD has moved since the last index run", _INDEX)
    if changes.count:
        sorts = (("new", changes.added), ("changed", changes.changed), ("gone", changes.removed))
        counts = ", ".join(f"{len(paths)} {name}" for name, paths in sorts if paths)
        shown = some_of([*changes.changed, *changes.added, *changes.removed])
        are = "is" if changes.count == 1 else "are"
        text = f"{counted(changes.count, 'file')} {are} not as indexed ({counts}): {shown}"
        yield Finding("freshness", Level.WARNING, text, _INDEX)
    elif not moved:
        yield Finding("freshness", Level.OK, "the index is as new as the tree")
