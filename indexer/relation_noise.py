"""Calls that say nothing of a project: the languages' own functions, their types' methods, assertions.

They are a quarter of all calls, and who looks one up could only find a namesake. A name that the file itself
defines or imports is never left out, nor is a method called on ``self``, ``this`` or ``super``.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache

_OWN = ("self.", "this.", "super.", "cls.", "Self.", "@")


@dataclass(frozen=True, slots=True)
class Noise:
    """What is left out of files in one language.

    Attributes:
        functions: whole targets.
        methods: last names of dotted targets.
        objects: first names of dotted targets.
    """

    functions: frozenset[str] = frozenset()
    methods: frozenset[str] = frozenset()
    objects: frozenset[str] = frozenset()

    def covers(self, target: str, own: AbstractSet[str]) -> bool:
        """Whether a call says nothing in a file that defines or imports the given names."""
        first, dot, rest = target.partition(".")
        if first in own:
            return False
        if not dot:
            return first in self.functions
        if first in self.objects:
            return True
        if target.startswith(_OWN):
            return _ASSERTION.fullmatch(rest) is not None
        return rest.rpartition(".")[2] in self.methods


@cache
def noise_of(language: str) -> Noise:
    """What is left out of files in a language of the table."""
    return _NOISE.get(language, Noise(methods=_METHODS))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Python's unittest; a project's own assertions have other names.
_ASSERTION = re.compile(
    r"assert(?:(?:Not)?(?:Equal|In|IsInstance|IsNone|Is|AlmostEqual|Regex)|IsNot(?:None)?|NotIn|True|False"
    r"|Raises(?:Regex)?|Warns(?:Regex)?|Logs|Greater(?:Equal)?|Less(?:Equal)?|CountEqual"
    r"|(?:Sequence|List|Tuple|Set|Dict|MultiLine)Equal)|subTest|skipTest|fail"
)

# Methods that strings and collections have in many languages, and that nobody names a thing of one's own by.
_METHODS = _words(
    "append concat contains endsWith endswith forEach format indexOf isEmpty join keys lastIndexOf length"
    " lower lstrip pop push replace replaceAll reverse rstrip shift size slice sort splice split startsWith"
    " startswith strip substring toLowerCase toString toUpperCase trim unshift upper"
)

_PYTHON = Noise(
    functions=_words(
        "abs all any bool bytearray bytes callable chr classmethod delattr dict dir divmod enumerate filter"
        " float format frozenset getattr globals hasattr hash hex id input int isinstance issubclass iter len"
        " list locals map max memoryview min next object open ord pow print property range repr reversed"
        " round set setattr slice sorted staticmethod str sum super tuple type vars zip super.__init__"
        " ArithmeticError AssertionError AttributeError EOFError Exception ImportError IndexError KeyError"
        " LookupError NameError NotImplementedError OSError OverflowError RuntimeError StopIteration"
        " SystemExit TypeError UnicodeDecodeError ValueError ZeroDivisionError"
    ),
    methods=_METHODS
    | _words("casefold decode encode extend isdigit items partition rpartition setdefault splitlines values"),
)
_ECMASCRIPT = Noise(
    functions=_words(
        "Array ArrayBuffer BigInt Boolean Date Error Map Number Object Promise Proxy RangeError RegExp Set"
        " String Symbol TypeError URL Uint8Array WeakMap WeakSet clearInterval clearTimeout isNaN parseFloat"
        " parseInt queueMicrotask require setImmediate setInterval setTimeout super"
        " afterAll afterEach beforeAll beforeEach describe expect it test"
    ),
    methods=_METHODS
    | _words(
        "catch charAt charCodeAt entries every filter find findIndex finally flat flatMap hasOwnProperty"
        " includes map padStart reduce some then values"
        " toBe toBeDefined toBeFalsy toBeInstanceOf toBeNull toBeTruthy toBeUndefined toContain toEqual"
        " toHaveBeenCalled toHaveBeenCalledTimes toHaveBeenCalledWith toHaveLength toHaveProperty toMatch"
        " toMatchInlineSnapshot toMatchObject toMatchSnapshot toStrictEqual toThrow toThrowError"
    ),
    objects=_words("Array JSON Math Number Object Promise Reflect String Symbol console describe it test"),
)
_GO = Noise(
    functions=_words(
        "any append bool byte cap clear close complex copy delete error float32 float64 int int16 int32 int64"
        " int8 len make max min new panic print println recover rune string uint uint16 uint32 uint64 uint8"
        " uintptr"
    ),
    methods=_words("Error Errorf Fatal Fatalf Helper Logf"),
)
_JAVA = Noise(
    functions=_words(
        "ArrayList AssertionError Class Deprecated Double Error Exception FunctionalInterface HashMap HashSet"
        " IllegalArgumentException IllegalStateException Integer LinkedHashMap LinkedList List Long Nonnull"
        " NullPointerException Nullable Object Override RuntimeException SafeVarargs String StringBuilder"
        " SuppressWarnings Test UnsupportedOperationException fail getClass super this"
        " assertArrayEquals assertEquals assertFalse assertNotEquals assertNotNull assertNotSame assertNull"
        " assertSame assertThat assertThrows assertTrue"
    ),
    methods=_METHODS | _words("charAt entrySet equals getClass hashCode intValue keySet stream valueOf"),
    objects=_words("Arrays Collections Math Objects String System"),
)
_NOISE = {
    "python": _PYTHON,
    "javascript": _ECMASCRIPT,
    "typescript": _ECMASCRIPT,
    "tsx": _ECMASCRIPT,
    "go": _GO,
    "java": _JAVA,
}
