"""What extraction made of a text of code."""

from __future__ import annotations

from indexer.extract import extract_code
from knowledge.types import Draft, Kind


def only(language: str, text: str, name: str, kind: Kind = Kind.UNIT) -> Draft:
    """The one definition of a kind and name."""
    (draft,) = [d for d in extract_code(language, text) if d.name == name and d.kind is kind and not d.part]
    return draft


def names(language: str, text: str) -> list[str]:
    """The names of all definitions, in their order."""
    return [draft.name for draft in extract_code(language, text) if draft.kind is not Kind.MODULE]
