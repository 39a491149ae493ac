from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.code import extract_code
from indexer.languages import language_of
from knowledge.types import Draft, RelationKind

FIXTURES = Path(__file__).parent / "fixtures"


NAMES = sorted(path.name.removesuffix(".txt") for path in FIXTURES.glob("*.txt"))


@pytest.fixture
def fixture_names() -> list[str]:
    """The source files of ``fixtures/``, without their ``.txt``."""
    return NAMES


@pytest.fixture(params=NAMES)
def fixture_name(request: pytest.FixtureRequest) -> str:
    """Each source file of ``fixtures/``, without its ``.txt``."""
    return request.param


@pytest.fixture
def told_and_expected() -> Callable[[str], tuple[list[str], list[str]]]:
    """What a fixture's definitions say of others, and what ``fixtures/NAME.expected`` wants, by lines."""

    def read(name: str) -> tuple[list[str], list[str]]:
        language = language_of(name)
        assert language is not None
        drafts = extract_code(language, (FIXTURES / f"{name}.txt").read_text(encoding="utf-8"))
        expected = (FIXTURES / f"{name}.expected").read_text(encoding="utf-8").splitlines()
        return [line for draft in drafts for line in _told(draft)], expected

    return read


def _told(draft: Draft) -> list[str]:
    """A line for each kind of relation: who, kind, ``target:line`` …; a module is called ``-``."""
    lines = []
    for kind in RelationKind:
        targets = [f"{one.target}:{one.line}" for one in draft.relations if one.kind is kind]
        if targets:
            lines.append(" ".join((draft.name or "-", kind, *targets)))
    return lines


@pytest.fixture
def relations_in() -> Callable[[str, str], dict[str, list[str]]]:
    """Of a text in a language: what each definition (the module is ``""``) says, as ``kind target``."""

    def extract(language: str, text: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for draft in extract_code(language, text):
            if draft.relations:
                told = found.setdefault(draft.name, [])
                told += [f"{one.kind} {one.target}" for one in draft.relations]
        return found

    return extract
