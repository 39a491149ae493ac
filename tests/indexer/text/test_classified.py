"""Which documents keep themselves out of the index."""

from __future__ import annotations

import pytest
from cases import rows

from indexer.sources.classified import excluding_level

LEVELS = ("secret", "confidential", "restricted")


@pytest.mark.parametrize(
    ("language", "level", "text"),
    rows(r"""
        markdown  confidential  ---\ntitle: Keys\nclassification: confidential\n---\n# Keys\n
        markdown  restricted    ---\naccess: Restricted # to the board\n---\n
        markdown  secret        +++\nclassification = "Secret"\n+++\n
        markdown  confidential  # Plan\n\n**Classification:** Strictly confidential\n
        markdown  restricted    | Sensitivity | Restricted |\n
        rst       secret        Plan\n====\n\n:Classification: TOP SECRET\n
        asciidoc  restricted    = Plan\n:data-classification: restricted\n
        text      confidential  Classification: CONFIDENTIAL\n\nPlan.\n
    """),
)
def test_document_that_is_not_for_everybody(language, text, level):
    assert excluding_level(language, text, LEVELS) == level


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("markdown", "---\nclassification: public\n---\n"),
        ("markdown", "---\nclassification: internal\n---\n"),
        ("markdown", "Classification: non-confidential\n"),
        ("markdown", "Classification: public | internal | confidential | restricted\n"),
        ("markdown", "The classification of secret data is described below: see secret.\n"),
        ("markdown", "# Classification: how we use it\n\nConfidential data is encrypted.\n"),
        ("markdown", f"# Long\n{'x' * 5000}\nclassification: secret\n"),
        ("python", "classification: str = 'secret'\n"),
        ("yaml", "classification: secret\n"),
    ],
)
def test_document_that_is(language, text):
    assert excluding_level(language, text, LEVELS) is None


def test_levels_are_a_setting():
    text = "---\nclassification: internal\n---\n"
    assert excluding_level("markdown", text, ("internal",)) == "internal"
    assert excluding_level("markdown", text, ()) is None
