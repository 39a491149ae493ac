"""What cannot be used as a catalog is named, with a remedy; nothing that is not ours is written to."""

import random

import damaged_catalogs as damaged
import pytest

from knowledge.catalog import database
from knowledge.catalog.reader import CatalogReader
from knowledge.catalog.schema import APPLICATION_ID, Band
from knowledge.catalog.writer import CatalogWriter
from knowledge.errors import CatalogCorrupt, CatalogError, CatalogMissing, CatalogTooNew, PrebriefError
from knowledge.types import RelationKind


@pytest.fixture(scope="module")
def content(tmp_path_factory, made):
    """The bytes of a catalog of some size, written in several runs."""
    catalog = tmp_path_factory.mktemp("made") / "catalog.sqlite"
    for number in range(40):
        path = f"{number}.py"
        items = [made.item(path, f"n{i}", body=f"word{i} " * 30, line=i) for i in range(1, 12)]
        made.write(catalog, made.file(path, *items, events=(made.event(1, "secret:x"),)))
    return catalog.read_bytes()


@pytest.fixture
def full(catalog, content):
    """A catalog that can be damaged."""
    catalog.write_bytes(content)
    return catalog


def no_file(path):
    path.unlink()


def other_application(path):
    damaged.execute(path, "PRAGMA application_id = 42")


def torn_header(path):
    path.write_bytes(path.read_bytes()[:50])


def missing_table(path):
    damaged.execute(path, "DROP TABLE meta")


def unfinished(path):
    damaged.execute(path, "DELETE FROM meta WHERE key = 'fingerprint'")


DAMAGE = [
    (no_file, CatalogMissing, "index'"),
    (damaged.emptied, CatalogMissing, "index'"),
    (unfinished, CatalogMissing, "index'"),
    (damaged.folder_in_its_place, CatalogCorrupt, "--full"),
    (damaged.no_database, CatalogCorrupt, "--full"),
    (damaged.other_database, CatalogCorrupt, "--full"),
    (other_application, CatalogCorrupt, "--full"),
    (damaged.truncated, CatalogCorrupt, "--full"),
    (torn_header, CatalogCorrupt, "--full"),
    (damaged.zeroed_middle, CatalogCorrupt, "--full"),
    (missing_table, CatalogCorrupt, "--full"),
    (damaged.newer, CatalogTooNew, "--full"),
]


def use(path):
    """Everything that readers do."""
    with CatalogReader(path) as reader:
        reader.statistics()
        reader.counts()
        reader.guidance()
        rows = reader.search(["word3", "n4"], Band.UNITS, 20, (1,) * 5)
        reader.evidence(rows)
        reader.texts(rows)
        reader.relations_of(rows)
        reader.related(RelationKind.CALLS, "n4.run", 9)
        reader.card_of("symbol:3.py::n3")
        reader.files(reader.paths())
        reader.in_file("3.py", 1, 99, 9)
        reader.by_id([f"symbol:{n}.py::n{n % 11}" for n in range(40)])
        return list(reader.dump())


@pytest.mark.parametrize(
    ("damage", "expected", "remedy"), DAMAGE, ids=lambda value: getattr(value, "__name__", "")
)
def test_reader_names_what_is_wrong_and_the_remedy(full, damage, expected, remedy):
    damage(full)
    with pytest.raises(CatalogError) as raised:
        use(full)
    assert type(raised.value) is expected
    assert remedy in raised.value.remedy
    assert raised.value.where == str(full)


@pytest.mark.parametrize(
    "damage", [damaged.other_database, damaged.newer, damaged.no_database, other_application]
)
def test_writer_leaves_alone_what_is_not_its_own(full, damage):
    damage(full)
    content = full.read_bytes()
    with pytest.raises((CatalogCorrupt, CatalogTooNew)):
        CatalogWriter(full)
    assert full.read_bytes() == content


@pytest.mark.parametrize("damage", [no_file, damaged.emptied])
def test_writer_begins_anew_where_there_is_nothing(full, made, damage):
    damage(full)
    made.write(full, made.file("a.py", made.item("a.py", "a")))
    assert made.dump(full)


@pytest.mark.parametrize("damage", [damage for damage, _, _ in DAMAGE])
def test_removal_makes_room_for_a_new_one(full, made, damage):
    damage(full)
    database.remove(full)
    assert not list(full.parent.iterdir())
    made.write(full, made.file("a.py", made.item("a.py", "a")))
    assert made.dump(full)


@pytest.mark.parametrize("seed", range(60))
def test_flipped_bytes_are_an_error_of_ours_or_go_unnoticed(full, seed):
    chance = random.Random(seed)
    content = bytearray(full.read_bytes())
    for _ in range(chance.choice([1, 20, 500])):
        content[chance.randrange(len(content))] = chance.randrange(256)
    full.write_bytes(content)
    remedies = []
    for act in (use, rewrite):
        try:
            act(full)
        except PrebriefError as error:
            remedies.append(error.remedy)
    assert all(remedies)


def rewrite(path):
    with CatalogWriter(path) as writer:
        writer.remove(list(writer.files()))
        writer.clear()


@pytest.mark.parametrize(
    "value",
    [("kind", "'gizmo'"), ("record", "x'789c'"), ("record", "substr(record, 1, length(record) - 3)")],
    ids=["kind", "no record", "cut short"],
)
def test_stored_values_that_are_none_of_ours_are_damage(full, value):
    column, sql = value
    damaged.execute(full, f"UPDATE evidence SET {column} = {sql}")
    with pytest.raises(CatalogCorrupt, match="--full"):
        use(full)


def test_side_files_of_another_catalog_do_no_harm(full, made):
    before = made.dump(full)
    full.with_name(full.name + "-wal").write_bytes(b"x" * 5000)
    full.with_name(full.name + "-shm").write_bytes(b"y" * 40_000)
    assert made.dump(full) == before


def test_application_id_spells_the_name():
    assert APPLICATION_ID.to_bytes(4, "big") == b"PREB"
