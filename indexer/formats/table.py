"""Which extractor reads which format."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from indexer.documents.markdown import extract_markdown
from indexer.formats.asciidoc import extract_asciidoc
from indexer.formats.dockerfile import extract_dockerfile
from indexer.formats.lines import Extract
from indexer.formats.makefile import extract_makefile
from indexer.formats.rst import extract_rst, looks_like_rst
from indexer.formats.structured import extract_json, extract_yaml
from indexer.formats.tables import extract_ini, extract_properties, extract_toml
from indexer.formats.text import extract_text, looks_like_markdown

TEXT = "text"
RST = "rst"
MARKDOWN = "markdown"
NOTEBOOK = "notebook"  # read as a view of the file: see `indexer.formats.notebook`


def _markdown(text: str) -> Extract:
    markdown = extract_markdown(text)
    return Extract(markdown.drafts, markdown.declared)


EXTRACTORS: Mapping[str, Callable[[str], Extract]] = {
    MARKDOWN: _markdown,
    RST: extract_rst,
    "asciidoc": extract_asciidoc,
    TEXT: extract_text,
    "toml": extract_toml,
    "yaml": extract_yaml,
    "json": extract_json,
    "ini": extract_ini,
    "properties": extract_properties,
    "dockerfile": extract_dockerfile,
    "makefile": extract_makefile,
}


def refined(language: str, text: str) -> str:
    """The format that a text's content shows: Sphinx documents are often named ``.txt``."""
    if language != TEXT:
        return language
    if looks_like_rst(text):
        return RST
    return MARKDOWN if looks_like_markdown(text) else TEXT
