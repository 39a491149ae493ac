"""Doc comments and docstrings: which belong to what, and their text without comment marks."""

from __future__ import annotations

import re
from inspect import cleandoc
from textwrap import dedent

from indexer.code.source import Source, Span

_BLOCK_OPEN = re.compile(r"^/\*[*!]?")
_BLOCK_CLOSE = re.compile(r"\*+/$")
_BLOCK_MARGIN = re.compile(r"(?m)^[ \t]*\*+(?!\*)")
_OTHER_OPEN = re.compile(r"--\[=*\[-*|=begin\b|\{#-*")  # Lua's, Ruby's and Jinja's
_OTHER_CLOSE = re.compile(r"(?:--)?\]=*\]$|\n=end\b.*$|-*#\}$")
_LINE_MARK = re.compile(r"^(?:///?!?|#+|--+) ?")
# The tags of C#'s documentation; Java's doc comments are HTML and stay as they are.
_XML_DOC = re.compile(r"<(?:summary|inheritdoc|remarks|param|returns)\b")
_XML_READ_AS = (
    (re.compile(r"<(?:see|seealso|paramref|typeparamref)\s+\w+=\"(?:\w:)?([^\"<>]*)\"\s*/>"), r"\1"),
    (re.compile(r"<(?:param|typeparam|exception)\s+\w+=\"(?:\w:)?([^\"<>]*)\"\s*>"), r"\1: "),
    (re.compile(r"</?[a-z]+(?:\s[^<>\n]*)?/?>"), ""),
)
_STRING = re.compile(r"(?s)^[rRuU]*(\"\"\"|'''|\"|')(.*)\1$")

# Doxygen's and LuaCATS' mark of what is said in short, and in Lua of where that begins and ends.
_BRIEF = re.compile(r"^([ \t]*)[@\\]brief\b[ \t]*(?:\[\[|\]\])?[ \t]*")

# Comments for tools and rulers made of signs are no documentation.
_DIRECTIVE = re.compile(
    r"^\s*(?:go:\w|\+build\b|line \S+:\d|nolint\b|eslint\b|@ts-|ts-|prettier-ignore|biome-ignore|istanbul\b"
    r"|@(?:jsx|flow|format|noflow)\b|<reference|use strict|pylint:|noqa\b|type:\s*ignore|mypy:|pyright:"
    r"|ruff:|fmt:|isort:|-\*-|vim?:|!|region\b|endregion\b|globals?\s+\w+|jshint\b|jslint\b|c8 "
    r"|frozen_string_literal:|encoding:|coding:|typed: \w+$|warn_indent:|rubocop:|:nodoc:"
    r"|shareable_constant_value:|shellcheck (?:disable|source|shell)|phpcs:|phpstan:"
    r"|@phpstan-ignore|@psalm-suppress|@codingStandards|scalastyle:|scalafmt:|scalafix:|\$COVERAGE|luacheck:|stylua:|selene:|@diagnostic|@meta\b|@cast\b"
    r"|\+(?:goose|migrate)\b|migrate:|sqlfluff:|sqlfmt:)"
)
_LICENSE = re.compile(
    r"(?i)copyright|licen[sc]ed? (?:under|as)|\bspdx-|all rights reserved|use of this source"
)


def docstring_text(literal: str) -> str:
    """The text of a Python or SQL string, dedented as `inspect.cleandoc` does; bytes and f-strings: none."""
    found = _STRING.match(literal)
    if not found:
        return ""
    return cleandoc(found[2].replace("''", "'") if found[1] == "'" else found[2])


def comments_before(source: Source, position: int, row: int) -> list[Span]:
    """The comments directly above a row: one block, or lines without a gap.

    Args:
        source: the file.
        position: where the definition begins; if it doesn't begin its line, nothing belongs to it.
        row: its row.
    """
    comment = source.comment_ending_at.get(row - 1)
    if comment is None or not source.begins_line(position):
        return []
    found: list[Span] = []
    while comment is not None and source.begins_line(comment.start):
        found.append(comment)
        if comment.end_row > comment.start_row:
            break
        comment = source.comment_ending_at.get(comment.start_row - 1)
    found.reverse()
    return found


def comment_text(source: Source, spans: list[Span]) -> str:
    """The words of comments, without their marks, directives and rulers, dedented."""
    lines: list[str] = []
    for span in spans:
        lines += _unmarked(source.text(span.start, span.end)).split("\n")
    text = "\n".join(lines)
    if _XML_DOC.search(text):
        lines = _without_tags(text).split("\n")
    kept = [_BRIEF.sub(r"\1", line).rstrip() for line in lines if not _is_noise(line)]
    return dedent("\n".join(kept)).strip("\n")


def _without_tags(text: str) -> str:
    """``<param name="a">The first.</param>`` → ``a: The first.``, without lines that were tags alone."""
    for tag, words in _XML_READ_AS:
        text = tag.sub(words, text)
    return "\n".join(line for line in text.split("\n") if line.strip())


def header_text(source: Source, code_start: int, claimed: set[int]) -> str:
    """A file's header comment: the first block of comments before any code that is no licence.

    Args:
        source: the file.
        code_start: where code begins.
        claimed: starts of comments that document a definition.
    """
    for block in _blocks(source, code_start):
        text = comment_text(source, block)
        if text and block[-1].start not in claimed and not _LICENSE.search(text):
            return text
    return ""


def _blocks(source: Source, code_start: int) -> list[list[Span]]:
    blocks: list[list[Span]] = []
    for comment in source.comments:
        if comment.start >= code_start:
            break
        touches = blocks and blocks[-1][-1].end_row + 1 >= comment.start_row
        if touches and comment.start_row == comment.end_row and _is_line(source, blocks[-1][-1]):
            blocks[-1].append(comment)
        else:
            blocks.append([comment])
    return blocks


def _is_line(source: Source, span: Span) -> bool:
    return not source.data.startswith(b"/*", span.start)


def _unmarked(comment: str) -> str:
    if comment.startswith("/*"):
        text = _BLOCK_CLOSE.sub("", _BLOCK_OPEN.sub("", comment).rstrip())
        first, newline, rest = text.partition("\n")
        return first.strip() + newline + dedent(_BLOCK_MARGIN.sub("", rest))
    if _OTHER_OPEN.match(comment):
        first, newline, rest = _OTHER_CLOSE.sub("", _OTHER_OPEN.sub("", comment).rstrip()).partition("\n")
        return first.strip() + newline + dedent(rest)
    return _LINE_MARK.sub("", comment, count=1)


def _is_noise(line: str) -> bool:
    if not line.strip():
        return False
    return bool(_DIRECTIVE.match(line)) or not any(c.isalnum() for c in line)
