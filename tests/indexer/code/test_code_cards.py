"""What signatures, docs and bodies say."""

import pytest

from indexer.code.extract import extract_code
from indexer.code.names import MAX_NAME, MAX_SIGNATURE
from knowledge.types import Kind


def only(language, text, name, kind=Kind.UNIT):
    (draft,) = [d for d in extract_code(language, text) if d.name == name and d.kind is kind and not d.part]
    return draft


@pytest.mark.parametrize(
    ("language", "text", "name", "signature"),
    [
        ("python", "@a\nasync def f(\n    x: int = 1, # why\n    *b,\n) -> str:\n    pass", "f", None),
        ("python", "def f(a='#', b='@'): pass", "f", "def f(a='#', b='@')"),
        ("javascript", "export const f = async (a) => a;", "f", "export const f = async (a)"),
        ("javascript", "class A { static async *g() {} }", "A.g", "static async *g()"),
        ("javascript", "const V = memo((p) => { return p; });", "V", "const V = memo((p))"),
        (
            "typescript",
            "abstract class A { abstract f(u: 'http://x'): void; }",
            "A.f",
            "abstract f(u: 'http://x'): void",
        ),
        ("typescript", "function f(): () => void { return g }", "f", "function f(): () => void"),
        ("typescript", "class A { @D({ a: 1 }) public f(): Map<a, b> {} }", "A.f", "public f(): Map<a, b>"),
        (
            "go",
            "package a\nfunc (s *S[T]) F(\n\ta int,\n) (int, error) {\n}",
            "S.F",
            "func (s *S[T]) F(a int) (int, error)",
        ),
        (
            "java",
            "class A { @X(1) public @Y int f(@N int a) throws E { } }",
            "A.f",
            "public int f(@N int a) throws E",
        ),
        ("java", "interface A { void f(); }", "A.f", "void f()"),
    ],
)
def test_signature_is_the_declaration_on_one_line(language, text, name, signature):
    assert only(language, text, name).signature == (signature or "async def f(x: int = 1, *b) -> str")


def test_long_signature_is_cut_visibly():
    text = "def f(" + ", ".join(f"argument_{i}" for i in range(1000)) + "): pass"
    signature = only("python", text, "f").signature
    assert len(signature) <= MAX_SIGNATURE
    assert signature.startswith("def f(argument_0, argument_1")
    assert signature.endswith("…")


def test_computed_name_is_bounded():
    text = "x = {['" + "a" * 5000 + "']: () => 1}"
    names = [draft.name for draft in extract_code("javascript", text) if draft.kind is Kind.UNIT]
    assert [len(name) <= 2 * MAX_NAME for name in names] == [True]


@pytest.mark.parametrize(
    ("language", "text", "name", "doc"),
    [
        ("python", 'def f():\n    """One.\n\n      Two.\n    Three.\n    """', "f", "One.\n\n  Two.\nThree."),
        ("python", "def f():\n    # why\n    r'''One.'''\n    x()", "f", "One."),
        ("python", "def f():\n    b'bytes'\n", "f", ""),
        ("python", "# One.\n# Two.\n@a\ndef f(): pass", "f", "One.\nTwo."),
        ("python", "# far\n\ndef f(): pass", "f", ""),
        ("python", "x = 1  # trailing\ndef f(): pass", "f", ""),
        ("python", "# ----------\n# noqa: E501\ndef f(): pass", "f", ""),
        ("javascript", "/**\n * One.\n *\n *   Two.\n */\nexport function f() {}", "f", "One.\n\n  Two."),
        ("javascript", "/** One. */\n// eslint-disable-next-line\nconst f = () => 1;", "f", "One."),
        ("javascript", "/* One. */ function f() {}", "f", ""),
        ("typescript", "class A {\n  /** One. */\n  @D()\n  // x\n  @E\n  f() {}\n}", "A.f", "One."),
        ("go", "package a\n\n// F does.\n//\n//go:noinline\nfunc F() {}", "F", "F does."),
        ("java", "class A {\n  /** One.\n   * Two. */\n  @X\n  void f() {}\n}", "A.f", "One.\nTwo."),
    ],
)
def test_doc_is_the_docstring_or_the_comment_directly_above(language, text, name, doc):
    assert only(language, text, name).doc == doc


