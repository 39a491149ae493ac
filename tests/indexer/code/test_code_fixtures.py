"""An awkward file per language and SQL dialect, and every definition that must come out of it."""

import pytest
from source_fixtures import SourceFixtures

from indexer.languages import CODE_LANGUAGES, language_of

FIXTURES = SourceFixtures(__file__)


@pytest.mark.parametrize("name", FIXTURES.names)
def test_every_definition_is_found_with_its_name_and_range(name):
    found = [
        f"{draft.start}-{draft.end} {draft.kind} {draft.name}".rstrip() for draft in FIXTURES.drafts(name)
    ]
    assert found == FIXTURES.expected(name)


def test_every_language_has_a_fixture():
    assert {language_of(name) for name in FIXTURES.names} >= {language.name for language in CODE_LANGUAGES}
