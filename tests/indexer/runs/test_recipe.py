"""The recipe of a catalog changes with whatever else would change what is in it."""

from importlib.metadata import version

import pytest

from indexer import recipe
from indexer.recipe import PARSERS, ParseContext, recipe_of
from knowledge.settings import Settings
from knowledge.taxonomy import load_taxonomy


@pytest.fixture
def context():
    settings = Settings()
    return ParseContext(settings, load_taxonomy(settings.taxonomy))


def test_versions_are_those_that_python_names():
    installed = recipe._installed_versions()
    for name in PARSERS:
        assert installed[recipe._normal(name)] == version(name)


def test_another_version_of_a_parser_is_another_recipe(context, tmp_path, monkeypatch):
    before = recipe_of(context)
    (tmp_path / "markdown_it_py-99.0.dist-info").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    assert recipe_of(context) != before
    monkeypatch.undo()
    assert recipe_of(context) == before


def test_parser_without_metadata_is_no_error(context, monkeypatch):
    before = recipe_of(context)
    monkeypatch.setattr(recipe, "PARSERS", (*PARSERS, "no-such-distribution"))
    assert recipe_of(context) != before
