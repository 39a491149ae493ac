"""JSON with lines: comments and trailing commas are fine, and broken text gives what can be told of it."""

from __future__ import annotations

import json
import re

from indexer.formats.tree import MAX_NODES, MAX_TEXT, Node, TreeBuilder

# A string ends with its line even where its quote is missing. A key is a string or word before a colon.
_TOKEN = re.compile(
    r"""(?P<string>"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|'[^'\\\n]*(?:\\.[^'\\\n]*)*'?)(?P<colon>\s*:)?
    | (?P<sign>[{}\[\]])
    | (?P<comment>//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/)?|\#[^\n]*)
    | (?P<word>[^\s{}\[\],:"'/]+)(?P<after>\s*:)?""",
    re.VERBOSE,
)


def read_json(
    text: str,
    max_nodes: int = MAX_NODES,
    max_text: int = MAX_TEXT,
    without: frozenset[str] = frozenset(),
) -> Node:
    r"""The tree of a JSON text; its root is a list of the documents in it (of valid JSON exactly one).

    Args:
        text: with ``\n`` line ends. Never raises.
        max_nodes: how many values are kept before only the uppermost levels are.
        max_text: characters of a scalar that are kept.
        without: keys whose mappings and sequences are not kept.
    """
    builder = TreeBuilder(max_nodes, max_text, without)
    line = seen = 0
    for match in _TOKEN.finditer(text):
        start = match.start()
        line += text.count("\n", seen, start)
        seen = start
        sign, string = match["sign"], match["string"]
        if sign:
            if sign in "{[":
                builder.open(line, is_list=sign == "[")
            else:
                builder.close()
        elif (string or match["word"]) and not builder.is_skipping:
            value = unquoted(string) if string else match["word"]
            if (match["colon"] or match["after"]) and builder.in_map:
                builder.key(value, line)
            else:
                builder.scalar(value, line)
    return builder.root


def unquoted(literal: str) -> str:
    """The text of a JSON string, or what stands between its quotes if it is no valid one."""
    inner = literal[1:-1] if len(literal) > 1 and literal[-1] == literal[0] else literal[1:]
    if "\\" not in inner:
        return inner
    try:
        return str(json.loads(f'"{inner}"', strict=False))
    except ValueError:
        return inner
