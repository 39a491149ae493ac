"""Large units come in parts, too."""

from itertools import pairwise

from indexer.code.split import PART_CHARS, PART_LINES, SPLIT_LINES
from indexer.extract import extract_code
from knowledge.types import Kind


def units(language, text, name):
    return [draft for draft in extract_code(language, text) if draft.name == name and draft.kind is Kind.UNIT]


def assert_tiles(drafts, lines):
    whole, *parts = drafts
    assert whole.part == 0
    assert [part.part for part in parts] == list(range(1, len(parts) + 1))
    assert (parts[0].start, parts[-1].end) == (whole.start, whole.end)
    assert all(left.end + 1 == right.start for left, right in pairwise(parts))
    assert (
        "\n".join(part.body for part in parts) == whole.body == "\n".join(lines[whole.start - 1 : whole.end])
    )


def test_unit_up_to_the_limit_stays_whole():
    text = "def f():\n" + "    x = 1\n" * (SPLIT_LINES - 1)
    assert [draft.part for draft in units("python", text, "f")] == [0]


def test_large_unit_is_cut_between_statements():
    block = "    if x:\n" + "        y()\n" * 24
    text = "def f():\n" + block * 8 + "z = 1\n"
    drafts = units("python", text, "f")
    assert_tiles(drafts, text.split("\n"))
    assert len(drafts) == 5
    assert all(part.body.split("\n")[0] == "    if x:" for part in drafts[2:])
    assert all(part.end - part.start < PART_LINES for part in drafts[1:])


def test_statement_that_is_too_large_is_cut_at_its_own_statements():
    inner = "      while (a) {\n" + "        b();\n" * 28 + "      }\n"
    text = "function f() {\n  try {\n    if (x) {\n" + inner * 6 + "    }\n  } catch (e) {}\n}\n"
    drafts = units("javascript", text, "f")
    assert_tiles(drafts, text.split("\n"))
    assert all(part.body.split("\n")[0].strip() == "while (a) {" for part in drafts[2:])


def test_text_without_structure_is_cut_by_size():
    text = "def f():\n    return '''\n" + "words\n" * 1000 + "'''\n"
    drafts = units("python", text, "f")
    assert_tiles(drafts, text.split("\n"))
    assert max(part.end - part.start + 1 for part in drafts[1:]) == PART_LINES


def test_wide_lines_count_by_their_characters():
    text = "def f():\n" + f"    x = '{'a' * 190}'\n" * 60
    drafts = units("python", text, "f")
    assert_tiles(drafts, text.split("\n"))
    assert all(len(part.body) <= PART_CHARS for part in drafts[1:])


def test_comment_stays_with_the_statement_it_explains():
    text = (
        "package a\n\nfunc f() {\n" + ("\t// Explains.\n" + "\tx(\n" + "\t\t1,\n" * 36 + "\t)\n") * 5 + "}\n"
    )
    drafts = units("go", text, "f")
    assert_tiles(drafts, text.split("\n"))
    assert all(part.body.startswith("\t// Explains.") for part in drafts[2:])


def test_part_keeps_name_and_signature_and_leaves_the_doc_to_the_whole():
    text = "def f(a):\n    'Doc.'\n" + "    x = 1\n" * 200
    whole, *parts = units("python", text, "f")
    assert whole.doc == "Doc."
    assert {(part.name, part.signature, part.doc) for part in parts} == {("f", "def f(a)", "")}


def test_one_endless_line_stays_whole():
    text = "function f(){" + "x();" * 5000 + "}"
    assert [draft.part for draft in units("javascript", text, "f")] == [0]
