"""What names and class cards say in languages that are compiled."""

import pytest
from cases import cases_by_key
from drafts import names, only

from indexer.extract import extract_code
from indexer.languages import language_of_header
from indexer.recipe import language_in
from knowledge.types import Kind


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("cpp", "/** \\brief Closes it.\n */\nvoid f() {}\n"),
        ("c", "/// @brief Closes it.\nvoid f(void) {}\n"),
        ("lua", "---@brief [[\n--- Closes it.\n---@brief ]]\nfunction f() end\n"),
    ],
)
def test_mark_of_the_brief_description_is_left_out(language, text):
    assert extract_code(language, text)[1].doc == "Closes it."


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


@pytest.mark.parametrize(("language", "text"), cases_by_key(__file__, "short_texts.toml", "headers"))
def test_header_is_cpp_by_the_signs_of_it(language, text):
    assert language_of_header(text) == language


def test_only_headers_are_judged_by_what_they_say():
    cpp = b"class A {\n public:\n};\n"
    assert [language_in(path, cpp) for path in ("a.h", "A.H", "a.c", "a.hpp")] == ["cpp", "cpp", "c", "cpp"]
    assert language_in("a.h", b"int f(void);\n") == "c"
