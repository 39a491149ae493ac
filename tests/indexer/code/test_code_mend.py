"""What grammars cannot see through, and what must come out nonetheless."""

import pytest
from cases import cases_by_key
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.code.mend_c import without_c_macros
from indexer.code.mend_kotlin import without_soft_keywords
from indexer.extract import extract_code
from knowledge.types import Kind


def found(language, text):
    return [f"{d.name}:{d.start}-{d.end}" for d in extract_code(language, text) if d.name and not d.part]


@pytest.mark.parametrize(
    ("language", "expected", "text"), cases_by_key(__file__, "short_texts.toml", "mended")
)
def test_definitions_are_found_behind_what_a_grammar_does_not_know(language, expected, text):
    assert found(language, text) == expected.split()


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
