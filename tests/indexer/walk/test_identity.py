"""Whose files a view has: worktrees, submodules, nested and sparse repositories, names, links, owners."""

import os
import shutil
import signal
import stat

import pytest
from privileges import NOBODY, give_away

from indexer.sources.git import Repository
from indexer.sources.walk import SkipReason, walk
from knowledge.errors import GitError, ProjectError
from knowledge.project import locate
from knowledge.settings import IndexSettings


def paths(project):
    return [file.path for file in walk(project, IndexSettings()).files]


def skips(project):
    return {skip.path: skip.reason for skip in walk(project, IndexSettings()).skipped}


@pytest.fixture
def bare(repo, tmp_path):
    """A bare repository of two files."""
    repo.commit(**{"a.py": "1\n", "deep/b.py": "1\n"})
    repo.git("clone", "--quiet", "--bare", str(repo.root), str(tmp_path / "bare.git"))
    return tmp_path / "bare.git"


def test_a_worktree_of_a_bare_repository_has_its_files(repo, bare, tmp_path):
    repo.git(f"--git-dir={bare}", "worktree", "add", "--quiet", str(tmp_path / "tree"))
    assert paths(locate(tmp_path / "tree" / "deep")) == ["a.py", "deep/b.py"]


@pytest.mark.parametrize("inside", ["", "hooks", "objects/info"])
def test_a_bare_repository_is_an_error_that_asks_for_a_worktree(bare, inside):
    with pytest.raises(ProjectError, match="a bare repository has no files") as caught:
        locate(bare / inside)
    assert "git worktree list" in caught.value.remedy


def test_a_folder_whose_git_file_leads_to_a_bare_repository_asks_for_a_worktree(bare):
    (bare.parent / ".git").write_text("gitdir: ./bare.git\n")
    with pytest.raises(GitError) as caught:
        walk(locate(bare.parent), IndexSettings())
    assert "worktree list" in caught.value.remedy


def test_a_moved_worktree_is_the_view_of_its_new_place(repo, tmp_path):
    repo.commit(**{"a.py": "1\n"})
    repo.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "one"))
    before = locate(tmp_path / "one")
    repo.git("worktree", "move", str(tmp_path / "one"), str(tmp_path / "two"))
    shutil.move(tmp_path / "two", tmp_path / "three")  # behind git's back
    after = locate(tmp_path / "three")
    assert paths(after) == ["a.py"]
    assert (after.root, after.view_root) == (before.root, tmp_path / "three")
    assert after.view_id != before.view_id


def test_a_pruned_worktree_is_an_error_that_says_how_to_repair_it(repo, tmp_path):
    repo.commit(**{"a.py": "1\n"})
    repo.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "side"))
    shutil.rmtree(repo.root / ".git" / "worktrees")
    with pytest.raises(ProjectError, match="points to no git directory") as caught:
        locate(tmp_path / "side")
    assert "git worktree repair" in caught.value.remedy


def test_a_linked_worktree_inside_the_main_one_is_not_entered(repo):
    repo.commit(**{"a.py": "1\n"})
    repo.git("worktree", "add", "--quiet", "--detach", str(repo.root / ".trees" / "side"))
    assert paths(locate(repo.root)) == ["a.py"]
    assert skips(locate(repo.root)) == {".trees/side": SkipReason.NESTED_REPOSITORY}


def test_a_nested_repository_without_a_commit_is_not_entered_either(repo, make_repo):
    repo.commit(**{"a.py": "1\n"})
    make_repo(repo.root / "lab" / "nested").write("n.py")
    assert paths(locate(repo.root)) == ["a.py"]
    assert skips(locate(repo.root)) == {"lab/nested": SkipReason.NESTED_REPOSITORY}


def test_a_submodule_that_is_not_checked_out_is_named_all_the_same(repo, make_repo, tmp_path):
    make_repo(tmp_path / "library").commit(**{"lib.py": "1\n"})
    allow = ("-c", "protocol.file.allow=always")
    repo.git(*allow, "submodule", "--quiet", "add", str(tmp_path / "library"), "lib")
    repo.commit(**{"a.py": "1\n"})
    repo.git("submodule", "--quiet", "deinit", "--all")
    assert skips(locate(repo.root)) == {"lib": SkipReason.SUBMODULE}
    assert locate(repo.root / "lib").root == repo.root


@pytest.mark.parametrize("options", [[], ["--cone"], ["--cone", "--sparse-index"], ["--no-cone"]])
def test_files_outside_a_sparse_checkout_are_absent_without_a_word(repo, options):
    repo.commit(**{"in/a.py": "1\n", "out/b.py": "1\n", "out/deep/c.py": "1\n", "d.py": "1\n"})
    repo.git("sparse-checkout", "set", *options, "in")
    seen = walk(locate(repo.root), IndexSettings())
    assert "in/a.py" in {file.path for file in seen.files}
    assert not [file.path for file in seen.files if file.path.startswith("out/")]
    assert seen.skipped == ()
    repo.git("sparse-checkout", "disable")
    assert paths(locate(repo.root)) == ["d.py", "in/a.py", "out/b.py", "out/deep/c.py"]


