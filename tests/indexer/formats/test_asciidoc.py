"""AsciiDoc: titles outside of blocks, anchors, attributes."""

from __future__ import annotations

import pytest
from cases import rows

from indexer.formats.asciidoc import plain

GUIDE = """\
// a remark
= Streaming Guide
Jane Doe <jane@example.org>
:toc:
:keywords: streaming, sse
:source-language: python

Streams carry *events* over `SSE`, see <<retry,the policy>>.

[[retry]]
[role=x]
== Retry Policy

[source,python]
----
== no title
----

====
== nor this
====

include::other.adoc[]

Wait, then https://example.org/retry[retry].

[discrete]
== No section

[#limits]
=== Limits ===
|===
|a |b

|== c |d
|===

Old Form
--------

Text.

```sh
# a comment
```

## Like Markdown
"""


def test_sections_follow_titles_outside_of_blocks(outline):
    assert outline("asciidoc", GUIDE) == rows("""
        Streaming Guide                          streaming-guide  1-9
        Streaming Guide › Retry Policy           retry            10-29
        Streaming Guide › Retry Policy › Limits  limits           30-37
        Streaming Guide › Old Form               old-form         38-46
        Streaming Guide › Like Markdown          like-markdown    47-47
    """)


def test_header_gives_the_card_and_no_abstract(document, section):
    card = document("asciidoc", GUIDE)
    assert card.doc == "Streaming Guide\n\nStreams carry events over SSE, see the policy."
    assert card.card.topics == ("streaming", "sse")
    assert section("asciidoc", GUIDE, "Streaming Guide › Retry Policy").doc == "Wait, then retry."


@pytest.mark.parametrize(
    ("source", "text"),
    rows("""
        link:a.html[The *A*] and xref:b.adoc#c[B]  The *A* and B
        `a_b` and ``c`` and __d__                  a_b and c and d
        see <<target>>                             see target
        (((Git, hooks)))(((hooks)))Hooks run       Hooks run
        a ((term)) of ((the index)), f((x) + 1)    a term of the index, f((x) + 1)
        2 * 3 * 4                                  2 * 3 * 4
    """),
)
def test_inline_markup_reads_as_plain_text(source, text):
    assert plain(source) == text


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("text\n----\n", ["text"]),
        ("A longer text\n----\n\n== not closed\n", []),
        ("== A\n\n----\nopen until the end\n\n== B\n", ["A"]),
        ("=A\n==B\n", []),
    ],
)
def test_line_below_a_title_is_as_long_as_it(text, names, outline):
    assert [name for name, *_ in outline("asciidoc", text) if name] == names
