"""Settings: where they are read, and what an error says."""

import os
import subprocess
import sys
import tomllib
from dataclasses import FrozenInstanceError, fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.errors import CatalogMissing, SettingsError
from knowledge.settings import NOTE, Settings
from knowledge.settings_file import note_settings, parse_settings
from knowledge.settings_loading import load_settings


def error_of(text, where="prebrief.toml"):
    with pytest.raises(SettingsError) as caught:
        parse_settings(tomllib.loads(text), where)
    return str(caught.value)


def test_no_file_means_defaults(tmp_path):
    assert load_settings(tmp_path) == Settings()


def test_prebrief_toml_is_read(tmp_path):
    (tmp_path / "prebrief.toml").write_text("[brief]\npatterns = 3\n")
    assert load_settings(tmp_path).brief.patterns == 3


def test_the_table_in_pyproject_is_read(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.prebrief.brief]\npatterns = 2\n")
    assert load_settings(tmp_path).brief.patterns == 2


@pytest.mark.parametrize("text", ["", "[project]\nname = 'x'\n", "[tool.other]\nx = 1\n", "tool = 1\n"])
def test_a_pyproject_without_the_table_means_defaults(tmp_path, text):
    (tmp_path / "pyproject.toml").write_text(text)
    assert load_settings(tmp_path) == Settings()


def test_prebrief_toml_wins_as_a_whole(tmp_path):
    (tmp_path / "prebrief.toml").write_text("[brief]\nrules = 1\n")
    (tmp_path / "pyproject.toml").write_text("[tool.prebrief.brief]\npatterns = 2\n")
    settings = load_settings(tmp_path)
    assert (settings.brief.rules, settings.brief.patterns) == (1, 5)


def test_a_byte_order_mark_is_no_error(tmp_path):
    (tmp_path / "prebrief.toml").write_bytes(b"\xef\xbb\xbfknowledge_folder = 'kb'\n")
    assert load_settings(tmp_path).knowledge_folder == "kb"


def test_a_syntax_error_names_file_and_line(tmp_path):
    file = tmp_path / "prebrief.toml"
    file.write_text("[brief]\npatterns = 3\nrules = = 2\n")
    with pytest.raises(SettingsError, match="at line 3, column 9") as caught:
        load_settings(tmp_path)
    assert caught.value.where == str(file)


def test_text_that_is_no_utf8_names_the_file(tmp_path):
    (tmp_path / "prebrief.toml").write_bytes(b"# caf\xe9\n")
    with pytest.raises(SettingsError, match="not valid TOML"):
        load_settings(tmp_path)


def test_an_error_in_pyproject_names_file_and_table(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.prebrief]\nbrief = 3\n")
    with pytest.raises(SettingsError) as caught:
        load_settings(tmp_path)
    assert caught.value.where == f"{tmp_path / 'pyproject.toml'} [tool.prebrief]"
    (tmp_path / "pyproject.toml").write_text("[tool]\nprebrief = 3\n")
    with pytest.raises(SettingsError, match="must be a table"):
        load_settings(tmp_path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "brief.format = 'html'",
            "prebrief.toml: 'brief.format' = 'html': not one of the allowed values; "
            'allowed: "markdown", "xml", "plain", "json"',
        ),
        ("brief.patterns = 99", "'brief.patterns' = 99: too large; allowed: 0 to 50"),
        ("brief.patterns = -1", "'brief.patterns' = -1: too small; allowed: 0 to 50"),
        ("brief.patterns = true", "'brief.patterns' = True: must be a whole number; allowed: 0 to 50"),
        ("brief.patterns = '5'", "'brief.patterns' = '5': must be a whole number; allowed: 0 to 50"),
        ("ranking.threshold = nan", "'ranking.threshold' = nan: too large; allowed: 0.0 to 1.0"),
        ("ranking.narrow = 1", "'ranking.narrow' = 1: must be true or false"),
        ("index.include = 'src'", "'index.include' = 'src': must be a list"),
        ("index.include = ['a', 1]", "'index.include.1' = 1: must be a string"),
        ("index = 3", "'index' = 3: must be a table"),
        ("taxonomy.phase = 1", "'taxonomy.phase' = 1: must be a table"),
        ("taxonomy.phase.design = 'x'", "'taxonomy.phase.design' = 'x': must be a list"),
        ("knowledge_folder = ''", "'knowledge_folder' = '': must not be empty"),
        ("knowledge_folder = '../kb'", "'knowledge_folder' = '../kb': must be a path inside the project"),
        ("knowledge_folder = '/kb'", "'knowledge_folder' = '/kb': must be a path inside the project"),
        ("brief.preamble = '('", "'brief.preamble' = '(': not a regular expression: missing )"),
    ],
)
def test_an_error_names_file_key_value_and_what_is_allowed(text, expected):
    message = error_of(text)
    assert expected in message
    assert message.startswith("prebrief.toml: ")
    assert message.endswith("Correct it, or remove the key to take the default")


