"""A project as it was at a commit: checked out, indexed, and ignorant of what came later."""

import shutil

import pytest
from git_repository import GitRepository
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.catalog.inspection import list_files
from knowledge.catalog.reader import CatalogReader
from knowledge.errors import TaskError

EARLY = "def take(pool):\n    sock = pool.pop()\n"


def git_of(view):
    return GitRepository(view.view_root, git=False).git


def contents(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def dump(view):
    with CatalogReader(view.catalog) as reader:
        return list(reader.dump())


def test_view_has_the_files_of_its_commit_and_an_index_of_them(history):
    history.commit("Later.", **{"src/later.py": "def later():\n    return 1\n"})
    (case,) = history.mine().cases
    with history.checkouts() as checkouts:
        view = checkouts.at(case.commit)
        assert (view.view_root / "src/pool.py").read_text().startswith(EARLY)
        assert [*list_files(view.catalog)] == ["src/pool.py"]


def test_view_knows_its_commit_and_ancestors_alone(history):
    (case,) = history.mine().cases
    with history.checkouts() as checkouts:
        checkouts.at("HEAD")
        view = checkouts.at(case.commit)
        assert git_of(view)("log", "--all", "--reflog", "HEAD", "--format=%s").splitlines() == ["First."]
        assert git_of(view)("for-each-ref") == ""
        with CatalogReader(view.catalog) as reader:
            assert reader.past(["socket", "idl"], 10) == []


def test_users_repository_is_left_alone(history):
    history.repository.write("src/pool.py", "uncommitted")
    before = contents(history.root / ".git")
    (case,) = history.mine().cases
    with history.checkouts() as checkouts:
        assert (checkouts.at(case.commit).view_root / "src/pool.py").read_text().startswith(EARLY)
    assert contents(history.root / ".git") == before
    assert (history.root / "src/pool.py").read_text() == "uncommitted"
    assert history.repository.git("status", "--porcelain").split() == ["M", "src/pool.py"]


def test_linked_worktree_borrows_from_its_repository(history, tmp_path):
    linked = tmp_path / "linked"
    history.repository.git("worktree", "add", "--quiet", "--detach", str(linked))
    with history.checkouts(linked) as checkouts:
        assert (checkouts.at("HEAD~1").view_root / "src/pool.py").read_text().startswith(EARLY)


def test_shallow_clone_is_laid_out_as_far_as_it_goes(history, tmp_path):
    history.commit("Later.", **{"src/later.py": "def later():\n    return 1\n"})
    clone = tmp_path / "clone"
    history.repository.git("clone", "--quiet", "--depth=2", f"file://{history.root}", str(clone))
    with history.checkouts(clone) as checkouts:
        view = checkouts.at("HEAD~1")
        assert git_of(view)("log", "--format=%s") == "Open another socket when none is idle"


def test_files_whose_content_is_missing_are_left_out(history, tmp_path):
    history.commit("Large.", **{"src/[a] #1.py": "# large\n" * 500, "src/b.py": "def b():\n    return 1\n"})
    history.commit("Gone.", **{"src/[a] #1.py": "", "src/b.py": "def b():\n    return 2\n"})
    history.repository.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    history.repository.git("clone", "--quiet", "--filter=blob:limit=1k", f"file://{history.root}", str(clone))
    with history.checkouts(clone) as checkouts:
        view = checkouts.at("HEAD~1")
        assert [*list_files(view.catalog)] == ["src/b.py", "src/pool.py"]
        assert [*list_files(checkouts.at("HEAD").catalog)] == ["src/[a] #1.py", "src/b.py", "src/pool.py"]


def test_nothing_that_a_repository_or_user_has_set_up_is_run(history, tmp_path, monkeypatch):
    ran = tmp_path / "ran"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch '{ran}'\ncat\n")
    script.chmod(0o755)
    hooks = history.root / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-checkout", "reference-transaction", "post-index-change"):
        (hooks / name).symlink_to(script)
    everywhere = tmp_path / "gitconfig"
    everywhere.write_text(
        f'[core]\n\thooksPath = {hooks}\n\tfsmonitor = {script}\n[filter "run"]\n\tsmudge = {script}\n'
        f'\tclean = {script}\n\trequired = true\n[diff "run"]\n\ttextconv = {script}\n\tcommand = {script}\n'
    )
    history.repository.write(".gitattributes", "*.py filter=run diff=run\n")
    history.repository.git("add", ".gitattributes")
    history.repository.git("-c", "core.hooksPath=", "commit", "--quiet", "--message=Attributes.")
    ran.unlink(missing_ok=True)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(everywhere))
    history.mine()
    with history.checkouts() as checkouts:
        checkouts.at("HEAD~1")
        checkouts.at("HEAD")
    assert not ran.exists()