def test_unit_body_is_its_lines_with_decorators_and_without_the_comment_above():
    text = "class A:\n    # above\n    @a\n    def f(self):\n        return 1\n    x = 2\n"
    assert only("python", text, "A.f").body == "    @a\n    def f(self):\n        return 1"


def test_class_card_keeps_header_fields_and_signatures_only():
    text = (
        "/** Doc. */\nclass A extends B {\n  size = 1;\n\n  /** Adds. */\n  add(a) {\n    return secret(a);\n"
        "  }\n\n  get = () => hidden();\n}\n"
    )
    card = only("javascript", text, "A", Kind.CLASS)
    assert card.body == "class A extends B {\n  size = 1;\n\n  add(a) …\n\n  get = () => …;\n}"
    assert (card.start, card.end, card.doc) == (2, 11, "Doc.")


def test_class_card_leaves_nested_classes_to_their_own_card():
    text = "class A:\n    class B:\n        x = 1\n        def f(self): pass\n    y = 2\n"
    assert only("python", text, "A", Kind.CLASS).body == "class A:\n    class B: …\n    y = 2"


def test_go_type_card_lists_the_methods_of_its_file():
    text = "package a\n\ntype S struct {\n\tx int\n}\n\nfunc (s *S) F() int { return 1 }\n"
    assert only("go", text, "S", Kind.CLASS).body == "type S struct {\n\tx int\n}\nfunc (s *S) F() int"


def test_module_card_is_the_code_outside_of_all_bodies():
    head = '"""Doc."""\nimport os\n\nLIMIT = 3\n\n\n'
    text = head + "class A:\n    secret = 1\n\n\ndef f():\n    return hidden\n\n\nf()\n"
    card = only("python", text, "", Kind.MODULE)
    assert card.body == '"""Doc."""\nimport os\n\nLIMIT = 3\n\nclass A: …\n\ndef f(): …\n\nf()'
    assert (card.start, card.end, card.doc) == (1, 15, "Doc.")


@pytest.mark.parametrize(
    ("language", "text", "doc"),
    [
        ("python", "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n# Tools.\nimport os\n", "Tools."),
        ("javascript", "// Copyright Somebody\n\n/* Tools. */\nimport a from 'a';\n", "Tools."),
        ("javascript", "/** Of f. */\nfunction f() {}\n", ""),
        ("go", "//go:build x\n\n// Copyright Somebody\n\n// Package a does.\npackage a\n", "Package a does."),
        ("java", "/* Licensed under the X */\npackage a;\n/** Of A. */\nclass A {}\n", ""),
    ],
)
def test_module_doc_is_the_header_comment_but_no_licence(language, text, doc):
    assert only(language, text, "", Kind.MODULE).doc == doc


def test_anonymous_callbacks_are_no_units():
    text = "run(() => {});\nlist.map(function () {});\nif (x) { (() => 1)(); }\n"
    assert [draft.kind for draft in extract_code("javascript", text)] == [Kind.MODULE]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("module.exports = function () {};", "exports"),
        ("module.exports = function read() {};", "read"),
        ("exports.read = () => 1;", "read"),
        ("module.exports = { read() {} };", "read"),
        ("A.prototype.read = function () {};", "A.read"),
        ("A.prototype = { read() {} };", "A.read"),
        ("a.b.read = function other() {};", "a.b.read"),
        ("A.prototype[Symbol.iterator] = function* () {};", "A[Symbol.iterator]"),
        ("class A { get ['read']() {} }", "A.read"),
        ("a.b['read'] = function () {};", "a.b.read"),
        ("(a || b).c.read = () => 1;", "read"),
        ("export default function () {}", "default"),
        ("export default () => 1;", "default"),
        ("const t = { 'it reads a.b': function () {} };", "t.it reads a.b"),
        ("const t = { deep: { read: async () => 1 } };", "t.deep.read"),
        ("function A() { this.read = () => 1; }", "A.read"),
        ("var read = (function () { return 1; });", "read"),
        ("const read = useCallback(() => 1, []);", "read"),
    ],
)
def test_functions_are_named_by_what_they_are_bound_to(text, name):
    names = [draft.name for draft in extract_code("javascript", text) if draft.kind is Kind.UNIT]
    assert name in names
    assert len(names) == len(set(names))
