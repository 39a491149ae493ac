"""Every format, whatever the text: nothing raises, sections tile the file, bodies are its lines."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.documents.outline import text_lines
from indexer.formats.table import EXTRACTORS
from knowledge.types import Kind

PIECES = """\
Title|=====|-----|~~~~|.. _label:|.. note:: x|.. code-block:: python|   indented|:field: value
* item|1. one|::
== Section|= Title|[[anchor]]|[#id]|----|....|// comment|:attr: value|include::x[]|====|ifdef::x[]|'''
key: value|key:|  inner: 1|- name: a|- 1|---|...|&a x|*a|!tag x|? k|"q": 1|{{ .Values.x }}
key: [1, {a: 2}]|jobs:|steps:
{|}|[|]|"a": {|"b": [1, 2],|"\\u202e": 3|"open|// c|/* c|# c|\\|"paths": {|"/x": {|"get": {
openapi: 3.0.0|paths:
[table]|[[array]]|[tool.x]|x = \"\"\"|\"\"\"|y = [|]|z = {a = 1}|[a|; c|x=1
FROM python:3 AS build|RUN a && \\|    b|RUN <<EOF|EOF|CMD ["x"]|all: build ## Do|\tcmd|.PHONY: all
define X|endef|A := 1
plain words make a sentence here.|été 中文|\f|<<<<<<< HEAD|>>>>>>> x|\t\ttabs| |""".replace("\n", "|").split(
    "|"
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=50).map("\n".join)
LARGE = st.lists(st.sampled_from(PIECES), min_size=1, max_size=12).map(lambda lines: "\n".join(lines * 30))
FORMATS = pytest.mark.parametrize("name", sorted(EXTRACTORS))


@FORMATS
@given(text=TEXTS | st.text(max_size=300) | LARGE)
@settings(max_examples=60, deadline=None)
def test_sections_tile_the_lines_and_bodies_are_those_lines(name, text):
    drafts = EXTRACTORS[name](text).drafts
    lines = text_lines(text)
    document, *others = drafts
    assert (document.kind, document.start, document.end) == (Kind.DOCUMENT, 1, len(lines))
    sections = [draft for draft in others if not draft.part]
    assert {draft.kind for draft in others} <= {Kind.SECTION}
    assert all(after.start == before.end + 1 for before, after in pairwise(sections))
    assert not sections or sections[-1].end == len(lines)
    for draft in others:
        assert draft.start <= draft.end
        assert draft.body.split("\n") == lines[draft.start - 1 : draft.end]
    assert len({draft.anchor for draft in sections}) == len(sections)
    for section in sections:
        parts = [draft for draft in others if draft.part and draft.anchor == section.anchor]
        assert [part.part for part in parts] == list(range(1, len(parts) + 1))
        assert not parts or (parts[0].start, parts[-1].end) == (section.start, section.end)


@FORMATS
@given(text=TEXTS)
@settings(max_examples=25, deadline=None)
def test_line_ends_and_a_byte_order_mark_change_nothing(name, text):
    plain = EXTRACTORS[name](text)
    assert EXTRACTORS[name]("\ufeff" + text.replace("\n", "\r\n")) == plain


@FORMATS
@given(text=TEXTS)
@settings(max_examples=25, deadline=None)
def test_parents_are_sections_of_the_same_file(name, text):
    drafts = EXTRACTORS[name](text).drafts
    anchors = {draft.anchor for draft in drafts}
    cards = [draft.card for draft in drafts if not draft.part]
    assert None not in cards
    assert {card.parent for card in cards if card} <= anchors | {""}


HOSTILE = {
    "deep json": "[" * 20_000,
    "deep map": '{"a":' * 10_000,
    "deep yaml": "- " * 4_000 + "x",
    "deep flow": "a: " + "[" * 4_000,
    "indented": "\n".join(" " * at + "k:" for at in range(1_500)),
    "laughs": "a: &a [x,x]\n" + "\n".join(f"b{n}: &b{n} [*a,*a,*a]" for n in range(1_000)),
    "quotes": '"' * 40_000,
    "backslashes": "\\" * 40_000,
    "one line": "x" * 2_000_000,
    "words": "word " * 40_000,
    "rules": "=" * 100_000,
    "titles": "T\n=\n\n" * 4_000,
    "ticks": "`" * 40_000,
    "ticked": "`a " * 20_000,
    "roles": ":a:" * 12_000 + "`",
    "brackets": "[" * 20_000 + "\n" + "<<" * 10_000,
    "stars": "*a " * 20_000,
    "links": "link:[" * 6_000,
    "continued": "RUN a \\\n" * 10_000,
    "heredocs": "RUN <<E\n" * 2_000,
    "targets": "a: b\n" * 10_000,
    "tables": "[a]\n" * 10_000,
    "strings": 'x = """\n' * 10_000,
    "comments": "# c\n" * 10_000,
    "paths": "a/" * 20_000,
    "dots": "a." * 20_000,
    "colons": "a:" * 20_000,
}


@pytest.mark.slow
@FORMATS
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_costs_little(name, text):
    start = time.process_time()
    EXTRACTORS[name](text)
    assert time.process_time() - start < 2


@FORMATS
def test_names_and_anchors_are_bounded_and_on_one_line(name):
    long = "x y" * 5_000
    texts = [
        f"{long}\n{'=' * 20}\n\ntext\n",
        f"== {long}\n\ntext\n",
        f"[{long}]\na=1\n",
        f'{{"{long}\\n": {{\n' + '"a": 1,\n' * 60 + "}}",
        f"FROM {long}\n" + "RUN a\n" * 60,
        f"{long}: b\n" + "\tc\n" * 60,
    ]
    for draft in [draft for text in texts for draft in EXTRACTORS[name](text).drafts]:
        if name != "markdown":
            assert len(draft.anchor) <= 220
            assert len(draft.name) <= 660
        assert "\n" not in draft.name + draft.anchor
