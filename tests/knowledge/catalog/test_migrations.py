"""From nothing and from every older schema, migrations lead to one and the same schema."""

import sqlite3

import pytest

from knowledge.catalog import schema
from knowledge.catalog.reader import CatalogReader
from knowledge.catalog.schema import APPLICATION_ID, MIGRATIONS, SCHEMA_VERSION
from knowledge.errors import CatalogMissing

# What takes each version back to the one before, with its content: a new migration needs an entry here.
UNDO = {
    2: ("DROP INDEX evidence_by_kind", "ALTER TABLE files DROP COLUMN inode"),
}


def shape(path):
    with sqlite3.connect(path) as db:
        rows = db.execute(
            "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"
        ).fetchall()
        columns = db.execute("SELECT name FROM pragma_table_info('files') ORDER BY cid").fetchall()
        version = db.execute("PRAGMA user_version").fetchone()
    return sorted((kind, name) for kind, name, _ in rows), columns, version


def age(path, version):
    """Takes a catalog back to an older schema."""
    db = sqlite3.connect(path, isolation_level=None)
    for number in range(SCHEMA_VERSION, version, -1):
        for statement in UNDO[number]:
            db.execute(statement)
    db.execute(f"PRAGMA user_version = {version}")
    db.close()


@pytest.fixture
def blank(catalog, made):
    made.write(catalog)
    return shape(catalog)


def test_every_migration_can_be_undone_for_this_test():
    assert sorted(UNDO) == list(range(2, SCHEMA_VERSION + 1))
    assert len(MIGRATIONS) == SCHEMA_VERSION


@pytest.mark.parametrize("version", range(1, SCHEMA_VERSION))
def test_older_catalog_is_migrated_with_its_content(tmp_path, made, blank, version):
    old = tmp_path / "old.sqlite"
    made.write(old, made.file("a.py", made.item("a.py", "a"), events=(made.event(1, "secret:x"),)))
    before = made.dump(old)
    age(old, version)
    with pytest.raises(CatalogMissing, match="prebrief index"):
        CatalogReader(old)
    made.write(old, finished=False)
    assert shape(old) == blank
    assert made.dump(old) == before


@pytest.mark.parametrize("version", range(1, SCHEMA_VERSION))
def test_schema_as_an_older_version_made_it_is_migrated(tmp_path, made, blank, version):
    old = tmp_path / "old.sqlite"
    db = sqlite3.connect(old, isolation_level=None)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    for statements in MIGRATIONS[:version]:
        for statement in statements:
            db.execute(statement)
    db.execute(f"PRAGMA user_version = {version}")
    db.close()
    made.write(old)
    assert shape(old) == blank


def test_clearing_gives_the_schema_of_a_new_catalog(catalog, made, blank):
    from knowledge.catalog.writer import CatalogWriter  # noqa: PLC0415 (beside what it is compared with)

    made.write(catalog, made.file("a.py", made.item("a.py", "a")))
    with CatalogWriter(catalog) as writer:
        writer.clear()
    assert shape(catalog) == blank


def test_crash_in_a_migration_leaves_the_old_catalog(catalog, made, monkeypatch):
    made.write(catalog, made.file("a.py", made.item("a.py", "a")))
    before, content = shape(catalog), made.dump(catalog)
    broken = (*MIGRATIONS, ("CREATE TABLE more (a)", "CREATE TABLE more (a)"))
    monkeypatch.setattr(schema, "MIGRATIONS", broken)
    monkeypatch.setattr("knowledge.catalog.database.SCHEMA_VERSION", len(broken))
    with pytest.raises(Exception, match="more"):
        made.write(catalog)
    monkeypatch.undo()
    assert (shape(catalog), made.dump(catalog)) == (before, content)
