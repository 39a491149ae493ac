"""What documents and sections tell of themselves: authority, status, scope, topics, entities, parents."""

from __future__ import annotations

import pytest
from cases import cases_by_value

from indexer.documents.declared import declared_in, status_line, status_of
from indexer.documents.entities import MAX_ENTITIES, entities_of
from indexer.parse import ParseContext, parse_file
from knowledge.catalog.rows import FileRow
from knowledge.settings import Settings
from knowledge.taxonomy import load_taxonomy
from knowledge.types import Authority, SourceKind, Status


@pytest.fixture(scope="module")
def parse():
    context = ParseContext(Settings(), load_taxonomy({}))

    def items(path, text):
        row = FileRow(path, "b", len(text), 1, "", SourceKind.IMPLEMENTATION)
        return parse_file(row, text.encode(), context).items

    return items


@pytest.mark.parametrize(
    ("path", "text", "authority", "status"),
    [
        ("docs/a.md", "# A\n", Authority.PROCEDURE, Status.CURRENT),
        ("docs/adr/1.md", "# A\n", Authority.ACCEPTED_DECISION, Status.CURRENT),
        ("docs/adr/1.md", "# A\n\n## Status\n\nAccepted\n", Authority.ACCEPTED_DECISION, Status.CURRENT),
        ("docs/adr/1.md", "# A\n\n## Status\n\nProposed\n", Authority.REVIEWED_NOTE, Status.DRAFT),
        ("docs/adr/1.md", "# A\n\n* Status: rejected\n", Authority.REVIEWED_NOTE, Status.DEPRECATED),
        (
            "adr/1.md",
            "# A\n\n## Status\n\nSuperseded by [2](2.md)\n",
            Authority.ACCEPTED_DECISION,
            Status.SUPERSEDED,
        ),
        ("docs/http.md", "# HTTP\n\n## Status\n\nPending requests\n", Authority.PROCEDURE, Status.CURRENT),
        ("docs/a.md", "---\nstatus: deprecated\n---\n# A\n", Authority.PROCEDURE, Status.DEPRECATED),
        ("docs/a.md", "---\nauthority: policy\n---\n# A\n", Authority.POLICY, Status.CURRENT),
        ("docs/a.md", "---\nauthority: boss\n---\n# A\n", Authority.PROCEDURE, Status.CURRENT),
        ("vendor/x/a.md", "---\nauthority: policy\n---\n# A\n", Authority.UNTRUSTED, Status.CURRENT),
        ("docs/policies/a.rst", "A\n=\n", Authority.POLICY, Status.CURRENT),
        ("docs/notes/adr/a.md", "# A\n", Authority.ACCEPTED_DECISION, Status.CURRENT),
        ("rfcs/1.md", "# A\n", Authority.REVIEWED_NOTE, Status.CURRENT),
        ("rfcs/1.md", "# A\n\nStatus: Accepted\n", Authority.ACCEPTED_DECISION, Status.CURRENT),
        ("docs/policies/a.yml", "a: 1\n", Authority.IMPLEMENTATION, Status.CURRENT),
    ],
)
def test_authority_and_status_are_what_folder_and_text_warrant(parse, path, text, authority, status):
    (document, *_) = parse(path, text)
    assert (document.evidence.authority, document.evidence.status) == (authority, status)


def test_sections_name_their_parents_by_id(parse):
    items = parse("docs/a.md", "intro\n\n# A\n\n## B\n\n### C\n\n## D\n")
    assert [(item.evidence.name, item.card.parent) for item in items] == [
        ("docs/a.md", ""),
        ("docs/a.md", "document:docs/a.md"),
        ("A", "document:docs/a.md"),
        ("A › B", "section:docs/a.md#a"),
        ("A › B › C", "section:docs/a.md#b"),
        ("A › D", "section:docs/a.md#a"),
    ]
    assert items[0].card.title == "A"


def test_front_matter_gives_scope_and_topics(parse):
    text = "---\napplies_to: [src/**/*.py, everything]\ntags: a, b\nkeywords: [b, 3]\n---\n# T\n"
    card = parse("docs/a.md", text)[0].card
    assert (card.scope, card.topics) == (("src/**/*.py",), ("a", "b", "3"))


