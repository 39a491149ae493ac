"""Input that nobody would write, and that repositories hold."""

import time

import pytest
from drafts import names

from indexer.code.scan import MAX_DEPTH
from indexer.extract import extract_code
from indexer.languages import CODE_LANGUAGES
from knowledge.types import Kind

DEEP = 10_000


@pytest.mark.parametrize("language", [language.name for language in CODE_LANGUAGES])
@pytest.mark.parametrize("text", ["", "\n", "\ufeff", "\r\n", " \t ", "\x00", "\x0c", "}{)(\"'`", "\ud800"])
def test_text_without_code_gives_the_module_card_alone(language, text):
    (card,) = extract_code(language, text)
    assert (card.kind, card.name, card.start) == (Kind.MODULE, "", 1)
    assert card.end == max(1, text.count("\n"))


def test_broken_syntax_gives_what_can_be_recovered():
    ours, theirs = "def ours():\n    return 1\n", "def theirs():\n    return 2\n"
    text = f"<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> b\n\ndef after(): pass\n"
    assert names("python", text) == ["ours", "theirs", "after"]
    assert names("python", "def (a):\n    def g(): pass\n") == ["g"]
    assert names("java", "class A { void f( { }\nclass B { void ok() {} }")[-1].endswith("B.ok")


def test_line_ends_and_byte_order_mark_do_not_change_what_is_found():
    text = "import os\n\nclass A:\n    '''Doc.'''\n    def f(self):\n        # x\n        return 1\n"
    unix = extract_code("python", text)
    assert extract_code("python", "\ufeff" + text.replace("\n", "\r\n")) == unix


def test_only_line_feeds_end_lines():
    text = "x = 1\x0c\ny = '\u2028 \x85 \x0b'\n\x0cdef f():\n    return '\x1c'\n"
    (unit,) = [draft for draft in extract_code("python", text) if draft.kind is Kind.UNIT]
    assert (unit.start, unit.end) == (3, 4)
    assert unit.body == "\x0cdef f():\n    return '\x1c'"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", "x = " + "(" * DEEP + ")" * DEEP),
        ("python", "x = " + "[" * DEEP),
        ("python", "\n".join(" " * i + "if x:" for i in range(1000)) + "\n" + " " * 1000 + "pass\n"),
        ("javascript", "x = " + "{a: " * DEEP + "1" + "}" * DEEP),
        ("javascript", "function f(){\n" * DEEP + "}\n" * DEEP),
        ("javascript", "function f() {\n" + "if (a) {\n" * DEEP + "}\n" * DEEP + "}\n"),
        ("typescript", "type A = " + "{a: " * DEEP + "1" + "}" * DEEP),
        ("tsx", "const x = " + "<a>" * DEEP + "</a>" * DEEP),
        ("go", "package a\nfunc f() {\n" + "{\n" * DEEP + "}\n" * DEEP + "}\n"),
        ("java", "class A {\n" * DEEP + "}\n" * DEEP),
    ],
    ids=lambda value: value[:12],
)
def test_depth_has_no_bound(language, text):
    assert extract_code(language, text)


def test_definitions_below_the_deepest_level_stay_in_their_parents_body():
    found = [d for d in extract_code("javascript", "function f(){" * 100 + "}" * 100) if not d.part]
    assert len([draft for draft in found if draft.kind is Kind.UNIT]) == MAX_DEPTH


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            "javascript",
            "".join(f"function f{i}(a){{return a}}var g{i}=class{{m(){{}}}};" for i in range(5000)),
        ),
        ("typescript", "class A {\n" + "@d\n" * 5000 + "m() {}\n}\n"),
        ("go", "package a\nvar " + ", ".join(f"a{i}" for i in range(5000)) + " = func() {}\n"),
        ("python", "# c\n" * 20_000 + "def f(): pass\n"),
    ],
    ids=["minified", "decorators", "names", "comments"],
)
def test_wide_files_take_time_and_memory_by_their_size(language, text):
    started = time.process_time()
    drafts = extract_code(language, text)
    assert time.process_time() - started < 5  # the square would take minutes
    assert sum(len(draft.body) for draft in drafts) < 10 * len(text)


def test_names_keep_their_script():
    assert names("python", "class Größe:\n    def 名前(self): pass\n") == ["Größe", "Größe.名前"]
    assert names("java", "class Été { void été() {} }") == ["Été", "Été.été"]
    assert names("go", "package a\nfunc (ñ *Ñandú[T]) Ω() {}") == ["Ñandú.Ω"]
