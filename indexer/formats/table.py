"""Which extractor reads which format."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from indexer.formats.asciidoc import extract_asciidoc
from indexer.formats.dockerfile import extract_dockerfile
from indexer.formats.lines import Extract
from indexer.formats.makefile import extract_makefile
from indexer.formats.rst import extract_rst, looks_like_rst
from indexer.formats.structured import extract_json, extract_yaml
from indexer.formats.tables import extract_ini, extract_properties, extract_toml
from indexer.formats.text import extract_text
from indexer.markdown import extract_markdown

RST = "rst"
NOTEBOOK = "notebook"  # read as a view of the file: see `indexer.formats.notebook`


def _markdown(text: str) -> Extract:
    markdown = extract_markdown(text)
    return Extract(markdown.drafts, markdown.declared)


EXTRACTORS: Mapping[str, Callable[[str], Extract]] = {
    "markdown": _markdown,
    RST: extract_rst,
    "asciidoc": extract_asciidoc,
    "text": extract_text,
    "toml": extract_toml,
    "yaml": extract_yaml,
    "json": extract_json,
    "ini": extract_ini,
    "properties": extract_properties,
    "dockerfile": extract_dockerfile,
    "makefile": extract_makefile,
}


def refined(language: str, text: str) -> str:
    """The format that a file's content shows: Sphinx documents are often named ``.txt``."""
    return RST if language == "text" and looks_like_rst(text) else language
