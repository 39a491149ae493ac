"""Inline Markdown as plain text, and heading texts as the slugs that links to them use."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # other formats take slugs from here, and no parser
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAX_INLINE = 4_000  # characters of one paragraph that are read; inline parsing is not linear in all of them
_TAG = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*>", re.DOTALL)
_MDX_EXPRESSION = re.compile(r"\{/\*.*?\*/\}|\{[\"'`]([^{}]*)[\"'`]\}", re.DOTALL)
_EXPLICIT_ID = re.compile(r"\s*\{#([\w.:-]+)\}\s*$")


def plain(parser: MarkdownIt, source: str, *, images: bool) -> str:
    """The plain text of inline Markdown, white space folded.

    Args:
        parser: reads it.
        source: inline Markdown.
        images: whether an image counts by its alternative text, or (badges) not at all.
    """
    tokens: list[Token] = []
    parser.inline.parse(source[:MAX_INLINE], parser, {}, tokens)
    text = "".join(_pieces(tokens, images=images))
    return " ".join(_MDX_EXPRESSION.sub(r"\1", text).split())


def without_tags(html: str) -> str:
    """The text of a piece of HTML, white space folded."""
    return " ".join(_TAG.sub(" ", html).split())


def split_explicit_id(heading: str) -> tuple[str, str]:
    """A heading's text and the id that ``{#id}`` gives it (kramdown, Docusaurus, Pandoc), or ``""``."""
    match = _EXPLICIT_ID.search(heading)
    return (heading[: match.start()], match[1]) if match else (heading, "")


def slug(heading: str) -> str:
    r"""The anchor GitHub makes of a heading's plain text.

    Lower case; letters, marks, digits, connectors, ``-`` and spaces stay; each space becomes ``-``.
    Source: html-pipeline's table of contents filter (``[^\p{Word}\- ]``).
    """
    kept = (c for c in heading.lower() if c in "- " or _is_word(c))
    return "".join(kept).replace(" ", "-")


class Slugs:
    """Slugs that are unique in one file: a repeated ``retry`` becomes ``retry-1``.

    Source: github-slugger. The empty slug belongs to the text before the first heading.
    """

    def __init__(self) -> None:
        self._seen: dict[str, int] = {"": 0}

    def unique(self, wanted: str) -> str:
        """The slug to use for a heading that wants ``wanted``."""
        result = wanted
        while result in self._seen:
            self._seen[wanted] += 1
            result = f"{wanted}-{self._seen[wanted]}"
        self._seen[result] = 0
        return result


def _is_word(char: str) -> bool:
    category = unicodedata.category(char)
    return category[0] in "LM" or category in ("Nd", "Pc")


def _pieces(tokens: Iterable[Token], *, images: bool) -> Iterable[str]:
    for token in tokens:
        if token.type == "image":
            if images:
                yield from _pieces(token.children or (), images=images)
        elif token.type in ("softbreak", "hardbreak"):
            yield " "
        elif token.type != "html_inline":
            yield token.content
