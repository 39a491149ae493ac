"""What kind of source a file is, judged by its path and its first lines.

The rules, the first that applies wins:

1. the project's own globs (``index.vendored``, ``generated``, ``tests``, ``examples``);
2. **vendored**: below a folder of other people's code (``vendor/``, ``third_party/``, ``node_modules/`` …);
3. **generated**: named as generators do (``*_pb2.py``, ``*.min.js``, lock files …), below
   ``__generated__/`` and its like, or marked so in a comment of its first lines;
4. **changelog**: a document named ``CHANGELOG``, ``HISTORY``, ``NEWS`` …, or below ``releases/``,
   ``whatsnew/``, ``changelog.d/`` …, or the documentation of an old version (``versioned_docs/``,
   ``version-1.x/``): it says what once held, as a changelog does, in the words of what holds now;
5. **test**: named as test runners want it (``test_*.py``, ``*_test.go``, ``*.spec.ts``, ``*Test.java`` …),
   or below ``tests/``, ``__tests__/``, ``testdata/``, ``fixtures/``, ``src/test/``, Ruby's ``spec/`` …;
6. **example**: below ``examples/``, ``demo/``, ``benchmarks/`` … (benchmarks show and measure what the
   code does and, as examples, are not where it does it), or program code among the documentation;
7. **implementation**: everything else, documentation included.

Folders count as whole path components and never as substrings: ``contest.py``, ``latest/``,
``attestation/`` and ``testing/`` (commonly a package of tools *for* testing) are implementation.

Three places need care:

- ``test/`` inside a Python package, as in ``django/test/client.py``, is as often a public test framework
  as it is tests, so there a file's own name decides. Python's tests are named ``test_*.py`` because the
  runners ask for it; the frameworks' modules are not. A ``test/`` at the top of a project, or of a project
  in a monorepo (``packages/core/test/``), and one that holds another language, holds tests.
- ``tests.py`` and ``test.py`` are tests if their first lines look so: jinja2's ``tests.py`` implements
  template tests, django's ``commands/test.py`` a command.
- Below ``src/main/`` (Maven, Gradle) the folders are package names: ``com.example.demo`` is nobody's
  example, ``org.springframework.test`` no test, nor is there any other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from indexer.sources.names import is_lock_file
from indexer.sources.walk import patterns
from knowledge.settings import IndexSettings
from knowledge.types import SourceKind

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

HEAD_LINES = 40  # a generated file says so at its top, at most below a licence of 20 to 30 lines


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VENDORED = _words(
    "vendor vendors vendored _vendor _vendored third_party third-party thirdparty 3rdparty node_modules "
    "bower_components jspm_packages extern externals _extern bundled site-packages godeps pods "
    "carthage"
)
_GENERATED = _words("__generated__ generated _generated generated-sources generated_src")
_CHANGELOGS = _words(
    "changelog changelogs changelog.d changes changes.d .changeset .changes news news.d newsfragments "
    "releases release-notes release_notes releasenotes whatsnew whats-new whats_new"
)
_OLD_DOCUMENTS = _words("versioned_docs versioned_sidebars")  # Docusaurus' names
_OLD_VERSION = re.compile(r"version-v?\d[\w.-]*")  # v1/ and 2.0/ alone may well be what is current
_TESTS = _words(
    "tests __tests__ __test__ __mocks__ __fixtures__ __snapshots__ testdata test-data test_data "
    "test-fixtures test_fixtures testfixtures fixtures e2e mocks cypress testutil testutils test-utils "
    "test_utils unittests unit_test integration_test integration-test functional_test "
    "androidtest integrationtest inttest functionaltest androidunittest commontest jvmtest "
    "jstest nativetest iostest macostest desktoptest wasmjstest"
)
# gis_tests/, integration-tests/, Project.Tests/
_TESTS_SUFFIX = ("_tests", "-tests", ".tests", ".test", ".unittests", ".integrationtests")
_EXAMPLES = _words("example examples sample samples demo demos docs_src")
_CODE_EXAMPLES = _words(  # holding documents, these are documentation
    "playground playgrounds tutorial tutorials quickstart quickstarts cookbook showcase .storybook "
    "bench benches benchmark benchmarks asv_bench jmh"
)
_DOCUMENTATION = _words("doc docs documentation www website")
_CATALOGUE = ".docc"  # Swift's documentation, which lies among the sources, and holds each step of a tutorial
_PROJECT_FOLDERS = _words(  # of a monorepo: their folders are projects
    "apps components crates extensions libs libraries modules packages plugins projects providers services"
)
_SOURCE_ROOTS = _words("src lib python py")

_DOCUMENTS = _words(".md .mdx .markdown .rst .txt .adoc .asciidoc .org .html .htm .ipynb")
_DESCRIPTIONS = _words(".json .yaml .yml .toml")  # docs/openapi.yaml is the contract, not an example of it
_PYTHON = frozenset({".py", ".pyi"})
_SPECIFIED = frozenset({".rb", ".rake", ".lua"})  # to RSpec and busted spec/ is what elsewhere is tests/
_SCRIPT = r"\.(?:[cm]?[jt]sx?|vue|svelte)"

_GENERATED_NAME = re.compile(
    r"""
    .*_pb2(_grpc)?\.pyi? | .*\.pb(\.gw)?\.(go|cc|h) | .*_pb\.(js|ts|d\.ts)
    | .*\.(g|freezed|gr|config)\.dart | .*\.(g|designer)\.cs
    | .*[._-](min|bundle)\.(js|mjs|css) | .*[._](generated|gen)\.\w+ | zz_generated\..*
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CHANGELOG_NAME = re.compile(
    r"(change[-_ ]?logs?|changes|history|news|releases|release[-_ ]?notes|what'?s[-_ ]?new)"
    r"([-_. ]?v?\d[\w.-]*)?(\.[a-z]{2}([-_][a-z]{2})?)?",  # CHANGES-1.2, CHANGELOG.fr
    re.IGNORECASE,
)
_TEST_NAME = re.compile(
    rf"""
    test_.*\.pyi? | .*_tests?\.py | conftest\.py
    | .*_test\.go
    | .*[._-](test|spec|cy|e2e){_SCRIPT} | .*_test{_SCRIPT} | .*\.(test|spec)-d\.ts
    | (.*[a-z0-9])?Tests?(Case)?\.(java|kt|groovy|scala|cs|php|swift) | Test[A-Z].*\.(java|kt)
    | .*[a-z0-9]IT\.java | .*_(spec|test)\.(rb|lua) | .*_test\.(dart|exs) | .*_unittest\.(cc|cpp)
    | .*[_-]tests?\.(cc|cpp|cxx|c) | test[_-].*\.(cc|cpp|cxx|c) | (.*_)?tests\.rs | .*_test\.rs
    | .*[a-z0-9](Spec\.kt | (Spec|Suite)\.scala) | .*\.bats
    """,
    re.VERBOSE,
)
_EXAMPLE_NAME = re.compile(rf".*\.(stories|story|bench|benchmark){_SCRIPT} | .*Benchmark\.java", re.VERBOSE)
_DOUBTFUL_TEST_NAMES = frozenset({"tests.py", "test.py"})
# Not any "def test_" or "import unittest": jinja2's test_odd(value) and setuptools' test command have them.
_TEST_HEAD = re.compile(
    r"^\s*class \w+\([^)\n]*TestCase\b"
    r"|^\s*(?:from|import) [^\n]*\b(?:TestCase|pytest)\b"
    r"|^\s*(?:async )?def test_\w*\((?:self\b|\))",
    re.MULTILINE,
)

