"""What names and cards say in scripting languages."""

import time

import pytest
from drafts import only

from indexer.extract import extract_code
from knowledge.types import Kind


def test_ruby_card_keeps_declarations_and_no_ends():
    text = (
        "class A < B\n  # Doc of f.\n  def f(a)\n    # Why.\n    secret\n  end\n\n  attr_reader :x\n\n"
        "  class << self\n    def g = hidden\n  end\nend\n"
    )
    assert only("ruby", text, "A", Kind.CLASS).body == (
        "class A < B\n  def f(a) …\n\n  attr_reader :x\n\n  class << self\n    def g = …\n  end\nend"
    )
    assert only("ruby", text, "", Kind.MODULE).body == "class A < B …"


def test_scala_definitions_end_before_the_comment_on_the_next():
    text = "object A:\n  def f =\n    1\n\n    // trails\n\n  /** Doc. */\n  def g = 2\n"
    assert (only("scala", text, "A.f").start, only("scala", text, "A.f").end) == (2, 3)
    assert only("scala", text, "A.g").doc == "Doc."


def test_lua_tables_lend_their_names():
    text = "local M = { a = { b = function() end } }\nfunction M.c:d() end\nreturn { e = function() end }\n"
    assert [d.name for d in extract_code("lua", text)[1:]] == ["M.a.b", "M.c.d", "e"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("class A; def A.f; end; end", "A.f"),
        ("class A; def B.f; end; end", "A.B.f"),
        ("module A; class << self; def f; end; end; end", "A.f"),
        ("A::B.define_singleton_method(:f) { 1 }", "f"),
        ("class A::B; def ==(o); end; end", "A.B.=="),
        ("F = ->(a) { a }", "F"),
        ("@f = Proc.new { |a| a }", "f"),
        ("scope :f, -> { 1 }", "f"),
    ],
)
def test_ruby_functions_are_named_by_what_they_are_bound_to(text, name):
    assert [d.name for d in extract_code("ruby", text) if d.kind is Kind.UNIT] == [name]


def test_blocks_of_dsls_are_no_units():
    text = "describe 'a' do\n  it('b') { 1 }\nend\ntask :c do\n  d\nend\nlet(:e) { 1 }\n"
    assert [draft.kind for draft in extract_code("ruby", text)] == [Kind.MODULE]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ruby", "class A\ndef A.f; end\n" + "def A.g; end\n" * 5000 + "end"),
        ("ruby", "def f\n" + "# c\n" * 20_000 + "end"),
        ("php", "<?php $x = [" + "'a' => fn() => 1,\n" * 5000 + "];"),
        ("scala", "object A:\n" + "  def f =\n    1\n    // c\n" * 5000),
        ("bash", "f() { :; }\n" * 10_000),
        ("lua", "t = { " + "a = function() end,\n" * 10_000 + "}"),
    ],
    ids=["singletons", "comments", "closures", "indents", "functions", "fields"],
)
def test_wide_scripts_take_time_and_memory_by_their_size(language, text):
    started = time.process_time()
    drafts = extract_code(language, text)
    assert time.process_time() - started < 5  # the square would take minutes
    assert sum(len(draft.body) for draft in drafts) < 10 * len(text)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ruby", "class A\n" * 5000),
        ("php", "<?php " + "if (a) {\n" * 10_000),
        ("scala", "class A {\n" * 5000),
        ("bash", "if x; then\n" * 5000),
        ("lua", "t = {" * 10_000),
        ("sql", "(" * 10_000),
    ],
)
def test_depth_has_no_bound(language, text):
    assert extract_code(language, text)