def test_of_two_tracked_names_that_differ_in_case_the_tree_may_hold_one(repo):
    repo.git("config", "core.ignorecase", "true")
    repo.commit(**{"Readme.md": "1\n"})
    blob = repo.git("rev-parse", "HEAD:Readme.md")
    repo.git("update-index", "--add", "--cacheinfo", f"100644,{blob},README.md")
    assert paths(locate(repo.root)) == ["Readme.md"]


def test_where_case_does_not_count_one_file_is_seen_once(repo, monkeypatch):
    """Linux has no such file system at hand: a look-up that finds a name in any case stands for it."""
    repo.commit(**{"src/a.py": "1\n", "Lib/B.py": "2\n"})
    blob = repo.git("rev-parse", "HEAD:src/a.py")
    for name in ("SRC/a.py", "src/A.py", "lib/b.py"):
        repo.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{name}")
    spelt = {str(path).lower(): path for path in repo.root.rglob("*")}
    real = os.lstat
    monkeypatch.setattr(os, "lstat", lambda path: real(spelt.get(str(path).lower(), path)))
    assert paths(locate(repo.root)) == ["Lib/B.py", "src/a.py"]


def test_two_hard_links_are_two_files(repo):
    repo.write("a/b.py")
    (repo.root / "a" / "B.py").hardlink_to(repo.root / "a" / "b.py")
    (repo.root / "c.py").hardlink_to(repo.root / "a" / "b.py")
    assert paths(locate(repo.root)) == ["a/B.py", "a/b.py", "c.py"]


def test_links_that_loop_dangle_or_lead_out_are_named(repo, tmp_path):
    (tmp_path / "out.py").write_text("1\n")
    for name, target in (
        ("self", "self"),
        ("there", "back"),
        ("back", "there"),
        ("gone.py", "nowhere.py"),
        ("out.py", tmp_path / "out.py"),
        ("up", ".."),
    ):
        (repo.root / name).symlink_to(target)
    for _ in ("untracked", "tracked"):
        assert paths(locate(repo.root)) == []
        found = {"back", "gone.py", "out.py", "self", "there", "up"}
        assert skips(locate(repo.root)) == dict.fromkeys(found, SkipReason.SYMLINK)
        repo.commit()


def test_a_detached_head_is_a_head(repo):
    first = repo.commit(**{"a.py": "1\n"})
    repo.commit(**{"b.py": "1\n"})
    repo.git("checkout", "--quiet", "--detach", first)
    assert Repository(repo.root).head().commit == first
    assert paths(locate(repo.root)) == ["a.py"]


def test_a_repository_with_longer_hashes_is_one_like_others(tmp_path, make_repo):
    made = make_repo(tmp_path / "long", git=False)
    made.git("init", "--quiet", "--object-format=sha256")
    commit = made.commit(**{"a.py": "1\n"})
    assert Repository(made.root).head().commit == commit
    assert len(commit) == 64
    assert paths(locate(made.root)) == ["a.py"]


def test_another_users_repository_is_refused_with_gits_own_remedy(repo, monkeypatch):
    repo.commit(**{"a.py": "1\n"})
    if os.geteuid() == 0:
        give_away(repo.root)
    else:  # who is not root cannot give anything away
        monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(GitError, match="dubious ownership") as caught:
        walk(locate(repo.root), IndexSettings())
    assert caught.value.remedy.endswith(f"git config --global --add safe.directory {repo.root}")


def test_what_another_user_has_put_into_an_open_folder_is_refused(tmp_path):
    """As with /tmp/.git, which would decide for all who work below /tmp."""
    shared = tmp_path / "shared"
    (shared / "mine").mkdir(parents=True)
    shared.chmod(0o777)

    def refused():
        try:
            return locate(shared / "mine").root
        except ProjectError as error:
            return str(error)

    def planted(name):
        entry = shared / name
        entry.mkdir()
        (entry / "HEAD").write_text("ref: refs/heads/main\n")
        os.chown(entry, NOBODY, NOBODY)
        try:
            return refused()
        finally:
            shutil.rmtree(entry)

    assert refused() == shared / "mine"
    if os.geteuid() == 0:
        for name in (".git", ".knowledge"):
            assert f"{shared / name}: it is another user's" in str(planted(name))
        os.chown(shared, NOBODY, NOBODY)  # an open folder's owner is whom it belongs to
        assert planted(".knowledge") == shared
    shared.chmod(stat.S_IRWXU)


def test_git_is_not_asked_where_its_failure_could_not_be_seen(repo):
    repo.commit(**{"a.py": "a = 1\n"})
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        with pytest.raises(GitError, match="SIGCHLD"):
            Repository(repo.root).listing()
    finally:
        signal.signal(signal.SIGCHLD, before)