_COMMENT = r"^[ \t]*(?:\#|//|/\*|\*|--|;|<!--|%|\(\*|\"\"\")[^\n]*?"
# Go's convention is https://go.dev/s/generatedcode; @generated is Phabricator's, used far beyond.
_GENERATED_MARK = re.compile(
    _COMMENT
    + r"""(?:
        (?-i:@generated)\b
        | \bcode\ generated\b.*\bdo\ not\ edit
        | \bgenerated\ (?:by|from|with|using)\b[^\n]*\bdo\ not\ (?:edit|modify|change)
        | \bdo\ not\ (?:edit|modify)\b[^\n]*\b(?:auto-?|automatically\ )?generated\b
        | \b(?:file|code|module|script|class)\b[^\n]*\b(?:is|was|been)\ (?:auto-?|automatically\ )generated
        | <auto-?generated\b
        | \bauto-?generated\ (?:by|from|file|code|using|with)\b
        | \bautomatically\ generated\ (?:by|from|file|code|using|with)\b
        | \bgenerated\ by\ (?:django\ \d|the\ protocol\ buffer\ compiler|thrift|antlr|swig|cython\ \d)
    )""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)


def source_kind(path: str, head: str, settings: IndexSettings) -> SourceKind:
    """Judge what kind of source a file is, by the rules in this module's description.

    Args:
        path: relative to the view's root, with ``/``.
        head: the file's text or its beginning; only its first `HEAD_LINES` lines count.
        settings: whose globs win over all rules.

    Raises:
        SettingsError: one of the globs is no pattern.
    """
    chosen = _by_settings(path, settings)
    if chosen:
        return chosen
    *folders, name = _own_folders(path)
    folders = [folder.lower() for folder in folders]
    suffix = _suffix(name)
    head = "\n".join(head.split("\n", HEAD_LINES)[:HEAD_LINES])
    if not _VENDORED.isdisjoint(folders):
        return SourceKind.VENDORED
    if _is_generated(folders, name, head):
        return SourceKind.GENERATED
    if suffix in _DOCUMENTS or not suffix or not _OLD_DOCUMENTS.isdisjoint(folders):
        return _kind_of_document(folders, name, suffix)
    if "src/main/" not in path and _is_test(folders, name, suffix, head):
        return SourceKind.TEST
    return SourceKind.EXAMPLE if _is_example(folders, name, suffix) else SourceKind.IMPLEMENTATION


def _by_settings(path: str, settings: IndexSettings) -> SourceKind | None:
    for globs, key, kind in (
        (settings.vendored, "index.vendored", SourceKind.VENDORED),
        (settings.generated, "index.generated", SourceKind.GENERATED),
        (settings.tests, "index.tests", SourceKind.TEST),
        (settings.examples, "index.examples", SourceKind.EXAMPLE),
    ):
        spec = _compiled(tuple(globs), key) if globs else None
        if spec and spec.match_file(path):
            return kind
    return None


@lru_cache(maxsize=64)
def _compiled(globs: tuple[str, ...], key: str) -> GitIgnoreSpec | None:
    return patterns(globs, key)


def _own_folders(path: str) -> list[str]:
    """The path's components but for those that are package names: below ``src/main/``, ``com/example/``."""
    parts = path.split("/")
    for at in range(len(parts) - 2):
        if parts[at : at + 2] == ["src", "main"]:
            return [*parts[:at], parts[-1]]
        if parts[at] in ("com", "org", "net") and parts[at + 1] == "example":
            return [*parts[:at], parts[-1]]
    return parts


def _suffix(name: str) -> str:
    stem, dot, suffix = name.rpartition(".")
    return f".{suffix.lower()}" if dot and stem else ""


def _is_generated(folders: Sequence[str], name: str, head: str) -> bool:
    if not _GENERATED.isdisjoint(folders) or "dist" in _top(folders):
        return True
    return is_lock_file(name) or bool(_GENERATED_NAME.fullmatch(name) or _GENERATED_MARK.search(head))


def _kind_of_document(folders: list[str], name: str, suffix: str) -> SourceKind:
    stem = name[: len(name) - len(suffix)] if suffix else name
    if _CHANGELOG_NAME.fullmatch(stem) or not _CHANGELOGS.isdisjoint(folders):
        return SourceKind.CHANGELOG
    if not _OLD_DOCUMENTS.isdisjoint(folders) or any(map(_OLD_VERSION.fullmatch, folders)):
        return SourceKind.CHANGELOG
    if not _DOCUMENTATION.isdisjoint(_top(folders)):
        return SourceKind.IMPLEMENTATION  # docs/examples/ are documents about examples
    if _in_tests(folders, suffix):
        return SourceKind.TEST
    return SourceKind.EXAMPLE if not _EXAMPLES.isdisjoint(folders) else SourceKind.IMPLEMENTATION


def _is_test(folders: list[str], name: str, suffix: str, head: str) -> bool:
    if _TEST_NAME.fullmatch(name) or _in_tests(folders, suffix):
        return True
    return name in _DOUBTFUL_TEST_NAMES and bool(_TEST_HEAD.search(head))


def _in_tests(folders: list[str], suffix: str) -> bool:
    if any(folder in _TESTS or folder.endswith(_TESTS_SUFFIX) for folder in folders):
        return True
    if "spec" in folders and suffix in _SPECIFIED:
        return "lib" not in folders[: folders.index("spec")]
    if "test" not in folders:
        return False
    return suffix not in _PYTHON or _inside(folders)[:1] == ["test"]


def _is_example(folders: Sequence[str], name: str, suffix: str) -> bool:
    if not _EXAMPLES.isdisjoint(folders) or not _CODE_EXAMPLES.isdisjoint(folders):
        return True
    if any(folder.endswith(_CATALOGUE) for folder in folders):
        return True
    if suffix in _DESCRIPTIONS:
        return False
    return not _DOCUMENTATION.isdisjoint(_top(folders)) or bool(_EXAMPLE_NAME.fullmatch(name))


def _top(folders: Sequence[str]) -> Sequence[str]:
    """The folder at the top of the repository; in a monorepo the project too, and the top of that."""
    return folders[:3] if folders and folders[0] in _PROJECT_FOLDERS else folders[:1]


def _inside(folders: list[str]) -> list[str]:
    """The folders from the first on that is neither a project nor a source root: a package, often."""
    at = 2 if folders and folders[0] in _PROJECT_FOLDERS else 0
    while at < len(folders) and folders[at] in _SOURCE_ROOTS:
        at += 1
    return folders[at:]
