"""The settings file that init writes."""

import re
import tomllib

from knowledge.init_file import render_settings_file
from knowledge.jsonable import to_json
from knowledge.settings import Settings
from knowledge.settings_file import parse_settings


def uncommented(text):
    return re.sub(r"^#(?=\S)", "", text, flags=re.MULTILINE)


def test_the_file_as_written_changes_nothing():
    assert parse_settings(tomllib.loads(render_settings_file()), "f") == Settings()


def test_uncommented_it_says_the_defaults():
    assert parse_settings(tomllib.loads(uncommented(render_settings_file())), "f") == Settings()


def test_every_key_is_there():
    table = tomllib.loads(uncommented(render_settings_file()))
    assert table == to_json(Settings())


def test_every_key_is_explained_and_says_what_is_allowed():
    text = render_settings_file()
    for match in re.finditer(r"^(.*)\n#(\w+) = ", text, re.MULTILINE):
        assert match[1].startswith("# "), match[2]
    assert 'Allowed: "markdown", "xml", "plain", "json".\n#format = "markdown"' in text
    assert "Allowed: 0 to 50.\n#patterns = 5" in text


def test_lines_are_short_enough_to_read():
    assert max(map(len, render_settings_file().splitlines())) <= 100
