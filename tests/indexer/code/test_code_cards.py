"""What signatures, docs and bodies say."""

from functools import partial

import pytest
from cases import cases_by_key
from drafts import only

from indexer.code.names import MAX_NAME, MAX_SIGNATURE
from indexer.extract import extract_code
from knowledge.types import Kind

cases = partial(cases_by_key, __file__, "short_texts.toml")


@pytest.mark.parametrize(("language", "name", "signature", "text"), cases("signatures"))
def test_signature_is_the_declaration_on_one_line(language, name, signature, text):
    kind = Kind.CLASS if language == "sql" else Kind.UNIT
    assert only(language, text, name, kind).signature == signature


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


@pytest.mark.parametrize(("language", "name", "doc", "text"), cases("docs"))
def test_doc_is_the_docstring_or_the_comment_directly_above(language, name, doc, text):
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


@pytest.mark.parametrize(("language", "doc", "text"), cases("module_docs"))
def test_module_doc_is_the_header_comment_but_no_licence(language, doc, text):
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
