"""reStructuredText: titles as docutils sees them, labels, roles, fields."""

from __future__ import annotations

import pytest
from cases import rows

from indexer.formats.rst import extract_rst, looks_like_rst, plain
from indexer.formats.table import refined
from knowledge.types import Status

GUIDE = """\
:tags: streaming, sse

=========
Streaming
=========

.. contents::

Streams carry :ref:`events <event-ref>` over ``SSE``.
They reconnect.

.. _retry:

Retry *policy*
==============

.. code-block:: rst

    No title
    --------

A list::

    Nor this
    --------

.. class:: Backoff(limit)

    Doubles.

Limits
------

====  ====
key   value
====  ====
max   5
====  ====

.. index:: single: close
.. setting:: CLOSE_TIMEOUT

``CLOSE_TIMEOUT``
-----------------
Text follows at once.

Other
=====
"""


def test_sections_follow_titles_and_begin_with_their_labels(outline):
    assert outline("rst", GUIDE) == rows("""
        Streaming                                 streaming      3-11
        Streaming › Retry policy                  retry-policy   12-30
        Streaming › Retry policy › Limits         limits         31-39
        Streaming › Retry policy › CLOSE_TIMEOUT  close_timeout  40-46
        Streaming › Other                         other          47-48
    """)


def test_first_paragraph_is_plain_text_and_no_directive(section, document):
    assert document("rst", GUIDE).doc == "Streaming\n\nStreams carry events over SSE. They reconnect."
    assert section("rst", GUIDE, "Streaming › Retry policy").doc == "A list:"
    assert section("rst", GUIDE, "Streaming › Retry policy › CLOSE_TIMEOUT").doc == "Text follows at once."


def test_card_names_topics_entities_and_parent(section, document):
    assert document("rst", GUIDE).card.topics == ("streaming", "sse")
    assert section("rst", GUIDE, "Streaming").card.entities == ("event-ref", "SSE")
    limits = section("rst", GUIDE, "Streaming › Retry policy › Limits").card
    assert (limits.title, limits.parent) == ("Limits", "retry-policy")


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("A\n=\n", ["A"]),
        ("Abc\n==\n", []),  # too short an adornment of fewer than four characters
        ("A long title\n=====\n", ["A long title"]),  # docutils warns, and takes it
        ("中文\n====\n", ["中文"]),
        ("中文\n===\n", []),  # a wide character has two columns
        ("text\nTitle\n=====\n", []),  # a paragraph goes on
        (".. _a:\nTitle\n=====\n", ["Title"]),
        ("    quoted\nTitle\n=====\n", ["Title"]),
        (" Title\n=====\n", []),
        ("=====\nTitle\n", []),
        ("=====\n Title\n=====\n", ["Title"]),
        ("=====\nTitle\n-----\n", ["Title"]),  # docutils refuses it; it is meant as one
        ("a\n\n-----\n\nb\n", []),  # a transition
        ("- item\n======\n", []),
        ("1. First\n========\n", ["1. First"]),
        ("== ==\na  b\n== ==\n", []),
        ("+---+\n| a |\n+---+\n", []),
        (">>> 1\n----\n", []),
    ],
)
def test_titles_are_those_of_docutils(text, titles, outline):
    assert [name for name, *_ in outline("rst", text) if name] == titles


def test_levels_follow_the_order_in_which_adornments_appear(outline):
    text = "A\n~~~\n\nB\n^^^\n\nC\n~~~\n\nD\n^^^\n\n===\nE\n===\n"
    assert [name for name, *_ in outline("rst", text)] == ["A", "A › B", "C", "C › D", "C › D › E"]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (":class:`~a.b.Stream`", "a.b.Stream"),
        (":py:func:`close() <a.close>`", "close()"),
        ("`Site <https://a.b>`_ and `other`__", "Site and other"),
        ("**bold** *slanted* ``a <b> c``", "bold slanted a <b> c"),
        (r":class:`QuerySet`\s and \*args", "QuerySets and *args"),
        ("|version| of 2 * 3 * 4", "version of 2 * 3 * 4"),
    ],
)
def test_inline_markup_reads_as_plain_text(source, text):
    assert plain(source) == text


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Title\n=====\n\n.. deprecated:: 2.0\n   Use other.\n", Status.DEPRECATED),
        ("Title\n=====\n\nText.\n\nSub\n---\n\n.. deprecated:: 2.0\n", None),
        ("PEP: 8\nTitle: Style\nStatus: Active\n\nIntroduction\n============\n", Status.CURRENT),
        ("PEP: 9\nTitle: X\nStatus: Withdrawn\n\nIntroduction\n============\n", Status.DEPRECATED),
        (":Status: Superseded by 9\n\nTitle\n=====\n", Status.SUPERSEDED),
    ],
)
def test_status_is_what_the_top_says(text, status):
    assert extract_rst(text).declared.status is status


def test_sphinx_document_named_txt_is_read_as_one():
    assert refined("text", GUIDE) == "rst"
    assert not looks_like_rst("Title\n=====\n\nPlain text without markup.\n")
    assert refined("text", "Just text.\n") == "text"
