"""What names, signatures, docs and class cards say in languages that are compiled."""

import pytest

from indexer.code.extract import extract_code
from indexer.languages import language_of_header
from indexer.recipe import language_in
from knowledge.types import Kind


def only(language, text, name, kind=Kind.UNIT):
    (draft,) = [d for d in extract_code(language, text) if d.name == name and d.kind is kind and not d.part]
    return draft


def names(language, text):
    return [draft.name for draft in extract_code(language, text) if draft.name]


@pytest.mark.parametrize(
    ("language", "text", "name", "signature"),
    [
        ("rust", "#[inline]\npub unsafe fn f<'a>(\n  x: &'a u8, // why\n) -> u8 { 1 }", "f", None),
        ("rust", "macro_rules! m { ($x:expr) => { $x } }", "m", "macro_rules! m"),
        ("c", "#define MAX(a, b) \\\n  ((a) > (b))\n", "MAX", "#define MAX(a, b)"),
        ("c", "#define M(a, \\\n  b) \\\n  (a)\n", "M", "#define M(a, b)"),
        ("cpp", "int f(\n#ifdef A\n  int a\n#else\n  long a\n#endif\n) { }", "f", "int f(int a long a)"),
        ("c", "int f(a, b)\n  int a;\n  char *b;\n{ }", "f", "int f(a, b) int a; char *b"),
        ("cpp", "template <class T>\nT *A<T>::f(int a) const noexcept { }", "A.f", None),
        ("cpp", "A::A(int a) : B(a), c{a} { }", "A.A", "A::A(int a)"),
        ("cpp", "class A { A() = default; };", "A.A", "A() = default"),
        (
            "csharp",
            "class A { [X(1)] public int F([Y] int a = 1) => a; }",
            "A.F",
            "public int F([Y] int a = 1)",
        ),
        ("csharp", "class A { public int this[int i] { get => 1; } }", "A.this[]", "public int this[int i]"),
        ("swift", "struct A { @B(1) func f(_ a: Int) -> Int { a } }", "A.f", "func f(_ a: Int) -> Int"),
        ("swift", "class A { convenience init?(a: Int) { } }", "A.init", "convenience init?(a: Int)"),
        ("swift", "class A { @B public init(a: Int) { } }", "A.init", "public init(a: Int)"),
        ("kotlin", "@A(1) suspend fun <T> f(\n  a: T, // why\n): T = a\n", "f", "suspend fun <T> f(a: T): T"),
        ("kotlin", "class A {\n  val a: Int\n    get() = 1\n}\n", "A.a", "val a: Int"),
    ],
)
def test_signature_is_the_declaration_on_one_line(language, text, name, signature):
    expected = {
        "f": "pub unsafe fn f<'a>(x: &'a u8) -> u8",
        "A.f": "template <class T> T *A<T>::f(int a) const noexcept",
    }
    assert only(language, text, name).signature == (signature or expected[name])


@pytest.mark.parametrize(
    ("language", "text", "name", "doc"),
    [
        ("rust", "/// One.\n///\n/// Two.\n#[x]\nfn f() {}", "f", "One.\n\nTwo."),
        ("rust", "/** One. */\nfn f() {}", "f", "One."),
        ("c", "/**\n * One.\n */\nint f(void) { }", "f", "One."),
        ("cpp", "//! One.\ntemplate <class T>\nvoid f() { }", "f", "One."),
        (
            "csharp",
            '/// <summary>\n/// One <see cref="B"/>.\n/// </summary>\n/// <param name="a">Two.</param>\n'
            "/// <returns>Three.</returns>\nint F(int a) { }",
            "F",
            "One B.\na: Two.\nThree.",
        ),
        ("swift", "/// One.\n@objc\nfunc f() {}", "f", "One."),
        ("kotlin", "/** One. */\n@A\nfun f() {}\n", "f", "One."),
    ],
)
def test_doc_is_the_comment_above(language, text, name, doc):
    assert only(language, text, name).doc == doc


def test_inner_doc_comments_document_the_module():
    assert extract_code("rust", "//! About.\n//!\n//! More.\n\nuse a;\n")[0].doc == "About.\n\nMore."


