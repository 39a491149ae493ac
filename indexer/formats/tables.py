"""TOML and INI by table; properties and environment files as blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from indexer.documents.markdown_parts import is_too_large
from indexer.documents.outline import text_lines
from indexer.formats.data import (
    MAX_SECTIONS,
    Span,
    leading_comment,
    outline_of,
    spans_drafts,
    with_comment,
)
from indexer.formats.lines import Extract

_TABLE = re.compile(r"[ \t]*(?:\[([^\[\]]+)\]|\[\[([^\[\]]+)\]\])[ \t]*(?:#.*)?\Z")
_INI_TABLE = re.compile(r"\[(.+)\][ \t]*(?:[#;].*)?\Z")
_TITLE = re.compile(r"\s*(name|description)\s*=\s*(?:([\"'])(.*?)\2|([^\"'\s].*))")
_STRING = re.compile(r"\"{3}|'{3}|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|(#)|([\[{])|([\]}])")


def extract_toml(text: str) -> Extract:
    """Read one TOML file: each table a section; those that repeat (``[[…]]``) or are very many share one."""
    lines = text_lines(text)
    return _tables(lines, list(_toml_tables(lines)))


def extract_ini(text: str) -> Extract:
    """Read one INI file (``.cfg``, ``.editorconfig`` …): each bracketed section a section."""
    lines = text_lines(text)
    matches = ((at, _INI_TABLE.match(line)) for at, line in enumerate(lines))
    return _tables(lines, [(at, match[1].strip()) for at, match in matches if match])


def extract_properties(text: str) -> Extract:
    """Read a file of keys and values without tables: a card, and its parts if it is large."""
    lines = text_lines(text)
    outline = outline_of(lines, [], "", leading_comment(lines, "#!;"))
    return Extract(outline.drafts() if is_too_large(lines) else outline.card())


def _tables(lines: Sequence[str], tables: Sequence[tuple[int, str]]) -> Extract:
    spans = [Span(1, with_comment(lines, at), name, name) for at, name in _distinct(tables)]
    if len(spans) > MAX_SECTIONS:
        spans = [
            span
            for before, span in pairwise([Span(1, 0, "", ""), *spans])
            if _uppermost(before.text) != _uppermost(span.text)
        ]
    return Extract(spans_drafts(lines, spans, *_about(lines, tables)))


def _distinct(tables: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Tables without those that repeat the one before."""
    before = None
    for at, name in tables:
        if name != before:
            yield at, name
        before = name


def _uppermost(name: str) -> str:
    return name.partition(".")[0]


def _about(lines: Sequence[str], tables: Sequence[tuple[int, str]]) -> tuple[str, str]:
    """The name and description in the table of a project, and else what the first comment says."""
    found: dict[str, str] = {}
    owner = ""
    names = dict(tables)
    for at, line in enumerate(lines[:200]):
        owner = names.get(at, owner)
        match = _TITLE.match(line)
        if match and owner in ("project", "package", "tool.poetry", "metadata", "workspace.package"):
            found.setdefault(match[1], (match[3] or match[4] or "").strip())
    return found.get("name", ""), found.get("description") or leading_comment(lines)


def _toml_tables(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Index and name of each table's header outside of strings and arrays of several lines."""
    quote = ""
    depth = 0
    for at, line in enumerate(lines):
        if not quote and depth <= 0 and (match := _TABLE.match(line)):
            depth = 0
            yield at, (match[1] or match[2]).strip()
        else:
            quote, depth = _state_after(line, quote, depth)


def _state_after(line: str, quote: str, depth: int) -> tuple[str, int]:
    """The open quotes of several lines, and the number of open brackets, after a line."""
    at = 0
    while at < len(line):
        if quote:
            at = line.find(quote, at)
            if at < 0:
                return quote, depth
            at, quote = at + 3, ""
        match = _STRING.search(line, at)
        if match is None or match[1]:
            break
        at = match.end()
        depth += bool(match[2]) - bool(match[3])
        quote = match[0] if match[0] in ('"""', "'''") else ""
    return quote, depth
