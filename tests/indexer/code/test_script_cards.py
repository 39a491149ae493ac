"""What signatures, docs and cards say in scripting languages."""

import time

import pytest

from indexer.code.extract import extract_code
from knowledge.types import Kind


def only(language, text, name, kind=Kind.UNIT):
    (draft,) = [d for d in extract_code(language, text) if d.name == name and d.kind is kind and not d.part]
    return draft


@pytest.mark.parametrize(
    ("language", "text", "name", "signature"),
    [
        ("ruby", "private def f(\n  a, # why\n  b: 1\n)\n  a\nend", "f", "private def f(a, b: 1)"),
        ("ruby", "class A; def self.f; end; end", "A.f", "def self.f"),
        ("php", "<?php class A { #[X(1)]\npublic function f(\n  int $a, // why\n): ?B {} }", "A.f", None),
        ("scala", "@x class A { @y def f(a: Int)(implicit b: B): C = a }", "A.f", None),
        ("bash", "f() {\n  :\n}", "f", "f()"),
        ("lua", "local f = function(a, ...) -- why\nend", "f", "local f = function(a, ...)"),
        ("sql", "CREATE VIEW v (a) AS -- why\nSELECT 1;", "v", "CREATE VIEW v (a)"),
    ],
)
def test_signature_is_the_declaration_on_one_line(language, text, name, signature):
    kind = Kind.CLASS if language == "sql" else Kind.UNIT
    expected = {"php": "public function f(int $a): ?B", "scala": "def f(a: Int)(implicit b: B): C"}
    assert only(language, text, name, kind).signature == (signature or expected[language])


@pytest.mark.parametrize(
    ("language", "text", "name", "doc"),
    [
        ("ruby", "# One.\n#\n#   two\ndef f; end", "f", "One.\n\n  two"),
        ("ruby", "=begin\nOne.\n=end\ndef f; end", "f", "One."),
        ("ruby", "# One.\n# rubocop:disable Metrics\ndef f; end", "f", "One."),
        ("ruby", "class A\n  # One.\n  sig { void }\n  def f; end\nend", "A.f", "One."),
        ("php", "<?php\n/**\n * One.\n */\n#[A]\nfunction f() {}", "f", "One."),
        ("php", "<?php\n# One.\nfunction f() {}", "f", "One."),
        ("scala", "object A {\n  /** One.\n    * Two. */\n  @x def f = 1\n}", "A.f", "One.\nTwo."),
        ("bash", "# One.\n# shellcheck disable=SC1\nf() { :; }", "f", "One."),
        ("lua", "--- One.\n---@param a string\nfunction f(a) end", "f", "One.\n@param a string"),
        ("lua", "--[==[\nOne.\n]==]\nfunction f() end", "f", "One."),
    ],
)
def test_doc_is_the_comment_directly_above(language, text, name, doc):
    assert only(language, text, name).doc == doc


@pytest.mark.parametrize(
    ("language", "text", "doc"),
    [
        ("ruby", "#!/usr/bin/ruby\n# frozen_string_literal: true\n\n# Tools.\nrequire 'a'\n", "Tools."),
        ("php", "#!/usr/bin/php\n<?php\n/** Tools. */\nnamespace A;\n", "Tools."),
        ("bash", "#!/bin/sh\n# Copyright Somebody\n\n# Tools.\nset -e\n", "Tools."),
        ("lua", "--[[ Tools. ]]\nlocal M = {}\n", "Tools."),
        ("sql", "-- Tools.\nSET a = 1;\n-- of b\nCREATE TABLE b (c int);\n", "Tools."),
    ],
)
def test_module_doc_is_the_header_comment(language, text, doc):
    assert only(language, text, "", Kind.MODULE).doc == doc


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
