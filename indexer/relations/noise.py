"""Calls that say nothing of a project: the languages' own functions, their types' methods, assertions.

They are a quarter of all calls, and who looks one up could only find a namesake. A name that the file itself
defines or imports is never left out (but for what test frameworks are imported for), nor is a method called
on ``self``, ``this`` or ``super``.
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
        frameworks: whole targets too, of test frameworks: what all tests import, tells of none.
    """

    functions: frozenset[str] = frozenset()
    methods: frozenset[str] = frozenset()
    objects: frozenset[str] = frozenset()
    frameworks: frozenset[str] = frozenset()

    def covers(self, target: str, own: AbstractSet[str]) -> bool:
        """Whether a call says nothing in a file that defines or imports the given names."""
        first, dot, rest = target.partition(".")
        if target in self.frameworks:
            return True
        if first in own:
            return False
        if target in self.functions or (dot and first in self.objects):
            return True
        if target.startswith(_OWN):
            return _ASSERTION.fullmatch(rest) is not None
        return bool(dot) and rest.rpartition(".")[2] in self.methods


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
    ),
    frameworks=_words("afterAll afterEach beforeAll beforeEach describe expect it test"),
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
_JUNIT = _words(
    "After AfterEach Before BeforeEach Disabled Ignore ParameterizedTest Test assertArrayEquals assertEquals"
    " assertFailsWith assertFalse assertNotEquals assertNotNull assertNotSame assertNull assertSame"
    " assertThat assertThrows assertTrue fail"
)
_JAVA = Noise(
    functions=_words(
        "ArrayList AssertionError Class Deprecated Double Error Exception FunctionalInterface HashMap HashSet"
        " IllegalArgumentException IllegalStateException Integer LinkedHashMap LinkedList List Long Nonnull"
        " NullPointerException Nullable Object Override RuntimeException SafeVarargs String StringBuilder"
        " SuppressWarnings UnsupportedOperationException getClass super this"
    ),
    frameworks=_JUNIT,
    methods=_METHODS
    | _words(
        "charAt entrySet equals getClass hashCode intValue isEqualTo isFalse isNull isTrue keySet stream"
        " valueOf"
    ),
    objects=_words("Arrays Collections Math Objects String System"),
)
_RUBY = Noise(
    functions=_words(
        "Array Class.new Float Hash Integer Module.new Rational String abort alias_method attr attr_accessor"
        " attr_reader attr_writer autoload binding block_given? catch class_eval define_method"
        " define_singleton_method exit extend fail format freeze gets include instance_eval"
        " instance_variable_get instance_variable_set is_a? lambda load loop module_function new nil? p pp"
        " prepend print printf private private_class_method private_constant proc protected public"
        " public_send puts raise refine require require_relative respond_to? send sleep sprintf super throw"
        " using warn"
        " after assert assert_equal assert_nil assert_raises before context describe eq expect it let"
        " Struct.new Data.define"
    ),
    methods=_METHODS
    | _words(
        "call class collect compact dup each each_with_index each_with_object empty? first flatten freeze"
        " include? inject inspect is_a? key? last map merge new nil? reject respond_to? select sort_by"
        " start_with? end_with? sub gsub to to_a to_h to_i to_s to_sym uniq values with_index zip"
    ),
    objects=_words("RSpec"),
)
_PHP = Noise(
    functions=_words(
        "Attribute Closure DateTime Exception InvalidArgumentException LogicException RuntimeException"
        " array_diff array_fill array_filter array_flip array_intersect array_key_exists array_keys"
        " array_map array_merge array_pop array_push array_reverse array_search array_shift array_slice"
        " array_sum array_unique array_unshift array_values array_walk call_user_func call_user_func_array"
        " class_exists compact count date define defined dirname explode file_exists func_get_args"
        " empty function_exists get_class implode in_array intval is_array is_bool is_callable is_int is_null"
        " is_numeric is_object is_string isset iterator_to_array json_decode json_encode ksort max"
        " method_exists min preg_match preg_replace print_r printf property_exists range rtrim sprintf"
        " str_contains str_ends_with str_replace str_starts_with strcmp strlen strpos strtolower"
        " strtoupper substr trim ucfirst usort var_dump"
    ),
    methods=_METHODS
    | _words("assertCount assertEquals assertFalse assertInstanceOf assertNull assertSame assertTrue"),
)
_SCALA = Noise(
    functions=_words(
        "Array Future List Map None Nil Option Right Left Seq Set Some String Vector assert assertEquals"
        " classOf implicitly inline main print println require summon tailrec test this throws"
    ),
    methods=_METHODS
    | _words(
        "apply asInstanceOf collect exists filter find flatMap fold foldLeft foreach getOrElse head"
        " isDefined isInstanceOf last map mkString nonEmpty tail toInt toList toMap toSeq toSet zip"
    ),
    objects=_words("List Map Math Option Seq Set String Vector"),
)
_SHELL = Noise(
    functions=_words(
        ". [ alias awk basename break builtin cat cd chmod chown command continue cp curl cut date declare"
        " dirname echo eval exec exit export false find getopts grep gzip head if kill let ln local ls mkdir"
        " mktemp mv popd printf ps pushd pwd read readonly return rm rmdir sed set shift shopt sleep sort"
        " source sudo tail tar tee test touch tr trap true type typeset ulimit umask unalias uname uniq unset"
        " wait wc which xargs"
        " assert_equal assert_failure assert_line assert_output assert_success bats_load_library load run"
    ),
)
_LUA = Noise(
    functions=_words(
        "assert describe dofile error getmetatable it ipairs loadfile loadstring next pairs pcall print"
        " rawequal rawget rawset require select setmetatable tonumber tostring type unpack xpcall"
    ),
    methods=_METHODS | _words("byte find gsub gmatch insert len match rep sub"),
    objects=_words("assert coroutine debug io math os string table"),
)
_RUST = Noise(
    functions=_words(
        "Box.new Default.default Err None Ok Self Some String.from String.new Vec.new assert assert_eq"
        " assert_ne cfg concat dbg debug_assert drop env eprint eprintln format include_str matches panic"
        " print println todo unimplemented unreachable vec write writeln"
    ),
    methods=_METHODS
    | _words(
        "all and_then any as_bytes as_mut as_ref as_slice as_str borrow borrow_mut clone cloned collect"
        " copied count default enumerate eq expect extend filter filter_map find first flat_map fold"
        " from_str get_mut insert into into_iter is_empty is_none is_ok is_some iter iter_mut last len"
        " map map_err next ok ok_or or_else parse position rev skip sum take to_owned to_string to_vec"
        " unwrap unwrap_or unwrap_or_default unwrap_or_else with_capacity zip"
    ),
    objects=_words("std core"),
    frameworks=_words("Arc.new Duration.from_millis Duration.from_secs Instant.now Mutex.new Poll.Ready"),
)
_C = Noise(
    functions=_words(
        "abort assert calloc exit fclose fopen fprintf fputs fread free fwrite malloc memcmp memcpy"
        " memmove memset offsetof perror printf putchar puts realloc sizeof snprintf sprintf sscanf"
        " strcat strchr strcmp strcpy strdup strerror strlen strncmp strncpy strrchr strstr strtol"
        " va_arg va_end va_start vsnprintf"
    ),
)
_CPP = Noise(
    functions=_C.functions
    | _words(
        "const_cast dynamic_cast reinterpret_cast static_cast ASSERT_EQ ASSERT_FALSE ASSERT_NE"
        " ASSERT_TRUE EXPECT_EQ EXPECT_FALSE EXPECT_NE EXPECT_THROW EXPECT_TRUE CHECK REQUIRE"
    ),
    methods=_METHODS
    | _words(
        "at back begin c_str clear count cbegin cend data emplace_back empty end erase find front insert"
    )
    | _words("push_back reserve resize substr"),
    objects=_words("std"),
)
_C_SHARP = Noise(
    functions=_words(
        "Exception Fact FromBody FromQuery HttpGet HttpPost InlineData InvalidOperationException"
        " ArgumentException ArgumentNullException NotImplementedException NotSupportedException Obsolete"
        " Serializable Test TestMethod Theory nameof typeof List Dictionary HashSet StringBuilder Task"
    ),
    methods=_words(
        "Add Any All Append Contains ContainsKey Count Distinct EndsWith Equals First FirstOrDefault"
        " Format GetHashCode GetType IndexOf Insert Invoke Join OrderBy Replace Select SelectMany Single"
        " Split StartsWith Substring Sum ToArray ToDictionary ToList ToLower ToString ToUpper Trim Where"
        " ConfigureAwait"
    ),
    objects=_words("Assert Console Convert Enum Math String Task"),
)
_KOTLIN = Noise(
    functions=_words(
        "Deprecated IllegalArgumentException IllegalStateException JvmField JvmName JvmOverloads"
        " JvmStatic Override ReplaceWith Suppress Throws UnsupportedOperationException also apply arrayOf"
        " assert check checkNotNull emptyList emptyMap error"
        " lazy let listOf mapOf mutableListOf mutableMapOf mutableSetOf print println repeat require"
        " requireNotNull run setOf to with ArrayList HashMap Exception Pair"
    ),
    methods=_JAVA.methods
    | _words(
        "all also any apply associate count drop filter filterNotNull find first firstOrNull flatMap"
        " get getOrPut groupBy isNotEmpty isNullOrEmpty joinToString last let map mapNotNull orEmpty"
        " plus run single sortedBy sum take takeIf to toInt toList toLong toMap toMutableList toSet"
        " trimIndent use zip"
        " containsExactly hasSize isEqualTo isFalse isInstanceOf isNotNull isNull isSameAs isTrue"
    ),
    objects=_JAVA.objects,
    frameworks=_JUNIT,
)
_SWIFT = Noise(
    functions=_words(
        "Array Bool Character Data Date Dictionary Double Error Float Int Set String UInt8 URL"
        " XCTAssert XCTAssertEqual XCTAssertFalse XCTAssertNil XCTAssertNotNil XCTAssertThrowsError"
        " XCTAssertTrue XCTFail XCTUnwrap abs assert assertionFailure fatalError max min precondition"
        " preconditionFailure print stride type zip super.init expect NSLog defer dispatchPrecondition"
        " expectation wait waitForExpectations"
    ),
    methods=_METHODS
    | _words(
        "fulfill allSatisfy compactMap components count dropFirst dropLast enumerated filter first flatMap"
        " hasPrefix hasSuffix insert joined last lowercased map max min prefix reduce remove removeAll"
        " reversed sorted suffix trimmingCharacters uppercased"
    ),
)
_NOISE = {
    "python": _PYTHON,
    "javascript": _ECMASCRIPT,
    "typescript": _ECMASCRIPT,
    "tsx": _ECMASCRIPT,
    "go": _GO,
    "java": _JAVA,
    "rust": _RUST,
    "c": _C,
    "cpp": _CPP,
    "csharp": _C_SHARP,
    "kotlin": _KOTLIN,
    "swift": _SWIFT,
    "ruby": _RUBY,
    "php": _PHP,
    "scala": _SCALA,
    "bash": _SHELL,
    "lua": _LUA,
}
