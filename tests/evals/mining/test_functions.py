"""Which functions differ between two versions of a file."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.mining.functions import compare, parse_version, version_of
from indexer.recipe import ParseContext
from knowledge.catalog.packed import pack, to_bytes
from knowledge.catalog.rows import FileRow
from knowledge.errors import SourceError
from knowledge.settings import Settings
from knowledge.taxonomy import load_taxonomy
from knowledge.types import SourceKind

CONTEXT = ParseContext(Settings(), load_taxonomy({}))


def version(text, path="src/a.py"):
    row = FileRow(path, "", len(text), 0, "", SourceKind.IMPLEMENTATION)
    return version_of(to_bytes(pack(parse_version(row, text.encode(), CONTEXT))), row)


def changed(before, after, path="src/a.py"):
    return [one.name for one in compare(version(before, path), version(after, path)).changed]


SAME = {
    "indentation and blank lines": (
        "a.py",
        "def f(x):\n    return x\n",
        "\n\ndef f( x ):\n\n        return x\n",
    ),
    "a comment": (
        "a.py",
        "def f(x):\n    return x\n",
        "def f(x):\n    # as it is\n    return x  # unchanged\n",
    ),
    "a docstring": (
        "a.py",
        "def f(x):\n    return x\n",
        'def f(x):\n    """As\n    it is."""\n    return x\n',
    ),
    "quotes": ("a.py", "def f(x):\n    return 'x'\n", 'def f(x):\n    return "x"\n'),
    "a wrapped call": (
        "a.py",
        "def f(x):\n    return g(x, 1)\n",
        "def f(x):\n    return g(\n        x,\n        1,\n    )\n",
    ),
    "a block comment": (
        "a.c",
        "int f(int x) {\n  return x;\n}\n",
        "int f(int x) {\n  /* as\n it is */ return x; // so\n}\n",
    ),
    "a Lua comment": (
        "a.lua",
        "function f(x)\n  return x\nend\n",
        "function f(x)\n  --[[ as\n it is ]]\n  return x\nend\n",
    ),
    "a prototype": ("a.h", "int f(int x);\nint g(void);\n", "int f(int x, int y);\nint g(void);\n"),
    "a Rust test": (
        "a.rs",
        "#[cfg(test)]\nmod tests {\n    #[test]\n    fn f() {\n        g(1);\n    }\n}\n",
        "#[cfg(test)]\nmod tests {\n    #[test]\n    fn f() {\n        g(2);\n    }\n}\n",
    ),
}


@pytest.mark.parametrize(("path", "before", "after"), SAME.values(), ids=SAME.keys())
def test_what_does_the_same_has_not_changed(path, before, after):
    assert changed(before, after, path) == []


def test_changed_function_is_given_as_it_was():
    before = "import os\n\n\ndef f():\n    return 1\n"
    (function,) = compare(version(before), version("def f():\n    return 2\n")).changed
    assert (function.id, function.name, function.start, function.end) == ("symbol:src/a.py::f", "f", 4, 5)


def test_functions_of_one_version_alone_are_counted():
    difference = compare(version("def f(): 1\ndef g(): 2\n"), version("def f(): 1\ndef h(): 3\ndef i(): 4\n"))
    assert (difference.changed, difference.added, difference.removed) == ((), 2, 1)


def test_method_changes_and_its_class_does_not():
    before = "class A:\n    size = 1\n\n    def f(self):\n        return 1\n"
    assert changed(before, before.replace("return 1", "return 2")) == ["A.f"]


def test_inner_function_changes_and_the_one_around_it_does_not():
    inner = "    def inner(x):\n        y = x\n        y += 1\n        y += 2\n        return y\n"
    before = f"def outer():\n{inner}    return inner\n"
    assert changed(before, before.replace("y += 2", "y += 3")) == ["outer.inner"]
    assert changed(before, before.replace("    return inner", "    return inner(1)")) == ["outer"]


def test_small_inner_function_is_the_text_of_the_one_around_it():
    before = "def outer():\n    def inner(x):\n        return x\n\n    return inner\n"
    assert changed(before, before.replace("return x", "return -x")) == ["outer"]


OVERLOADS = """\
class Sum {
  int add(int a) { return a; }
  int add(int a, int b) { return a + b; }
  int add(long a) { return 3; }
}
"""


def test_of_namesakes_the_one_that_changed_is_found():
    (function,) = compare(
        version(OVERLOADS, "Sum.java"), version(OVERLOADS.replace("a + b", "b + a"), "Sum.java")
    ).changed
    assert (function.id, function.start) == ("symbol:Sum.java::Sum.add~2", 3)


def test_namesake_that_is_inserted_before_the_others_changes_none():
    longer = OVERLOADS.replace("class Sum {\n", "class Sum {\n  int add(short a) { return 0; }\n")
    difference = compare(version(OVERLOADS, "Sum.java"), version(longer, "Sum.java"))
    assert (difference.changed, difference.added) == ((), 1)


@pytest.mark.parametrize(
    ("path", "text"), [("notes.md", "# Notes\n"), ("tests/test_a.py", "def test_a(): 1\n")]
)
def test_what_is_no_implementation_is_refused(path, text):
    with pytest.raises(SourceError):
        version(text, path)


BODIES = st.lists(st.integers(0, 99), min_size=1, max_size=6)


def source(bodies, *, margin="    "):
    return "".join(f"def f{number}():\n{margin}return {body}\n\n" for number, body in enumerate(bodies))


@given(BODIES, st.data())
def test_exactly_the_edited_functions_are_found(bodies, data):
    edited = data.draw(st.sets(st.sampled_from(range(len(bodies)))))
    after = [body + 100 if number in edited else body for number, body in enumerate(bodies)]
    assert changed(source(bodies), source(after, margin="  ")) == [f"f{number}" for number in sorted(edited)]
