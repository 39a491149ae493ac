"""A second clone, or worktree, of what was indexed before costs little, and gives the same index."""

import sqlite3

import pytest

import indexer.build
from knowledge.catalog import seed as seeding

PLAIN = "def plain():\n    return 1\n"
RULE = "---\nid: one\nstatement: Do this.\nscope: [src/**]\nterms: [close]\n---\nWhy.\n"
FILES = {
    "a.py": PLAIN,
    "b.py": "class B:\n    def m(self):\n        return plain()\n",
    "docs/c.md": "---\ntags: [x]\n---\n# Title\n\nText about `plain`.\n",
    "d.js": "function three() { return 3 }\n",
    "knowledge/rules/one.md": RULE,
    "secret.py": "password = 'hunter2-Q9x" + "ZtR7vLm4'\n",
}


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


@pytest.fixture
def no_parser(monkeypatch):
    """From now on whoever parses fails."""

    def forbid():
        def refuse(*arguments):
            raise AssertionError("a parser was started")

        monkeypatch.setattr("indexer.runs.pool.start", refuse)

    return forbid


@pytest.fixture
def indexed(repo):
    repo.commit(**FILES)
    return repo


@pytest.fixture
def clone(indexed, make_repo, tmp_path):
    """Makes another clone of the repository."""

    def make(name="clone"):
        indexed.git("clone", "--quiet", str(indexed.root), str(tmp_path / name))
        return make_repo(tmp_path / name)

    return make


@pytest.fixture
def worktree(indexed, make_repo, tmp_path):
    """Makes a linked worktree of the repository."""

    def make(name="linked", *arguments):
        indexed.git("worktree", "add", "--quiet", "--detach", str(tmp_path / name), *arguments)
        return make_repo(tmp_path / name, git=False)

    return make


def test_second_clone_is_not_parsed(indexed, clone, cache, no_parser):
    indexed.index(cache=cache)
    other = clone()
    no_parser()
    report = other.index(cache=cache)
    assert report.changed == len(FILES)
    assert other.dump() == indexed.dump()


def test_same_content_at_another_path_is_parsed_anew(indexed, clone, cache):
    indexed.index(cache=cache)
    other = clone()
    (other.root / "a.py").rename(other.root / "z.py")
    other.index(cache=cache)
    assert other.dump() == other.rebuilt()[0]


def test_full_run_takes_nothing_from_the_cache(indexed, cache, no_parser):
    indexed.index(cache=cache)
    no_parser()
    with pytest.raises(AssertionError, match="parser was started"):
        indexed.index(cache=cache, full=True)


def test_other_settings_take_nothing_from_the_cache(indexed, clone, cache):
    indexed.index(cache=cache)
    other = clone()
    other.set(taxonomy={"component": {"ones": ["plain"]}})
    other.index(cache=cache)
    assert other.dump() == other.rebuilt()[0]
    assert other.dump() != indexed.dump()


