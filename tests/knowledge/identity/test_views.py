"""Which linked worktrees a project has, as git's own files tell."""

import shutil

import pytest

from knowledge.errors import ProjectError
from knowledge.project import locate
from knowledge.views import linked_views


@pytest.fixture
def repository(new_repository, tmp_path):
    return new_repository(tmp_path / "repo")


@pytest.fixture
def add(repository, run_git, tmp_path):
    """Adds a linked worktree; returns its place."""

    def add(name):
        run_git(repository, "worktree", "add", "--quiet", "--detach", str(tmp_path / name))
        return tmp_path / name

    return add


def test_every_linked_worktree_is_a_view_of_the_id_that_it_has_itself(repository, add):
    places = [add("one"), add("deep/er/two"), add("größe")]
    views = linked_views(locate(repository))
    assert {view.view_id for view in views} == {locate(place).view_id for place in places}
    assert {view.root for view in views} == set(places)
    assert all(view.is_needed and not view.is_gone and not view.is_locked for view in views)
    assert linked_views(locate(places[0])) == views


def test_a_worktree_that_is_gone_is_told_as_git_tells_it(repository, add, run_git):
    kept, deleted, removed = add("kept"), add("deleted"), add("removed")
    shutil.rmtree(deleted)
    run_git(repository, "worktree", "remove", str(removed))
    assert {view.root: view.is_needed for view in linked_views(locate(repository))} == {
        kept: True,
        deleted: False,
    }
    listing = run_git(repository, "worktree", "list", "--porcelain")
    assert [part.split("\n")[0] for part in listing.split("\n\n") if "\nprunable" in part] == [
        f"worktree {deleted}"
    ]


def test_a_locked_worktree_is_needed_also_while_it_is_away(repository, add, run_git):
    away = add("away")
    run_git(repository, "worktree", "lock", "--reason", "on a stick", str(away))
    shutil.rmtree(away)
    (view,) = linked_views(locate(repository))
    assert (view.is_gone, view.is_locked, view.is_needed) == (True, True, True)


def test_a_worktree_that_git_moved_has_the_id_of_its_new_place(repository, add, run_git, tmp_path):
    place = add("before")
    run_git(repository, "worktree", "move", str(place), str(tmp_path / "after"))
    (view,) = linked_views(locate(repository))
    assert view.view_id == locate(tmp_path / "after").view_id


def test_a_worktree_with_relative_paths_is_found(repository, add):
    """As git writes them since 2.48, with worktree.useRelativePaths."""
    place = add("side")
    (repository / ".git" / "worktrees" / "side" / "gitdir").write_text("../../../../side/.git\n")
    (place / ".git").write_text("gitdir: ../repo/.git/worktrees/side\n")
    (view,) = linked_views(locate(repository))
    assert (view.view_id, view.is_gone) == (locate(place).view_id, False)


def test_there_are_none_without_git_or_without_linked_worktrees(repository, tmp_path):
    (tmp_path / "folder").mkdir()
    assert linked_views(locate(repository)) == linked_views(locate(tmp_path / "folder")) == ()


def test_what_is_half_made_is_no_view(repository, add):
    add("side")
    (repository / ".git" / "worktrees" / "empty").mkdir()
    (repository / ".git" / "worktrees" / "file").touch()
    assert [view.root.name for view in linked_views(locate(repository))] == ["side"]


def test_what_cannot_be_read_is_an_error_and_not_gone(repository, add, unprivileged):
    add("side")
    place = repository / ".git" / "worktrees"

    def attempt():
        project = locate(repository)
        place.chmod(0o000)
        try:
            return linked_views(project)
        except ProjectError as error:
            return str(error)
        finally:
            place.chmod(0o755)

    assert "cannot be read: Permission denied" in unprivileged(attempt, owns=[repository])


def test_a_worktree_behind_a_closed_folder_may_come_back(repository, add, unprivileged):
    place = add("closed/side")

    def attempt():
        place.parent.chmod(0o000)
        try:
            return [view.is_gone for view in linked_views(locate(repository))]
        finally:
            place.parent.chmod(0o755)

    assert unprivileged(attempt, owns=[repository, place.parent]) == [False]
