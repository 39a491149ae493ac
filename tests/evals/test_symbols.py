"""The comparison with ctags, on texts of which both are known to say what they say."""

import re
import shutil

import pytest
from cases import rows

from evals.symbol_kinds import EXPLANATIONS, KINDS, UNREAD, explanation
from evals.symbols import Symbol, compare, main, missing, own_name, require_ctags, texts_of
from indexer.extract import extract_code
from indexer.languages import BY_NAME
from knowledge.errors import TaskError

needs_ctags = pytest.mark.skipif(shutil.which("ctags") is None, reason="universal-ctags is not installed")


def symbol(name, line, kind="function"):
    return Symbol("a", line, kind, name)


def test_every_language_is_compared_or_said_not_to_be():
    assert set(KINDS) | set(UNREAD) == set(BY_NAME)
    assert {language for one in EXPLANATIONS for language in one.languages} <= set(KINDS)


@pytest.mark.parametrize(
    ("name", "own"),
    rows("""
        close                close
        EventStream.close    close
        ns::Store::get       get
        M:read               read
        'quoted key'         quotedkey
        operator []          operator[]
        Order.[]=            []=
        A.[]                 []
        [dbo].[Order Items]  OrderItems
        #                    #
    """),
)
def test_names_are_compared_without_scope_quotes_and_blanks(name, own):
    assert own_name(name) == own


def test_each_definition_stands_for_one_symbol():
    drafts = extract_code("python", "def f():\n    pass\n\n\ndef f():\n    pass\n")
    symbols = [symbol("f", 1), symbol("f", 2), symbol("f", 5)]
    assert missing(symbols, drafts) == [symbol("f", 2)]
    assert missing([symbol("f", 1), symbol("f", 5)], drafts) == []


def test_symbol_elsewhere_is_missing():
    drafts = extract_code("python", "def f():\n    pass\n")
    assert missing([symbol("f", 9), symbol("g", 1)], drafts) == [symbol("f", 9), symbol("g", 1)]


def test_parts_stand_for_nothing():
    drafts = extract_code("python", "def f():\n" + "    x = 1\n" * 500)
    assert len(drafts) > 3
    assert missing([symbol("f", 1), symbol("f", 1)], drafts) == [symbol("f", 1)]


def test_broken_syntax_explains_nothing():
    seen = "name:identifier < enum_constant < enum_body"
    assert explanation("java", "method", seen)
    assert not explanation("java", "method", f"{seen} < ERROR")
    assert not explanation("java", "class", seen)
    assert not explanation("go", "method", seen)


@pytest.mark.parametrize("one", EXPLANATIONS, ids=lambda one: one.why)
def test_no_explanation_covers_a_definition(one):
    for seen in (
        "name:identifier < function_definition < module",
        "name:identifier < method_declaration",
        "",
    ):
        assert re.match(one.seen, seen) is None


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "a.py").write_text("class A:\n    def f(self):\n        def g(): pass\n\nx = 1\n")
    (tmp_path / "E.java").write_text(
        "enum E {\n  ONE() {\n    int f() { return 1; }\n  };\n  int f() { return 2; }\n}\n"
    )
    (tmp_path / "b.rb").write_text("class B\n  def f(a) = a\nend\nT = <<~X\n  def no\n  end\nX\n")
    (tmp_path / "deploy").write_text("#!/bin/bash\nmain() { :; }\nlist=()\n")
    (tmp_path / "t.cc").write_text("TEST(Suite, works) {\n  run();\n}\nint f() { return 1; }\n")
    (tmp_path / "notes.txt").write_text("def no(): pass\n")
    return tmp_path


@needs_ctags
def test_a_tree_is_compared_by_language(tree):
    texts = texts_of(tree, [])
    assert {language: sorted(files) for language, files in texts.items()} == {
        "python": ["a.py"],
        "java": ["E.java"],
        "ruby": ["b.rb"],
        "bash": ["deploy"],
        "cpp": ["t.cc"],
    }
    rows = {language: compare(tree, language, files) for language, files in texts.items()}
    counts = {language: (row.symbols, row.found, row.explained) for language, row in rows.items()}
    assert counts == {
        "python": (3, 3, 0),
        "java": (3, 2, 1),
        "ruby": (3, 2, 1),
        "bash": (2, 1, 1),
        "cpp": (2, 1, 1),
    }
    (miss,) = rows["java"].misses
    assert (miss.symbol.name, miss.symbol.line, miss.why) == ("ONE", 2, "an enum's constant that has a body")
    assert miss.seen.startswith("name:identifier < enum_constant")


@needs_ctags
def test_command_prints_recall_and_differences(tree, capsys):
    assert main(["--root", str(tree), "--language", "java", "--language", "python"]) == 0
    said = capsys.readouterr().out
    assert "| java | 1 | 3 | 2 | 66.67 % | 1 | 100.00 % |" in said
    assert "| all | 2 | 6 | 5 | 83.33 % | 1 | 100.00 % |" in said
    assert "1 java: an enum's constant that has a body (1 method)\n    E.java:2: method ONE" in said
    assert "ruby" not in said


@needs_ctags
def test_command_says_what_is_wrong_with_the_root(tmp_path, capsys):
    assert main(["--root", str(tmp_path / "nowhere")]) == 1
    assert "nowhere" in capsys.readouterr().err


def test_missing_ctags_is_said_with_a_remedy(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(TaskError, match=r"universal-ctags is not installed.*Install"):
        require_ctags()


def test_ctags_that_writes_no_json_is_said(monkeypatch, tmp_path):
    old = tmp_path / "ctags"
    old.write_text("#!/bin/sh\necho regex\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(TaskError, match="cannot write JSON"):
        require_ctags()
