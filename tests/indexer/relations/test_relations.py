"""What holds for the relations of every text."""

import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.extract import extract_code
from indexer.languages import CODE_LANGUAGES
from indexer.relations.extract import MAX_RELATIONS
from indexer.relations.names import MAX_TARGET

Relations = Callable[[str, str], dict[str, list[str]]]
LANGUAGES = [language.name for language in CODE_LANGUAGES]
FRAGMENTS = st.sampled_from(
    [
        "def f(a):\n  ",
        "class A(B[int], c.D):\n  ",
        "import a.b as c\n",
        "from . import x\n",
        "class A extends B {",
        "@dec(1)\n",
        "import x from './y';",
        "function f() {",
        "}",
        "new Foo<T>()",
        "a?.b!.c(",
        ")",
        "a.b[0].c()",
        "<A.B/>",
        "func (s *S) f() {",
        "x::y::<T>(1)",
        "super().f()",
        ".g()",
        "(",
        "[",
        "html`a`",
        "\n",
        "é.ü()",
    ]
)


@pytest.mark.parametrize("language", LANGUAGES)
@given(text=st.lists(FRAGMENTS, max_size=30).map("".join))
@settings(max_examples=25, deadline=None)
def test_relations_are_in_order_and_none_comes_twice(language: str, text: str) -> None:
    for draft in extract_code(language, text):
        said = [(one.line, one.kind, one.target) for one in draft.relations]
        assert said == sorted(said)
        assert len({(kind, target) for _, kind, target in said}) == len(said)
        assert all(0 < len(target) <= MAX_TARGET and not target.isspace() for _, _, target in said)
        assert all(draft.start <= line <= draft.end for line, _, _ in said)


def test_what_is_long_is_bounded(relations_in: Relations) -> None:
    calls = "\n".join(f"    call_{number}()" for number in range(MAX_RELATIONS + 10))
    long_name = "x" * (MAX_TARGET + 1)
    found = relations_in("python", f"def f():\n    {long_name}()\n{calls}\n")
    assert found["f"] == [f"calls call_{number}" for number in range(MAX_RELATIONS)]


def test_parts_of_a_large_unit_have_none(large_python: str) -> None:
    drafts = extract_code("python", large_python)
    assert [bool(draft.relations) for draft in drafts if draft.name == "large"] == [True, False, False, False]


def test_a_long_chain_takes_linear_time(relations_in: Relations) -> None:
    chain = "start" + "".join(f".step{number}(1)\n" for number in range(6_000))
    begun = time.process_time()
    found = relations_in("javascript", f"function f() {{ return {chain}; }}")
    assert time.process_time() - begun < 5
    assert len(found["f"]) == MAX_RELATIONS
    assert found["f"][0].startswith("calls start.step0")


def test_a_name_of_the_language_counts_where_the_file_defines_or_imports_it(relations_in: Relations) -> None:
    assert relations_in("python", "def f():\n    print(open('x'))\n") == {}
    imported = relations_in("python", "from gzip import open\ndef f():\n    print(open('x'))\n")
    assert imported["f"] == ["calls open"]
    defined = relations_in("go", "package p\nfunc len(a string) {}\nfunc f() { len(g()) }\n")
    assert defined["f"] == ["calls g", "calls len"]


def test_a_method_of_ones_own_counts_whatever_its_name(relations_in: Relations) -> None:
    found = relations_in("python", "class A:\n    def f(self, x):\n        self.append(x.strip())\n")
    assert found["A.f"] == ["calls self.append"]


def test_assertions_of_unittest_are_left_out_and_the_projects_own_are_not(relations_in: Relations) -> None:
    body = "        self.assertEqual(a(), 1)\n        self.assertStreamClosed()\n"
    found = relations_in("python", f"class T(TestCase):\n    def test_a(self):\n{body}")
    assert found["T.test_a"] == ["calls a", "calls self.assertStreamClosed"]


def test_comments_within_a_chain_are_no_names(relations_in: Relations) -> None:
    found = relations_in(
        "javascript", "function f() { return api // the. server\n  .users /* all */ .load(); }"
    )
    assert found["f"] == ["calls api.users.load"]


def test_what_is_called_is_normalised_the_same_in_all_languages(relations_in: Relations) -> None:
    assert relations_in("typescript", "a?.b!.c<T>()")[""] == ["calls a.b.c"]
    assert relations_in("python", "(a\n  .b\n  .c())")[""] == ["calls a.b.c"]
    assert relations_in("java", "class A { void f() { a.b(). <T> c(); this.<T>d(); } }")["A.f"] == [
        "calls .c",
        "calls a.b",
        "calls this.d",
    ]


def test_deep_nesting_costs_no_recursion(relations_in: Relations) -> None:
    depth = 3_000
    assert relations_in("python", "f(" * depth + ")" * depth)[""] == ["calls f"]


@pytest.fixture
def large_python() -> str:
    """A function that is cut into three parts."""
    return "def large():\n" + "\n".join(f"    call_{number}()" for number in range(170)) + "\n"
