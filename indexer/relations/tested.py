"""From tests to what they test, by the conventions of names; both ends are compared when it is asked.

- A file of tests names the file that it tests, as the end of a path: ``tests/forms/test_fields.py`` →
  ``forms/fields.py``, ``src/test/java/com/acme/PoolTest.java`` → ``com/acme/Pool.java``, ``api/user_test.go``
  → ``api/user.go``. Where in the tree that lies, its folders tell as far as they are mirrored.
- A test names what it calls and is called after: ``test_close_releases_pool`` calls ``stream.close``. One
  that is called after nothing it calls, names nothing: what it calls is known from its calls.
- A class of tests names what it is called after, if its file imports or calls that: ``PoolTest`` → ``Pool``.
- What a suite says it is about (``describe('Pool')``) comes from the file's query.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from knowledge.catalog.rows import FileRow
from knowledge.terms import split_identifier, stem
from knowledge.types import Draft, Kind, Relation, RelationKind, SourceKind

MAX_FOLDERS = 3  # of a tested path; further up, trees of tests and sources have other names
MAX_SUBJECTS = 3  # of one test; its name has no room for more

_TEST_STEM = re.compile(
    r"""
    (?:test|tst)[_-](?P<after>.+)
    | (?P<before>.+?)(?:[._-](?:unit|int|integration|functional|browser|node|server|client|ssr|regression))?
      [._-](?:test|tests|spec|specs|cy|e2e|unittest|unittests|it)(?:-d)?
    | (?P<upper>[A-Z].*?)(?:Unit|Integration)?(?:Tests?|TestCase|IT|Specs?|Suite)
    | Tests?(?P<camel>[A-Z].*)
    """,
    re.VERBOSE,
)
_SAME_STEM = (".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".rs", ".lua")  # test/pool.js tests lib/pool.js
# Folders that only one of both trees has: of tests, of a kind of tests, and those that hold all sources.
_ONE_SIDED = re.compile(
    r"_*(?:unit|integration|functional|android|common|jvm)?[_-]?(?:tests?|specs?)_*|e2e|unit|integration|functional"
    r"|.+[._-]tests?|.+Tests|src|lib|main|java|kotlin|scala|groovy|swift|php|python|ruby",
    re.IGNORECASE,
)
_NO_TEST = ("conftest", "index", "setup", "helper", "helpers", "utils", "__init__", "mod", "main")
_LAST = re.compile(r"[.#/]")


def with_test_links(row: FileRow, drafts: Sequence[Draft]) -> tuple[Draft, ...]:
    """Drafts of one file with what they test among their relations, where the file is one of tests."""
    if row.source_kind is not SourceKind.TEST:
        return tuple(map(_without_tests, drafts))
    known = _known_names(drafts)
    return tuple(_with(draft, _links(row.path, draft, known)) for draft in drafts)


def path_of_tested(path: str) -> str:
    """The end of the path of the file that a file of tests tests; ``""`` if its name tells of none.

    It holds a slash in any case, as every relation's path does: ``./fields.py``.
    """
    folder, _, name = path.rpartition("/")
    base, dot, suffix = name.rpartition(".")
    found = _TEST_STEM.fullmatch(base)
    if found:
        base = next(group for group in found.groups() if group)
    elif f".{suffix}" not in _SAME_STEM:
        return ""
    if not dot or base.lower() in _NO_TEST:
        return ""
    folders = [name for name in folder.split("/") if name and not _ONE_SIDED.fullmatch(name)]
    return "/".join((*(folders[-MAX_FOLDERS:] or ["."]), f"{base}.{suffix}"))


def _links(path: str, draft: Draft, known: set[str]) -> list[Relation]:
    if draft.part:
        return []
    if draft.kind is Kind.MODULE:
        tested = path_of_tested(path)
        return [Relation(RelationKind.TESTS, tested, 1)] if tested else []
    own = draft.name.rpartition(".")[2]
    if draft.kind is Kind.CLASS:
        found = _TEST_STEM.fullmatch(own)
        subject = next(group for group in found.groups() if group) if found else ""
        return [Relation(RelationKind.TESTS, subject, draft.start)] if subject in known else []
    return _named_by(_parts(own), draft.relations)


def _named_by(words: tuple[str, ...], relations: Iterable[Relation]) -> list[Relation]:
    """Of what a test calls that which it is called after, the longest names first; none within another."""
    spans = []
    for one in relations:
        parts = _parts(_LAST.split(one.target)[-1])
        at = _position(parts, words)
        if one.kind is RelationKind.CALLS and at is not None:
            spans.append((-len(parts), at, one.line, one.target))
    taken: set[int] = set()
    links = []
    for length, at, line, target in sorted(spans):
        places = range(at, at - length)
        if taken.isdisjoint(places):
            taken.update(places)
            links.append(Relation(RelationKind.TESTS, target, line))
    return links[:MAX_SUBJECTS]


def _position(parts: tuple[str, ...], words: tuple[str, ...]) -> int | None:
    """Where in words parts stand side by side."""
    size = len(parts)
    if not size:
        return None
    return next((at for at in range(len(words) - size + 1) if words[at : at + size] == parts), None)


@lru_cache(maxsize=16_384)
def _parts(identifier: str) -> tuple[str, ...]:
    return tuple(map(stem, split_identifier(identifier)))


def _known_names(drafts: Iterable[Draft]) -> set[str]:
    """The last names of all that a file imports or calls."""
    kinds = (RelationKind.IMPORTS, RelationKind.CALLS)
    return {_LAST.split(one.target)[-1] for draft in drafts for one in draft.relations if one.kind in kinds}


def _without_tests(draft: Draft) -> Draft:
    kept = tuple(one for one in draft.relations if one.kind is not RelationKind.TESTS)
    return draft if len(kept) == len(draft.relations) else replace(draft, relations=kept)


def _with(draft: Draft, links: list[Relation]) -> Draft:
    if not links:
        return draft
    ordered = sorted({*draft.relations, *links}, key=lambda one: (one.line, one.kind, one.target))
    return replace(draft, relations=tuple(ordered))
