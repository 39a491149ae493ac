"""Which project and view a folder belongs to."""

import os
import shutil
from pathlib import Path

import pytest

from knowledge.errors import ProjectError
from knowledge.project import ensure_state, locate


@pytest.fixture
def repository(new_repository, tmp_path):
    return new_repository(tmp_path / "repo")


def test_the_main_worktree_is_project_and_view(repository):
    project = locate(repository)
    assert (project.root, project.view_root, project.view_id) == (repository, repository, "main")
    assert project.git_dir == project.common_dir == repository / ".git"
    assert project.catalog == repository / ".knowledge" / "catalog.sqlite"
    assert project.receipts == repository / ".knowledge" / "receipts"


def test_a_sub_folder_or_a_file_in_it_belongs_to_the_same_project(repository, monkeypatch):
    deep = repository / "deep" / "er"
    deep.mkdir(parents=True)
    (deep / "b.py").write_text("1\n")
    monkeypatch.chdir(deep)
    assert locate(Path()) == locate(deep) == locate(deep / "b.py") == locate(repository)


def test_a_settings_file_in_a_sub_folder_does_not_divide_a_repository(repository):
    (repository / "sub").mkdir()
    (repository / "sub" / "prebrief.toml").touch()
    assert locate(repository / "sub") == locate(repository)


def test_the_inside_of_the_git_folder_belongs_to_its_repository(repository):
    assert locate(repository / ".git" / "refs") == locate(repository)


def test_a_symbolic_link_to_the_repository_gives_the_same_project(repository, tmp_path):
    (repository / "sub").mkdir()
    (tmp_path / "link").symlink_to(repository)
    assert locate(tmp_path / "link") == locate(tmp_path / "link" / "sub") == locate(repository)


def test_a_linked_worktree_is_a_view_of_its_own_with_state_in_the_main_worktree(
    repository, run_git, tmp_path
):
    side = tmp_path / "side"
    run_git(repository, "worktree", "add", "--quiet", "-b", "side", str(side))
    main, view = locate(repository), locate(side)
    assert view.root == repository
    assert view.view_root == side
    assert view.git_dir == repository / ".git" / "worktrees" / "side"
    assert view.common_dir == main.git_dir
    assert view.receipts == main.receipts
    assert view.learned == main.learned
    assert view.catalog != main.catalog
    assert view.catalog.is_relative_to(repository / ".knowledge" / "worktrees")


def test_worktrees_of_the_same_name_in_different_places_have_different_ids(repository, run_git, tmp_path):
    for place in ("one", "two"):
        run_git(repository, "worktree", "add", "--quiet", "--detach", str(tmp_path / place / "same"))
    ids = {locate(tmp_path / place / "same").view_id for place in ("one", "two")}
    assert len(ids) == 2


def test_a_worktree_inside_the_main_worktree_is_its_own_view(repository, run_git):
    inner = repository / ".worktrees" / "x"
    run_git(repository, "worktree", "add", "--quiet", "--detach", str(inner))
    assert locate(inner).view_root == inner
    assert locate(inner).root == repository


def test_worktrees_of_a_bare_repository_are_projects_of_their_own(repository, run_git, tmp_path):
    bare = tmp_path / "bare.git"
    run_git(tmp_path, "clone", "--quiet", "--bare", str(repository), str(bare))
    run_git(bare, "worktree", "add", "--quiet", str(tmp_path / "tree"), "main")
    project = locate(tmp_path / "tree")
    assert (project.root, project.view_root, project.view_id) == (
        tmp_path / "tree",
        tmp_path / "tree",
        "main",
    )
    assert project.common_dir == bare


def test_a_submodule_is_a_project_of_its_own(repository, new_repository, run_git, tmp_path):
    library = new_repository(tmp_path / "library")
    run_git(repository, "submodule", "--quiet", "add", str(library), "lib")
    project = locate(repository / "lib")
    assert (project.root, project.view_root, project.view_id) == (
        repository / "lib",
        repository / "lib",
        "main",
    )
    assert project.git_dir == repository / ".git" / "modules" / "lib"


def test_a_nested_repository_is_a_project_of_its_own(repository, new_repository):
    nested = new_repository(repository / "nested")
    assert locate(nested).root == nested
    assert locate(repository).root == repository


