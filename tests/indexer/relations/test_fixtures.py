"""One file per language with awkward calls, imports and bases, and every relation that must come of it."""

from collections.abc import Callable

from indexer.languages import CODE_LANGUAGES, language_of


def test_fixture_says_of_others_what_is_expected(
    fixture_name: str, told_and_expected: Callable[[str], tuple[list[str], list[str]]]
) -> None:
    told, expected = told_and_expected(fixture_name)
    assert told == expected


def test_every_language_has_a_fixture_with_relations_of_several_kinds(
    fixture_names: list[str], told_and_expected: Callable[[str], tuple[list[str], list[str]]]
) -> None:
    kinds: dict[str | None, set[str]] = {}
    for name in fixture_names:
        told, _ = told_and_expected(name)
        kinds.setdefault(language_of(name), set()).update(line.split(" ")[1] for line in told)
    for language in CODE_LANGUAGES:
        assert kinds[language.name] >= {"calls", "imports"}
