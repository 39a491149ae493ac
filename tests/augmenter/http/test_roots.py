"""Which projects may be asked about; of everything else the answer says nothing."""

from __future__ import annotations

import asyncio
import os
import threading
import time

import pytest
from git_repository import GitRepository
from indexed_repository import Repo

from augmenter.app.http import finding
from augmenter.app.http.finding import Finder, is_askable
from augmenter.app.http.replies import Refusal
from knowledge.errors import DeadlineExceeded


def without_path(answer, path):
    """An answer but for the path that was asked about, and what no two answers have in common."""
    headers = {
        name: value for name, value in answer.headers.items() if name not in ("date", "content-length")
    }
    return answer.status, headers, answer.body.replace(str(path).encode(), b"")


@pytest.fixture
def places(tmp_path, project):
    """Paths that are all nobody's business, by what there is."""
    outside = GitRepository(tmp_path / "unused")
    outside.commit("Begin", a="1")
    (tmp_path / "plain").mkdir()
    (project.root / "link").symlink_to(project.root / "src")
    return {
        "nothing": tmp_path / "nothing",
        "a folder": tmp_path / "plain",
        "a repository": outside.root,
        "a file": outside.root / "a",
        "of others": os.path.expanduser("~root"),  # noqa: PTH111
        "the root": "/",
        "within a project": project.root / "src",
        "a file within": project.root / "src" / "stream.py",
        "nothing within": project.root / "lib",
        "a link within": project.root / "link",
        "its state": project.root / ".knowledge",
        "up and back": f"{project.root}/src/..",
        "up and back through nothing": f"{project.root}/lib/..",
        "a long name": f"{tmp_path}/{'x' * 300}",
    }


def test_what_does_not_exist_and_what_is_not_in_use_is_answered_alike(server, places):
    told = {name: without_path(server.get("/v1/receipts", root=path), path) for name, path in places.items()}
    assert {status for status, _, _ in told.values()} == {404}
    assert len({str(answer) for answer in told.values()}) == 1


def test_briefs_tell_no_more(server, places):
    told = set()
    for path in places.values():
        document = server.augment("task", root=str(path)).json
        assert document["prompt"] == "task"
        told.add(str(document["degraded"]))
    assert len(told) == 1


def test_outcomes_tell_no_more(server, places):
    answers = [
        server.post(f"/v1/dispatches/{'0' * 26}/outcome", {"root": str(path), "status": "success"})
        for path in places.values()
    ]
    assert {(answer.status, answer.reason) for answer in answers} == {(404, "project-error")}


def test_what_was_asked_about_in_vain_is_left_as_it_was(server, tmp_path):
    repository = GitRepository(tmp_path / "unused")
    repository.commit("Begin", a="1")
    before = sorted(repository.root.rglob("*"))
    server.augment("task", root=str(repository.root))
    server.get("/v1/receipts", root=repository.root)
    assert sorted(repository.root.rglob("*")) == before
    assert f'project="{repository.root}"' not in server.get("/metrics").body.decode()


def test_projects_are_found_by_their_root(server, tmp_path):
    repo = Repo(tmp_path / "another")
    repo.commit("Begin", **{"src/close.py": "def close_timer():\n    return 1\n"})
    repo.index()
    (tmp_path / "linked").symlink_to(repo.root)
    for root in (repo.root, f"{repo.root}/", tmp_path / "linked"):
        answer = server.augment("Fix `close_timer`", root=str(root), record=False)
        assert {item["path"] for item in answer.json["offered"]} == {"src/close.py"}


def test_a_worktree_is_found_by_its_own_root(server, tmp_path):
    repo = Repo(tmp_path / "another")
    repo.commit("Begin", a="1")
    repo.index()
    repo.git("worktree", "add", "--quiet", str(tmp_path / "tree"))
    assert server.get("/v1/receipts", root=tmp_path / "tree").status == 200


def test_settings_make_a_project_and_their_loss_unmakes_it(tmp_path):
    assert not is_askable(str(tmp_path))
    (tmp_path / "prebrief.toml").touch()
    assert is_askable(str(tmp_path))
    (tmp_path / "prebrief.toml").unlink()
    assert not is_askable(str(tmp_path))


@pytest.mark.skipif(os.geteuid() != 0, reason="giving files away takes root")
def test_another_users_project_is_nobodys(tmp_path):
    project = tmp_path / "theirs"
    (project / ".knowledge").mkdir(parents=True)
    (project / "prebrief.toml").touch()
    assert is_askable(str(project))
    for path in (project / ".knowledge", project / "prebrief.toml"):
        os.chown(path, 65534, 65534)
    assert not is_askable(str(project))


@pytest.mark.parametrize("root", ["", "relative", "/\x00", "/tmp/\udc80", "/" + "x/" * 3000])
def test_no_path_is_too_odd(root):
    assert not is_askable(root)


def test_a_file_system_that_does_not_answer_holds_nobody_up(monkeypatch):
    answering = threading.Event()
    monkeypatch.setattr(finding, "is_askable", lambda root: answering.wait(60) and root == "/good")

    async def ask():
        finder = Finder()
        began = time.monotonic()
        with pytest.raises(DeadlineExceeded):
            await finder.check("/bad", began + 0.05)
        waiting = [
            asyncio.create_task(finder.check("/good", began + 60)) for _ in range(finding.MOST_LOOKS - 1)
        ]
        await asyncio.sleep(0)
        with pytest.raises(Refusal) as refused:
            await finder.check("/good", began + 60)
        assert refused.value.status == 503
        answering.set()
        await asyncio.gather(*waiting)
        while finder.looks:
            await asyncio.sleep(0.01)
        with pytest.raises(Refusal) as refused:
            await finder.check("/bad", time.monotonic() + 60)
        assert refused.value.status == 404

    asyncio.run(ask())