def test_a_separate_git_directory_is_followed(tmp_path, run_git):
    work = tmp_path / "work"
    run_git(tmp_path, "init", "--quiet", f"--separate-git-dir={tmp_path / 'store.git'}", str(work))
    project = locate(work)
    assert (project.root, project.git_dir) == (work, tmp_path / "store.git")


def test_without_git_the_folder_with_settings_or_state_is_the_project(tmp_path):
    deep = tmp_path / "p" / "a" / "b"
    deep.mkdir(parents=True)
    assert locate(deep).root == deep
    (tmp_path / "p" / ".knowledge").mkdir()
    assert locate(deep).root == tmp_path / "p"
    (tmp_path / "p" / "a" / "prebrief.toml").touch()
    project = locate(deep)
    assert project.root == project.view_root == tmp_path / "p" / "a"
    assert project.git_dir is project.common_dir is None


def test_an_empty_folder_named_git_is_no_repository(tmp_path):
    (tmp_path / ".git").mkdir()
    assert locate(tmp_path).git_dir is None


@pytest.mark.parametrize("content", ["gitdir: /nowhere/at/all\n", "gitdir: ../gone\n", "nonsense\n", ""])
def test_a_git_file_that_points_nowhere_is_an_error_and_not_no_git(tmp_path, content):
    (tmp_path / ".git").write_text(content)
    with pytest.raises(ProjectError, match="points to no git directory") as caught:
        locate(tmp_path)
    assert caught.value.where == str(tmp_path / ".git")
    assert "git worktree repair" in caught.value.remedy


def test_a_worktree_whose_main_worktree_is_gone_is_an_error(repository, run_git, tmp_path):
    run_git(repository, "worktree", "add", "--quiet", "--detach", str(tmp_path / "side"))
    shutil.rmtree(repository)
    with pytest.raises(ProjectError, match="points to no git directory"):
        locate(tmp_path / "side")


def test_a_missing_folder_or_a_loop_of_links_is_an_error(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    for path in (tmp_path / "missing", tmp_path / "loop"):
        with pytest.raises(ProjectError, match="no such folder"):
            locate(path)


def test_names_that_are_no_utf8_work(repository, run_git, tmp_path):
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    run_git(repository, "worktree", "add", "--quiet", "--detach", str(odd))
    assert locate(odd).view_root == odd


def test_state_ignores_itself(repository, run_git):
    project = locate(repository)
    ensure_state(project)
    project.catalog.touch()
    ensure_state(project)
    assert run_git(repository, "status", "--porcelain", "--untracked-files=all") == ""


def test_a_views_state_lies_in_the_projects(repository, run_git, tmp_path):
    run_git(repository, "worktree", "add", "--quiet", "--detach", str(tmp_path / "side"))
    view = locate(tmp_path / "side")
    ensure_state(view)
    assert view.view_state.is_dir()
    assert not (tmp_path / "side" / ".knowledge").exists()
    assert run_git(repository, "status", "--porcelain", "--untracked-files=all") == ""


def test_state_that_cannot_be_made_is_an_error_that_names_the_folder(tmp_path):
    (tmp_path / ".knowledge").write_text("a file in the way\n")
    with pytest.raises(ProjectError, match="is no folder") as caught:
        ensure_state(locate(tmp_path))
    assert caught.value.where == str(tmp_path / ".knowledge")


@pytest.fixture
def refusal(unprivileged):
    """The error of locating and preparing a repository where permissions apply; else nothing."""

    def prepare(root):
        try:
            ensure_state(locate(root))
        except ProjectError as error:
            return str(error)
        return ""

    return lambda root: unprivileged(lambda: prepare(root), owns=[root])


def test_a_read_only_project_is_an_error_that_says_so(repository, refusal):
    repository.chmod(0o555)
    try:
        assert refusal(repository).startswith(
            f"{repository}/.knowledge: cannot be written: Permission denied"
        )
    finally:
        repository.chmod(0o755)


def test_a_git_directory_that_cannot_be_read_is_an_error_and_not_no_git(repository, refusal):
    (repository / ".git").chmod(0o000)
    try:
        assert "cannot be read: permission denied" in refusal(repository)
    finally:
        (repository / ".git").chmod(0o755)
