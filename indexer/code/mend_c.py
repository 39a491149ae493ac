"""C and C++ without the macros and conditionals that lead a parser astray.

What is blanked out is no loss: macros that stand for keywords and attributes (``FOO_API``, ``NODISCARD``,
``PRINTF_LIKE(1, 2)``), and of a conditional that cuts a statement or a block in two, the lines of its
directives and all branches but the first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

Range = tuple[int, int]
_Step = Callable[[bytes, bytearray], list[Range]]  # from texts without literals, and without directives, too

_BLANK = bytes(byte if byte in b"\n" else 0x20 for byte in range(256))

_TEXTS = re.compile(
    rb"""
    //(?:[^\n\\]|\\.)*+ | /\*.*?(?:\*/|\Z)
    | \bR"([^()\\\s]{0,16})\(.*?\)\1"
    | "(?:[^"\\\n]|\\.)*+" | (?<![0-9a-fA-F])'(?:[^'\\\n]|\\.)*+'
    """,
    re.VERBOSE | re.DOTALL,
)
_DIRECTIVES = re.compile(rb"^[ \t]*\#(?:[^\n\\]|\\.)*+", re.MULTILINE | re.DOTALL)

_CAPITALS = rb"[A-Z_][A-Z0-9_]{2,63}+"
_ARGUMENTS = rb"(?:\((?:[^()]|\([^()]*\))*+\))"
# Parts of macros' names that say what these stand for: FOO_API, NODISCARD, __FORCEINLINE …
_KEYWORDS = frozenset(
    b"API APIENTRY CALLBACK CDECL CONST CONSTEVAL CONSTEXPR DEPRECATED EXPLICIT EXPORT EXPORTED EXPORTS"
    b" EXTERN FINAL FORCEINLINE HIDDEN IMPORT INLINE INTERFACE INTERNAL NODISCARD NOEXCEPT NOINLINE NORETURN"
    b" OVERRIDE PRIVATE PUBLIC RESTRICT STDCALL UNUSED VISIBLE WINAPI ZEXPORT ZEXTERN".split()
)
# … and with arguments; FOO_API(int) is left alone, since there the argument is the type
_ATTRIBUTES = frozenset(
    b"ALIGN ALIGNAS ALIGNED ALLOC ATTR ATTRIBUTE ATTRIBUTES DEPRECATED EXPLICIT FORMAT GUARDED NODISCARD"
    b" NOEXCEPT NONNULL PRINTF SIZE UNUSED VISIBILITY WARN".split()
)
# in front of what they qualify, where they are no value and not called
_KEYWORD = re.compile(rb"\b(" + _CAPITALS + rb")\b(?=\s+[\w~:\[*&(])(?!\s+\w+\))")
_CALLED = re.compile(rb"\s+\w+\s*\(")
_ATTRIBUTE = re.compile(rb"\b(" + _CAPITALS + rb")" + _ARGUMENTS + rb"(?=\s*[\w~*&=,}])")
# class MACRO Name : …, class MACRO(x) Name {
_CLASS_HEAD = re.compile(
    rb"\b(?:class|struct|union|enum)\s+((?:" + _CAPITALS + rb"\b" + _ARGUMENTS + rb"?\s+)+)"
    rb"(?=\w[\w:]*\s*(?:final\b\s*)?(?:<[^<>;{}]*>\s*)?[:{])"
)
# attributes behind a parameter list
_TRAILING = re.compile(
    rb"\)\s*(?:(?:const|noexcept|override|final)\s*)*+"
    rb"(" + _CAPITALS + _ARGUMENTS + rb"?(?:\s+" + _CAPITALS + _ARGUMENTS + rb"?)*+)(?=\s*[;{])"
)
# FOO_PRIVATE: in a class; a macro alone on its line, but for the head of a body
_LABEL = re.compile(rb"^[ \t]*(" + _CAPITALS + rb"[ \t]*:)[ \t]*$", re.MULTILINE)
_ALONE = re.compile(rb"^[ \t]*(" + _CAPITALS + _ARGUMENTS + rb"?)[ \t]*$(?!\s*[{:(])", re.MULTILINE)
_CONDITION = re.compile(
    rb"^[ \t]*\#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b(.*)", re.MULTILINE
)
_CONTINUES = re.compile(rb"\s*(?:else\b|[&|=?.,)])")
_MAX_NESTING = 30  # conditionals within conditionals; what lies deeper is not judged
_MAX_HEAD = 400  # bytes looked at before a conditional: a longer gap is no statement


def without_c_macros(source: bytes) -> Iterator[bytes]:
    """The source with what is no C to a parser blanked out, of the same length and with the same lines.

    First without all of it; then, in case one step does harm in this file, with one done less, or not at all.
    """
    directives = _without_texts(source)
    ways = [[step for step in _STEPS if step is not left_out] for left_out in _STEPS]
    for steps in (_STEPS, (_named_but_for_constructors, *_STEPS[1:]), *ways):
        yield _blanked(source, directives, steps)


def without_cut_conditionals(source: bytes) -> Iterator[bytes]:
    """The source (of C#) with only those conditionals blanked out that cut a statement or a block in two."""
    yield _blanked(source, _without_texts(source), [_cutting])


def _without_texts(source: bytes) -> bytes:
    return _TEXTS.sub(lambda found: found[0].translate(_BLANK), source)


def _blanked(source: bytes, directives: bytes, steps: Iterable[_Step]) -> bytes:
    code = bytearray(directives)
    for found in _DIRECTIVES.finditer(directives):
        _blank(code, *found.span())
    mended = bytearray(source)
    for start, end in _comments_in_directives(source, directives):
        _blank(mended, start, end)
    for step in steps:
        for start, end in step(directives, code):
            _blank(mended, start, end)
            _blank(code, start, end)
    return bytes(mended)


def _comments_in_directives(source: bytes, directives: bytes) -> Iterator[Range]:
    """Comments within macros: to the grammar a macro ends where one begins."""
    for line in _DIRECTIVES.finditer(directives):
        if b"/*" in source[line.start() : line.end()]:
            for found in _TEXTS.finditer(source, *line.span()):
                if found[0].startswith(b"/*") and found[0].endswith(b"*/"):
                    yield found.span()


def _named(_: bytes, code: bytearray) -> list[Range]:
    """Macros whose names say that they are keywords or attributes."""
    attributes = (found for found in _ATTRIBUTE.finditer(code) if _says(found[1], _ATTRIBUTES))
    keywords = (found for found in _KEYWORD.finditer(code) if _says(found[1], _KEYWORDS))
    return [found.span() for found in (*attributes, *keywords)]


def _named_but_for_constructors(directives: bytes, code: bytearray) -> list[Range]:
    """The same but for those before ``name(``: below ``template <…>`` the grammar wants a type there."""
    return [span for span in _named(directives, code) if not _CALLED.match(code, span[1])]


def _says(name: bytes, words: frozenset[bytes]) -> bool:
    return not words.isdisjoint(name.rstrip(b"0123456789").split(b"_"))


def _headed(_: bytes, code: bytearray) -> list[Range]:
    """Macros in the heads of classes and behind those of functions, and for access specifiers."""
    patterns = (_CLASS_HEAD, _TRAILING, _LABEL)
    return [found.span(1) for pattern in patterns for found in pattern.finditer(code)]


def _alone(_: bytes, code: bytearray) -> list[Range]:
    """Macros that are a line of their own and no part of what begins before."""
    return [found.span(1) for found in _ALONE.finditer(code) if _last_before(code, found.start()) in b";{}:)"]


def _last_before(code: bytearray, position: int) -> bytes:
    """The last sign of code before a position; empty if there is none near."""
    return bytes(code[max(0, position - _MAX_HEAD) : position].rstrip()[-1:])


def _blank(text: bytearray, start: int, end: int) -> None:
    text[start:end] = text[start:end].translate(_BLANK)


@dataclass(slots=True)
class _Group:
    """A conditional: where its directives stand; whether its first branch is dead (``#if 0``)."""

    dead: bool
    directives: list[Range] = field(default_factory=list)


class _Conditionals:
    """The conditionals of a file, judged from the innermost outwards.

    Args:
        directives: the text without comments and literals.
        code: the same without directives, too; what is blanked here is judged no more.
    """

    def __init__(self, directives: bytes, code: bytearray) -> None:
        self._directives = directives
        self._code = code

    def cutting(self) -> list[Range]:
        """Directives and branches to blank out."""
        ranges: list[Range] = []
        stack: list[_Group] = []
        for found in _CONDITION.finditer(self._directives):
            word = found[1]
            if word.startswith(b"if"):
                stack.append(_Group(word == b"if" and found[2].strip() == b"0"))
            if stack:
                stack[-1].directives.append(found.span())
            if stack and word == b"endif":
                group = stack.pop()
                ranges += self._of(group) if len(stack) < _MAX_NESTING else []
        return ranges

    def _of(self, group: _Group) -> list[Range]:
        places = group.directives
        branches = [(places[at][1], places[at + 1][0]) for at in range(len(places) - 1)]
        if not self._cuts(places[0][0], branches):
            return []
        others = branches[:1] + branches[2:] if group.dead else branches[1:]
        for start, end in others:
            _blank(self._code, start, end)
        return places + [gap for branch in others for gap in self._between_directives(*branch)]

    def _between_directives(self, start: int, end: int) -> Iterator[Range]:
        """A branch without its directives: macros defined there are defined."""
        for found in _DIRECTIVES.finditer(self._directives, start, end):
            yield start, found.start()
            start = found.end()
        yield start, end

    def _cuts(self, start: int, branches: list[Range]) -> bool:
        """Whether a conditional cuts a statement or a block in two."""
        texts = [bytes(self._code[first:last]) for first, last in branches]
        if not any(text.strip() for text in texts):
            return False
        if _last_before(self._code, start) not in b";{}:":
            return True
        return any(map(_is_fragment, texts))


def _is_fragment(text: bytes) -> bool:
    ended = text.rstrip()
    if not ended:
        return False
    if ended[-1:] not in b";{}" or _CONTINUES.match(text):
        return True
    return text.count(b"(") != text.count(b")") or _unbalanced(text)


def _unbalanced(text: bytes) -> bool:
    depth = 0
    for byte in re.findall(rb"[{}]", text):
        depth += 1 if byte == b"{" else -1
        if depth < 0:
            return True
    return depth != 0


def _cutting(directives: bytes, code: bytearray) -> list[Range]:
    """Conditionals that cut a statement or a block in two."""
    return _Conditionals(directives, code).cutting()


_STEPS: tuple[_Step, ...] = (_named, _headed, _alone, _cutting)
