"""Rust with the macros taken off that wrap whole items (``cfg_rt! { pub fn spawn() {} }``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import tree_sitter

# Macros within macros, as far as anybody goes.
_MAX_LAYERS = 3
_ITEMS = frozenset(
    {
        "function_item",
        "struct_item",
        "enum_item",
        "union_item",
        "trait_item",
        "impl_item",
        "mod_item",
        "type_item",
        "const_item",
        "static_item",
        "macro_definition",
    }
)
_PLACES = frozenset({"mod_item", "impl_item", "trait_item", "declaration_list", "expression_statement"})


def without_item_macros(
    source: bytes, root: tree_sitter.Node, parse: Callable[[bytes], tree_sitter.Node]
) -> bytes:
    """The source with the names and braces blanked out of macros whose content is items and nothing else."""
    mended = bytearray(source)
    for _ in range(_MAX_LAYERS):
        wraps = [span for span in _wraps(root) if _holds_items(bytes(mended[slice(*span)]), parse)]
        if not wraps:
            break
        for start, end in wraps:
            # from the macro's name to its brace: the content begins a byte later
            opening = mended.rfind(b"!", 0, start)
            name = _name_start(mended, opening)
            mended[name:start] = b" " * (start - name)
            mended[end : end + 1] = b" "
        root = parse(bytes(mended))
    return bytes(mended)


def _name_start(text: bytearray, end: int) -> int:
    start = end
    while start and (text[start - 1 : start].isalnum() or text[start - 1] in b"_:"):
        start -= 1
    return start


def _wraps(root: tree_sitter.Node) -> Iterator[tuple[int, int]]:
    """What stands between the braces of each macro that is called where an item may stand."""
    stack = [root]
    while stack:
        node = stack.pop()
        for child in node.named_children:
            if child.type == "macro_invocation":
                tokens = child.named_children[-1]
                if tokens.type == "token_tree" and tokens.children[0].type == "{":
                    yield tokens.start_byte + 1, tokens.end_byte - 1
            elif child.type in _PLACES:
                stack.append(child)


def _holds_items(content: bytes, parse: Callable[[bytes], tree_sitter.Node]) -> bool:
    root = parse(content)
    return not root.has_error and any(child.type in _ITEMS for child in root.named_children)
