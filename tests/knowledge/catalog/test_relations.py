"""What evidence says of others, and what documents say of themselves, is kept, found and forgotten."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.catalog.keys import last_segment, names_end_alike, normal_name
from knowledge.catalog.reader import CatalogReader
from knowledge.types import Card, Kind, Relation, RelationKind

CALLS, IMPORTS, TESTS = RelationKind.CALLS, RelationKind.IMPORTS, RelationKind.TESTS
CARD = Card("Retries", ("src/**",), ("sse", "日本"), ("EventStream.close", "make x"), "document:d.md")


def unit(made, path, name, *relations):
    return made.item(path, name, relations=tuple(Relation(*one) for one in relations))


@pytest.fixture
def written(catalog, made):
    section = made.item("d.md", "Retries", kind=Kind.SECTION, card=CARD)
    made.write(
        catalog,
        made.file(
            "a.py",
            unit(made, "a.py", "f", (CALLS, "self.stream.close", 2), (CALLS, "Pool::drain", 3)),
            unit(made, "a.py", "g", (CALLS, "close", 2), (IMPORTS, "httpx._client", 1)),
        ),
        made.file(
            "b.ts",
            unit(
                made,
                "b.ts",
                "h",
                (IMPORTS, "../lib/util.js", 1),
                (IMPORTS, "./io.js#openAll", 2),
                (CALLS, ".open", 9),
            ),
        ),
        made.file("t.py", unit(made, "t.py", "t", (TESTS, "src/stream.py", 1), (TESTS, "close", 2))),
        made.file("d.md", section),
    )
    return catalog


def related(catalog, kind, name, limit=9):
    with CatalogReader(catalog) as reader:
        rowids = reader.related(kind, name, limit)
        return sorted(one.name for one in reader.evidence(rowids).values())


@pytest.mark.parametrize(
    ("kind", "name", "found"),
    [
        (CALLS, "close", ["f", "g"]),
        (CALLS, "Close", ["f", "g"]),
        (CALLS, "stream.close", ["f"]),
        (CALLS, "ream.close", []),
        (CALLS, "self.stream.close", ["f"]),
        (CALLS, "pool.drain", ["f"]),
        (CALLS, "pool#drain", ["f"]),
        (CALLS, "stream", []),
        (IMPORTS, "close", []),
        (IMPORTS, "_client", ["g"]),
        (IMPORTS, "util", ["h"]),
        (IMPORTS, "lib/util.ts", ["h"]),
        (IMPORTS, "openAll", ["h"]),
        (IMPORTS, "io.js#openAll", []),
        (IMPORTS, "./io.ts#openAll", ["h"]),
        (IMPORTS, "io", []),
        (CALLS, "open", ["h"]),
        (CALLS, "file.open", []),
        (TESTS, "src/stream.py", ["t"]),
        (TESTS, "stream", ["t"]),
        (TESTS, "lib/stream.py", []),
        (TESTS, "close", ["t"]),
        (CALLS, "", []),
        (CALLS, "\ud800", []),
    ],
)
def test_who_says_something_of_a_name_is_found(written, kind, name, found):
    assert related(written, kind, name) == found


def test_no_more_are_found_than_asked_for(written):
    assert len(related(written, CALLS, "close", 1)) == 1
    assert len(related(written, CALLS, "stream.close", 0)) == 0


def test_relations_come_back_as_they_went_in(written):
    with CatalogReader(written) as reader:
        (rowid,) = reader.named("f", 2)
        assert reader.relations_of([rowid, 10**6]) == {
            rowid: (Relation(CALLS, "self.stream.close", 2), Relation(CALLS, "Pool::drain", 3))
        }


def test_cards_come_back_as_they_went_in(written):
    with CatalogReader(written) as reader:
        assert reader.card_of("symbol:d.md::Retries") == CARD
        assert reader.cards(["symbol:d.md::Retries", "symbol:a.py::f", "none"]) == {
            "symbol:d.md::Retries": CARD
        }
        assert reader.card_of("symbol:a.py::f") is None


def test_relations_of_a_removed_file_are_forgotten(written, made):
    made.write(written, made.file("t.py", unit(made, "t.py", "t")), remove=["a.py"])
    assert related(written, CALLS, "close") == []
    assert related(written, TESTS, "close") == []
    assert related(written, IMPORTS, "util") == ["h"]


def test_dump_tells_relations_and_cards(written, made):
    rows = {row[0]: row for row in made.dump(written)}
    assert CARD in rows["symbol:d.md::Retries"]
    assert (Relation(CALLS, "close", 2), Relation(IMPORTS, "httpx._client", 1)) in rows["symbol:a.py::g"]


@given(st.text())
def test_every_name_has_a_last_segment_by_which_it_is_found(name):
    assert normal_name(name).endswith(last_segment(name))
    assert names_end_alike(normal_name(name), normal_name(name))
