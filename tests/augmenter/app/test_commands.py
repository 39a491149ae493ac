"""Away from the path of a dispatch a fault is loud: what happened, what to do, exit code 1."""

from __future__ import annotations

import json
import sqlite3

import pytest
from sample_change import DIFF, TASK

from augmenter import Augmenter
from knowledge.locks import file_lock

UNKNOWN = "01ARZ3NDEKTSV4RRFFQ69G5FAV"


@pytest.mark.parametrize(
    "words",
    [
        ("explain",),
        ("replay",),
        ("outcome", "--status", "success"),
        ("receipts", "show"),
    ],
    ids=lambda words: words[0],
)
@pytest.mark.parametrize("dispatch_id", [UNKNOWN, "nonsense", "last"])
def test_unknown_dispatch(project, run, words, dispatch_id, failed):
    done = run(*words, dispatch_id, root=project.root)
    remedy = "Run 'prebrief augment'" if dispatch_id == "last" else "Take one from 'prebrief receipts list'"
    assert failed(done, remedy)


@pytest.mark.parametrize(
    "words",
    [
        ("explain", "last"),
        ("replay", "last"),
        ("outcome", "last", "--status", "success"),
        ("receipts", "list"),
        ("receipts", "verify"),
        ("receipts", "export"),
        ("learn",),
        ("index",),
        ("init",),
        ("schedule", "--once"),
        ("demo",),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_missing_root(run, tmp_path, words, failed):
    assert failed(run(*words, root=tmp_path / "nowhere"), "nowhere: no such folder. Give an existing --root")


@pytest.mark.parametrize(
    "words",
    [
        ("index",),
        ("learn",),
        ("replay", "last"),
        ("schedule", "--once"),
    ],
    ids=lambda words: words[0],
)
def test_invalid_settings(project, run, dispatch, words, failed):
    project.write("prebrief.toml", "[brief]\nbudget = -1\n")
    assert failed(run(*words, root=project.root), "prebrief.toml", "brief.budget", "0 to 20000")


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("nonsense",),
        ("augment", "--patterns", "many"),
        ("augment", "--patterns", "-1"),
        ("augment", "--format", "html"),
        ("augment", TASK, "--no-such-option"),
        ("explain",),
        ("outcome", "last"),
        ("outcome", "last", "--status", "fine"),
        ("outcome", "last", "--status", "success", "--base", "a", "--diff", "b"),
        ("outcome", "last", "--status", "success", "--head", "a"),
        ("receipts",),
        ("receipts", "list", "--limit", "-1"),
        ("receipts", "list", "--limit", "x"),
        ("hook",),
        ("hook", "run"),
    ],
    ids=" ".join,
)
def test_wrong_usage(run, words):
    done = run(*words)
    assert done.code == 2
    assert done.out == b""
    assert done.err.startswith("usage: prebrief")


def test_outcome_twice_is_said_and_changes_nothing(project, run, dispatch):
    words = ("outcome", dispatch, "--status", "success")
    assert "recorded." in run(*words, root=project.root).text
    again = run(*words, root=project.root)
    assert again.code == 0
    assert "was recorded already; nothing changed" in again.text
    assert run("receipts", "verify", "--json", root=project.root).json["lines"] == 2


def test_different_outcome_is_refused_without_replace(project, run, dispatch, failed):
    run("outcome", dispatch, "--status", "success", root=project.root)
    words = ("outcome", dispatch, "--status", "failure", "--error", "AssertionError: 1 != 2")
    assert failed(run(*words, root=project.root), "already has the outcome 'success'", "--replace")
    done = run(*words, "--replace", "--json", root=project.root)
    assert (done.code, done.json["replaced"]) == (0, True)
    shown = run("receipts", "show", dispatch, root=project.root).text
    assert "outcome: failure (AssertionError: 1 != 2)" in shown


def test_outcome_finds_use_in_a_diff(project, run, dispatch):
    done = run(
        "outcome", dispatch, "--status", "success", "--diff", "-", root=project.root, stdin=DIFF.encode()
    )
    assert "used (location): symbol:src/stream.py::EventStream.close at src/stream.py:15" in done.text


def test_outcome_takes_hashes_from_the_brief(project, run, dispatch, failed):
    receipt = run("receipts", "show", dispatch, "--json", root=project.root).json["receipt"]
    used = receipt["offered"][0]["pattern_hash"]
    done = run("outcome", dispatch, "--status", "success", "--used", used, "--json", root=project.root)
    assert [item["how"] for item in done.json["used"]] == ["stated"]
    bad = run("outcome", dispatch, "--status", "success", "--used", "blake2b:00", root=project.root)
    assert failed(bad, "names none of the items", "prebrief receipts show")


@pytest.mark.parametrize("words", [("--base", "no-such-rev"), ("--diff", "no-such-file")])
def test_outcome_with_a_change_that_cannot_be_had(project, run, dispatch, words, failed):
    assert failed(run("outcome", dispatch, "--status", "success", *words, root=project.root), words[1])
    assert run("receipts", "verify", "--json", root=project.root).json["lines"] == 1


def test_replay_without_an_index(project, run, dispatch, failed):
    for path in project.state.glob("catalog.sqlite*"):
        path.unlink()
    assert failed(run("replay", dispatch, root=project.root), "nothing is indexed yet. Run 'prebrief index'")


