"""A project as it was at a commit: checked out, indexed, and ignorant of what came later."""

from git_repository import GitRepository

from knowledge.catalog.inspection import list_files


def commits_known(view):
    return GitRepository(view.view_root, git=False).git("log", "--all", "--format=%s").splitlines()


def test_view_has_the_files_of_its_commit_and_an_index_of_them(history):
    history.commit("Later.", **{"src/later.py": "def later():\n    return 1\n"})
    (case,) = history.mine().cases
    with history.checkouts() as checkouts:
        view = checkouts.at(case.commit)
        assert (
            (view.view_root / "src/pool.py")
            .read_text()
            .startswith("def take(pool):\n    sock = pool.pop()\n")
        )
        assert [*list_files(view.catalog)] == ["src/pool.py"]


def test_view_knows_its_commit_and_ancestors_alone(history):
    (case,) = history.mine().cases
    with history.checkouts() as checkouts:
        checkouts.at("HEAD")
        view = checkouts.at(case.commit)
        assert commits_known(view) == ["First."]
        assert GitRepository(view.view_root, git=False).git("for-each-ref") == ""


def test_users_repository_is_left_alone(history):
    history.repository.write("src/pool.py", "uncommitted")
    before = {
        path: path.read_bytes() for path in sorted((history.root / ".git").rglob("*")) if path.is_file()
    }
    (case,) = history.mine().cases
    with history.checkouts() as checkouts:
        checkouts.at(case.commit)
    assert {path: path.read_bytes() for path in before} == before
    assert history.repository.git("worktree", "list").count("\n") == 0
    assert (history.root / "src/pool.py").read_text() == "uncommitted"
