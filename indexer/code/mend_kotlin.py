r"""Kotlin without what tree-sitter-kotlin 1.1 stumbles over, though it is Kotlin.

``actual`` or an annotation before a constructor on a line of its own, and ``annotation class`` below several
annotations, lead it astray. A member that ends on the line of its class's brace wants a ``;``
(``class A { fun f() {} }``). A line that begins with ``in1`` or ``get(1)`` is taken for an operator or an
accessor. It does not know context receivers, guards, ``$$"…"``, and quotes before the end of a raw string.
Names are spelt otherwise, but as long as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_REPAIRS: tuple[tuple[re.Pattern[bytes], bytes | None], ...] = (
    (re.compile(rb"(?m)^[ \t]*(context[ \t]*\([^()\n]*+\))"), None),
    (re.compile(rb"(?m)^[ \t]*(@[\w.]++(?:\([^()\n]*+\))?)(?=\s+(?:\w+\s+)?constructor\b)"), None),
    (re.compile(rb"(?m)^[ \t]*(actual)(?=\s+constructor\b)"), None),
    (re.compile(rb"\b(annotation)(?=\s+class\b)"), None),
    (re.compile(rb"(?<![\w$])(\$\$+)(?=\")"), None),
    (re.compile(rb'(?<=[^"])("+)(?="""(?!"))(?=["\s).,;])'), None),
    (re.compile(rb"(?m)^[ \t]*(?:is|in)\s[^\n{}]{1,200}?(\sif\s[^\n{}]{1,200})(?=->)"), None),
    (re.compile(rb"(?<![\w.])(suspend)(?=[ \t]*\(\()"), None),
    (re.compile(rb"(?<![\w`])([a-z])(?=(?<=i)[ns]\d|(?<=a)s\d|(?<=b)y\d|(?<=e)lse\d|(?<=c)atch\d)"), b"x"),
    (re.compile(rb"(?<=\bge)(t)(?=\([^)\s])"), b"x"),
    (re.compile(rb"(?<=\bse)(t)(?=\(\s*[\w.]+\s*[^\w\s).:])"), b"x"),
    (re.compile(rb"(?<![\w`])(?<!private )(?<!protected )(?<!internal )(s)(?=et\b(?!\s*\())"), b"x"),
    (re.compile(rb"""(?<=[\w)}\]>?"'!])([ ])(?=\})"""), b";"),
)


_ANNOTATION = re.compile(rb"(?m)^(@[\w.]++(?:\([^()\n]*+\))?)[ \t]*$")


def without_soft_keywords(source: bytes) -> Iterator[bytes]:
    """The source with those places blanked out or spelt otherwise, of the same length and the same lines.

    First this; then, in case it doesn't help, without the annotations of top-level declarations, too.
    """
    mended = bytearray(source)
    for place, spelling in _REPAIRS:
        for found in place.finditer(bytes(mended)):
            start, end = found.span(1)
            mended[start:end] = (spelling or b" ") * (end - start)
    yield bytes(mended)
    yield _ANNOTATION.sub(lambda found: b" " * len(found[0]), bytes(mended))
