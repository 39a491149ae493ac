"""Names and signatures as they are written down."""

from __future__ import annotations

import re

from indexer.code.source import Source, within

# A signature is for reading on one line; long parameter types (TypeScript) say little after this.
MAX_SIGNATURE = 300
# Generated identifiers reach 200 characters; beyond this a name is a computed expression or a string.
MAX_NAME = 300
# Bytes of source looked at for one signature: comments, indentation and annotations fold away.
_SIGNATURE_SOURCE = 16 * MAX_SIGNATURE

_WORD = re.compile(r"\w*")
_SPACE = re.compile(r"\s+")
# Lines of a preprocessor within a declaration, and the ends of lines that a macro continues on the next.
_DIRECTIVE = re.compile(
    r"(?m)^[ \t]*\#[ \t]*(?:if|ifdef|ifndef|elif|else|endif|pragma|region|endregion)\b.*$|\\$"
)
_BRACKET_SPACE = re.compile(r"(?<=[(\[]) | (?=[)\]])|,? (?=\))")
_TAIL = re.compile(r"\s*(?:=>|->|[:;{=,])\s*$")
_RECEIVER = re.compile(r"[\w.]+")
_PATH = re.compile(r"[\w$#.]+(?:\[[^\]]*\])?")
_QUOTED_KEY = re.compile(r"""\[["']([^"'\]]+)["']\]""")
_QUOTES = "\"'`"
_OPERATOR = re.compile(r"(?<!\w)operator(?!\w)\s*")
_TYPE_ARGUMENTS = re.compile(r"(?<=[\w>])\s*<[^<>]*>")
_MAX_NESTED_ARGUMENTS = 16  # type arguments within type arguments in a name


def own_name(text: str, *, receiver: str, erased: str, scope_mark: str = "") -> str:
    """A definition's own name: quotes, receivers' pointers and type parameters, and ``erased`` removed.

    Args:
        text: the name as the source has it (``close``, ``'close'``, ``module.exports.close``).
        receiver: the type of a Go receiver (``*node[T]``), or empty.
        erased: a pattern of what doesn't count.
        scope_mark: what joins a scope and a name in it (``Store<T>::close`` → ``Store.close``).

    Returns:
        The name, qualified by its receiver (``node.close``); empty if all of it is erased.
    """
    if text[:1] in _QUOTES:
        return _SPACE.sub(" ", text.strip(_QUOTES))[:MAX_NAME]
    name = _unscoped(text, scope_mark) if scope_mark else _SPACE.sub("", text)
    if erased:
        name = re.sub(erased, "", _QUOTED_KEY.sub(r".\1", name).lstrip("."))
        if name and not name.startswith("[") and not _PATH.fullmatch(name):
            name = _last_part(name)
    found = _RECEIVER.search(receiver)
    return (f"{found[0]}.{name}" if found else name)[:MAX_NAME]


def _unscoped(text: str, mark: str) -> str:
    """``ns::Store<T>::operator bool`` → ``ns.Store.operator bool``."""
    found = _OPERATOR.search(text)
    scope, sign = (text[: found.start()], text[found.end() :]) if found else (text, "")
    for _ in range(_MAX_NESTED_ARGUMENTS):
        scope, count = _TYPE_ARGUMENTS.subn("", scope)
        if not count:
            break
    name = _SPACE.sub("", scope).replace(mark, ".").strip(".")
    if not found:
        return name
    sign = _SPACE.sub(" ", sign) if sign[:1].isalpha() else _SPACE.sub("", sign)
    operator = f"operator {sign}" if sign[:1].isalpha() else f"operator{sign}"
    return f"{name}.{operator}" if name else operator


def _last_part(name: str) -> str:
    """``(a || b).c.d`` → ``d``; what has no such part stays as it is."""
    part = name.rsplit(".", 1)[-1]
    return part if _PATH.fullmatch(part) else name


def signature_of(source: Source, head: int, name_start: int, end: int, marks: tuple[str, ...]) -> str:
    """A declaration on one line, without its annotations, comments, and what introduces its body.

    Args:
        source: the file.
        head: where the declaration begins.
        name_start: where its name stands; annotations before it are dropped, those after it kept.
        end: where the body begins.
        marks: what a comment begins with.
    """
    text = source.text(head, min(end, head + _SIGNATURE_SOURCE))
    if "@" in text or any(mark in text for mark in marks):
        text = _without_noise(source, head, name_start, end)
    if "#" in text:
        text = _DIRECTIVE.sub("", text)
    folded = _BRACKET_SPACE.sub("", _SPACE.sub(" ", text).strip())
    folded = _TAIL.sub("", folded)
    if len(folded) > MAX_SIGNATURE:
        return folded[: MAX_SIGNATURE - 1].rstrip() + "…"
    return folded + ")" * (folded.count("(") - folded.count(")"))  # memo((props) => …


def word_at(source: Source, position: int) -> str:
    """The identifier that begins at a position."""
    found = _WORD.match(source.text(position, position + MAX_NAME))
    return found[0] if found else ""


def _without_noise(source: Source, head: int, name_start: int, end: int) -> str:
    noise = within(source.comments, head, end)
    noise += [span for span in within(source.annotations, head, name_start) if span.end <= name_start]
    noise.sort(key=lambda span: (span.start, -span.end))
    pieces = []
    position = head
    for span in noise:
        if span.start >= position:
            pieces.append(source.text(position, span.start))
            position = span.end
    pieces.append(source.text(position, max(position, end)))
    return " ".join(pieces)[:_SIGNATURE_SOURCE]
