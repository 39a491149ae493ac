r"""Names of others, as relations keep them.

- White space, comments within and type arguments are removed: ``Foo < T > :: bar`` → ``Foo.bar``.
- ``?.``, ``!.``, ``::``, ``->``, ``&.`` and ``\`` become ``.``; so does Lua's ``:``. ``self``, ``this`` and
  ``super`` stay: ``super().f`` → ``super.f``, ``$this->f`` → ``this.f``, ``(*Stream).f`` → ``Stream.f``.
- What is called on a value that has no name begins with a dot: ``load(path)[0].close`` → ``.close``. It is a
  method of that name, and no function.
- Of a base pointers, arguments and type arguments are removed: ``B[int]``, ``Base(1)``, ``*Base``.
- Of an import quotes and wildcards are removed, and a path keeps its slashes: ``'../lib/util'`` →
  ``../lib/util``, ``a.b.*`` → ``a.b``, ``"util.h"`` → ``./util.h``. A name out of a module follows it after a
  dot, out of a path (what is quoted) after ``#``: ``a.b.load``, ``./util#load``.
"""

from __future__ import annotations

import re
from functools import lru_cache

# Bytes of source looked at for one name.
MAX_WRITTEN = 400
# Characters. Longer are computed or generated names, which nobody asks for.
MAX_TARGET = 120
# Different callees as they are written; a large file has a few thousand.
_CACHED = 16_384
# Levels of type arguments within type arguments that are removed.
_DEEPEST = 6

_PLAIN = re.compile(r"[^\W\d][\w$]*(?:\.[^\W\d][\w$]*)*")
_COMMENT = re.compile(r"//[^\n]*\n|/\*.*?\*/|#[ !][^\n]*\n", re.DOTALL)
_SEPARATOR = re.compile(r"\s*(?:\?\.|!{1,2}\.|\?->|->|::|&\.|\.|\\)\s*|(?<=[\w)\]]):(?=\w)")
_ROOT = re.compile(r"\s*(?:\\|::)\s*")  # before PHP's and C++'s global names
_SUPER = re.compile(r"\bsuper\s*\([^()]*\)")
_NAME_IN_BRACKETS = re.compile(r"^\(\s*[*&]*\s*([\w$.]+)\s*\)(?=\.)")
_VARIABLE = re.compile(r"(?<![\w.])\$(?=\w+\.)")  # PHP's
_TYPE_ARGUMENTS = re.compile(r"\.<[^<>]*>(?=\.|$)|<[^<>]*>\s*")
_INDEX = re.compile(r"\[[^\[\]]*\]\s*$")
_TAIL = re.compile(r"\.?[@#$]*[^\W\d][\w$]*[?!]?(?:\.[@#$]*[^\W\d][\w$]*[?!]?)*$")
_AWAIT = re.compile(r"\.await\b")  # Rust's
_VALUE_ENDS = ")]}\"'`"
_BRACKET = re.compile(r"[(\[<{]")
_QUOTES = "\"'`<>; \t\r\n"
_QUOTE_BYTES = (b'"', b"'", b"`")
_FILE = re.compile(r"[\w+-]+\.(?:h|hh|hpp|hxx|inc|c|cc|cpp|php|rb|sh|bash|lua|sql)")  # no module is called so
_WILDCARD = re.compile(r"\.(?:\*|_)$")
_IMPORTED = re.compile(r"[^\s(){}\[\]=,'\"`$*|]*\w[^\s(){}\[\]=,'\"`$*|]*")
_SUBJECT = re.compile(r"[.#]?[^\W\d][\w$]*(?:(?:\.|#|::|/|-)[\w$]+)*")


@lru_cache(maxsize=_CACHED)
def callee_name(written: bytes) -> str:
    """The name of what is called, or ``""`` if it has none."""
    text = written.decode("utf-8", "replace")
    return _bounded(text if _PLAIN.fullmatch(text) else _tail(_dotted(text)))


@lru_cache(maxsize=_CACHED)
def base_name(written: bytes) -> str:
    """The name of a base, or ``""`` if it has none."""
    text = _dotted(written.decode("utf-8", "replace")).strip("(*& \t\r\n")
    return _bounded(_tail(_BRACKET.split(text, maxsplit=1)[0]))


@lru_cache(maxsize=_CACHED)
def import_name(module: bytes, name: bytes) -> str:
    """What is imported, or ``""`` if that is computed.

    Args:
        module: a module or path, or empty.
        name: a name out of it, or a whole module or path.
    """
    text = _imported(module or name)
    if module and name:
        joint = "#" if module[:1] in _QUOTE_BYTES else "" if text.endswith(".") else "."
        text = f"{text}{joint}{_imported(name)}" if text else ""
    text = _WILDCARD.sub("", text)
    return _bounded(text if _IMPORTED.fullmatch(text) else "")


def subject_name(written: bytes) -> str:
    """The name of what a test says it is about, or ``""`` if it says that in words."""
    text = written.decode("utf-8", "replace").strip(_QUOTES).removesuffix("()")
    return _bounded(text.replace("::", ".").replace("#", ".") if _SUBJECT.fullmatch(text) else "")


def _dotted(text: str) -> str:
    """The same with dots for separators, without comments, type arguments and what calls ``super``."""
    if rooted := _ROOT.match(text):
        text = text[rooted.end() :]
    if "\n" in text or "/*" in text:
        text = _COMMENT.sub(" ", text)
    text = _NAME_IN_BRACKETS.sub(r"\1", _SUPER.sub("super", _SEPARATOR.sub(".", text)))
    text = _VARIABLE.sub("", _AWAIT.sub("", text) if ".await" in text else text)
    for _ in range(_DEEPEST if "<" in text else 0):
        text = _TYPE_ARGUMENTS.sub("", text)
    return text.strip()


def _tail(text: str) -> str:
    """The dotted name that a text ends in, with a dot before it if that belongs to a value without a name."""
    text = _INDEX.sub("", text).rstrip()
    found = _TAIL.search(text)
    if found is None:
        return ""
    name = found[0]
    if found.start() and not name.startswith(".") and text[found.start() - 1] in _VALUE_ENDS:
        return "".join(name.partition(".")[1:])
    return name


def _imported(written: bytes) -> str:
    text = written.decode("utf-8", "replace").strip(_QUOTES)
    text = "".join(text.replace("::", ".").replace("\\", ".").split())
    return f"./{text}" if _FILE.fullmatch(text) and not written.startswith(b"<") else text


def _bounded(name: str) -> str:
    return name if len(name) <= MAX_TARGET else ""
