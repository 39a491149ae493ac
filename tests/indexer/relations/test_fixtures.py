"""One file per language with awkward calls, imports and bases, and every relation that must come of it."""

from collections.abc import Callable

from indexer.languages import CODE_LANGUAGES, language_of


def test_fixture_says_of_others_what_is_expected(
    fixture_name: str, told_and_expected: Callable[[str], tuple[list[str], list[str]]]
) -> None:
    told, expected = told_and_expected(fixture_name)
    assert told == expected


def test_every_language_with_relations_has_a_fixture(fixture_names: list[str]) -> None:
    covered = {language_of(name) for name in fixture_names}
    assert {language.name for language in CODE_LANGUAGES if language.relations} <= covered
