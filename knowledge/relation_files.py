"""Which file a relation means: of imports and of tests."""

from __future__ import annotations

from knowledge.catalog.catalogued import Catalogued
from knowledge.relation_paths import import_distance, last_name
from knowledge.types import Evidence, Kind, SourceKind

_SCRIPT = (
    ".ts",
    ".tsx",
    ".js",
    ".jsx",
    ".mjs",
    ".cjs",
    ".mts",
    ".d.ts",
    "/index.ts",
    "/index.tsx",
    "/index.js",
)
_C = (".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".hh")
# What a file of a language may end in after the name that an import gives it.
_ENDS = {
    "bash": (".sh", ".bash"),
    "c": _C,
    "cpp": _C,
    "java": (".java",),
    "javascript": _SCRIPT,
    "kotlin": (".kt",),
    "lua": (".lua", "/init.lua"),
    "php": (".php",),
    "python": (".py", ".pyi", "/__init__.py"),
    "ruby": (".rb",),
    "rust": (".rs", "/mod.rs"),
    "scala": (".scala",),
    "sql": (".sql",),
    "tsx": _SCRIPT,
    "typescript": _SCRIPT,
}


def imported_files(catalog: Catalogued, source: Evidence, target: str) -> list[int]:
    """Row ids of the module cards of the files that an import means by itself."""
    name = last_name(target.partition("#")[0])
    found: list[int] = []
    for end in _ENDS.get(source.language, ()):
        cards = catalog.evidence(catalog.named(f"{name}{end}"))
        found += [
            one
            for one, of in cards.items()
            if of.kind is Kind.MODULE and import_distance(target, source.path, of.path, "") == 0
        ]
    return found if "#" not in target else []


def tested_files(catalog: Catalogued, source: Evidence, target: str) -> list[int]:
    """The row id of the module card of the file that a file of tests means, if there is one.

    Of several that are called so it is the one whose folders are the most alike, then one that the tests
    import, then the one that lies nearest to them.
    """
    stem, dot, suffix = target.removeprefix("./").rpartition(".")
    ends = _ENDS.get(source.language, ()) if f".{suffix}" in (*_SCRIPT, *_C) else (f".{suffix}",)
    parts = stem.split("/")
    for first in range(len(parts) if dot else 0):
        tail = "/".join(parts[first:])
        cards = [_implementations(catalog, f"{tail}{end}") for end in ends]
        found = {one: of for some in cards for one, of in some.items()}
        if found:
            return _nearest(catalog, source, found)
    return []


def _implementations(catalog: Catalogued, alias: str) -> dict[int, Evidence]:
    found = catalog.evidence(catalog.named(alias))
    return {
        one: of
        for one, of in found.items()
        if of.kind is Kind.MODULE and of.source_kind is not SourceKind.TEST
    }


def _nearest(catalog: Catalogued, source: Evidence, found: dict[int, Evidence]) -> list[int]:
    imports = catalog.imports(source.path)
    ranked: dict[tuple[bool, int], list[int]] = {}
    for one, of in found.items():
        is_imported = any(import_distance(target, source.path, of.path, "") == 0 for target in imports)
        ranked.setdefault((is_imported, _in_common(source.path, of.path)), []).append(one)
    best = ranked[max(ranked)]
    return best if len(best) == 1 else []


def _in_common(path: str, other: str) -> int:
    """How many folders two paths begin with in common."""
    folders, others = path.split("/")[:-1], other.split("/")[:-1]
    count = 0
    for one, two in zip(folders, others, strict=False):
        if one != two:
            break
        count += 1
    return count