def test_an_unknown_key_lists_the_known_ones_and_the_closest():
    message = error_of("index.exclud = []")
    assert "unknown key 'index.exclud', did you mean 'exclude'?" in message
    keys = "exclude_classification, generated, history_commits, include, max_data_bytes, max_file_bytes"
    assert f"allowed here: examples, exclude, {keys}, max_generated_bytes, tests, vendored" in message
    assert "unknown key 'zzz'; allowed here: brief, channels, dispatch, index" in error_of("zzz = 1")


@pytest.mark.parametrize("value", ["0", "'off'", "[]", "{}"])
def test_a_switch_of_a_channel_is_true_or_false(value):
    off = parse_settings({"channels": {"history": False}}, "f").channels
    assert off == replace(Settings().channels, history=False)
    assert "channels.history" in error_of(f"channels.history = {value}")


def test_an_unknown_channel_lists_the_known_ones():
    allowed = "dispatches, exact, glossary, history, lexical, members, relations"
    assert f"unknown key 'channels.semantic'; allowed here: {allowed}" in error_of("channels.semantic = true")


def test_all_errors_are_told_at_once():
    message = error_of("brief.patterns = 99\nrankin = 1\n")
    assert "'brief.patterns' = 99" in message
    assert "unknown key 'rankin'" in message


def test_a_long_value_is_cut():
    message = error_of(f"index.include = '{'x' * 5000}'")
    assert len(message) < 250
    assert "…" in message


def test_settings_are_frozen():
    with pytest.raises(FrozenInstanceError):
        Settings().knowledge_folder = "other"


def test_the_fingerprint_depends_on_values_and_not_on_how_they_were_written():
    written = parse_settings(tomllib.loads("[brief]\nrules = 3\npatterns = 5\n"), "f")
    assert written.fingerprint == Settings().fingerprint
    assert parse_settings({"brief": {"patterns": 4}}, "f").fingerprint != Settings().fingerprint


def test_only_what_an_index_depends_on_changes_its_fingerprint():
    plain = Settings().index_fingerprint
    assert parse_settings({"brief": {"patterns": 4}}, "f").index_fingerprint == plain
    assert parse_settings({"index": {"exclude": ["x"]}}, "f").index_fingerprint != plain
    assert parse_settings({"taxonomy": {"a": {"b": ["c"]}}}, "f").index_fingerprint != plain


def test_the_fingerprint_is_the_same_in_every_process():
    code = "from knowledge.settings import Settings; print(Settings().fingerprint)"
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        for seed in ("0", "1")
    }
    assert found == {Settings().fingerprint}


FILE = """
knowledge_folder = "docs/kb"
[index]
exclude = ["a", "*.é"]
[ranking]
threshold = 0
[taxonomy.phase]
design = ["sketch"]
"""


@pytest.fixture
def noted(tmp_path):
    """A project with a settings file, its settings, and what is noted of them."""
    (tmp_path / "prebrief.toml").write_text(FILE, encoding="utf-8")
    settings = load_settings(tmp_path)
    return tmp_path, settings, note_settings(tmp_path, settings)


def test_noted_settings_are_those_of_the_file(noted):
    root, settings, note = noted
    found = load_settings(root, lambda: note)
    assert found == settings == parse_settings(tomllib.loads(FILE), "f")
    assert (found.fingerprint, found.index_fingerprint) == (settings.fingerprint, settings.index_fingerprint)


def test_a_note_serves_the_very_same_file_alone(noted):
    root, _, note = noted
    other = note | {NOTE: note[NOTE].replace("docs/kb", "elsewhere")}
    assert load_settings(root, lambda: other).knowledge_folder == "elsewhere"
    (root / "prebrief.toml").write_text(FILE + "\n", encoding="utf-8")
    assert load_settings(root, lambda: other).knowledge_folder == "docs/kb"
    (root / "prebrief.toml").rename(root / "pyproject.toml")
    assert load_settings(root, lambda: other) == Settings()


@pytest.mark.parametrize(
    "damage", ["", "{", "[]", "3", '{"zzz": 1}', '{"brief": 3}', '{"brief": {"zzz": 1}}']
)
def test_a_damaged_note_is_no_harm(noted, damage):
    root, settings, note = noted
    assert load_settings(root, lambda: note | {NOTE: damage}) == settings
    assert load_settings(root, lambda: {key: note[key] for key in note if key != NOTE}) == settings


def test_a_note_that_cannot_be_had_is_no_harm(noted):
    root, settings, _ = noted

    def missing():
        raise CatalogMissing("there is none")

    assert load_settings(root, missing) == settings


def test_nothing_is_noted_of_settings_that_the_file_does_not_hold(noted):
    root, _, _ = noted
    assert note_settings(root, Settings()) == {}
    (root / "prebrief.toml").write_text("brief = 3")
    assert note_settings(root, Settings()) == {}
    (root / "prebrief.toml").unlink()
    assert note_settings(root, Settings()) == {}


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
_KEYS = st.sampled_from([*(item.name for item in fields(Settings)), "nonsense"])


@given(st.dictionaries(_KEYS, _VALUES, max_size=3))
def test_any_table_is_settings_or_a_settings_error(table):
    try:
        parsed = parse_settings(table, "f")
    except SettingsError as error:
        assert error.where == "f"  # noqa: PT017 (either outcome is right)
    else:
        assert parsed.fingerprint.startswith("blake2b:")
