"""JSON and YAML: whatever they describe. An API by its operations, a schema by its definitions, else data."""

from __future__ import annotations

from indexer.documents.outline import text_lines
from indexer.formats.data import data_drafts, spans_drafts
from indexer.formats.json_tree import read_json
from indexer.formats.lines import Extract
from indexer.formats.openapi import api_spans, is_api
from indexer.formats.schema import is_schema, schema_spans
from indexer.formats.tree import Node
from indexer.formats.yaml_tree import read_yaml

API_SCALE = 8  # an API is described for readers: 480 operations are no flood, and have half a megabyte


def extract_json(text: str) -> Extract:
    """Read one JSON file; comments are fine. Never raises: broken text gives what can be told of it."""
    lines = text_lines(text)
    return _extract(lines, read_json("\n".join(lines)))


def extract_yaml(text: str) -> Extract:
    """Read one YAML file. Never raises: broken text gives what can be told of it."""
    lines = text_lines(text)
    return _extract(lines, read_yaml("\n".join(lines)))


def _extract(lines: list[str], root: Node) -> Extract:
    document = root.entries[0].node if len(root.entries) == 1 else Node(0)
    if is_api(document):
        version = document.text_at("info", "version")
        title = " ".join(filter(None, (document.text_at("info", "title"), version)))
        about = document.text_at("info", "description") or document.text_at("info", "summary")
        return Extract(spans_drafts(lines, api_spans(document, lines), title, about, scale=API_SCALE))
    title = document.text_at("title") or document.text_at("name")
    about = document.text_at("description")
    if is_schema(document):
        return Extract(spans_drafts(lines, schema_spans(document, lines), title, about, scale=API_SCALE))
    return Extract(data_drafts(lines, root, title, about))
