"""How much of a signature is typed: the same heuristics for all languages, on the one-line declaration.

A parameter has a type if something follows a colon (Python, TypeScript, Rust) or stands beside its name
(``int size``, ``size int``). A result has one after ``->`` or ``:``, after the parameters (Go), or before
the name.
"""

from __future__ import annotations

import re

_OPENING, _CLOSING = "([{<", ")]}>"
_NOT_COUNTED = re.compile(r"(?:self|cls|this|\*|/|\.\.\.)\Z")
_TEXT_DEFAULT = re.compile(r"=\s*(?:\"[^\"]*\"|'[^']*')")  # may hold commas and brackets
_DEFAULT = re.compile(r"(?<![=!<>])=(?![=>]).*", re.DOTALL)
_TWO_WORDS = re.compile(r"[\w$.\])>&*?]\s+[\w$.*&\[(<]")
_MODIFIER = re.compile(r"^(?:@\w+(?:\([^)]*\))?|final|readonly|public|private|protected|const|var|mut)\s+")
_RESULT = re.compile(r"\s*(?:->|:(?!=)|[\w*\[(&])")


def typed_share(signature: str, name: str) -> float | None:
    """The share, in [0, 1], of parameters and result that have a type; None without a parameter list."""
    signature = _TEXT_DEFAULT.sub("=_", signature)
    span = _parameters(signature, name)
    if span is None:
        return None
    start, end = span
    parameters = [_DEFAULT.sub("", p).strip() for p in _split(signature[start:end])]
    counted = [p for p in parameters if p and not _NOT_COUNTED.match(p)]
    typed = [":" in p or bool(_TWO_WORDS.search(_MODIFIER.sub("", p))) for p in counted]
    if any(typed) and not any(":" in p for p in counted):
        typed = [True] * len(counted)  # Go: in ``a, b int`` the type stands once
    result = _has_result(signature, start, end, name)
    return (sum(typed) + result) / (len(counted) + 1)


_NO_TYPE = frozenset(
    (
        "async",
        "const",
        "def",
        "export",
        "fn",
        "func",
        "function",
        "get",
        "let",
        "new",
        "pub",
        "set",
        "static",
        "var",
    )
)


def _has_result(signature: str, start: int, end: int, name: str) -> bool:
    after = signature[end + 1 :].lstrip()
    if not after.startswith(("=>", "{", "throws")) and after.strip(":{ "):
        return bool(_RESULT.match(after))
    before = signature[: start - 1].rstrip()
    words = before.removesuffix(name).split()
    return before.endswith(f" {name}") and words[-1:] != [] and words[-1] not in _NO_TYPE


def _parameters(signature: str, name: str) -> tuple[int, int] | None:
    """Where the parameter list lies between its brackets: after the name, else the first there is."""
    at = signature.find(f"{name}(")
    at = at + len(name) if at >= 0 else _after_generics(signature, name)
    if at < 0:
        return None
    depth = 0
    for index in range(at, len(signature)):
        if signature[index] == "(":
            depth += 1
        elif signature[index] == ")":
            depth -= 1
            if depth == 0:
                return at + 1, index
    return None


def _after_generics(signature: str, name: str) -> int:
    named = signature.find(name)
    return signature.find("(", named + len(name) if named >= 0 else 0)


def _split(parameters: str) -> list[str]:
    """Cut at the commas that are not within brackets."""
    pieces: list[str] = []
    depth = start = 0
    for index, char in enumerate(parameters):
        if char in _OPENING:
            depth += 1
        elif char in _CLOSING and parameters[index - 1 : index] not in ("=", "-"):
            depth -= 1
        elif char == "," and depth == 0:
            pieces.append(parameters[start:index])
            start = index + 1
    return [*pieces, parameters[start:]]