def test_escapes_hide_nothing_in_a_card(parse):
    text = '---\ntitle: "a\\u202eb"\ntags: ["x\\u200by"]\n---\ntext\n'
    card = parse("docs/a.md", text)[0].card
    assert (card.title, card.topics) == ("ab", ("xy",))
    items = parse("a.json", '{"na\\u202eme": "x"}')
    assert "\u202e" not in str(items)


def test_units_of_a_notebook_are_implementation_and_its_text_is_procedure(parse):
    text = '{"cells": [{"cell_type": "code", "source": ["def f(): pass"]}]}'
    found = {item.evidence.kind: item.evidence.authority for item in parse("a.ipynb", text)}
    assert found == {
        "document": Authority.PROCEDURE,
        "section": Authority.PROCEDURE,
        "unit": Authority.IMPLEMENTATION,
    }


def test_secret_in_a_notebook_is_redacted_at_its_line():
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    text = '{"cells": [\n{"cell_type": "code",\n"source": [\n"a = 1\\n",\n"token = \\"' + key + '\\""]}]}'
    row = FileRow("a.ipynb", "b", len(text), 1, "", SourceKind.IMPLEMENTATION)
    parsed = parse_file(row, text.encode(), ParseContext(Settings(), load_taxonomy({})))
    assert [event.line for event in parsed.events] == [5]
    assert key not in str(parsed)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Call `close()` on `EventStream`, not `close()`.", ("close()", "EventStream")),
        ("See :class:`~a.b.Stream` and ``x = 1``.", ("a.b.Stream", "x = 1")),
        ("Edit src/net/stream.py or ./run.sh, see https://a.b/c/d.md.", ("src/net/stream.py", "./run.sh")),
        ("$ pip install x\n", ("pip install x",)),
        (
            "EventStream reads max_retries, MAX_RETRIES via a.b.close().",
            ("EventStream", "max_retries", "MAX_RETRIES", "a.b.close()"),
        ),
        ("Plain words, e.g. these; 3.5 of 10/12.", ()),
        ("`" + "x" * 100 + "` `--`", ()),
    ],
)
def test_entities_are_what_a_text_names(text, names):
    assert entities_of(text) == names


def test_entities_are_bounded():
    assert len(entities_of(" ".join(f"`name{n}`" for n in range(100)))) == MAX_ENTITIES


@pytest.mark.parametrize(
    ("statement", "status"),
    cases_by_value(
        {
            Status.CURRENT: ("Accepted", "**accepted** on 2024-01-02"),
            Status.SUPERSEDED: ("Accepted, superseded by 12",),
            Status.DRAFT: ("~~proposed~~ draft", "In Review"),
            None: ("not accepted", "", "200 OK"),
        }
    ),
)
def test_status_is_the_first_word_unless_overtaken(statement, status):
    assert status_of(statement) is status


@pytest.mark.parametrize(
    "line",
    ["Status: accepted", "* **Status**: accepted", "| Status | accepted |", "- Status: Accepted (2024)"],
)
def test_status_can_be_a_line(line):
    assert status_line(["# A", "", line]) is Status.CURRENT


def test_strange_front_matter_declares_nothing():
    declared = declared_in({"status": ["x"], "authority": {}, "tags": {"a": 1}, "scope": "all of it"})
    assert declared == declared_in({})


def test_end_of_a_large_card_without_parts_is_searched_too(parse):
    constants = "".join(f"NAME_{n % 50} = 'value'\n" for n in range(3_000))
    module = parse("a.py", constants + "LAST_CONSTANT = 1\n")[0]
    assert module.evidence.kind == "module"
    assert "constant" in module.text.body.split()
    long = parse("a.md", "# T\n\n" + "some words of prose\n" * 3_000 + "lastword\n")
    whole, last = long[1], long[-1]
    assert "lastword" not in whole.text.body.split()
    assert "lastword" in last.text.body.split()


@pytest.mark.parametrize(
    ("path", "sections"),
    [
        ("conf/a.toml", 2),
        ("examples/a.toml", 2),
        ("tests/fixtures/a.toml", 0),
        ("vendor/x/a.toml", 0),
        ("a.generated.toml", 0),
        ("tests/a.rst", 1),
    ],
)
def test_of_data_among_tests_and_what_others_wrote_there_is_a_card_alone(parse, path, sections):
    text = "[a]\nx = 1\ny = 1\nz = 1\n[b]\nx = 1\n\nTitle\n=====\n"
    assert (
        sum(item.evidence.kind == "section" and bool(item.card.title) for item in parse(path, text))
        == sections
    )
