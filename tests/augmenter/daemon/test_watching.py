"""Trees of warm projects are watched, and indexed when there is something to index."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time

import pytest
import watchfiles._rust_notify
from daemons import ask_status, wait_until
from git_repository import GitRepository

from augmenter.app.cli import main
from augmenter.app.client import Talk
from augmenter.app.daemon import watching
from augmenter.app.daemon.protocol import HOOK, Request
from augmenter.app.daemon.watching import TreeWatch
from knowledge.errors import CatalogBusy
from knowledge.locks import file_lock
from knowledge.project import locate

NO_CHANGE_SECONDS = 2.0  # in which a change would have been told, on a machine that is not too busy


def offered(project, task):
    """Names of what the daemon offers."""
    root, event = os.fsencode(project.root), json.dumps({"task": task}).encode()
    request = Request(HOOK, "generic", 60_000, (len(root), 0, len(event)))
    _, _, answer = Talk(time.perf_counter()).ask(request, (root, b"", event), 60.0)
    return [item["name"] for item in json.loads(answer)["offered"]]


def tree_of(project):
    """What the daemon says of a tree."""
    trees = {tree["project"]: tree for tree in ask_status()["trees"]}
    return trees.get(str(project.root.resolve()), {"runs": 0, "watched_by": "", "failures": 0})


@pytest.fixture
def watched(serve, project):
    """The project, warm in a daemon that watches it and has looked whether it has changed."""
    serve()
    assert offered(project, "Fix `EventStream.close`")
    wait_until(lambda: tree_of(project)["runs"] == 1 and tree_of(project)["watched_by"] == "events")
    return project


def is_found(project, name):
    return wait_until(lambda: name in offered(project, f"Fix `{name}`"))


def test_what_is_written_is_found(watched):
    path = watched.root / "src" / "stream.py"
    path.write_text(path.read_text() + "\n\ndef brand_new_helper():\n    return 1\n")
    assert is_found(watched, "brand_new_helper")
    assert tree_of(watched)["runs"] <= 4  # what dispatches see, and what is watched, may each want one


def test_what_is_written_into_new_folders_is_found(watched):
    (watched.root / "lib" / "deep").mkdir(parents=True)
    (watched.root / "lib" / "deep" / "inner.py").write_text("def deep_inner_helper():\n    return 1\n")
    assert is_found(watched, "deep_inner_helper")
    (watched.root / "lib" / "deep" / "inner.py").write_text("def another_inner_helper():\n    return 1\n")
    assert is_found(watched, "another_inner_helper")


def test_what_is_removed_is_forgotten(watched):
    (watched.root / "src" / "stream.py").unlink()
    assert wait_until(lambda: "EventStream.close" not in offered(watched, "Fix `EventStream.close`"))


def test_another_branch_is_indexed(watched):
    watched.git("checkout", "--quiet", "-b", "other")
    watched.commit("Other", **{"src/other.py": "def other_branch_helper():\n    return 1\n"})
    assert is_found(watched, "other_branch_helper")
    watched.git("checkout", "--quiet", "main")
    assert wait_until(lambda: "other_branch_helper" not in offered(watched, "Fix `other_branch_helper`"))


def test_no_run_begins_while_another_holds_the_index(watched):
    with file_lock(watched.root / ".knowledge" / "catalog.sqlite.lock", 10, error=CatalogBusy):
        (watched.root / "src" / "later.py").write_text("def later_helper():\n    return 1\n")
        time.sleep(NO_CHANGE_SECONDS)
        assert (tree_of(watched)["runs"], tree_of(watched)["failures"]) == (1, 0)
        assert offered(watched, "Fix `EventStream.close`")
    assert is_found(watched, "later_helper")


def test_a_run_that_fails_costs_no_dispatch(watched):
    (watched.root / "prebrief.toml").write_text("[index]\nexclude = ['['']\n")
    assert wait_until(lambda: tree_of(watched)["failures"] == 1)
    assert "prebrief.toml" in tree_of(watched)["last"]
    (watched.root / "prebrief.toml").unlink()
    assert offered(watched, "Fix `EventStream.close`")


def test_nothing_is_indexed_that_nobody_has_indexed_before(serve, tmp_path):
    repository = GitRepository(tmp_path / "fresh")
    repository.commit("Begin", **{"a.py": "def f():\n    return 1\n"})
    (repository.root / ".knowledge").mkdir()
    serve()
    assert offered(repository, "Fix `f`") == []
    assert ask_status()["trees"] == []


def test_a_daemon_ends_without_its_index_runs_and_watches(serve, project):
    daemon = serve()
    assert offered(project, "Fix `EventStream.close`")
    daemon.process.terminate()
    assert daemon.has_ended()
    assert daemon.process.returncode == 0


class Watched:
    """A tree that is watched here."""

    def __init__(self, root):
        self.told = threading.Event()
        self.watch = TreeWatch(locate(root), self.told.set)

    def __enter__(self):
        self.watch.start()
        wait_until(lambda: self.watch.means in ("events", "polling"))
        time.sleep(0.2)  # until the system has been asked
        return self

    def __exit__(self, *_):
        self.watch.stop()
        assert self.watch.join()

    def tells(self, limit=60):
        told = self.told.wait(limit)
        self.told.clear()
        return told


def test_what_git_ignores_is_not_told(project):
    with Watched(project.root) as watched:
        (project.root / "debug.log").write_text("line\n")
        (project.root / "build").mkdir()
        (project.root / "build" / "made.py").write_text("def made():\n    return 1\n")
        (project.root / ".knowledge" / "receipts").mkdir()
        (project.root / ".knowledge" / "note").write_text("x")
        assert not watched.tells(NO_CHANGE_SECONDS)
        (project.root / "src" / "more.py").write_text("x = 1\n")
        assert watched.tells()


def test_what_git_does_for_itself_is_not_told(project):
    with Watched(project.root) as watched:
        os.utime(project.root / "src" / "stream.py")
        assert watched.tells()
        project.git("status")
        project.git("branch", "another")
        assert not watched.tells(NO_CHANGE_SECONDS)


def test_a_commit_is_told(project):
    with Watched(project.root) as watched:
        project.commit("Nothing")
        assert watched.tells()


def test_a_new_folder_is_watched_though_it_was_empty(project):
    with Watched(project.root) as watched:
        (project.root / "empty").mkdir()
        assert watched.tells()  # for what may have come into it before it was watched
        (project.root / "empty" / "inner.py").write_text("x = 1\n")
        assert watched.tells()


def test_an_untracked_file_that_was_indexed_and_goes_is_told(project):
    (project.root / "src" / "loose.py").write_text("def loose():\n    return 1\n")
    main(["index", "--root", str(project.root)])
    with Watched(project.root) as watched:
        (project.root / "src" / "loose.py").unlink()
        assert watched.tells()


def test_a_folder_without_git_is_watched(tmp_path):
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "a.py").write_text("def f():\n    return 1\n")
    main(["index", "--root", str(tmp_path / "plain")])
    with Watched(tmp_path / "plain") as watched:
        (tmp_path / "plain" / "a.py").write_text("def g():\n    return 1\n")
        assert watched.tells()


def test_without_watches_left_the_tree_is_polled(project, monkeypatch):
    real = watchfiles._rust_notify.RustNotify

    def exhausted(folders, debug, is_polling, *more):
        if not is_polling:
            raise OSError(28, "OS file watch limit reached.")
        return real(folders, debug, is_polling, *more)

    monkeypatch.setattr(watchfiles._rust_notify, "RustNotify", exhausted)
    monkeypatch.setattr(watching, "POLL_MS", 100)
    with Watched(project.root) as watched:
        assert watched.watch.means == "polling"
        (project.root / "src" / "stream.py").write_text("x = 1\n")
        assert watched.tells()


def test_a_tree_that_goes_away_ends_its_watch(project):
    with Watched(project.root) as watched:
        shutil.rmtree(project.root)
        assert wait_until(lambda: watched.watch.means == "nothing: it is over")
