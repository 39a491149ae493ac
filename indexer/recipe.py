"""What parsing depends on besides a file, and which files are worth it: what a run knows that parses none.

Light: the parsers themselves take a tenth of a second to import.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from dataclasses import dataclass

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

EXTRACTOR_VERSION = 7  # raise it when the same file would give other evidence: the next run rebuilds
# Another version of one of these may see other names, words or sections in the same text.
PARSERS = ("tree-sitter", "markdown-it-py", "mdit-py-plugins", "PyYAML", "PyStemmer")
MAX_FIRST_LINE = 256  # bytes in which a script names its interpreter; Linux reads as many
_METADATA = ".dist-info"


@dataclass(frozen=True, slots=True)
class ParseContext:
    """What parsing depends on besides the file."""

    settings: Settings
    taxonomy: Taxonomy


def recipe_of(context: ParseContext) -> str:
    """Hash of everything but the files that the content of a catalog depends on."""
    grammars = sorted({language.grammar.replace("_", "-") for language in CODE_LANGUAGES if language.grammar})
    installed = _installed_versions()
    versions = [
        f"{name} {installed.get(_normal(name)) or _version_elsewhere(name)}" for name in (*PARSERS, *grammars)
    ]
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


def _installed_versions() -> dict[str, str]:
    """Each installed distribution's version, by its normalised name (PEP 503), as its folder's name tells.

    `importlib.metadata` is asked only for what lies elsewhere (eggs, archives): to import it and to parse all
    metadata takes a tenth of a run that finds nothing to do.
    """
    found: dict[str, str] = {}
    for folder in sys.path:  # the first one wins, as for imports
        with suppress(OSError):
            for entry in os.listdir(folder or "."):  # noqa: PTH208 (names alone, and fast)
                if entry.endswith(_METADATA):
                    name, _, version = entry.removesuffix(_METADATA).partition("-")
                    found.setdefault(_normal(name), version)
    return found


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _version_elsewhere(distribution: str) -> str:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - see _installed_versions

    try:
        return version(distribution)
    except PackageNotFoundError:  # vendored or frozen without metadata
        return ""
