"""A view that cannot be seen leaves its catalog as it was; one that is seen again leaves no ghosts."""

import os
import shutil

import pytest
from privileges import give_away

from indexer.build import build_index
from knowledge.clock import Clock
from knowledge.errors import GitError, ProjectError

PLAIN = "def plain():\n    return 1\n"
CONFLICT = """def before():
    return 0

<<<<<<< HEAD
def ours(a):
    return a
||||||| base
def base(a):
    return None
=======
def theirs(a, b):
    return b
>>>>>>> side

def after():
    return 2
"""


@pytest.fixture
def indexed(repo):
    """A repository that was indexed, and its catalog's content."""
    repo.commit(**{"a.py": PLAIN, "deep/b.py": PLAIN.replace("plain", "other")})
    repo.index()
    return repo, repo.dump()


def fake_git(folder, script):
    """A program named git that does what a shell script says."""
    folder.mkdir()
    program = folder / "git"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def assert_refused(indexed, message):
    """Whoever indexes is told, and the catalog stays as it was."""
    repo, before = indexed
    for full in (False, True):
        with pytest.raises(GitError, match=message):
            repo.index(full=full)
        assert repo.dump() == before


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("exit 128", "exit code 128"),
        ("echo 'fatal: it broke' >&2; exit 128", "it broke"),
        ("kill -9 $$", "ended by signal 9"),
        ("exit 1", "exit code 1"),
        ("printf '100644 abc 0\\ta.py\\0'; kill -9 $$", "ended by signal 9"),
    ],
)
def test_git_that_fails_leaves_the_previous_catalog(indexed, tmp_path, monkeypatch, script, message):
    indexed[0].commit(**{"c.py": PLAIN})
    monkeypatch.setenv("PATH", fake_git(tmp_path / "bin", script))
    assert_refused(indexed, message)


def test_git_that_is_missing_leaves_the_previous_catalog(indexed, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert_refused(indexed, "Install git")


def test_git_that_refuses_another_users_repository_leaves_the_previous_catalog(indexed, monkeypatch):
    if os.geteuid() == 0:
        give_away(indexed[0].root)
    else:
        monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    assert_refused(indexed, "dubious ownership")


def test_a_root_that_cannot_be_read_leaves_the_previous_catalog(indexed, unprivileged):
    repo, before = indexed
    project = repo.project

    def attempt():
        repo.root.chmod(0o300)
        try:
            build_index(project, repo.settings, Clock())
        except ProjectError as error:
            return str(error)
        finally:
            repo.root.chmod(0o700)

    assert "cannot be read" in unprivileged(attempt, owns=[repo.root])
    if os.geteuid() == 0:
        os.chown(repo.root, 0, 0)
    assert repo.dump() == before


def test_a_file_that_cannot_be_read_costs_itself_and_comes_back(folder, unprivileged):
    folder.write("a.py", PLAIN)
    shut = folder.write("shut.py", PLAIN.replace("plain", "hidden"))

    def attempt():
        shut.chmod(0o000)
        first = folder.index()
        shut.chmod(0o600)
        return first.files, first.skipped, folder.index().files

    assert unprivileged(attempt, owns=[folder.root]) == ({"python": 1}, {"unreadable": 1}, {"python": 2})


def test_a_sparse_checkout_leaves_no_ghosts_and_takes_files_back(indexed):
    repo, before = indexed
    repo.git("sparse-checkout", "set", "--cone", "--sparse-index", "nothing")
    report = repo.index_and_compare()
    assert (report.files, report.removed, report.skipped) == ({"python": 1}, 1, {})
    repo.git("sparse-checkout", "disable")
    repo.index_and_compare()
    assert repo.dump() == before


def test_a_repository_with_longer_hashes_is_indexed_and_dated(tmp_path, make_repo):
    made = make_repo(tmp_path / "long", git=False)
    made.git("init", "--quiet", "--object-format=sha256")
    commit = made.commit(**{"a.py": PLAIN})
    made.index_and_compare()
    assert made.index().changed == 0
    with made.reader() as reader:
        assert reader.files(["a.py"])["a.py"].last_commit == commit


def test_a_moved_worktree_is_indexed_in_its_new_place(indexed, tmp_path, make_repo):
    repo, _ = indexed
    repo.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "one"))
    view = make_repo(tmp_path / "one", git=False)
    view.index()
    before = view.catalog
    shutil.move(view.root, tmp_path / "two")
    moved = make_repo(tmp_path / "two", git=False)
    assert moved.index().files == {"python": 2}
    assert moved.catalog != before


def test_both_sides_of_a_merge_conflict_are_found(folder):
    folder.write("a.py", CONFLICT)
    report = folder.index_and_compare()
    assert report.files == {"python": 1}
    assert {"before", "ours", "theirs", "after"} <= set(folder.names())


def test_a_generated_file_is_indexed_when_it_is_small_and_counted_when_it_is_large(folder):
    mark = "# Code generated by x. DO NOT EDIT.\n"
    folder.write("small.py", mark + PLAIN)
    folder.write("large.py", mark + "def large():\n" + "    yield 1\n" * 8000)
    report = folder.index_and_compare()
    assert report.files == {"python": 1}
    assert report.skipped == {"generated": 1}
    folder.set(index={"max_generated_bytes": 0})
    assert folder.index_and_compare().skipped == {"generated": 2}
    folder.set(index={"max_generated_bytes": 1024 * 1024})
    assert folder.index_and_compare().files == {"python": 2}
