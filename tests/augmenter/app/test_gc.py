"""``prebrief gc``: what nobody needs goes, what somebody needs stays."""

from __future__ import annotations

import os
import shutil
import time
from contextlib import contextmanager

import pytest

from augmenter.app.cli import main
from knowledge.locks import file_lock
from knowledge.parse_cache import ParseCache
from knowledge.project import locate


@pytest.fixture
def worktrees(new_project, run, tmp_path):
    """A project with receipts, and two indexed worktrees of it."""
    project = new_project()
    places = [tmp_path / "one", tmp_path / "two"]
    for place in places:
        project.git("worktree", "add", "--quiet", "--detach", str(place))
    for place in (project.root, *places):
        assert run("index", root=place).code == 0
    run("augment", "Fix the timeout in `EventStream.close`", root=project.root)
    return project, *places


def content(folder):
    return {
        path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def views(project):
    return sorted(path.name.partition("-")[0] for path in (project.state / "worktrees").iterdir())


def test_the_view_of_a_worktree_that_is_gone_goes(worktrees, run):
    project, one, two = worktrees
    before = content(project.state / "receipts")
    shutil.rmtree(one)
    done = run("gc", "--json", root=project.root).json
    assert [(item["what"], item["bytes"] > 0) for item in done["cleared"]] == [("view", True)]
    assert str(one) in done["cleared"][0]["why"]
    assert done["bytes"] == done["cleared"][0]["bytes"]
    assert done["kept"] == []
    assert views(project) == ["two"]
    assert content(project.state / "receipts") == before
    assert run("augment", "Fix `EventStream.close`", "--json", root=two).json["offered"]


def test_the_view_of_a_removed_worktree_goes_and_a_second_run_finds_nothing(worktrees, run):
    project, one, two = worktrees
    project.git("worktree", "remove", str(one))
    project.git("worktree", "move", str(two), str(two.parent / "three"))
    assert "git knows no such worktree" in run("gc", root=project.root).text
    assert views(project) == []
    assert run("gc", root=project.root).text == "There is nothing to clear away.\n"


def test_a_dry_run_says_what_would_go_and_changes_nothing(worktrees, run):
    project, one, _ = worktrees
    shutil.rmtree(one)
    before = content(project.state)
    said = run("gc", "--dry-run", "--json", root=project.root).json
    assert said["dry_run"] is True
    assert content(project.state) == before
    assert run("gc", "--json", root=project.root).json["cleared"] == said["cleared"]


def test_a_locked_worktree_keeps_its_view(worktrees, run):
    project, one, _ = worktrees
    project.git("worktree", "lock", str(one))
    shutil.rmtree(one)
    assert run("gc", "--json", root=project.root).json["cleared"] == []
    assert views(project) == ["one", "two"]


def test_a_view_that_is_being_indexed_is_kept_and_said(worktrees, run):
    project, one, _ = worktrees
    state = locate(one).view_state
    shutil.rmtree(one)
    with file_lock(state / "catalog.sqlite.lock", 1):
        done = run("gc", "--json", root=project.root).json
    assert done["cleared"] == []
    assert [item["where"] for item in done["kept"]] == [str(state)]
    assert state.exists()


def test_a_worktree_never_drops_its_own_view(worktrees, run):
    project, one, _ = worktrees
    shutil.move(one, one.parent / "moved")  # behind git's back
    assert run("index", root=one.parent / "moved").code == 0
    run("gc", root=one.parent / "moved")
    assert locate(one.parent / "moved").catalog.exists()
    assert views(project) == ["one", "two"]


def test_views_stay_while_git_is_away(worktrees, run):
    project, *_ = worktrees
    (project.root / ".git").rename(project.root / ".git-away")
    assert run("gc", "--json", root=project.root).json["cleared"] == []
    assert views(project) == ["one", "two"]


def test_a_link_among_the_views_is_not_followed(worktrees, run, tmp_path):
    project, *_ = worktrees
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").touch()
    (project.state / "worktrees" / "link").symlink_to(precious)
    run("gc", root=project.root)
    assert (precious / "file").exists()


def test_what_a_killed_run_left_goes_unless_somebody_is_at_it(project, run):
    new = project.state / "learned.sqlite.new"
    new.write_bytes(b"half")
    with file_lock(project.state / "learned.sqlite.lock", 1):
        assert run("gc", "--json", root=project.root).json["kept"][0]["where"] == str(new)
    assert run("gc", "--json", root=project.root).json["bytes"] == 4
    assert not new.exists()


def test_what_is_left_of_a_copy_that_was_to_become_a_catalog_goes(worktrees, run):
    project, *_ = worktrees
    left = [
        view / f"catalog.sqlite.seed{suffix}"
        for view in (project.state / "worktrees").iterdir()
        for suffix in ("", "-journal")
    ]
    for path in left:
        path.write_bytes(b"half")
    assert run("gc", "--json", root=project.root).json["bytes"] == 4 * len(left)
    assert not any(path.exists() for path in left)


def test_a_log_without_its_catalog_goes_and_one_with_it_stays(project, run):
    log = project.state / "catalog.sqlite-wal"
    log.write_bytes(b"")
    run("gc", root=project.root)
    assert (project.state / "catalog.sqlite").exists()
    (project.state / "catalog.sqlite").unlink()
    log.write_bytes(b"left")
    assert str(log) in run("gc", root=project.root).text
    assert not log.exists()


def test_a_catalog_that_has_shrunk_gives_its_room_back(new_project, run, assert_same_answers):
    project = new_project()
    bulk = "".join(
        f"def unit_{i}(first, second):\n    return first + {i} * second_{i}\n\n" for i in range(400)
    )
    for number in range(10):  # two mebibytes of the catalog
        project.write(f"bulk/m{number}.py", bulk.replace("unit", f"unit{number}"))
    run("index", root=project.root)
    shutil.rmtree(project.root / "bulk")
    run("index", root=project.root)
    catalog = project.state / "catalog.sqlite"
    before = catalog.stat().st_size
    with assert_same_answers(project):
        said = run("gc", "--dry-run", "--json", root=project.root).json
        assert [item["what"] for item in said["cleared"]] == ["room"]
        done = run("gc", "--json", root=project.root).json
    assert catalog.stat().st_size == before - done["bytes"] < before / 2
    assert run("index", "--json", root=project.root).json["changed"] == 0
    assert run("gc", root=project.root).text == "There is nothing to clear away.\n"


@pytest.fixture
def assert_same_answers(run):
    """Checks that what a block does changes no brief."""

    def prompt(project):
        return run("augment", "Fix `EventStream.close`", "--no-record", root=project.root).out

    @contextmanager
    def checked(project):
        before = prompt(project)
        yield
        assert prompt(project) == before

    return checked


def test_a_first_run_that_failed_is_not_worth_a_word(new_project, run):
    project = new_project()
    index = project.root / ".git/index"
    index.write_bytes(b"no index of git's")
    assert run("index", root=project.root).code == 1
    assert run("gc", root=project.root).text.splitlines() == ["There is nothing to clear away."]


def test_a_damaged_catalog_is_kept_and_says_how_to_rebuild(project, run):
    (project.state / "catalog.sqlite").write_bytes(b"no database\n" * 999)
    done = run("gc", root=project.root)
    assert done.code == 0
    assert "prebrief index --full" in done.text


def test_state_that_cannot_be_deleted_is_an_error(worktrees, unprivileged, run, failed):
    project, one, _ = worktrees
    shutil.rmtree(one)
    folder = project.state / "worktrees"
    folder.chmod(0o555)
    with unprivileged(project.root):
        done = run("gc", root=project.root)
    folder.chmod(0o755)
    assert failed(done, "Make the folder writable")


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A user's parse cache of two megabytes, filled long ago, and an entry of today."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("PREBRIEF_CACHE", str(folder))
    for name, now, size in (("old", 0, 2 * 1024 * 1024), ("new", time.time(), 100)):
        with ParseCache(folder, "recipe", now) as made:
            made.put(name, "a.py", os.urandom(size))
    return folder


def kept_in(folder):
    with ParseCache(folder, "recipe", time.time()) as cache:
        return [name for name in ("old", "new") if cache.get(name, "a.py")]


def size_of(folder):
    return sum(path.stat().st_size for path in folder.iterdir())


def test_what_no_run_has_asked_for_in_a_season_leaves_the_parse_cache(project, run, cache):
    before = size_of(cache)
    said = run("gc", "--dry-run", "--json", root=project.root).json
    assert [item["what"] for item in said["cleared"]] == ["parse-cache"]
    done = run("gc", "--json", root=project.root).json
    assert done["bytes"] > 2 * 1024 * 1024 - 100_000
    assert size_of(cache) <= before - done["bytes"] + 100_000
    assert kept_in(cache) == ["new"]


def test_what_was_asked_for_lately_stays(project, run, cache):
    assert kept_in(cache) == ["old", "new"]  # and is thereby asked for
    run("gc", root=project.root)
    assert kept_in(cache) == ["old", "new"]


def test_a_parse_cache_that_is_damaged_or_is_none_is_left_alone(project, run, cache):
    (path,) = cache.glob("*.sqlite")
    path.write_bytes(b"no database\n" * 999)
    assert run("gc", root=project.root).text == "There is nothing to clear away.\n"
    assert path.read_bytes() == b"no database\n" * 999


@pytest.fixture
def evaluations(project):
    """A project with two runs and the checkouts of its cases, of so many days ago."""
    folder = locate(project.root).state / "evaluations"

    def evaluations(days):
        for name in ("aaaa", "bbbb"):
            (folder / name).mkdir(parents=True)
            (folder / name / "run.json").write_text("{}")
        (folder / "work" / ".knowledge").mkdir(parents=True)
        for name in ("lock", "tree", ".knowledge/catalog.sqlite"):
            (folder / "work" / name).write_text("x")
        (folder / "mined.jsonl").write_text("{}")
        then = time.time() - days * 24 * 3600
        for path in sorted(folder.rglob("*")):
            os.utime(path, (then, then))
        return folder

    return evaluations


def left(folder):
    return sorted(path.name for path in folder.iterdir())


def test_old_runs_and_checkouts_go_and_the_baseline_stays(project, run, evaluations):
    folder = evaluations(31)
    (folder / "baseline.json").write_text('{"runId": "bbbb"}')
    said = run("gc", "--dry-run", "--json", root=project.root).json
    assert [item["what"] for item in said["cleared"]] == ["evaluation"] * 2
    assert left(folder) == ["aaaa", "baseline.json", "bbbb", "mined.jsonl", "work"]
    run("gc", root=project.root)
    assert left(folder) == ["baseline.json", "bbbb", "mined.jsonl"]


def test_runs_of_lately_and_checkouts_in_use_stay(project, run, evaluations):
    folder = evaluations(29)
    assert run("gc", "--json", root=project.root).json["cleared"] == []
    shutil.rmtree(folder)
    evaluations(31)
    with file_lock(folder / "work" / "lock", 0):
        run("gc", root=project.root)
    assert left(folder) == ["mined.jsonl", "work"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"runId": 7}'])
def test_a_baseline_that_says_nothing_keeps_nothing(project, run, evaluations, text):
    folder = evaluations(31)
    (folder / "baseline.json").write_text(text)
    run("gc", root=project.root)
    assert left(folder) == ["baseline.json", "mined.jsonl"]


def test_nothing_is_made_where_nothing_is(tmp_path):
    assert main(["gc", "--root", str(tmp_path)]) == 0
    assert list(tmp_path.iterdir()) == []


def test_working_sets_go_when_no_session_in_them_is_recent(new_project, run):
    project = new_project()
    run("index", root=project.root)
    run("augment", "--session", "worker", "Fix the timeout in `EventStream.close`", root=project.root)
    path = locate(project.root).sessions
    assert path.is_file()
    assert run("gc", "--json", root=project.root).json["cleared"] == []
    old = time.time() - 15 * 24 * 3600
    os.utime(path, (old, old))
    (cleared,) = run("gc", "--json", "--dry-run", root=project.root).json["cleared"]
    assert (cleared["what"], cleared["bytes"], path.is_file()) == ("sessions", path.stat().st_size, True)
    assert run("gc", "--json", root=project.root).json["cleared"] == [cleared]
    assert not path.exists()
