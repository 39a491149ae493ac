"""Grammars and queries, loaded once per language and only when a file needs them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files

import tree_sitter

from indexer.code.mend import parse_mended
from indexer.languages import BY_NAME, Language
from knowledge.errors import SourceError

_QUERIES = "queries"


@dataclass(frozen=True, slots=True)
class Grammar:
    """A language made ready to parse and query.

    Attributes:
        language: the table's entry.
        dialect: the loaded grammar.
        definitions: the query that finds definitions.
        trivia: the query that finds comments and annotations.
        relations: the query that finds calls, imports and bases, if the language has one.
        fixed_names: name by pattern number, for patterns that set one (``default``).
    """

    language: Language
    dialect: tree_sitter.Language
    definitions: tree_sitter.Query
    trivia: tree_sitter.Query
    relations: tree_sitter.Query | None
    fixed_names: dict[int, str]

    def parse(self, source: bytes) -> tree_sitter.Node:
        """The root of the syntax tree of UTF-8 text."""
        return parse_mended(self.language.name, source, self._parse)

    def _parse(self, source: bytes) -> tree_sitter.Node:
        return tree_sitter.Parser(self.dialect).parse(source).root_node


@cache
def grammar_of(name: str) -> Grammar:
    """The grammar of a language of the table.

    Raises:
        SourceError: no such language, or its grammar package is not installed or does not fit.
    """
    language = BY_NAME.get(name)
    if language is None:
        raise SourceError("no such language", where=name, remedy=f"One of: {', '.join(BY_NAME)}")
    try:
        loaded = tree_sitter.Language(getattr(import_module(language.grammar), language.function)())
        definitions = tree_sitter.Query(loaded, _read(language.queries))
        trivia = tree_sitter.Query(loaded, _trivia(language))
        relations = tree_sitter.Query(loaded, _read(language.relations)) if language.relations else None
    except (ImportError, AttributeError, ValueError) as error:
        raise SourceError(
            f"its grammar cannot be used: {error}",
            where=name,
            remedy=f"Reinstall {language.grammar.replace('_', '-')}",
        ) from error
    return Grammar(language, loaded, definitions, trivia, relations, _fixed_names(definitions))


def _read(names: tuple[str, ...]) -> str:
    folder = files(__package__) / _QUERIES
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in names)


def _trivia(language: Language) -> str:
    comments = [f"({node}) @comment" for node in language.comments]
    return "\n".join([*comments, *(f"({node}) @annotation" for node in language.annotations)])


def _fixed_names(query: tree_sitter.Query) -> dict[int, str]:
    settings = ((index, query.pattern_settings(index).get("name")) for index in range(query.pattern_count))
    return {index: name for index, name in settings if name}
