"""YAML and JSON: few sections of a useful size, at exact lines, whatever is broken."""

from __future__ import annotations

import json

import pytest
import yaml
from cases import rows
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.formats.data import MAX_DATA_LINES, MAX_SECTIONS, SMALL_LINES
from indexer.formats.json_tree import read_json, unquoted
from indexer.formats.table import EXTRACTORS
from indexer.formats.yaml_tree import read_yaml
from knowledge.types import Kind

WORKFLOW = """\
# Runs for each push.
name: CI
on:
  push:

jobs:
  # Formats first.
  lint:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - name: Ruff
        run: ruff check src
  test:
    name: Unit tests
    runs-on: ubuntu-latest
    strategy:
      matrix:
        python: ["3.11", "3.12"]
    steps:
      - uses: actions/checkout@v4
      - run: pytest -q
      - name: Report
        run: |
          coverage xml
          bash <(curl -s https://codecov.io/bash)
"""


def long(text):
    """The text with enough lines for sections."""
    return text + "\n".join(f"  # more {n}" for n in range(SMALL_LINES))


def test_jobs_are_sections_with_their_steps(outline, section):
    text = long(WORKFLOW)
    last = text.count("\n") + 1
    assert outline("yaml", text) == [
        ("name, on", "name", "1-5"),
        ("jobs › lint", "jobs/lint", "6-13"),
        ("jobs › test", "jobs/test", f"14-{last}"),
    ]
    assert section("yaml", text, "jobs › lint").doc == "Steps: actions/checkout@v4; Ruff"
    test = section("yaml", text, "jobs › test")
    assert test.doc == "Unit tests. Steps: actions/checkout@v4; pytest -q; Report"


def test_short_file_is_one_card_with_the_text_itself():
    (card,) = EXTRACTORS["yaml"](WORKFLOW).drafts
    assert (card.kind, card.start, card.end, card.body + "\n") == (Kind.DOCUMENT, 1, 26, WORKFLOW)
    assert card.doc == "CI\n\nRuns for each push."


def test_documents_are_named_by_what_they_describe(outline):
    web = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n" + "# x\n" * 20
    text = web + "---\n# The port.\nkind: Service\nmetadata: {name: web-port}\n" + "# y\n" * 20
    assert outline("yaml", text) == rows("""
        Deployment web    Deployment/web    1-25
        Service web-port  Service/web-port  26-48
    """)


def test_nothing_begins_after_the_last_line(outline):
    entries = "".join(f"key{n}: 1\n" for n in range(41))
    assert outline("yaml", entries + "---\n")[-1][2] == "25-42"
    assert outline("yaml", "0" + "\n" * 40 + "---") == [("", "", "1-41")]


def test_small_entries_go_together_and_large_ones_are_split(outline):
    small = "".join(f"key{n}: {n}\n" for n in range(30))
    large = "big:\n" + "".join(
        f"  part{n}:\n" + "".join(f"    k{m}: value\n" for m in range(60)) for n in range(3)
    )
    assert [name for name, *_ in outline("yaml", small + large)] == [
        "key0, key1, key2, key3, key4, key5, key6, key7, key8, key9, key10, key11, …",
        "key24, key25, key26, key27, key28, key29",
        *("big › part0", "big › part1", "big › part2"),
    ]


def test_items_are_named_by_themselves(outline):
    text = "".join(f"- name: Install {n}\n" + "  x: 1\n" * 30 for n in range(6))
    assert [name for name, *_ in outline("yaml", text)] == [f"Install {n}" for n in range(6)]


def test_play_without_a_name_is_named_by_its_hosts(outline):
    tasks = "".join(f"    - name: Install {n}\n" + "      x: 1\n" * 30 for n in range(5))
    text = "---\n- hosts: web\n  become: true\n\n  tasks:\n" + tasks
    names = [name for name, *_ in outline("yaml", text)]
    assert names[-1] == "web › tasks › Install 4"


def test_long_key_is_cut_for_the_name_of_its_section(outline):
    entries = '"part": [\n' + "1,\n" * 60 + "1]\n}"
    assert outline("json", '{\n"' + "long " * 30 + '": 1,\n' * 8 + entries)[0][0] == "long " * 15 + "lon …"
    assert outline("json", '{\n"kind": 1,\n"' + "long " * 30 + '": 1,\n' * 8 + entries)[0][0] == "kind, …"


def test_description_is_no_section_of_its_own(outline):
    text = "operationId: list\nsummary: List\ndescription: |\n" + "  Says it at length.\n" * 20
    text += "parameters:\n" + "  - name: page\n    in: query\n" * 12
    assert outline("yaml", text)[0][0] == "operationId, summary, description"


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"k{n}: {n}" for n in range(MAX_DATA_LINES + 1)),
        "[\n" + ",\n".join(f'{{"id": {n}}}' for n in range(9_000)) + "\n]",
        '{"a": "' + "x" * 500_000 + '"}',
    ],
    ids=["keys", "records", "blob"],
)
@pytest.mark.parametrize("name", ["yaml", "json"])
def test_large_data_is_a_card_alone(name, text):
    assert len(EXTRACTORS[name](text).drafts) == 1


