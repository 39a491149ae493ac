"""Markdown: document, sections, parts; exact lines."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.documents.markdown import extract_markdown
from indexer.documents.markdown_parts import MAX_SECTION_CHARS, MAX_SECTION_LINES
from knowledge.types import Kind

GUIDE = """\
---
title: Streaming
tags: [a, b]
---
Streams carry **events** over `SSE`.
They reconnect.

# Retry policy

Wait, then *retry* [as told](x.md).

```python
# not a heading
retry()
```

## Limits

| key | value |
|-----|-------|
| max | 5 |

Setext heading
--------------

- item

  ## not a heading either

> # nor this

# Retry policy
"""


def sections(text):
    return [d for d in extract_markdown(text).drafts if d.kind is Kind.SECTION and d.part == 0]


def parts(text):
    return [d for d in extract_markdown(text).drafts if d.part]


@pytest.mark.parametrize(
    ("preface", "expected"),
    [
        ("<!--- Copyright (C) Acme -->\n", ["A"]),
        ("<!-- a\nb -->\n\n<!-- c -->\n", ["A"]),
        ("<!-- a -->\nSaid.\n\n", ["", "A"]),
        ("a --> b\n\n", ["", "A"]),
    ],
)
def test_comments_before_the_first_heading_are_no_section(preface, expected):
    assert [section.name for section in sections(f"{preface}# A\n\nText.\n")] == expected


def test_sections_follow_headings_with_their_own_content_only():
    found = [(d.name, d.anchor, d.start, d.end) for d in sections(GUIDE)]
    assert found == [
        ("", "", 5, 7),
        ("Retry policy", "retry-policy", 8, 16),
        ("Retry policy › Limits", "limits", 17, 22),
        ("Retry policy › Setext heading", "setext-heading", 23, 31),
        ("Retry policy", "retry-policy-1", 32, 32),
    ]


def test_body_is_the_source_of_its_lines_and_doc_the_first_paragraph_in_plain_text():
    preamble, retry, limits, setext, empty = sections(GUIDE)
    assert preamble.doc == "Streams carry events over SSE. They reconnect."
    assert retry.doc == "Wait, then retry as told."
    assert "# not a heading\nretry()" in retry.body
    assert limits.body == "\n".join(GUIDE.split("\n")[16:22])
    assert limits.doc == ""
    assert setext.doc == "item"
    assert empty.body == "# Retry policy"
    assert {d.signature for d in sections(GUIDE)} == {""}


def test_document_card_has_title_abstract_and_outline():
    file = extract_markdown(GUIDE)
    card = file.drafts[0]
    assert (card.kind, card.name, card.start, card.end, card.anchor) == (Kind.DOCUMENT, "", 1, 32, "")
    assert card.doc == "Streaming\n\nStreams carry events over SSE. They reconnect."
    assert card.body.endswith("- Retry policy\n  - Limits\n  - Setext heading\n- Retry policy")
    assert file.front_matter == {"title": "Streaming", "tags": ["a", "b"]}
    assert (file.title, file.abstract) == ("Streaming", "Streams carry events over SSE. They reconnect.")


@pytest.mark.parametrize(
    "change", [lambda t: t.replace("\n", "\r\n"), lambda t: "\ufeff" + t, lambda t: t.rstrip("\n")]
)
def test_line_ends_byte_order_mark_and_missing_last_newline_change_nothing(change):
    assert extract_markdown(change(GUIDE)) == extract_markdown(GUIDE)


def test_lone_carriage_return_is_no_line():
    assert [(d.name, d.start) for d in sections("a\rb\n# H\n")] == [("", 1), ("H", 2)]


@pytest.mark.parametrize(
    ("front", "complaint"),
    [
        ("a: 1\nkey: [1, 2", "line 3"),
        ("- a\n- b", "not a mapping"),
        ("when: 2024-99-99", "cannot read"),
        ("n: !!int x", "cannot read"),
        ("n: !!timestamp x", "cannot read"),
        ("b: !!bool x", "cannot read"),
        ("o: !!python/object:os.system x", "not valid YAML in line 2"),
        ("- " * 1500, "nested too deeply"),
        ("k: " + "a" * 70_000, "longer than"),
    ],
)
def test_bad_front_matter_costs_the_front_matter_only(front, complaint):
    file = extract_markdown(f"---\n{front}\n---\n# Title\ntext\n")
    assert file.front_matter == {}
    assert complaint in file.front_matter_error
    assert [d.name for d in file.drafts] == ["", "Title"]
    assert file.drafts[1].start == front.count("\n") + 4


def test_empty_front_matter_is_fine():
    file = extract_markdown("---\n---\ntext\n")
    assert (file.front_matter, file.front_matter_error) == ({}, "")
    assert file.drafts[1].start == 3


def test_rule_line_at_the_top_is_no_front_matter():
    file = extract_markdown("---\n\n# Title\n")
    assert file.front_matter_error == ""
    assert file.title == "Title"


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("Retry policy", "retry-policy"),
        ("What's new in 2.0?", "whats-new-in-20"),
        ("`EventStream.close()` method", "eventstreamclose-method"),
        ("snake_case and kebab-case", "snake_case-and-kebab-case"),
        ("A & B", "a--b"),
        ("C++ / C#", "c--c"),
        ("Überblick 中文 हिन्दी", "überblick-中文-हिन्दी"),
        ("[Linked](http://x.y) text", "linked-text"),
        ("![logo](l.png) Name", "logo-name"),
        ("**Bold** *move*", "bold-move"),
        ("Tagged <a name='x'></a>heading", "tagged-heading"),
        ("Closed ##", "closed"),
        ("Own id {#my-id}", "my-id"),
        ("🚀", "-1"),
        ("", "-1"),
    ],
)
def test_anchor_is_the_one_that_links_use(heading, anchor):
    assert sections(f"## {heading}\n")[0].anchor == anchor


def test_repeated_and_colliding_headings_have_anchors_of_their_own():
    anchors = [d.anchor for d in sections("# a\n# a\n# a-1\n# a\n#\n#\n")]
    assert anchors == ["a", "a-1", "a-1-1", "a-2", "-1", "-2"]


def test_heading_without_text_is_kept_and_named():
    assert sections("# One\n##\n")[1].name == "One › (untitled)"


def test_html_headings_count():
    text = (
        '<h1 align="center">\n  <img src="x"> <b>Tool</b>\n</h1>\n\nIt works.\n\n<h2 id="run">Run it</h2>\n'
    )
    assert [(d.name, d.anchor, d.start) for d in sections(text)] == [
        ("Tool", "tool", 1),
        ("Tool › Run it", "run", 7),
    ]
    assert extract_markdown(text).title == "Tool"


def test_text_before_a_lower_heading_is_not_titled_by_it():
    assert extract_markdown("Welcome to the tool.\n\n## Features\n").title == ""
    assert extract_markdown("## Features\n\nMany.\n").title == "Features"


def test_badges_imports_and_directives_are_no_abstract():
    text = (
        "import Tabs from '@theme/Tabs'\n\n[![ci](a.svg)](b) ![x](y)\n\n{/* note */}\n\n"
        ":::tip\n\nIt streams {'events'}.\n\n<Tabs>\n<Tab value={x}>\n\n## Inside\n\n</Tab>\n</Tabs>\n"
    )
    file = extract_markdown(text)
    assert file.abstract == "It streams events."
    assert [d.name for d in file.drafts] == ["", "", "Inside"]


@pytest.mark.parametrize("text", ["", "\n", "\ufeff", "   \n\n"])
def test_blank_file_is_a_document_without_sections(text):
    drafts = extract_markdown(text).drafts
    assert [d.kind for d in drafts] == [Kind.DOCUMENT]
    assert drafts[0].start == 1
    assert drafts[0].end >= 1
    assert drafts[0].body == ""


def test_section_within_the_limits_has_no_parts():
    assert parts("# A\n\n" + "word\n" * (MAX_SECTION_LINES - 2)) == []


def test_large_section_is_cut_between_its_blocks():
    paragraph = "\n".join(["some words here"] * 39) + "\n\n"
    text = "# A\n\n" + paragraph * 10
    assert {(d.name, d.anchor) for d in parts(text)} == {("A", "a")}
    assert [d.part for d in parts(text)] == [1, 2, 3, 4]
    assert all(d.body.startswith(("# A", "some words")) and d.body.endswith("\n") for d in parts(text)[:-1])


def test_long_table_is_cut_between_rows_and_long_code_at_blank_lines():
    rows = "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 300
    assert len(parts("# T\n" + rows)) == 3
    code = "# C\n```\n" + ("x = 1\n" * 49 + "\n") * 8 + "```\n"
    assert [d.body.split("\n")[0] for d in parts(code)[1:-1]] == ["x = 1"] * 2
    assert all(d.body.endswith("\n") for d in parts(code)[:-1])


def test_single_line_that_is_too_long_stays_whole():
    text = "# A\n\n" + "x" * (2 * MAX_SECTION_CHARS) + "\n\nend\n"
    assert [(d.start, d.end) for d in parts(text)] == [(1, 2), (3, 3), (4, 5)]


LINES = st.sampled_from(
    [
        *(
            "",
            " ",
            "word",
            "# H",
            "## H",
            "H\r",
            "===",
            "---",
            "```",
            "- item",
            "> # q",
            "| a | b |",
            "|--|--|",
        ),
        *(
            "    code",
            "<div>",
            "</div>",
            "<h2>T</h2>",
            "<!--",
            "-->",
            "import a from 'b'",
            "<Tab x={1}>",
            "...",
        ),
        *("k: v", "\f", "é\u2028é", "[x]: y", "x" * 7000, "long words " * 200),
    ]
)
TEXTS = st.lists(LINES, max_size=60).map("\n".join)
LARGE = st.lists(LINES, min_size=1, max_size=12).map(lambda lines: "\n".join(lines * 40))


@given(TEXTS | st.text() | LARGE)
@settings(max_examples=150, deadline=None)
def test_sections_and_parts_tile_the_lines(text):
    file = extract_markdown(text)
    lines = (
        text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", " ").removesuffix("\n").split("\n")
    )
    whole = [d for d in file.drafts if d.kind is Kind.SECTION and d.part == 0]
    assert all(after.start == before.end + 1 for before, after in pairwise(whole))
    assert not whole or whole[-1].end == len(lines) == file.drafts[0].end
    assert len({d.anchor for d in whole}) == len(whole)
    for draft in file.drafts[1:]:
        assert draft.body.split("\n") == lines[draft.start - 1 : draft.end]
    for section in whole:
        own = [d for d in file.drafts if d.part and d.anchor == section.anchor]
        assert [d.part for d in own] == list(range(1, len(own) + 1))
        if own:
            assert (own[0].start, own[-1].end) == (section.start, section.end)
            assert all(after.start == before.end + 1 for before, after in pairwise(own))
            assert all(d.start == d.end or len(d.body) <= MAX_SECTION_CHARS for d in own)
            assert all(d.end - d.start < MAX_SECTION_LINES for d in own)


@pytest.mark.parametrize(
    "text",
    [
        "# " + "[" * 20_000,
        "*a_ " * 20_000,
        "`" * 50_000,
        ">" * 20_000 + " x",
        "- " * 5_000 + "x",
        "# H\n\ntext\n\n" * 4_000,
        "| a " * 2_000 + "|\n" + "|-" * 2_000 + "|\n" + "| 1 " * 2_000 + "|\n",
        "<div " * 20_000,
        "[a]: " * 10_000,
    ],
    ids=range(9),
)
def test_hostile_text_costs_little(text):
    start = time.process_time()
    extract_markdown(text)
    assert time.process_time() - start < 5