def test_damaged_catalog_is_rebuilt_on_demand(project, run, failed):
    (project.state / "catalog.sqlite").write_bytes(b"no database, though it is a file of that name\n" * 99)
    assert failed(run("index", root=project.root), "prebrief index --full")
    assert run("index", "--full", root=project.root).code == 0
    assert run("augment", TASK, "--json", root=project.root).json["offered"]


def test_newer_catalog_is_not_written_to(project, run, failed):
    with sqlite3.connect(project.state / "catalog.sqlite") as connection:
        connection.execute("PRAGMA user_version = 9999")
    before = (project.state / "catalog.sqlite").read_bytes()
    assert failed(run("index", root=project.root), "newer version")
    assert (project.state / "catalog.sqlite").read_bytes() == before


def test_damaged_learning_is_rebuilt(project, run):
    project.write(".knowledge/learned.sqlite", "no database\n" * 99)
    assert run("learn", root=project.root).code == 0
    assert run("augment", TASK, "--json", root=project.root).json["degraded"] is None


@pytest.mark.parametrize("words", [("index",), ("learn",), ("outcome", "last", "--status", "success")])
def test_read_only_state_folder(project, run, dispatch, unprivileged, words, failed):
    run(*words, root=project.root)  # imports what is imported lazily
    run("augment", TASK, root=project.root)
    for path in sorted(project.state.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    project.state.chmod(0o555)
    with unprivileged(project.root):
        done = run(*words, root=project.root)
    project.state.chmod(0o755)
    assert failed(done, "Make the folder writable")


def test_learning_is_not_lost_for_a_busy_ledger(project, run, dispatch):
    with file_lock(project.state / "receipts" / "lock", 1.0):
        assert run("learn", root=project.root).code == 0
        assert run("receipts", "list", root=project.root).code == 0


def test_init_writes_a_file_that_changes_nothing_and_never_twice(new_project, run, failed):
    project = new_project()
    done = run("init", root=project.root)
    assert "Next: prebrief index" in done.text
    with Augmenter.open(project.root) as augmenter:
        written = augmenter.settings
    path = project.root / "prebrief.toml"
    path.write_text("[brief]\nbudget = 1\n")
    assert failed(run("init", root=project.root), "exists already", "--force")
    assert run("init", "--force", root=project.root).code == 0
    with Augmenter.open(project.root) as augmenter:
        assert augmenter.settings == written


def test_init_where_nothing_can_be_written(new_project, run, unprivileged, failed):
    project = new_project()
    project.root.chmod(0o555)
    with unprivileged(project.root):
        done = run("init", root=project.root)
    project.root.chmod(0o755)
    assert failed(done, "cannot be written: Permission denied", "Make the folder writable")


def test_index_of_a_repository_whose_git_is_broken(project, run, failed):
    (project.root / ".git" / "HEAD").write_text("ref: refs/heads/gone\n")
    (project.root / ".git" / "index").write_bytes(b"no index")
    done = run("index", root=project.root)
    assert failed(done, "git")


def test_schedule_runs_the_cycle_once(project, run, dispatch):
    done = run("schedule", "--once", root=project.root)
    assert done.code == 0
    assert "1 dispatch" in done.text


@pytest.mark.parametrize("words", [("--cron", "hourly"), ("--timezone", "Mars")])
def test_schedule_that_cannot_be_kept(project, run, words, failed):
    assert failed(run("schedule", *words, root=project.root), words[1])


def test_output_that_nobody_reads_is_no_error(project, spawn, tmp_path):
    """As with `prebrief receipts export | head`."""
    script = (
        "import os, sys; r, w = os.pipe(); os.close(r); os.dup2(w, 1);"
        "from augmenter.app.cli import main; sys.exit(main())"
    )
    done = spawn("augment", TASK, "--json", root=project.root, script=script)
    assert (done.code, done.err) == (0, "")


def test_locale_does_not_decide_what_is_written(project, spawn):
    done = spawn(
        "augment", "Fix `EventStream.close` – schnell", root=project.root, LC_ALL="C", PYTHONUTF8="0"
    )
    assert "– schnell" in done.text


def test_project_is_found_from_a_folder_below(project, run, monkeypatch):
    monkeypatch.chdir(project.root / "src")
    assert run("augment", TASK, "--json").json["offered"]


def test_log_goes_to_stderr_alone(project, run):
    done = run("augment", "--json", "--log-level", "info", root=project.root)
    assert done.json["degraded"]["reason"] == "task-error"
    assert "dispatch degraded" in done.err
    assert done.json["dispatch_id"] in done.err
    json.loads(done.out)
    assert run("augment", "--log-level", "silent", root=project.root).err == ""


def test_demo_shows_the_whole_loop_and_leaves_nothing(new_project, run):
    project = new_project()
    before = sorted(project.root.iterdir())
    done = run("demo", root=project.root)
    assert done.code == 0
    for part in ("identical", "used (location)", "every hash re-derives", "0.500 → 0.550"):
        assert part in done.text
    assert "prompt == TASK: true" in done.text
    assert sorted(project.root.iterdir()) == before
    assert failed_demo(run("demo", "--task", "cook pasta", root=project.root))


def failed_demo(done):
    return done.code == 1 and "Give a task about this project with --task" in done.err
