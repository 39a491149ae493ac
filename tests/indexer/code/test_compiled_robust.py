"""Input that nobody would write, in languages that are compiled."""

import time

import pytest

from indexer.extract import extract_code

DEEP = 10_000
WIDE = 5000


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("rust", "fn f() {" + "{" * DEEP + "}" * DEEP + "}"),
        ("rust", "type A = " + "B<" * DEEP + "u8" + ">" * DEEP + ";"),
        ("rust", "a! {\n" * 1000 + "}\n" * 1000),
        ("c", "void f() {" + "{" * DEEP + "}" * DEEP + "}"),
        ("c", "int " + "*" * DEEP + "f(void) {}"),
        ("c", "#if A\n{\n" * DEEP + "#endif\n" * DEEP),
        ("cpp", "namespace a {\n" * 2000 + "}\n" * 2000),
        ("cpp", "class A {\n" * 2000 + "};\n" * 2000),
        ("cpp", "void " + "A<int>::" * 2000 + "f() {}"),
        ("csharp", "class A {\n" * DEEP + "}\n" * DEEP),
        ("csharp", "class A { object x = " + "a => " * DEEP + "1; }"),
        ("swift", "class A {\n" * 2000 + "}\n" * 2000),
        ("swift", "let x = " + "{ " * DEEP + "}" * DEEP),
        ("kotlin", "class A {\n" * DEEP + "}\n" * DEEP),
        ("kotlin", "val x = {" + " }" * 1000),
    ],
    ids=lambda value: value[:12],
)
def test_depth_has_no_bound(language, text):
    started = time.process_time()
    assert extract_code(language, text)
    assert time.process_time() - started < 10  # it is below one where nothing else runs


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("rust", "a! { fn f() {} }\n" * WIDE),
        ("c", "int f(void);\n" * WIDE + "int f(\n"),
        ("c", "FOO_BAR\n" * WIDE + "int f("),
        ("c", "FOO(" * WIDE),
        ("c", "class " + "FOO " * WIDE + "{"),
        ("c", "A" * 100_000 + " x {"),
        ("c", "#if A\n" + "#else\nint f( {\n" * WIDE + "#endif\n"),
        ("cpp", "void A::operator" + "<" * WIDE + "() {}"),
        ("csharp", "[A]\n" * WIDE + "class B {}"),
        ("swift", "extension A { func f() {} }\n" * WIDE),
        ("kotlin", "@A\n" * WIDE + "fun f() {}"),
    ],
    ids=lambda value: value[:12],
)
def test_wide_files_take_time_and_memory_by_their_size(language, text):
    started = time.process_time()
    drafts = extract_code(language, text)
    assert time.process_time() - started < 5
    assert sum(len(draft.body) for draft in drafts) < 10 * len(text)
