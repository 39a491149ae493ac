"""From nothing and from every older schema, one and the same schema comes about."""

import sqlite3

import pytest

from knowledge.catalog import schema
from knowledge.catalog.reader import CatalogReader
from knowledge.catalog.schema import APPLICATION_ID, FIRST_VERSION, MIGRATIONS, SCHEMA_VERSION
from knowledge.catalog.writer import CatalogWriter
from knowledge.errors import CatalogMissing


def shape(path):
    with sqlite3.connect(path) as db:
        rows = db.execute(
            "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"
        ).fetchall()
        columns = db.execute("SELECT name FROM pragma_table_info('files') ORDER BY cid").fetchall()
        version = db.execute("PRAGMA user_version").fetchone()
    return sorted((kind, name) for kind, name, _ in rows), columns, version


@pytest.fixture
def blank(catalog, made):
    made.write(catalog)
    return shape(catalog)


@pytest.mark.parametrize("version", range(1, FIRST_VERSION))
def test_what_a_dropped_version_wrote_is_made_anew(tmp_path, made, blank, version):
    old = tmp_path / "old.sqlite"
    db = sqlite3.connect(old, isolation_level=None)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute("CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID")
    db.execute("INSERT INTO meta VALUES ('fingerprint', 'blake2b:old'), ('recipe', 'old')")
    db.execute("CREATE TABLE names (alias TEXT NOT NULL PRIMARY KEY)")
    db.execute("CREATE VIRTUAL TABLE search USING fts5 (name, body)")
    db.execute("INSERT INTO search VALUES ('old', 'old')")
    db.execute(f"PRAGMA user_version = {version}")
    db.close()
    with pytest.raises(CatalogMissing, match="prebrief index"):
        CatalogReader(old)
    with CatalogWriter(old) as writer:
        assert writer.meta() == {}  # so that the next run indexes everything
    assert shape(old) == blank


def test_next_version_keeps_what_is_there(catalog, made, monkeypatch):
    made.write(catalog, made.file("a.py", made.item("a.py", "a")))
    content = made.dump(catalog)
    more = (*MIGRATIONS, ("ALTER TABLE files ADD COLUMN more INTEGER NOT NULL DEFAULT 0",))
    monkeypatch.setattr(schema, "MIGRATIONS", more)
    monkeypatch.setattr("knowledge.catalog.database.SCHEMA_VERSION", SCHEMA_VERSION + 1)
    with pytest.raises(CatalogMissing, match="prebrief index"):
        CatalogReader(catalog)
    made.write(catalog, finished=False)
    assert ("more",) in shape(catalog)[1]
    assert shape(catalog)[2] == (SCHEMA_VERSION + 1,)
    assert made.dump(catalog) == content


def test_clearing_gives_the_schema_of_a_new_catalog(catalog, made, blank):
    made.write(catalog, made.file("a.py", made.item("a.py", "a")))
    with CatalogWriter(catalog) as writer:
        writer.clear()
    assert shape(catalog) == blank


def test_crash_in_a_migration_leaves_the_old_catalog(catalog, made, monkeypatch):
    made.write(catalog, made.file("a.py", made.item("a.py", "a")))
    before, content = shape(catalog), made.dump(catalog)
    broken = (*MIGRATIONS, ("CREATE TABLE more (a)", "CREATE TABLE more (a)"))
    monkeypatch.setattr(schema, "MIGRATIONS", broken)
    monkeypatch.setattr("knowledge.catalog.database.SCHEMA_VERSION", SCHEMA_VERSION + 1)
    with pytest.raises(Exception, match="more"):
        made.write(catalog)
    monkeypatch.undo()
    assert (shape(catalog), made.dump(catalog)) == (before, content)
