"""What was written is read back, by every way of asking."""

from dataclasses import replace

import pytest

from knowledge.catalog.reader import CatalogReader
from knowledge.catalog.rows import FIELDS
from knowledge.catalog.schema import Band
from knowledge.errors import DeadlineExceeded
from knowledge.types import Kind, Quality, SourceKind


@pytest.fixture
def reader(catalog, made):
    made.write(
        catalog,
        made.file("b.py", made.item("b.py", "alpha", line=9), made.item("b.py", "beta", line=1)),
        made.file(
            "a.py",
            made.item("a.py", "alpha", line=3),
            made.item("a.py", "Big", kind=Kind.CLASS, line=1),
            events=(
                made.event(4, "secret:x", 2),
                made.event(4, "secret:x", 1),
                made.event(5, "unicode:bidi"),
            ),
        ),
        made.file("r.md", made.item("r.md", "one", kind=Kind.RULE)),
    )
    with CatalogReader(catalog) as opened:
        yield opened


def names(reader, rowids):
    found = reader.evidence(rowids)
    return [(found[rowid].path, found[rowid].name) for rowid in rowids]


def test_evidence_comes_back_as_it_went_in(reader, made):
    (rowid,) = reader.named("big", 5)
    item = made.item("a.py", "Big", kind=Kind.CLASS, line=1)
    assert reader.by_id([item.evidence.id]) == {item.evidence.id: item.evidence}
    assert reader.texts([rowid])[rowid] == item.text


def test_ranking_gets_evidence_without_the_parts_of_its_quality(reader, made):
    (rowid,) = reader.named("big", 5)
    evidence = made.item("a.py", "Big", kind=Kind.CLASS, line=1).evidence
    assert evidence.quality.parts
    assert reader.evidence([rowid])[rowid] == replace(evidence, quality=Quality(evidence.quality.score, {}))


def test_rows_come_in_the_order_of_their_ids_whether_read_before_or_not(reader):
    rowids = [*reader.named("beta", 5), *reader.named("big", 5), *reader.named("alpha", 5)]
    fresh = reader.rows(rowids)
    assert list(fresh) == sorted(rowids)
    reader.begin()
    reader.rows(rowids[1:])
    assert reader.rows(rowids) == fresh
    assert list(reader.rows(rowids)) == sorted(rowids)
    reader.end()


def test_names_are_found_as_they_are(reader):
    assert sorted(names(reader, reader.named("alpha", 5))) == [("a.py", "alpha"), ("b.py", "alpha")]
    assert len(reader.named("alpha", 1)) == 1
    assert reader.named("Alpha", 5) == []
    assert reader.named("alph%", 5) == []


def test_lines_of_a_file_are_found_smallest_first(reader):
    assert names(reader, reader.in_file("b.py", 3, 9, 5)) == [("b.py", "beta"), ("b.py", "alpha")]
    assert reader.in_file("b.py", 4, 8, 5) == []


def test_ids_that_no_longer_exist_are_absent(reader):
    found = reader.by_id(["symbol:a.py::alpha", "symbol:gone.py::f"])
    assert list(found) == ["symbol:a.py::alpha"]


def test_guidance_comes_back_with_its_evidence(reader, made):
    ((evidence, guidance),) = reader.guidance()
    written = made.item("r.md", "one", kind=Kind.RULE)
    assert (evidence, guidance) == (written.evidence, written.guidance)


def test_files_paths_and_counts(reader, made):
    assert reader.paths() == ["a.py", "b.py", "r.md"]
    assert reader.files(["a.py", "none.py"])["a.py"].inode == 7
    assert reader.counts() == {
        "languages": {"python": 3},
        "skipped": {},
        "kinds": {"class": 1, "rule": 1, "unit": 3},
        "events": {"secret:x": 3, "unicode:bidi": 1},
        "history": {"commits": 0, "searched": 0},
    }