def test_large_settings_that_somebody_explains_have_sections():
    text = "".join(f"# What part {n} is for.\npart{n}:\n" + "  on: 1  # why\n" * 8 for n in range(240))
    assert text.count("\n") > MAX_DATA_LINES
    drafts = EXTRACTORS["yaml"](text).drafts
    assert len(drafts) > MAX_SECTIONS
    assert [(d.name, d.start, d.end, d.doc) for d in drafts[1:3]] == [
        ("part0", 1, 10, "What part 0 is for."),
        ("part1", 11, 20, "What part 1 is for."),
    ]


def test_number_of_sections_is_bounded():
    text = "".join(f"k{n}:\n" + "  x: 1\n" * 8 for n in range(180))
    sections = [d for d in EXTRACTORS["yaml"](text).drafts if d.kind is Kind.SECTION]
    assert [d.name for d in sections[:2]] == ["k0, k1, k2", "k3, k4, k5"]
    assert len(sections) == MAX_SECTIONS


def keys_of(root):
    return [entry.key for document in root.entries for entry in document.node.entries]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("a: 1\nb: {{ .Values.x }}\nc:\n  d: 1\ne: 2\n", ["a", "b", "c", "e"]),
        ("a: 1\n<<<<<<< HEAD\nb: 1\n=======\nc: 1\n>>>>>>> x\nd: 1\n", ["a", "b", "c", "d"]),
        ("a: 1\na: 2\n", ["a", "a"]),
        ("a: !Ref x\nb: !!python/object:os.system {c: 1}\n", ["a", "b"]),
        ("a: &x {b: 1}\nc: *x\n<<: *x\n", ["a", "c", "<<"]),
        ("? [x, y]\n: 1\nb: 2\n", ["", "", "b"]),
        ("a:\n\t- tab\nb: 1\n", ["a", "b"]),
        ("a: 'open\nb: 1\n", ["a", "b"]),
    ],
)
def test_yaml_keys_are_found_whatever_is_broken(text, keys):
    assert [key for key in keys_of(read_yaml(text)) if key in keys] == keys


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ('{"a": 1, "b": [1, {"c": 2}], "d": null}', ["a", "b", "d"]),
        ('// c\n{"a": 1, /* "x": 1 */ "b": 2,}', ["a", "b"]),
        ("{a: 'x', 'b': +.5, # c\n c: NaN}", ["a", "b", "c"]),
        ('{"a": {"b": 1, "c": 2', ["a"]),
        ('{"a": "open\n, "b": 1}', ["a", "b"]),
        ('{"a": "x": 1, ]}', ["a"]),
        ('{"a\\u0020b": 1}', ["a b"]),
        ('{"a": "http://b//c", "d": 1}', ["a", "d"]),
    ],
)
def test_json_keys_are_found_whatever_is_broken(text, keys):
    assert [key for key in keys_of(read_json(text)) if key in keys] == keys


def test_json_strings_are_read_as_json_does():
    assert unquoted(r'"a\"b\né"') == 'a"b\né'
    assert unquoted(r'"\q"') == r"\q"
    assert unquoted('"open') == "open"
    assert unquoted("'it'") == "it"


def test_lines_of_json_are_exact(outline):
    entries = [f'  "k{n}": {{\n' + '    "x": 1,\n' * 12 + "  }" for n in range(4)]
    assert outline("json", "{\n" + ",\n".join(entries) + "\n}\n") == rows("""
        k0  k0  1-15
        k1  k1  16-29
        k2  k2  30-43
        k3  k3  44-58
    """)


def values(texts):
    return st.recursive(
        st.none() | st.booleans() | st.integers() | texts,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
        max_leaves=12,
    )


ANY_TEXTS = st.text(max_size=12)
YAML_TEXTS = st.text("ab01 :#-?&*!|>'\"%@\\{}[],\n\té中~", max_size=8)  # its own line ends it reads as others


def shape(value):
    """A value as a tree has it: keys in order, scalars as empty."""
    if isinstance(value, dict):
        return [(key, shape(inner)) for key, inner in value.items()]
    if isinstance(value, list):
        return [(str(at), shape(inner)) for at, inner in enumerate(value)]
    return []


def shape_of(node):
    return [(entry.key, shape_of(entry.node)) for entry in node.entries]


@given(value=values(ANY_TEXTS), indent=st.sampled_from([None, 2]), ascii_only=st.booleans())
@settings(max_examples=150, deadline=None)
def test_tree_of_valid_json_is_its_value(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert shape_of(read_json(text)) == [("0", shape(value))]


@given(values(YAML_TEXTS))
@settings(max_examples=60, deadline=None)
def test_tree_of_valid_yaml_is_its_value(value):
    text = yaml.safe_dump(value, sort_keys=False, allow_unicode=True)
    assert shape_of(read_yaml(text)) == [("0", shape(value))]


def test_scripts_of_a_package_are_a_section_of_their_own(outline):
    head = '{\n  "name": "a",\n  "version": "1",\n  "type": "module",\n'
    scripts = '  "scripts": {\n    "build": "tsc",\n    "test": "vitest"\n  },\n'
    rest = (
        '  "dependencies": {\n' + "".join(f'    "d{n}": "1",\n' for n in range(40)) + '    "z": "1"\n  }\n}\n'
    )
    assert outline("json", head + scripts + rest) == rows("""
        name, version, type  name          1-4
        scripts              scripts       5-8
        dependencies         dependencies  9-52
    """)
