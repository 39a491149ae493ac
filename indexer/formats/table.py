"""Which extractor reads which format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module

from indexer.formats.lines import Extract

TEXT = "text"
RST = "rst"
MARKDOWN = "markdown"
NOTEBOOK = "notebook"  # read as a view of the file: see `indexer.formats.notebook`

# By module and function: a run for one edited file imports the reader of its format, and no other.
_READERS: Mapping[str, tuple[str, str]] = {
    RST: ("indexer.formats.rst", "extract_rst"),
    "asciidoc": ("indexer.formats.asciidoc", "extract_asciidoc"),
    TEXT: ("indexer.formats.text", "extract_text"),
    "toml": ("indexer.formats.tables", "extract_toml"),
    "yaml": ("indexer.formats.structured", "extract_yaml"),
    "json": ("indexer.formats.structured", "extract_json"),
    "ini": ("indexer.formats.tables", "extract_ini"),
    "properties": ("indexer.formats.tables", "extract_properties"),
    "dockerfile": ("indexer.formats.dockerfile", "extract_dockerfile"),
    "makefile": ("indexer.formats.makefile", "extract_makefile"),
}


def _read(module: str, function: str, text: str) -> Extract:
    found: Extract = getattr(import_module(module), function)(text)
    return found


def _read_markdown(text: str) -> Extract:
    from indexer.documents.markdown import extract_markdown  # noqa: PLC0415 - as the others

    markdown = extract_markdown(text)
    return Extract(markdown.drafts, markdown.declared)


EXTRACTORS: Mapping[str, Callable[[str], Extract]] = {
    MARKDOWN: _read_markdown,
    **{language: partial(_read, *place) for language, place in _READERS.items()},
}


def refined(language: str, text: str) -> str:
    """The format that a text's content shows: Sphinx documents are often named ``.txt``."""
    if language != TEXT:
        return language
    from indexer.formats.rst import looks_like_rst  # noqa: PLC0415 - as the others
    from indexer.formats.text import looks_like_markdown  # noqa: PLC0415

    if looks_like_rst(text):
        return RST
    return MARKDOWN if looks_like_markdown(text) else TEXT
