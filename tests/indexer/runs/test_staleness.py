"""Whether an index is older than the tree, asked without a git process."""

import os
import time

import pytest

from knowledge.githead import head_stamp, read_head

PLAIN = "def plain():\n    return 1\n"


@pytest.fixture
def indexed(repo, monkeypatch):
    repo.commit(**{"a.py": PLAIN, "pkg/b.py": PLAIN})
    repo.index()
    return repo


def test_fresh_index_is_not_stale_and_no_process_is_started(indexed, monkeypatch):
    monkeypatch.setattr("subprocess.Popen", None)
    monkeypatch.setattr("os.fork", None)
    assert not indexed.stale()


def test_git_status_does_not_make_it_stale(indexed):
    os.utime(indexed.root / "a.py")
    time.sleep(0.01)
    indexed.git("status")
    assert not indexed.stale()


@pytest.mark.parametrize(
    "change",
    [
        ("commit", "--quiet", "--allow-empty", "--message=empty"),
        ("commit", "--quiet", "--amend", "--message=other"),
        ("rm", "--quiet", "--cached", "a.py"),
        ("checkout", "--quiet", "--orphan", "none"),
    ],
    ids=" ".join,
)
def test_git_changes_make_it_stale(indexed, change):
    indexed.commits += 1
    indexed.git(*change)
    assert indexed.stale()
    indexed.index()
    assert not indexed.stale()


def test_edited_or_deleted_or_replaced_file_makes_it_stale(indexed):
    path = indexed.root / "a.py"
    path.write_text(PLAIN.replace("1", "2"))
    assert indexed.stale("a.py")
    assert not indexed.stale("pkg/b.py")
    path.unlink()
    assert indexed.stale("a.py")
    path.symlink_to("pkg/b.py")
    assert indexed.stale("a.py")


def test_touched_file_of_the_same_content_does_not(indexed):
    os.utime(indexed.root / "a.py")
    assert not indexed.stale("a.py", "pkg/b.py")


def test_packed_references_are_read(indexed):
    commit = indexed.git("rev-parse", "HEAD")
    indexed.git("pack-refs", "--all")
    assert read_head(indexed.project) == commit
    assert not indexed.stale()
    indexed.git("checkout", "--quiet", "--detach")
    assert read_head(indexed.project) == commit


def test_symbolic_reference_to_another(indexed):
    indexed.git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
    indexed.git("symbolic-ref", "HEAD", "refs/heads/alias")
    assert read_head(indexed.project) == indexed.git("rev-parse", "HEAD")


def test_linked_worktree_has_a_head_of_its_own(indexed, make_repo, tmp_path):
    indexed.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    side = make_repo(tmp_path / "side", git=False)
    side.index()
    commit = indexed.commit(**{"c.py": PLAIN})
    assert read_head(indexed.project) == commit
    assert read_head(side.project) != commit
    assert indexed.stale()
    assert not side.stale()


def test_head_kept_in_binary_references_is_noticed_by_their_list(repo):
    # As git 2.45 lays out a repository with --ref-format=reftable; the tables themselves do not matter here.
    (repo.root / ".git/HEAD").write_text("ref: refs/heads/.invalid\n")
    tables = repo.write(".git/reftable/tables.list", "0x000000000001-0x000000000001-5ac9a6ba.ref\n")
    before = head_stamp(repo.project)
    tables.write_text("0x000000000001-0x000000000002-0f3e1e8a.ref\n")
    assert before
    assert head_stamp(repo.project) not in ("", before)


def test_folder_without_git_has_no_head(folder):
    folder.write("a.py", PLAIN)
    folder.index()
    assert head_stamp(folder.project) == ""
    assert not folder.stale("a.py")
