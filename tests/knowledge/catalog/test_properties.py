"""Whatever was written and removed in whatever order, the catalog is the one its files make."""

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.catalog.reader import CatalogReader
from knowledge.catalog.rows import FIELDS
from knowledge.catalog.schema import Band
from knowledge.types import Card, Kind, Relation, RelationKind, SourceKind

PATHS = ("a.py", "b.py", "c/d.py", "e.md")
WORDS = ("open", "close", "stream", "retry", "pool", "日本")
body = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
unit = st.tuples(st.sampled_from(["f", "g", "h", "k"]), body, st.sampled_from([Kind.UNIT, Kind.CLASS]))
content = st.tuples(
    st.lists(unit, max_size=4, unique_by=lambda one: one[0]), st.sampled_from(list(SourceKind))
)
change = st.tuples(st.sampled_from(PATHS), st.none() | content)
runs = st.lists(st.lists(change, max_size=5), min_size=1, max_size=5)


def file_of(made, path, content):
    units, source_kind = content
    items = [
        made.item(
            path,
            name,
            body=text,
            kind=kind,
            source_kind=source_kind,
            line=number,
            relations=tuple(
                Relation(RelationKind.CALLS, word, number) for word in dict.fromkeys(text.split())
            ),
            card=Card(name, entities=(text,)) if kind is Kind.CLASS else None,
        )
        for number, (name, text, kind) in enumerate(units, start=1)
    ]
    return made.file(path, *items)


def do(made, catalog, runs):
    """Writes all runs; returns the files that are left."""
    left = {}
    for run in runs:
        final = dict(run)
        made.write(
            catalog,
            *(file_of(made, path, content) for path, content in final.items() if content is not None),
            remove=[path for path, content in final.items() if content is None],
        )
        left |= final
    return {path: content for path, content in left.items() if content is not None}


@settings(max_examples=30)
@given(runs=runs)
def test_catalog_equals_one_made_from_the_files_that_are_left(made, runs):
    with TemporaryDirectory() as folder:
        grown, fresh = Path(folder, "grown"), Path(folder, "fresh")
        left = do(made, grown, runs)
        made.write(fresh, *(file_of(made, path, left[path]) for path in sorted(left)))
        assert made.dump(grown) == made.dump(fresh)


@settings(max_examples=30)
@given(runs=runs)
def test_frequencies_and_lengths_are_exact(made, runs):
    with TemporaryDirectory() as folder:
        catalog = Path(folder, "catalog")
        left = do(made, catalog, runs)
        items = [one for path, content in left.items() for one in file_of(made, path, content).items]
        frequencies = Counter(term for one in items for term in set(" ".join(one.text.fields).split()))
        with CatalogReader(catalog) as reader:
            assert reader.document_frequencies([*frequencies, *WORDS]) == dict(frequencies)
            statistics = reader.statistics()
        assert statistics.count == len(items)
        for number, mean in enumerate(statistics.average_lengths):
            total = sum(len(one.text.fields[number].split()) for one in items)
            assert mean == max(1.0, total / max(1, len(items))), FIELDS[number]


@settings(max_examples=25)
@given(
    left=st.dictionaries(st.sampled_from(PATHS), content),
    orders=st.tuples(st.permutations(PATHS), st.permutations(PATHS)),
    terms=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True),
    limit=st.integers(0, 6),
)
def test_which_rows_are_found_does_not_depend_on_the_order_of_writing(made, left, orders, terms, limit):
    found = []
    with TemporaryDirectory() as folder:
        for number, order in enumerate(orders):
            catalog = Path(folder, str(number))
            # each file in a run of its own, and twice: row ids and the index's pieces differ
            for path in (*order, *reversed(order)):
                if path in left:
                    made.write(catalog, file_of(made, path, left[path]))
            made.write(catalog)
            with CatalogReader(catalog) as reader:
                rows = {band: reader.search(terms, band, limit, made.weights) for band in Band}
                assert all(band.first <= row <= band.last for band in rows for row in rows[band])
                assert all(len(band_rows) <= limit for band_rows in rows.values())
                found.append({band: {e.id for e in reader.evidence(rows[band]).values()} for band in rows})
    assert found[0] == found[1]


def test_a_tie_at_the_cut_is_left_out_as_a_whole(made, catalog):
    same = [made.item("a.py", name, body="close") for name in ("aa", "bb", "cc")]
    best = made.item("a.py", "dd", body="close close close")
    made.write(catalog, made.file("a.py", *same, best))
    with CatalogReader(catalog) as reader:
        rows = reader.search(["close"], Band.UNITS, 2, made.weights)
        assert [reader.evidence(rows)[row].name for row in rows] == ["dd"]
        assert len(reader.search(["close"], Band.UNITS, 4, made.weights)) == 4


def test_when_everything_ties_the_first_by_path_are_taken(made, catalog):
    files = [made.file(path, made.item(path, "same", body="close")) for path in ("c.py", "a.py", "b.py")]
    made.write(catalog, *files)
    with CatalogReader(catalog) as reader:
        rows = reader.search(["close"], Band.UNITS, 2, made.weights)
        assert sorted(one.path for one in reader.evidence(rows).values()) == ["a.py", "b.py"]