def test_more_values_than_one_statement_binds(reader):
    many = [f"symbol:a.py::n{number}" for number in range(2_000)]
    assert list(reader.by_id([*many, "symbol:a.py::alpha"])) == ["symbol:a.py::alpha"]
    assert reader.document_frequencies([*many, "alpha"]) == {"alpha": 2}


def test_statistics_of_an_almost_empty_catalog_are_positive(catalog, made):
    made.write(catalog)
    with CatalogReader(catalog) as reader:
        statistics = reader.statistics()
    assert (statistics.count, statistics.average_lengths) == (0, (1.0,) * len(FIELDS))


@pytest.mark.parametrize("value", ["", "\ud800", "\0", '"', "'; DROP TABLE files; --", "日本", "x" * 100_000])
def test_any_text_can_be_asked_for(reader, value):
    assert reader.named(value, 5) == []
    assert reader.in_file(value, 1, 5, 5) == []
    assert reader.by_id([value]) == {}
    assert reader.files([value]) == {}
    assert reader.document_frequencies([value]) == {}
    assert reader.search([value], Band.UNITS, 5, (1,) * 5) == []


def test_of_a_group_all_terms_are_wanted(catalog, made):
    bodies = {"both": "open close", "one": "open", "other": "close", "third": "retry"}
    items = [made.item("a.py", name, body=body) for name, body in bodies.items()]
    made.write(catalog, made.file("a.py", *items))
    with CatalogReader(catalog) as reader:
        found = [("open", "close")], ["retry", ("open", "close")], [("open", "none")]
        rows = [reader.search(terms, Band.UNITS, 9, made.weights) for terms in found]
        assert [sorted(name for _, name in names(reader, one)) for one in rows] == [
            ["both"],
            ["both", "third"],
            [],
        ]


def test_thousands_of_terms_can_be_asked_for(reader):
    terms = ["alpha", *(f"term{number}" for number in range(5_000))]
    assert len(reader.search(terms, Band.UNITS, 5, (1,) * 5)) == 2


def test_deadline_ends_a_query_that_is_running(catalog, made):
    items = [made.item("a.py", f"n{number}", body="word " * 200) for number in range(600)]
    made.write(catalog, made.file("a.py", *items))
    with CatalogReader(catalog) as reader:
        reader.interrupt_when(lambda: True)
        with pytest.raises(DeadlineExceeded):
            reader.search(["word"], Band.UNITS, 5, (1,) * 5)
        reader.interrupt_when(None)
        assert reader.search(["n7"], Band.UNITS, 5, (1,) * 5)


def test_deadline_that_passes_while_rows_are_fetched(catalog, made):
    items = [made.item("a.py", f"n{number}") for number in range(3_000)]
    made.write(catalog, made.file("a.py", *items))
    with CatalogReader(catalog) as reader:
        rows = reader.dump()
        next(rows)
        reader.interrupt_when(lambda: True)
        with pytest.raises(DeadlineExceeded):
            list(rows)


def test_kinds_of_source_are_kept_apart_by_band(catalog, made):
    made.write(
        catalog,
        made.file("a.py", made.item("a.py", "x"), made.item("a.py", "C", kind=Kind.CLASS, body="x")),
        *(
            made.file(f"{kind}.py", made.item(f"{kind}.py", "x", source_kind=kind))
            for kind in SourceKind
            if kind is not SourceKind.IMPLEMENTATION
        ),
        made.file("t.md", made.item("t.md", "S", kind=Kind.SECTION, body="x", source_kind=SourceKind.TEST)),
        made.file("r.md", made.item("r.md", "x", kind=Kind.RULE)),
    )
    with CatalogReader(catalog) as reader:
        found = {
            band: sorted(path for path, _ in names(reader, reader.search(["x"], band, 20, made.weights)))
            for band in Band
        }
    assert found == {
        Band.UNITS: ["a.py"],
        Band.CARDS: ["a.py"],
        Band.OTHER_UNITS: ["changelog.py", "example.py", "generated.py", "test.py", "vendored.py"],
        Band.OTHER_CARDS: ["t.md"],
        Band.GUIDANCE: ["r.md"],
    }