@pytest.mark.parametrize("damage", ["flipped", "emptied", "no database", "other database", "folder"])
def test_damaged_cache_is_no_cache(indexed, clone, cache, damage):
    indexed.index(cache=cache)
    (file,) = cache.iterdir()
    content = bytearray(file.read_bytes())
    if damage == "folder":
        file.unlink()
        file.mkdir()
    elif damage == "other database":
        file.unlink()
        with sqlite3.connect(file) as db:
            db.execute("CREATE TABLE t (a)")
    else:
        content[len(content) // 4 :: 7] = b"\xff" * len(content[len(content) // 4 :: 7])
        file.write_bytes({"flipped": content, "emptied": b"", "no database": b"text " * 999}[damage])
    other = clone()
    other.index(cache=cache)
    assert other.dump() == indexed.dump()
    if damage != "folder":
        other = clone("third")
        other.index(cache=cache)
        assert other.dump() == indexed.dump()


def test_no_secret_is_in_the_cache(indexed, cache):
    report = indexed.index(cache=cache)
    assert any(kind.startswith("secret:") for kind in report.events)
    assert b"hunter2-Q9x" not in b"".join(path.read_bytes() for path in cache.iterdir())


def test_linked_worktree_is_seeded_and_parses_what_differs(indexed, worktree, no_parser):
    indexed.index()
    linked = worktree()
    no_parser()
    report = linked.index()
    assert (report.changed, report.unchanged) == (0, len(FILES))
    assert linked.catalog != indexed.catalog
    assert linked.dump() == indexed.dump()
    assert not linked.stale("a.py")


def test_worktree_of_another_commit_ends_in_the_catalog_made_from_nothing(indexed, worktree):
    old = indexed.git("rev-parse", "HEAD")
    indexed.commit(**{"a.py": PLAIN * 2, "e.py": PLAIN, "docs/c.md": "# Other\n\nText.\n"})
    indexed.git("rm", "--quiet", "d.js")
    indexed.commit()
    indexed.write("untracked.py", PLAIN)
    indexed.write("b.py", "def edited():\n    pass\n")
    indexed.index()
    linked = worktree("linked", old)
    linked.index_and_compare()
    linked.git("checkout", "--quiet", "main~1")
    linked.index_and_compare()
    third = worktree("third", "main")  # from whichever fits best
    third.index_and_compare()


def test_main_view_is_seeded_by_a_linked_one(indexed, worktree, no_parser):
    linked = worktree()
    linked.index()
    no_parser()
    assert indexed.index().changed == 0
    assert indexed.dump() == linked.dump()


def test_full_run_is_not_seeded(indexed, worktree, no_parser):
    indexed.index()
    linked = worktree()
    no_parser()
    with pytest.raises(AssertionError, match="parser was started"):
        linked.index(full=True)


def test_view_of_other_settings_is_no_seed(indexed, worktree):
    indexed.index()
    linked = worktree()
    linked.set(index={"exclude": ["a.py"]})
    assert linked.index().changed == len(FILES) - 1
    assert linked.dump() == linked.rebuilt()[0]


def test_seed_holds_nothing_of_the_other_view_but_its_catalog(indexed, worktree, monkeypatch):
    indexed.write("prebrief.toml", "[brief]\npatterns = 3\n")
    indexed.index()
    receipts = indexed.project.receipts
    receipts.mkdir()
    (receipts / "one.ndjson").write_text("{}\n")
    linked = worktree()

    def stop(project, settings):
        raise KeyboardInterrupt

    monkeypatch.setattr(indexer.build, "walk", stop)
    with pytest.raises(KeyboardInterrupt):
        linked.index()
    monkeypatch.undo()
    state = linked.catalog.parent
    assert {path.name for path in state.iterdir()} <= {
        "catalog.sqlite",
        "catalog.sqlite-shm",
        "catalog.sqlite-wal",
        "catalog.sqlite.lock",
    }
    with sqlite3.connect(linked.catalog) as db:
        keys = {key for (key,) in db.execute("SELECT key FROM meta")}
        assert not [key for key in keys if key.startswith("settings")]
        assert "fingerprint" not in keys  # to readers it is no index
        assert db.execute("SELECT count(*) FROM files WHERE mtime_ns OR inode").fetchone() == (0,)
    linked.index_and_compare()


@pytest.mark.parametrize("damage", ["truncated", "no database"])
def test_damaged_catalog_is_no_seed(indexed, worktree, damage):
    indexed.index()
    if damage == "truncated":
        with indexed.catalog.open("r+b") as file:
            file.truncate(indexed.catalog.stat().st_size // 2)
    else:
        indexed.catalog.write_bytes(b"text " * 999)
    linked = worktree()
    linked.index(full=False)
    assert linked.dump() == linked.rebuilt()[0]


def test_seed_that_cannot_be_copied_is_none(indexed, worktree, monkeypatch):
    indexed.index()
    linked = worktree()

    def fill_disk(connection):
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(seeding, "_unfinish", fill_disk)
    assert linked.index().changed == len(FILES)
    assert not list(linked.catalog.parent.glob("*.seed*"))


def test_worktree_that_was_moved_is_a_new_view(indexed, worktree, make_repo, tmp_path):
    indexed.index()
    linked = worktree()
    linked.index()
    indexed.git("worktree", "move", str(linked.root), str(tmp_path / "moved"))
    moved = make_repo(tmp_path / "moved", git=False)
    assert moved.index().changed == 0
    assert moved.dump() == indexed.dump()
