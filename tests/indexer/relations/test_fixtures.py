"""One file per language with awkward calls, imports and bases, and every relation that must come of it."""

import pytest
from source_fixtures import SourceFixtures

from indexer.languages import CODE_LANGUAGES, language_of
from knowledge.types import RelationKind

FIXTURES = SourceFixtures(__file__)


def told(name):
    """What a file's definitions say of others, a line for each and kind; a module is called ``-``."""
    lines = []
    for draft in FIXTURES.drafts(name):
        for kind in RelationKind:
            targets = [f"{one.target}:{one.line}" for one in draft.relations if one.kind is kind]
            if targets:
                lines.append(" ".join((draft.name or "-", kind, *targets)))
    return lines


@pytest.mark.parametrize("name", FIXTURES.names)
def test_fixture_says_of_others_what_is_expected(name):
    assert told(name) == FIXTURES.expected(name)


def test_every_language_has_a_fixture_with_relations_of_several_kinds():
    kinds = {}
    for name in FIXTURES.names:
        kinds.setdefault(language_of(name), set()).update(line.split(" ")[1] for line in told(name))
    for language in CODE_LANGUAGES:
        assert kinds[language.name] >= {"calls", "imports"}
