"""An unchanged repository costs a stat per file; what may have changed unseen is looked at again."""

import os
import time
from pathlib import Path

import pytest

import indexer.build
import indexer.runs.changes
from indexer.runs.changes import COARSE_RACY_NS, RACY_NS
from knowledge.clock import Clock

PLAIN = "def plain():\n    return 1\n"
TICK = 1_000_000_000


@pytest.fixture
def reads(monkeypatch):
    """Paths of the files whose content is read."""
    seen = []
    read = indexer.runs.changes.read_source

    def spy(path, limit):
        seen.append(Path(path).name)
        return read(path, limit)

    monkeypatch.setattr(indexer.runs.changes, "read_source", spy)
    return seen


def at(ns):
    """A clock that stands still."""
    return Clock(now=lambda: ns / 1e9)


def test_unchanged_repository_is_not_read_and_nothing_is_written(repo, reads):
    repo.commit(
        **{"a.py": PLAIN, "b.png": b"\0", "c.md": "# C\n", "big.py": "x = 1\n" * 400, "bin.py": b"\0"}
    )
    repo.set(index={"max_file_bytes": 2048})
    repo.index()
    del reads[:]
    content = repo.catalog.read_bytes()
    with repo.reader() as reader:
        version = reader.data_version()
        report = repo.index()
        assert reader.data_version() == version
    assert (report.changed, report.unchanged, report.removed) == (0, 2, 0)
    assert report.skipped == {"binary": 1, "too-large": 1, "unsupported": 1}
    assert reads == []
    assert repo.catalog.read_bytes() == content


def test_changed_repository_shows_in_the_data_version(repo):
    repo.commit(**{"a.py": PLAIN})
    repo.index()
    with repo.reader() as reader:
        version = reader.data_version()
        repo.write("b.py", PLAIN)
        repo.index()
        assert reader.data_version() != version


def test_touched_file_is_read_once_and_not_parsed(repo, reads):
    os.utime(repo.write("a.py", PLAIN), ns=(TICK, TICK + 1))
    repo.index()
    os.utime(repo.root / "a.py", ns=(TICK, TICK + 2))
    del reads[:]
    assert repo.index().changed == 0
    assert repo.index().changed == 0
    assert reads == ["a.py"]


@pytest.mark.parametrize(
    ("mtime", "window"), [(5 * TICK + 7, RACY_NS), (5 * TICK, COARSE_RACY_NS)], ids=["fine", "whole-seconds"]
)
def test_file_written_just_before_a_run_is_looked_at_again(folder, reads, mtime, window):
    path = folder.write("a.py", PLAIN)
    os.utime(path, ns=(mtime, mtime))
    folder.index(at(mtime + window // 2))
    path.write_text(PLAIN.replace("1", "2"))  # the same size, and within the same tick of the clock
    os.utime(path, ns=(mtime, mtime))
    report = folder.index(at(mtime + 3 * window))
    assert report.changed == 1
    del reads[:]
    folder.index(at(mtime + 3 * window))
    assert reads == []


def test_file_from_the_future_is_looked_at_in_every_run(folder, reads):
    path = folder.write("a.py", PLAIN)
    future = time.time_ns() + 3600 * TICK
    os.utime(path, ns=(future, future))
    folder.index()
    folder.index()
    assert reads == ["a.py", "a.py"]


def test_time_before_the_epoch(folder):
    path = folder.write("a.py", PLAIN)
    os.utime(path, (-(2**40), 2**40))
    assert folder.index().changed == 1
    assert folder.index().changed == 0


def test_file_that_vanishes_during_a_run_is_forgotten(folder, monkeypatch):
    folder.write("a.py", PLAIN)
    folder.write("b.py", PLAIN)
    folder.index()
    folder.write("a.py", PLAIN + PLAIN)
    read = indexer.runs.changes.read_source

    def vanish(path, limit):
        Path(path).unlink()
        return read(path, limit)

    monkeypatch.setattr(indexer.runs.changes, "read_source", vanish)
    report = folder.index()
    assert report.removed == 1
    monkeypatch.undo()
    folder.index_and_compare()


def test_commit_made_during_a_run_leaves_the_catalog_stale(repo, monkeypatch):
    repo.commit(**{"a.py": PLAIN})
    walk = indexer.build.walk

    def walk_and_commit(project, settings):
        tree = walk(project, settings)
        repo.commit(**{"b.py": PLAIN})
        return tree

    monkeypatch.setattr(indexer.build, "walk", walk_and_commit)
    repo.index()
    monkeypatch.undo()
    assert repo.stale()
    repo.index_and_compare()
    assert not repo.stale()


def test_no_git_process_dates_files_when_head_stands_still(repo, monkeypatch):
    repo.commit(**{"a.py": PLAIN})
    repo.index()
    monkeypatch.setattr("indexer.runs.dating.Repository", None)
    repo.write("a.py", PLAIN + PLAIN)
    assert repo.index().changed == 1


def test_unreadable_file_is_indexed_as_soon_as_it_can_be_read(folder, unprivileged):
    path = folder.write("a.py", PLAIN)

    def with_and_without_permission():
        path.chmod(0)
        skipped = folder.index().skipped
        path.chmod(0o644)
        return skipped, folder.index().files

    result = unprivileged(with_and_without_permission, owns=[folder.root])
    assert result == ({"unreadable": 1}, {"python": 1})
