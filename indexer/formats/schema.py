"""JSON Schema: each definition a section, and the properties one."""

from __future__ import annotations

from collections.abc import Sequence

from indexer.formats.data import Span, with_comment
from indexer.formats.openapi import definitions, described, joined
from indexer.formats.tree import Node

DEFINITIONS = ("$defs", "definitions")


def is_schema(node: Node) -> bool:
    """Whether a document is a JSON Schema and not something that refers to one."""
    declared = "json-schema.org" in node.text_at("$schema")
    has_shape = any(node.entries_at(key) for key in (*DEFINITIONS, "properties"))
    return has_shape and (declared or node.get("type") is not None or node.get("$id") is not None)


def schema_spans(node: Node, lines: Sequence[str]) -> list[Span]:
    """The sections of a schema, in the order of their lines."""
    spans: list[Span] = []
    for entry in node.entries:
        if entry.key in DEFINITIONS and entry.node.entries:
            spans += definitions(entry, entry.key, lines)
        else:
            doc = described(node) if entry.key == "properties" else ""
            spans.append(Span(1, with_comment(lines, entry.line), entry.key, entry.key, doc))
    return joined(spans)
