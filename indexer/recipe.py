"""What parsing depends on besides a file, and which files are worth it: what a run knows that parses none.

Light: the parsers themselves take a tenth of a second to import.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from indexer.languages import (
    CODE_LANGUAGES,
    MAX_HEADER,
    is_header,
    language_of,
    language_of_header,
    language_of_script,
)
from knowledge.hashing import fingerprint
from knowledge.settings import Settings
from knowledge.taxonomy import Taxonomy

EXTRACTOR_VERSION = 4  # raise it when the same file would give other evidence: the next run rebuilds
# Another version of one of these may see other names, words or sections in the same text.
PARSERS = ("tree-sitter", "markdown-it-py", "mdit-py-plugins", "PyYAML", "PyStemmer")
MAX_FIRST_LINE = 256  # bytes in which a script names its interpreter; Linux reads as many


@dataclass(frozen=True, slots=True)
class ParseContext:
    """What parsing depends on besides the file."""

    settings: Settings
    taxonomy: Taxonomy


def recipe_of(context: ParseContext) -> str:
    """Hash of everything but the files that the content of a catalog depends on."""
    grammars = sorted({language.grammar.replace("_", "-") for language in CODE_LANGUAGES if language.grammar})
    versions = [f"{name} {_version_of(name)}" for name in (*PARSERS, *grammars)]
    own = (str(EXTRACTOR_VERSION), context.settings.index_fingerprint, context.taxonomy.fingerprint)
    return fingerprint((*own, *versions))


def may_have_language(path: str) -> bool:
    """Whether a file is worth reading, by its name: its suffix is known, or it has none at all."""
    return language_of(path) is not None or "." not in path.rpartition("/")[2]


def language_in(path: str, data: bytes) -> str | None:
    """The language of a file by its suffix, else by its ``#!`` line; None if it isn't indexed.

    A ``.h`` file is C or C++ by what it says.
    """
    if is_header(path):
        return language_of_header(data[:MAX_HEADER].decode("utf-8", "replace"))
    first_line = data[:MAX_FIRST_LINE].partition(b"\n")[0]
    return language_of(path) or language_of_script(first_line.decode("utf-8", "replace"))


def _version_of(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:  # vendored or frozen without metadata
        return ""
