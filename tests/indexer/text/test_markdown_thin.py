"""Long lists and tables are read without their middle, and nothing else changes."""

from __future__ import annotations

import time
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.documents import markdown_thin
from indexer.documents.markdown import extract_markdown

ITEMS = [
    *(
        "- item",
        "- [a](b) c",
        "  - inner",
        "    - deep",
        "* star",
        "1. one",
        "   - three",
        "- `code`",
        "-  two",
    ),
    *("| a | b |", "|--|--|", "| c |", "- **b** c", "10. ten", "- [x]: y"),
    *(" - odd", "+ plus"),
]
OTHERS = [
    *(
        "",
        "",
        "text",
        "# H",
        "  ## inner",
        "    ## deep",
        "```",
        "> q",
        "---",
        "===",
        "<div>",
        "</div>",
        "    code",
    ),
    *("    code", "  text", "   text", "<!--", "-->", "- ", "- # no", "- - x"),
    *("-", "- > q", "\ttab"),
]
RUNS = st.lists(st.sampled_from(ITEMS), min_size=1, max_size=14)
PIECES = st.lists(RUNS | st.lists(st.sampled_from(OTHERS), max_size=3), max_size=8)
TEXTS = PIECES.map(lambda pieces: "\n".join(line for piece in pieces for line in piece))


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_sections_are_those_of_the_whole_text(text):
    whole = extract_markdown(text)
    with mock.patch.multiple(markdown_thin, MIN_RUN=5, KEPT=2):
        thin = extract_markdown(text)
    assert [(d.name, d.anchor, d.start, d.end, d.part) for d in thin.drafts] == [
        (d.name, d.anchor, d.start, d.end, d.part) for d in whole.drafts
    ]


def test_front_matter_is_read_whole():
    tags = [f"tag{n}" for n in range(500)]
    text = "---\ntags:\n" + "".join(f"- {tag}\n" for tag in tags) + "---\n# T\n"
    assert extract_markdown(text).front_matter["tags"] == tags


def test_parts_of_a_long_list_begin_at_items():
    text = "# H\n\n" + "- item\n  goes on\n" * 10 + "- item\n" * 1_000
    parts = [d for d in extract_markdown(text).drafts if d.part]
    assert all(part.body.startswith("- item") for part in parts[1:])


@pytest.mark.parametrize(
    "line", ["- x\n", "- [a](http://b) c\n", "- x\n  - y\n", "| a | b |\n", "1. x\n"], ids=range(5)
)
def test_long_lists_and_tables_cost_little(line):
    text = "# H\n\n| a | b |\n|---|---|\n" + line * 60_000
    start = time.process_time()
    extract_markdown(text)
    assert time.process_time() - start < 2
