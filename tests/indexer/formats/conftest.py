import pytest

from indexer.formats.table import EXTRACTORS
from knowledge.types import Kind


@pytest.fixture(scope="session")
def outline():
    """Name, anchor and lines (``first-last``) of each section of a text, without parts."""

    def of(name, text):
        drafts = EXTRACTORS[name](text).drafts
        return [
            (d.name, d.anchor, f"{d.start}-{d.end}") for d in drafts if d.kind is Kind.SECTION and not d.part
        ]

    return of


@pytest.fixture(scope="session")
def section():
    """The section of a text that has a name."""

    def of(name, text, wanted):
        drafts = EXTRACTORS[name](text).drafts
        return next(d for d in drafts if d.kind is Kind.SECTION and d.name == wanted and not d.part)

    return of


@pytest.fixture(scope="session")
def document():
    """The document's card of a text."""
    return lambda name, text: EXTRACTORS[name](text).drafts[0]
