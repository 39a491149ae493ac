"""A run that fails leaves the previous catalog; a full one replaces any."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import suppress

import damaged_catalogs as damaged
import pytest

import indexer.build
from knowledge.catalog import database
from knowledge.catalog.schema import FIRST_VERSION
from knowledge.errors import (
    CatalogBusy,
    CatalogCorrupt,
    CatalogError,
    CatalogTooNew,
    GitError,
    PrebriefError,
    ProjectError,
)

FILES = 24
PLAIN = "def plain():\n    return 1\n"
RUN = """
import sys
from pathlib import Path
from indexer.build import build_index
from knowledge.clock import Clock
from knowledge.project import locate
from knowledge.settings import Settings

def stop_midway(items, total, label):
    for number, item in enumerate(items):
        if number == total // 2:
            print("midway", flush=True)
            sys.stdin.read()
        yield item

root, progress = Path(sys.argv[1]), stop_midway if "--stop" in sys.argv else lambda items, total, label: items
build_index(locate(root), Settings(), Clock(), full="--full" in sys.argv, progress=progress)
"""


@pytest.fixture(scope="module")
def template(tmp_path_factory, make_repo):
    """A folder of some files, indexed."""
    made = make_repo(tmp_path_factory.mktemp("template"), git=False)
    for number in range(FILES):
        units = (f"def unit_{number}_{i}(a, b):\n    return a + {i}\n\n" for i in range(8))
        made.write(f"m{number}.py", "".join(units))
    made.index()
    return made.root


@pytest.fixture
def indexed(folder, template):
    """A copy of it, catalog and all."""
    shutil.copytree(template, folder.root, dirs_exist_ok=True)
    return folder


@pytest.fixture
def start(request):
    """Starts an index run in a process of its own."""

    def run(repo, *arguments, **options):
        return subprocess.Popen(
            [sys.executable, "-c", RUN, str(repo.root), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=request.config.rootpath,
            **options,
        )

    return run


def flipped(path):
    chance = random.Random(7)
    content = bytearray(path.read_bytes())
    for _ in range(2_000):
        content[chance.randrange(4096, len(content))] = chance.randrange(256)
    path.write_bytes(content)


DAMAGE = (
    damaged.folder_in_its_place,
    damaged.no_database,
    damaged.other_database,
    damaged.truncated,
    damaged.zeroed_middle,
    damaged.newer,
    flipped,
)


@pytest.mark.parametrize("damage", [*DAMAGE, damaged.emptied], ids=lambda damage: damage.__name__)
def test_full_run_replaces_a_catalog_in_any_state(indexed, damage):
    before = indexed.dump()
    damage(indexed.catalog)
    indexed.index(full=True)
    assert indexed.dump() == before
    indexed.index()
    assert indexed.dump() == before


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: damage.__name__)
def test_run_that_meets_damage_says_how_to_rebuild(indexed, damage):
    damage(indexed.catalog)
    indexed.write("m1.py", PLAIN)
    with pytest.raises((CatalogCorrupt, CatalogTooNew)) as raised:
        indexed.index()
    assert "prebrief index --full" in raised.value.remedy
    assert indexed.catalog.exists()


def test_empty_catalog_is_simply_filled(indexed):
    before = indexed.dump()
    damaged.emptied(indexed.catalog)
    indexed.index()
    assert indexed.dump() == before


@pytest.mark.parametrize("seed", range(10))
def test_bytes_flipped_anywhere_are_healed_by_a_full_run(indexed, seed):
    before = indexed.dump()
    chance = random.Random(seed)
    content = bytearray(indexed.catalog.read_bytes())
    for _ in range(chance.choice([3, 30, 300])):
        content[chance.randrange(len(content))] = chance.randrange(256)
    indexed.catalog.write_bytes(content)
    with suppress(PrebriefError):  # whether the damage is met is up to chance
        indexed.index()
    indexed.index(full=True)
    assert indexed.dump() == before


def test_damage_that_shows_only_midway_is_healed_by_a_full_run(indexed, monkeypatch):
    before = indexed.dump()
    stored: list[str] = []

    def damaged_once(run, job):
        stored.append(job.row.path)
        if len(stored) == 20:
            raise CatalogCorrupt("the catalog is damaged", remedy="rebuild")
        return real(run, job)

    real = indexer.build.store
    monkeypatch.setattr(indexer.build, "store", damaged_once)
    indexed.index(full=True)
    assert indexed.dump() == before


def test_exception_during_a_run_leaves_the_previous_catalog(indexed, monkeypatch):
    before = indexed.dump()
    indexed.write("m0.py", PLAIN)
    indexed.write("m1.py", PLAIN)
    real = indexer.build.store

    def crash(run, job):
        if job.row.path == "m1.py":
            raise ZeroDivisionError
        return real(run, job)

    monkeypatch.setattr(indexer.build, "store", crash)
    for full in (False, True):
        with pytest.raises(ZeroDivisionError):
            indexed.index(full=full)
        assert indexed.dump() == before


def test_tree_that_cannot_be_seen_leaves_the_previous_catalog(repo):
    repo.commit(**{"a.py": PLAIN})
    repo.index()
    before, project = repo.dump(), repo.project
    (repo.root / ".git/index").write_bytes(b"damaged")
    for full in (False, True):
        with pytest.raises(GitError):
            indexer.build.build_index(project, repo.settings, indexer.build.Clock(), full=full)
        assert repo.dump() == before


def test_killed_run_leaves_the_previous_catalog(indexed, start):
    before = indexed.dump()
    indexed.write("more.py", PLAIN)
    run = start(indexed, "--full", "--stop")
    assert run.stdout.readline() == b"midway\n"
    assert indexed.dump() == before
    run.send_signal(signal.SIGKILL)
    run.communicate()
    assert run.returncode == -signal.SIGKILL
    assert indexed.dump() == before
    indexed.index_and_compare()


def test_two_processes_at_once_end_in_the_catalog_of_one(indexed, start):
    before = indexed.dump()
    runs = [start(indexed, "--full") for _ in range(2)]
    for run in runs:
        _, errors = run.communicate(timeout=60)
        assert run.returncode == 0, errors
    assert indexed.dump() == before


def test_run_beside_another_gives_up_with_a_remedy(indexed, monkeypatch):
    monkeypatch.setattr(database, "WRITE_TIMEOUT", 0.1)
    with database.only_writer(indexed.catalog), pytest.raises(CatalogBusy, match="Try again"):
        indexed.index()


def test_catalog_locked_by_a_stranger_is_busy_also_for_a_full_run(indexed, monkeypatch):
    monkeypatch.setattr(database, "WRITE_TIMEOUT", 0.1)
    before = indexed.dump()
    stranger = sqlite3.connect(indexed.catalog, isolation_level=None)
    stranger.execute("BEGIN IMMEDIATE")
    for full in (False, True):
        with pytest.raises(CatalogBusy, match="Try again"):
            indexed.index(full=full)
    stranger.execute("ROLLBACK")
    stranger.close()
    assert indexed.dump() == before


@pytest.mark.parametrize("beside", ["nobody", "a reader", "what a reader left"])
def test_state_that_cannot_be_written_is_named_and_can_still_be_read(indexed, unprivileged, beside):
    before = indexed.dump()
    state = indexed.catalog.parent
    if beside == "nobody":
        for left in (*state.glob("*-wal"), *state.glob("*-shm")):
            left.unlink()
    reader = indexed.reader()
    if beside != "a reader":
        reader.close()

    def try_both():
        try:
            indexed.index()
        except CatalogError as error:
            return str(error), indexed.dump() == before
        return "indexed", False

    open_to_all(indexed.root)
    for path in state.iterdir():
        path.chmod(0o444)
    state.chmod(0o555)
    try:
        message, same = unprivileged(try_both)
    finally:
        state.chmod(0o755)
        reader.close()
    assert same
    assert str(state) in message
    assert "Make the folder writable" in message


def open_to_all(place):
    for folder in (place, *place.parents):
        if len(folder.parts) > 2:
            folder.chmod(folder.stat().st_mode | 0o055)


def test_state_that_cannot_be_made_is_named(folder, unprivileged):
    folder.write("a.py", PLAIN)
    open_to_all(folder.root)
    folder.root.chmod(0o555)
    try:
        with pytest.raises(ProjectError, match="Make the folder writable"):
            unprivileged(folder.index)
    finally:
        folder.root.chmod(0o755)


def test_full_disk_leaves_the_previous_catalog(indexed, start):
    import resource  # noqa: PLC0415 (this test only)

    before = indexed.dump()
    indexed.write("more.py", PLAIN)

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        size = indexed.catalog.stat().st_size // 2
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    run = start(indexed, "--full", preexec_fn=limit)
    _, errors = run.communicate(timeout=60)
    assert run.returncode == 1
    assert b"free space" in errors
    assert indexed.dump() == before
    assert indexed.index().files == {"python": FILES + 1}


def test_database_that_cannot_grow_leaves_the_previous_catalog(indexed, monkeypatch):
    before = indexed.dump()
    for number in range(200):
        indexed.write(f"more{number}.py", PLAIN)
    real = database.open_writer

    def open_small(path):
        connection = real(path)
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages + 1}")
        return connection

    monkeypatch.setattr(database, "open_writer", open_small)
    with pytest.raises(CatalogError, match=r"disk is full.*free space"):
        indexed.index()
    assert indexed.dump() == before
    monkeypatch.undo()
    assert indexed.index().files == {"python": FILES + 200}


def test_catalog_of_an_older_schema_is_made_anew(repo):
    repo.commit(**{"a.py": PLAIN})
    repo.index()
    before = repo.dump()
    db = sqlite3.connect(repo.catalog, isolation_level=None)
    db.execute("DROP TABLE keys")
    db.execute(f"PRAGMA user_version = {FIRST_VERSION - 1}")
    db.close()
    assert repo.index().changed == 1
    assert repo.dump() == before


def test_hash_seeds_do_not_show(indexed, start):
    before = indexed.dump()
    for seed in ("1", "2"):
        run = start(indexed, "--full", env={**os.environ, "PYTHONHASHSEED": seed})
        run.communicate(timeout=60)
        assert run.returncode == 0
        assert indexed.dump() == before
