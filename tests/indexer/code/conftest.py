from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.code.extract import extract_code
from indexer.languages import language_of
from knowledge.types import Draft

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.fixture
def extract_fixture() -> Callable[[str], tuple[Draft, ...]]:
    """The drafts of ``fixtures/NAME.txt``, in the language that NAME has."""

    def extract(name: str) -> tuple[Draft, ...]:
        language = language_of(name)
        assert language is not None
        return extract_code(language, (FIXTURES / f"{name}.txt").read_text(encoding="utf-8"))

    return extract