@pytest.mark.parametrize(
    ("language", "text", "inside"),
    [
        (
            "rust",
            "struct A { x: u8 }\nimpl A { pub fn f(&self) { 1 } }\nimpl T for A { fn g() {} }",
            "fn g()",
        ),
        ("rust", "mod m {\n  struct A;\n  impl A { fn f() {} }\n}", "fn f()"),
        ("swift", "struct A { let x: Int }\nextension A: B { func f() { } }", "func f()"),
        ("kotlin", "class A { }\nfun A.f() { }\n", "fun A.f()"),
        ("cpp", "struct A { int x; };\nvoid A::f() { }", "void A::f()"),
    ],
)
def test_class_card_lists_the_methods_written_outside_of_it(language, text, inside):
    (card,) = [draft for draft in extract_code(language, text) if draft.kind is Kind.CLASS]
    assert inside in card.body.split("\n")[-1]


def test_class_card_lists_a_declared_method_once():
    card = only("cpp", "struct A { void f(int a); };\nvoid A::f(int a) { g(); }", "A", Kind.CLASS)
    assert card.body.count("f(int a)") == 1


def test_prototype_counts_where_the_file_does_not_define_the_function():
    assert names("c", "int f(int a);\nint g(int a);\nint g(int a) { return 1; }\n") == ["f", "g"]
    assert names("cpp", "struct A { void f(); void g(); };\nvoid A::f() { }") == ["A", "A.g", "A.f"]


def test_declaration_within_a_function_is_no_prototype():
    assert names("cpp", "void f() { std::lock_guard<std::mutex> lock(mutex); int g(int); }") == ["f"]


def test_macros_that_are_called_are_no_functions():
    text = "class A { DISALLOW_COPY(A); Q_PROPERTY(int a); void f(); };\nLIST_OF(a);\nstatic SOME_MACRO(b);"
    assert names("cpp", text) == ["A", "A.f"]


def test_type_is_known_by_its_tag_and_by_its_typedef():
    text = (
        "typedef struct tag { int a; } name;\ntypedef struct { int a; } only;\ntypedef enum same { A } same;"
    )
    assert sorted(names("c", text)) == ["name", "only", "same", "tag"]
    assert only("c", text, "tag", Kind.CLASS).signature == "typedef struct tag … name"


def test_namespaces_qualify_unless_they_are_there_not_to_be_named():
    assert names("cpp", "namespace a::b { namespace { void f() { } } }") == ["a.b.f"]
    assert names("cpp", "namespace a { inline namespace v1 { class B { }; } }") == ["a.B"]
    assert names("csharp", "namespace A.B { class C { } }") == ["C"]


def test_both_branches_of_a_conditional_are_read():
    text = "#ifdef A\nint f(void) { return 1; }\n#else\nint f(void) { return 2; }\n#endif\n"
    assert names("c", text) == ["f", "f"]


def test_test_macros_give_the_name_of_the_test():
    assert names("cpp", "TEST_F(Parser, Reads) { }\nint main() { }") == ["Parser.Reads", "main"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", "c"),
        ("int f(void);\nstruct a { int class_; };", "c"),
        ('#ifdef __cplusplus\nextern "C" {\n#endif\nint f(int);\n#ifdef __cplusplus\n}\n#endif', "c"),
        ("#ifdef __cplusplus\nnamespace a { class B; }\n#else\nint f(void);\n#endif", "c"),
        ("/* class A { public: std::string a; } */\n// namespace b {\nint a;", "c"),
        ('#define NAME "std::vector"\n', "c"),
        ("@interface A : NSObject\n- (void)f;\n@end", "c"),
        ("class A {\n};", "cpp"),
        ("class A : public B {", "cpp"),
        ("namespace a {", "cpp"),
        ("template <typename T> T f();", "cpp"),
        ("#include <vector>\n", "cpp"),
        ("#include <stdio.h>\n", "c"),
        ("struct A {\n public:\n  int a;\n};", "cpp"),
        ("inline int f() { return a::b(); }", "cpp"),
        ("struct A { bool operator==(const A&) const; };", "cpp"),
        ("enum class A { B };", "cpp"),
        ("struct A { A() = default; };", "cpp"),
    ],
)
def test_header_is_cpp_by_the_signs_of_it(text, language):
    assert language_of_header(text) == language


def test_only_headers_are_judged_by_what_they_say():
    cpp = b"class A {\n public:\n};\n"
    assert [language_in(path, cpp) for path in ("a.h", "A.H", "a.c", "a.hpp")] == ["cpp", "cpp", "c", "cpp"]
    assert language_in("a.h", b"int f(void);\n") == "c"