def test_state_that_a_tree_brings_along_is_not_ours(history):
    history.repository.git(
        "add", "--force", str(history.repository.write(".knowledge/catalog.sqlite", "planted"))
    )
    history.repository.git("commit", "--quiet", "--message=Plant an index.")
    with history.checkouts() as checkouts:
        assert [*list_files(checkouts.at("HEAD").catalog)] == ["src/pool.py"]


def test_link_in_place_of_our_folder_is_refused(history, tmp_path):
    (tmp_path / "precious").mkdir()
    (history.state() / "work").symlink_to(tmp_path / "precious")
    with pytest.raises(TaskError, match="it is a link"):
        history.checkouts()
    assert [*(tmp_path / "precious").iterdir()] == []


def test_folder_that_is_not_ours_is_made_anew(history):
    planted = history.state() / "work/tree/src/planted.py"
    planted.parent.mkdir(parents=True)
    planted.write_text("def planted():\n    return 1\n")
    with history.checkouts() as checkouts:
        assert [*list_files(checkouts.at("HEAD").catalog)] == ["src/pool.py"]


def test_run_that_was_killed_at_a_checkout_is_recovered_from(history):
    with history.checkouts() as checkouts:
        view = checkouts.at("HEAD")
    (view.view_root / ".git/index.lock").touch()
    (view.view_root / ".git/index").write_bytes(b"half")
    with history.checkouts() as checkouts:
        assert (checkouts.at("HEAD~1").view_root / "src/pool.py").read_text().startswith(EARLY)


def test_two_at_once_are_refused(history):
    with history.checkouts(), pytest.raises(TaskError, match="another process"):
        history.checkouts()


@pytest.mark.parametrize("revision", ["0" * 40, "no-such-branch", "--help", ""])
def test_unknown_commit_is_named(history, revision):
    with history.checkouts() as checkouts, pytest.raises(TaskError, match="no such commit"):
        checkouts.at(revision)


def test_submodule_is_left_empty(history, tmp_path):
    other = GitRepository(tmp_path / "other")
    other.commit("First.", **{"a.py": "def a():\n    return 1\n"})
    history.repository.git(
        "-c", "protocol.file.allow=always", "submodule", "add", "--quiet", str(other.root), "other"
    )
    history.repository.git("commit", "--quiet", "--message=Submodule.")
    with history.checkouts() as checkouts:
        assert [*(checkouts.at("HEAD").view_root / "other").iterdir()] == []


@pytest.fixture(scope="module")
def shown(make_history, tmp_path_factory):
    """A project in which files come, move and go, and what a fresh index of each of its commits holds."""
    history = make_history(tmp_path_factory.mktemp("shown"))
    history.commit("First.", **{"src/pool.py": EARLY})
    history.commit("Second.", **{"src/pool.py": f"{EARLY}    return sock\n", "README.md": "# Pools\n"})
    history.repository.git("mv", "src/pool.py", "src/lake.py")
    history.commit("Third.", **{"README.md": ""})
    history.commit("Fourth.", **{"src/pool.py": EARLY, "src/lake.py": "LAKE = 1\n"})
    fresh = []
    for number in range(history.repository.commits):
        with history.checkouts() as checkouts:
            fresh.append(dump(checkouts.at(f"HEAD~{number}")))
        shutil.rmtree(history.state() / "work")
    return history, fresh


@given(order=st.lists(st.integers(0, 3), min_size=2, max_size=4))
@settings(max_examples=6)
def test_index_is_the_same_whatever_was_shown_before(shown, order):
    history, fresh = shown
    with history.checkouts() as checkouts:
        for number in order:
            assert dump(checkouts.at(f"HEAD~{number}")) == fresh[number]


def test_commit_that_is_gone_is_not_known(history):
    (case,) = history.mine().cases
    with history.checkouts() as checkouts:
        assert checkouts.knows(case.commit)
        assert checkouts.knows("HEAD~1")
        assert not checkouts.knows("HEAD~9")
        assert not checkouts.knows("0" * 40)
