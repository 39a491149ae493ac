"""Which documents and data files there are, and how they are named; `indexer.formats.table` reads them."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True, slots=True)
class Format:
    """How files of one format are named.

    Attributes:
        name: as the catalog keeps it, where code has its language.
        suffixes: file name suffixes, lower case, with the dot.
        file_names: globs of whole file names, lower case. Suffixes go before globs with a ``*``.
        is_prose: whether people write it to be read: it explains or binds, where a data file configures.
    """

    name: str
    suffixes: tuple[str, ...] = ()
    file_names: tuple[str, ...] = ()
    is_prose: bool = False


_READ_ME = "readme readme.* install install.* contributing hacking usage news changes changelog history"

FORMATS = (
    Format("markdown", (".md", ".markdown", ".mdx"), is_prose=True),
    Format("rst", (".rst", ".rest"), is_prose=True),
    Format("asciidoc", (".adoc", ".asciidoc", ".asc"), is_prose=True),
    Format("notebook", (".ipynb",), is_prose=True),
    Format("toml", (".toml",), ("pipfile",)),
    Format("yaml", (".yml", ".yaml"), (".clang-format", ".clang-tidy", "citation.cff")),
    Format("json", (".json", ".jsonc", ".json5", ".webmanifest"), (".babelrc", ".eslintrc", ".prettierrc")),
    Format(
        "ini",
        (".ini", ".cfg"),
        (".editorconfig", ".flake8", ".pylintrc", "pylintrc", ".coveragerc", ".gitconfig", ".gitmodules"),
    ),
    Format("properties", (".properties",), (".env.*", "*.env.*", "example.env", "sample.env")),
    Format(
        "dockerfile",
        (".dockerfile", ".containerfile"),
        ("dockerfile", "dockerfile.*", "containerfile", "containerfile.*"),
    ),
    Format("makefile", (".mk", ".mak"), ("makefile", "makefile.*", "gnumakefile")),
    Format("text", (".txt", ".text"), tuple(_READ_ME.split()), is_prose=True),
)

PROSE = frozenset(format_.name for format_ in FORMATS if format_.is_prose)
DATA = frozenset(format_.name for format_ in FORMATS if not format_.is_prose)
_BY_SUFFIX = {suffix: format_.name for format_ in FORMATS for suffix in format_.suffixes}
_BY_NAME = [(glob, format_.name) for format_ in FORMATS for glob in format_.file_names]
_EXACT = {glob: name for glob, name in _BY_NAME if "*" not in glob}
_GLOBS = [(glob, name) for glob, name in _BY_NAME if "*" in glob]


def format_of(path: str) -> str | None:
    """The format of a file by its name (``docs/index.rst`` → ``rst``), or None."""
    name = path.rpartition("/")[2].lower()
    stem, dot, suffix = name.rpartition(".")
    known = _EXACT.get(name) or (_BY_SUFFIX.get(f".{suffix}") if dot and stem else None)
    return known or next((format_ for glob, format_ in _GLOBS if fnmatchcase(name, glob)), None)
