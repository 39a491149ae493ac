"""The taxonomy: whole words in any style of identifier, never substrings."""

from __future__ import annotations

import time
import tomllib
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.errors import SettingsError
from knowledge.taxonomy import Taxonomy, load_taxonomy

SHIPPED_IN_THE_DESIGN = {
    "phase": ("design", "implementation", "testing", "production"),
    "component": ("crawler", "storage", "api", "frontend"),
    "issue": ("validation-error", "performance", "memory-problem", "race-condition"),
    "severity": ("critical-blocker", "high-priority", "medium-impact", "low-impact"),
}


@pytest.fixture(scope="module")
def taxonomy():
    return load_taxonomy({})


@pytest.mark.parametrize(("facet", "values"), SHIPPED_IN_THE_DESIGN.items())
def test_designed_values_are_shipped(taxonomy, facet, values):
    assert set(values) <= set(taxonomy.facets[facet])


def test_facets_and_tags_are_sorted(taxonomy):
    assert list(taxonomy.facets) == sorted(taxonomy.facets)
    assert all(list(values) == sorted(values) for values in taxonomy.facets.values())
    assert list(taxonomy.tags) == sorted(taxonomy.tags)


@pytest.mark.parametrize(
    "text",
    ["API", "apiClient", "api_client", "api-client", "the APIs of", "src/api/x.py", "HTTPAPIServer API2"],
)
def test_word_matches_in_every_style_of_identifier(taxonomy, text):
    assert "component:api" in taxonomy.tags_of(text)


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("rapid", "component:api"),
        ("accessed assessment", "component:networking"),
        ("tests", "component:networking"),
        ("latest contest", "phase:testing"),
        ("trace embrace", "issue:race-condition"),
        ("blocked clock", "issue:race-condition"),
        ("building guilds", "component:frontend"),
        ("catalog dialog", "component:logging"),
        ("bosses", "component:networking"),
        ("prefix suffix", "severity:high-priority"),
    ],
)
def test_word_within_another_word_never_matches(taxonomy, text, tag):
    assert tag not in taxonomy.tags_of(text)


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("Fix the SSE streaming timeout", "component:networking"),
        ("Fix the SSE streaming timeout", "issue:timeout"),
        ("data race in Context.Copy", "issue:race-condition"),
        ("java.lang.NullPointerException at Foo", "issue:crash"),
        ("null_pointer found", "issue:crash"),
        ("SQLiteStore", "component:database"),
        ("use sqlite3", "component:database"),
        ("OAuth2Client", "component:auth"),
        ("a high-priority bug", "severity:high-priority"),
        ("memory leaks", "issue:memory-problem"),
        ("vulnerabilities", "issue:security"),
        ("proxies are ignored", "component:networking"),
        ("N+1 queries", "issue:performance"),
        ("robots.txt", "component:crawler"),
        ("manage.py", "component:cli"),
        ("README typo", "severity:low-impact"),
    ],
)
def test_signal_is_found(taxonomy, text, tag):
    assert tag in taxonomy.tags_of(text)


def test_phrase_needs_its_words_in_order_and_together(taxonomy):
    assert "issue:crash" in taxonomy.tags_of("the stack traces")
    assert "issue:crash" not in taxonomy.tags_of("trace the stack")
    assert "issue:crash" not in taxonomy.tag(["the stack", "trace"])
    assert "issue:crash" in taxonomy.tag(["the stack trace"])


def test_minimum_counts_signals(taxonomy):
    assert "component:api" in taxonomy.tags_of("api endpoint", minimum=2)
    assert "component:api" not in taxonomy.tags_of("api", minimum=2)
    assert taxonomy.counts("api endpoint api")["component:api"] == 3


def test_project_adds_signals_values_and_facets(taxonomy):
    own = load_taxonomy(
        {"component": {"api": ["gateway"], "billing": ["invoice"]}, "team": {"core": ["FooBar"]}}
    )
    assert own.tags_of("Gateway invoices foo_bar") == ("component:api", "component:billing", "team:core")
    assert "component:api" in own.tags_of("endpoint")
    assert own.facets["team"] == ("core",)
    assert own.fingerprint != taxonomy.fingerprint
    assert "component:billing" not in taxonomy.tags_of("invoice")


def test_fingerprint_does_not_depend_on_order_or_repetition():
    one = Taxonomy({"a": {"x": ["p", "q"], "y": ["r"]}, "b": {"z": ["s"]}})
    two = Taxonomy({"b": {"z": ["s"]}, "a": {"y": ["r"], "x": ["q", "p", "p"]}})
    assert one.fingerprint == two.fingerprint
    assert load_taxonomy({}).fingerprint == load_taxonomy({}).fingerprint


@pytest.mark.parametrize(
    ("extra", "where"),
    [
        ({"a:b": {"x": ["y"]}}, "taxonomy.a:b"),
        ({"Component": {"x": ["y"]}}, "taxonomy.Component"),
        ({"component": {"my value": ["y"]}}, "taxonomy.component.my value"),
        ({"component": {"x": [""]}}, "taxonomy.component.x"),
        ({"component": {"x": ["--"]}}, "taxonomy.component.x"),
        ({"component": {"x": ["one two three four five six seven"]}}, "taxonomy.component.x"),
    ],
)
def test_unusable_name_or_signal_says_where_and_what_is_allowed(extra, where):
    with pytest.raises(SettingsError, match="allowed") as caught:
        load_taxonomy(extra)
    assert caught.value.where == where


@given(st.text())
def test_any_text_has_a_sorted_set_of_known_tags(text):
    taxonomy = Taxonomy({"a": {"x": ["api", "race condition"]}})
    assert taxonomy.tags_of(text) in ((), ("a:x",))


def test_every_shipped_signal_signals_its_value(taxonomy):
    table = tomllib.loads(files("knowledge").joinpath("taxonomy.toml").read_text())
    for facet, values in table.items():
        for value, words in values.items():
            for word in words:
                assert f"{facet}:{value}" in taxonomy.tags_of(f"x {word} y"), word


def test_task_of_a_kilobyte_is_tagged_in_two_milliseconds(taxonomy):
    task = "Fix the race condition in handleRequest when the API times out and the database is locked. " * 11
    best = min(_seconds(taxonomy, task) for _ in range(5))
    assert best < 0.002


def _seconds(taxonomy, text):
    start = time.process_time()
    taxonomy.tags_of(text)
    return time.process_time() - start
