"""What grammars cannot see through, and what must come out nonetheless."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.code.extract import extract_code
from indexer.code.mend_c import without_c_macros
from indexer.code.mend_kotlin import without_soft_keywords
from knowledge.types import Kind


def found(language, text):
    return [(d.name, d.start, d.end) for d in extract_code(language, text) if d.name and not d.part]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("cpp", "class FOO_API A final : public B<int> {\n  void f();\n};\n", [("A", 1, 3), ("A.f", 2, 2)]),
        ("cpp", "struct ALIGNED(16) A {\n  int a;\n};\nvoid f() {}\n", [("A", 1, 3), ("f", 4, 4)]),
        ("cpp", "LIB_BEGIN_NAMESPACE\nclass A : B {\n};\nLIB_END_NAMESPACE\n", [("A", 2, 3)]),
        ("cpp", "class A {\n  TESTED_PRIVATE:\n  void f() {}\n};\n", [("A", 1, 4), ("A.f", 3, 3)]),
        ("cpp", "struct A {\n  FOO_API ~A();\n  FOO_INLINE A(int a) : a(a) {}\n};\n", None),
        ("c", "void f(const char *a, ...) PRINTF_LIKE(1, 2);\n", [("f", 1, 1)]),
        ("c", 'FOO_EXTERN CODE FOO_DEPRECATED(7.5, "use g")\nf(int a, const char *b);\n', [("f", 1, 2)]),
        (
            "c",
            "#if A\nint f(int a) {\n#else\nint f(long a) {\n#endif\n  return 1;\n}\nint g(void) { }\n",
            [("f", 2, 7), ("g", 8, 8)],
        ),
        (
            "c",
            "int f(int a)\n{\n  if (a) {\n#if A\n  } else {\n    b();\n#endif\n  }\n}\nint g(void) { }\n",
            [("f", 1, 9), ("g", 10, 10)],
        ),
        (
            "c",
            "int f(void)\n{\n  int a =\n#ifdef A\n    1\n#else\n    2\n#endif\n    ;\n}\nint g(void) { }\n",
            [("f", 1, 10), ("g", 11, 11)],
        ),
        (
            "c",
            "#define M(a) do { \\\n  a; /* why */ \\\n  b; } while (0)\nint f(void) { }\n",
            [("M", 1, 3), ("f", 4, 4)],
        ),
        (
            "rust",
            "cfg_a! {\n  pub fn f() {}\n  cfg_b! {\n    struct A;\n  }\n}\n",
            [("f", 2, 2), ("A", 4, 4)],
        ),
        ("rust", "impl A {\n  cfg_a! {\n    fn f(&self) {}\n  }\n}\n", [("A.f", 3, 3)]),
        ("rust", "fn f() {\n  vec! { 1 };\n}\nquote! { fn $x }\n", [("f", 1, 3)]),
        (
            "csharp",
            "abstract class A\n#if X\n  : B\n#endif\n{\n  void F() { }\n}\nclass C { }\n",
            [("A", 1, 7), ("A.F", 6, 6), ("C", 8, 8)],
        ),
        ("kotlin", "fun f() {}\n/** D. */\n@A(B::class)\npublic fun g() {}\n", [("f", 1, 1), ("g", 3, 4)]),
        ("kotlin", "@A(x = B)\n@C\n@D(E)\nannotation class F\n\n/** D. */\n@C\nclass G\n", None),
        (
            "kotlin",
            "class A<T>\nactual constructor(val a: T) : B<T> {\n  fun f() {}\n}\n",
            [("A", 1, 4), ("A.f", 3, 3)],
        ),
        ("kotlin", "object A : B() { fun f() {} }\nfun interface C { fun g() }\nfun h() {}\n", None),
        (
            "kotlin",
            "class A {\n  fun f() {\n    val in1 = g()\n    in1.close()\n  }\n  fun h() {}\n}\n",
            None,
        ),
        ("kotlin", 'context(a: A)\nfun f() {}\nval a = $$"""$b"""\nfun g() {}\n', None),
    ],
)
def test_definitions_are_found_behind_what_a_grammar_does_not_know(language, text, expected):
    by_text = {
        "struct A": [("A", 1, 4), ("A.~A", 2, 2), ("A.A", 3, 3)],
        "object A": [("A", 1, 1), ("A.f", 1, 1), ("C", 2, 2), ("C.g", 2, 2), ("h", 3, 3)],
        "class A ": [("A", 1, 7), ("A.f", 2, 5), ("A.h", 6, 6)],
        "@A(x = B": [("F", 4, 4), ("G", 8, 8)],
        "context(": [("f", 2, 2), ("g", 4, 4)],
    }
    assert found(language, text) == (expected or by_text[text[:8]])


def test_text_comes_as_it_is_written():
    text = "class FOO_API A : B<int> {\n#ifdef X\n  void f() {\n#else\n  void f(int) {\n#endif\n  }\n};\n"
    (card,) = [draft for draft in extract_code("cpp", text) if draft.kind is Kind.CLASS]
    (unit,) = [draft for draft in extract_code("cpp", text) if draft.kind is Kind.UNIT]
    assert card.signature == "class FOO_API A : B<int>"
    assert unit.body == "  void f() {\n#else\n  void f(int) {\n#endif\n  }"


PIECES = st.sampled_from(
    [
        *("FOO_API", "class", "A", "{", "}", "(", ")", ";", ":", '"', "'", "/*", "*/", "//", "\\", "$$", "é"),
        *("in1", "get(1)", "set", "\n", "\n#if 0\n", "\n#ifdef A\n", "\n#else\n", "\n#endif\n"),
        "\n#define M(a) \\\n",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=60).map(" ".join))
def test_mended_text_has_the_same_length_and_the_same_lines(text):
    source = text.encode()
    lines = [at for at, byte in enumerate(source) if byte == 0x0A]
    for mended in (*without_c_macros(source), *without_soft_keywords(source)):
        assert len(mended) == len(source)
        assert [at for at, byte in enumerate(mended) if byte == 0x0A] == lines
