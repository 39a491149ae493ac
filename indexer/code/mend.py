"""Text as a parser can take it, where a language holds what no grammar sees through.

A macro of C may be a keyword, a namespace's beginning or nothing; ``#if`` may cut a statement in two; a macro
of Rust may wrap whole functions. What would lead the parser astray is blanked out byte for byte, so that all
positions hold; only the tree is built of the result, every text comes from the source as it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import tree_sitter

from indexer.code.mend_c import without_c_macros, without_cut_conditionals
from indexer.code.mend_kotlin import without_soft_keywords
from indexer.code.mend_rust import without_item_macros

Parse = Callable[[bytes], tree_sitter.Node]

# Tried where the syntax seems broken: the text mended in ways of which the best is taken.
_REPAIRS: dict[str, Callable[[bytes], Iterator[bytes]]] = {
    "c": without_c_macros,
    "cpp": without_c_macros,
    "csharp": without_cut_conditionals,
    "kotlin": without_soft_keywords,
}
# Top-level expressions that no program has: the grammar has taken a declaration for one.
_SUSPECTS = {"kotlin": "annotated_expression"}
_ARGUMENTS = "parenthesized_expression"
# What a token that the parser made up weighs, in bytes that it could make nothing of.
_MISSING = 8
# A file of which less than this is left in errors is as good as whole; not to try on.
_GOOD = 0.01


def parse_mended(language: str, source: bytes, parse: Parse) -> tree_sitter.Node:
    """The root of the syntax tree of UTF-8 text, mended where that helps."""
    root = parse(source)
    if language == "rust":
        mended = without_item_macros(source, root, parse)
        return parse(mended) if mended != source else root
    repair = _REPAIRS.get(language)
    suspect = _SUSPECTS.get(language, "")
    if repair is None or not (root.has_error or _misread(root, suspect)):
        return root
    return _best(root, repair(source), parse, suspect)


def _best(root: tree_sitter.Node, ways: Iterator[bytes], parse: Parse, suspect: str) -> tree_sitter.Node:
    """The tree with the least damage, the first of equals; no more are tried than needed."""
    best, damage = root, _damage(root) + _misread(root, suspect)
    for mended in ways:
        other = parse(mended)
        left = _damage(other) + _misread(other, suspect)
        if left < damage:
            best, damage = other, left
        if damage <= _GOOD * len(mended):
            break
    return best


def _damage(root: tree_sitter.Node) -> int:
    """Bytes within errors, each counted once; made-up tokens weigh a few."""
    damage = 0
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_error:
            damage += node.end_byte - node.start_byte
        elif node.is_missing:
            damage += _MISSING
        elif node.has_error:
            stack += node.children
    return damage


def _misread(root: tree_sitter.Node, suspect: str) -> int:
    """Bytes of top-level expressions that hold more than an annotation's arguments."""
    found = (node for node in root.named_children if node.type == suspect) if suspect else ()
    return sum(
        node.end_byte - node.start_byte for node in found if node.named_children[-1].type != _ARGUMENTS
    )
