"""OpenAPI and Swagger: each operation a section ``GET /users/{id}``, each schema one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from indexer.formats.data import OWN_LINES, Span, group_name, sentences, with_comment
from indexer.formats.tree import Entry, Node

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
SCHEMAS = (("components", "schemas"), ("definitions",))
MAX_NAMES = 300  # characters of the names of parameters or properties


def is_api(node: Node) -> bool:
    """Whether a document describes an API."""
    is_versioned = node.get("openapi") is not None or node.get("swagger") is not None
    return is_versioned and bool(node.entries_at("paths") or node.entries_at("components"))


def api_spans(node: Node, lines: Sequence[str]) -> list[Span]:
    """The sections of an API's description, in the order of their lines."""
    spans: list[Span] = []
    for entry in node.entries:
        if entry.key == "paths":
            spans += (span for path in entry.node.entries for span in _operations(path, lines))
        elif (entry.key,) in SCHEMAS:
            spans += definitions(entry, entry.key, lines)
        elif entry.key == "components":
            spans += _components(entry, lines)
        else:
            spans.append(Span(1, with_comment(lines, entry.line), entry.key, entry.key))
    return joined(spans)


def definitions(entry: Entry, path: str, lines: Sequence[str]) -> Iterator[Span]:
    """A section for each schema below a key."""
    for at, inner in enumerate(entry.node.entries):
        start = with_comment(lines, inner.line) if at else entry.line
        yield Span(1, start, f"{entry.key} › {inner.key}", f"{path}/{inner.key}", described(inner.node))


def described(schema: Node) -> str:
    """What a schema is for, and its properties."""
    about = schema.text_at("description") or schema.text_at("title")
    return " ".join(filter(None, (about, _list("Properties", schema.entries_at("properties")))))


def joined(spans: Sequence[Span]) -> list[Span]:
    """Neighbours of the uppermost level that are too short for a section, as one."""
    result: list[Span] = []
    group: list[Span] = []
    for span, stop in zip(spans, [*(after.line for after in spans[1:]), None], strict=True):
        is_short = "/" not in span.anchor and stop is not None and stop - span.line < OWN_LINES
        if is_short:
            group.append(span)
            continue
        if group:
            result.append(_as_one(group))
        group = []
        result.append(span)
    return [*result, *([_as_one(group)] if group else [])]


def _as_one(group: Sequence[Span]) -> Span:
    first = group[0]
    return Span(first.level, first.line, group_name([span.text for span in group]), first.anchor, first.doc)


def _operations(path: Entry, lines: Sequence[str]) -> Iterator[Span]:
    shared = path.node.entries_at("parameters")
    first = True
    for entry in path.node.entries:
        if entry.key.lower() not in METHODS:
            continue
        # What all operations of a path share stands before the first as a rule, and is read with it.
        start = path.line if first else with_comment(lines, entry.line)
        name = f"{entry.key.upper()} {path.key}"
        yield Span(1, start, name, f"paths{_slashed(path.key)}/{entry.key}", _operation(entry.node, shared))
        first = False


def _slashed(path: str) -> str:
    return path if path.startswith("/") else f"/{path}"


def _operation(node: Node, shared: Sequence[Entry]) -> str:
    about = [node.text_at("summary"), node.text_at("description"), node.text_at("operationId")]
    return sentences(
        *dict.fromkeys(filter(None, about)),
        _list("Parameters", [*shared, *node.entries_at("parameters")]),
        _list("Responses", node.entries_at("responses")),
    )


def _list(label: str, entries: Sequence[Entry]) -> str:
    names = [
        entry.node.text_at("name") or entry.node.text_at("$ref").rpartition("/")[2] or entry.key
        for entry in entries
    ]
    if label == "Responses":
        names = [entry.key for entry in entries]
    return f"{label}: {', '.join(names)}"[:MAX_NAMES] if names else ""


def _components(entry: Entry, lines: Sequence[str]) -> Iterator[Span]:
    for at, inner in enumerate(entry.node.entries):
        start = with_comment(lines, inner.line) if at else entry.line
        if inner.key != "schemas" or not inner.node.entries:
            yield Span(1, start, f"{entry.key} › {inner.key}", f"{entry.key}/{inner.key}")
            continue
        schemas = list(definitions(inner, f"{entry.key}/{inner.key}", lines))
        yield from (
            Span(s.level, start if s is schemas[0] else s.line, s.text, s.anchor, s.doc) for s in schemas
        )
