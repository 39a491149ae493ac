"""What a dispatch touches: nothing of the user's but ``.knowledge/``, no heavy module, little time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from augmenter import Augmenter

SOURCES = Path(__file__).parents[3]
COMMAND = "import sys; from augmenter.app.cli import main; sys.exit(main())"

TASK = "Fix the timeout in `EventStream.close`: it leaks the socket"
HEAVY = (
    *("git", "gitdb", "tree_sitter", "markdown_it", "mdit_py_plugins", "yaml", "apscheduler", "structlog"),
    *(
        "lancedb",
        "torch",
        "sentence_transformers",
        "numpy",
        "pathspec",
        "tqdm",
        "indexer",
        "learning",
        "evals",
    ),
    *("pydantic", "pydantic_core", "annotated_types", "difflib"),
    *("asyncio", "subprocess", "multiprocessing", "concurrent", "http", "ssl", "unittest", "logging"),
)


def tree(root):
    """Content, mode and time of every path but those of the state and of git."""
    found = {}
    for path in sorted(root.rglob("*")):
        if path.relative_to(root).parts[0] not in (".knowledge", ".git"):
            stat = path.stat()
            found[path] = (path.read_bytes() if path.is_file() else b"", stat.st_mode, stat.st_mtime_ns)
    return found


def everything(run, root):
    """Every command that changes something."""
    assert run("index", root=root).code == 0
    assert run("augment", TASK, root=root).code == 0
    assert run("hook", "run", "generic", root=root, stdin=json.dumps({"task": TASK}).encode()).code == 0
    assert run("outcome", "last", "--status", "success", "--base", "HEAD", root=root).code == 0
    assert run("learn", root=root).code == 0
    assert run("replay", "last", root=root).code in (0, 1)
    assert run("explain", "last", root=root).code == 0
    assert run("index", "--full", root=root).code == 0
    assert run("receipts", "verify", root=root).code == 0


def test_nothing_but_the_state_folder_is_written(new_project, run):
    project = new_project()
    before = tree(project.root)
    status = project.git("status", "--porcelain", "--ignored")
    everything(run, project.root)
    assert tree(project.root) == before
    assert project.git("status", "--porcelain") == status == ""
    assert project.git("status", "--porcelain", "--ignored") == "!! .knowledge/"
    assert project.git("stash", "list") == ""
    assert len(project.git("log", "--oneline", "--all").splitlines()) == 1


def test_state_of_a_worktree_goes_to_the_main_one(new_project, run, tmp_path):
    project = new_project()
    linked = tmp_path / "linked"
    project.git("worktree", "add", "--quiet", "-b", "work", str(linked))
    before = tree(linked), tree(project.root)
    everything(run, linked)
    assert (tree(linked), tree(project.root)) == before
    assert not (linked / ".knowledge").exists()
    (view,) = (project.state / "worktrees").iterdir()
    assert (view / "catalog.sqlite").is_file()
    assert not (project.state / "catalog.sqlite").exists()
    listed = run("receipts", "list", "--json", root=project.root).json["receipts"]
    assert len(listed) == 2
    assert all(receipt["view"] == view.name for receipt in listed)


def test_worktrees_do_not_leak_into_each_other(project, run, tmp_path):
    linked = tmp_path / "linked"
    project.git("worktree", "add", "--quiet", "-b", "work", str(linked))
    (linked / "src" / "secret_plan.py").write_text("def secret_plan():\n    '''Only here.'''\n")
    run("index", root=linked)
    assert "secret_plan" in run("augment", "Fix `secret_plan`", root=linked).text
    assert run("augment", "Fix `secret_plan`", "--json", root=project.root).json["offered"] == []
    done = run("replay", "last", root=linked)
    assert done.code == 1
    assert "it was made in the view 'main'; replay it there" in done.text


def test_folder_without_git(tmp_path, run):
    root = tmp_path / "plain"
    root.mkdir()
    (root / "stream.py").write_text("class EventStream:\n    def close(self):\n        '''Close it.'''\n")
    before = tree(root)
    assert run("index", root=root).code == 0
    assert run("augment", TASK, "--json", root=root).json["offered"][0]["name"] == "EventStream.close"
    assert tree(root) == before


def test_dispatch_loads_nothing_heavy(project, spawn):
    done = spawn("augment", TASK, root=project.root, script=_TELLING)
    assert "EventStream.close" in done.text
    assert done.err == "[]\n"
    event = json.dumps({"task": TASK}).encode()
    assert spawn("hook", "run", "generic", root=project.root, stdin=event, script=_TELLING).err == "[]\n"


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("prebrief.toml", "[brief]\nbudget = 300\n"),
        ("pyproject.toml", "[tool.prebrief]\nbrief.budget = 300\n"),
        ("pyproject.toml", "[project]\nname = 'x'\n"),
    ],
)
def test_dispatch_does_not_validate_a_settings_file_anew(project, spawn, run, file, text):
    project.write(file, text)
    assert spawn("augment", TASK, root=project.root, script=_TELLING).err != "[]\n"
    assert run("index", root=project.root).code == 0
    assert spawn("augment", TASK, root=project.root, script=_TELLING).err == "[]\n"
    event = json.dumps({"task": TASK}).encode()
    assert spawn("hook", "run", "generic", root=project.root, stdin=event, script=_TELLING).err == "[]\n"
    project.write(file, f"{text}# edited\n")
    assert spawn("augment", TASK, root=project.root, script=_TELLING).err != "[]\n"


_TELLING = (
    "import sys; from augmenter.app.cli import main; code = main();"
    f"print(sorted({set(HEAVY)!r} & set(sys.modules)), file=sys.stderr); sys.exit(code)"
)


def test_dispatch_starts_no_process(project, monkeypatch):
    def refuse(*_arguments, **_options):
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    monkeypatch.setattr(os, "posix_spawn", refuse)
    monkeypatch.setattr(os, "fork", refuse)
    with Augmenter.open(project.root) as augmenter:
        assert augmenter.augment(TASK).offered


def test_warm_dispatch_is_quick(project):
    with Augmenter.open(project.root) as augmenter:
        augmenter.augment(TASK)
        times = []
        for _ in range(20):
            began = time.perf_counter()
            augmenter.augment(TASK)
            times.append(time.perf_counter() - began)
    assert sorted(times)[10] < 0.05


def test_many_dispatches_at_once_lose_no_receipt(project):
    count = 8
    command = [sys.executable, "-c", COMMAND, "augment", TASK, "--root", str(project.root)]
    environment = {**os.environ, "PYTHONPATH": str(SOURCES)}
    running = [
        subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for _ in range(count)
    ]
    assert [process.communicate()[1] for process in running] == [b""] * count
    with Augmenter.open(project.root) as augmenter:
        latest = augmenter.ledger().latest(100)
    assert len({receipt.dispatch_id for receipt in latest}) == count
