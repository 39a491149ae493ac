"""Plain text: prose in blocks; of what is no prose a card alone."""

from __future__ import annotations

import pytest

from indexer.formats.table import EXTRACTORS, refined
from indexer.formats.text import is_prose
from knowledge.types import Kind

PROSE = "The stream reconnects when the server closes it.\nIt waits for a second before that.\n\n"


def drafts_of(text):
    return EXTRACTORS["text"](text).drafts


def test_short_text_is_one_card_with_the_text_itself():
    (card,) = drafts_of("HOWTO\n=====\n\n" + PROSE)
    assert (card.kind, card.start, card.end) == (Kind.DOCUMENT, 1, 6)
    assert card.doc.startswith("HOWTO\n\nThe stream reconnects when")
    assert "It waits for a second" in card.body


def test_long_text_is_cut_between_blocks():
    parts = [draft for draft in drafts_of(PROSE * 60) if draft.part]
    assert len(parts) == 2
    assert all(part.body.startswith("The stream") for part in parts)


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"word{n}" for n in range(9_000)),
        "\n".join(f"{n} {n * 3} {n * 7}" for n in range(9_000)),
        "\n".join(f"package-{n}>=1.{n},<2  # via other" for n in range(500)),
        "Permission is hereby granted, free of charge, to any person who obtains a copy.\n" * 200,
        PROSE * 6_000,
    ],
    ids=["words", "numbers", "requirements", "licence", "book"],
)
def test_lists_data_licences_and_books_give_a_card_alone(text):
    assert [draft.kind for draft in drafts_of(text)] == [Kind.DOCUMENT]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("# Tool\n\nSee [site](https://a.b).\n\n## Use\n", "markdown"),
        ("# Tool\n\n```sh\nrun\n```\n\n## Use\n", "markdown"),
        ("# for tests\npytest\n# for docs\nsphinx\n", "text"),
        ("Tool\n====\n\n.. note:: x\n", "rst"),
        ("Tool\n====\n\nJust text.\n", "text"),
    ],
)
def test_content_tells_what_a_readme_is_written_in(text, language):
    assert refined("text", text) == language
    assert refined("yaml", text) == "yaml"


def test_prose_has_lines_of_words():
    assert is_prose(PROSE.split("\n"))
    assert not is_prose(["alpha", "beta", "gamma"])
    assert not is_prose([])
