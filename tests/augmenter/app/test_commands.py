"""Away from the path of a dispatch a fault is loud: what happened, what to do, exit code 1."""

from __future__ import annotations

import json
import sqlite3

import pytest

from augmenter import Augmenter
from knowledge.locks import file_lock

TASK = "Fix the timeout in `EventStream.close`"
UNKNOWN = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
DIFF = """--- a/src/stream.py
+++ b/src/stream.py
@@ -15,1 +15,1 @@
-        self.timer.cancel()
+        self.timer.cancel(wait=True)
"""


@pytest.fixture
def dispatch(project, run):
    """The id of a dispatch of the sample project."""
    return run("augment", TASK, "--json", root=project.root).json["dispatch_id"]


def failed(done, *parts):
    assert done.code == 1
    assert done.out == b""
    (line,) = done.err.splitlines()
    assert line.startswith("prebrief: ")
    for part in parts:
        assert part in line
    return True


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
def test_unknown_dispatch(project, run, words, dispatch_id):
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
def test_missing_root(run, tmp_path, words):
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
def test_invalid_settings(project, run, dispatch, words):
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


def test_different_outcome_is_refused_without_replace(project, run, dispatch):
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


def test_outcome_takes_hashes_from_the_brief(project, run, dispatch):
    receipt = run("receipts", "show", dispatch, "--json", root=project.root).json["receipt"]
    used = receipt["offered"][0]["pattern_hash"]
    done = run("outcome", dispatch, "--status", "success", "--used", used, "--json", root=project.root)
    assert [item["how"] for item in done.json["used"]] == ["stated"]
    bad = run("outcome", dispatch, "--status", "success", "--used", "blake2b:00", root=project.root)
    assert failed(bad, "names none of the items", "prebrief receipts show")


@pytest.mark.parametrize("words", [("--base", "no-such-rev"), ("--diff", "no-such-file")])
def test_outcome_with_a_change_that_cannot_be_had(project, run, dispatch, words):
    assert failed(run("outcome", dispatch, "--status", "success", *words, root=project.root), words[1])
    assert run("receipts", "verify", "--json", root=project.root).json["lines"] == 1


def test_edited_line_is_reported_and_the_rest_goes_on(project, run):
    ids = [run("augment", TASK, "--json", root=project.root).json["dispatch_id"] for _ in range(3)]
    segment = project.state / "receipts" / "000001.ndjson"
    lines = segment.read_bytes().splitlines(keepends=True)
    lines[1] = lines[1].replace(b'"coverage":', b'"coverage":1', 1)
    segment.write_bytes(b"".join(lines))
    done = run("receipts", "verify", root=project.root)
    assert done.code == 1
    assert "000001.ndjson:2: edited" in done.text
    listed = run("receipts", "list", root=project.root).text
    assert ids[0] in listed
    assert ids[2] in listed
    assert run("explain", ids[2], root=project.root).code == 0
    assert run("replay", ids[0], root=project.root).code == 0


def test_line_that_is_no_record_is_reported_and_the_rest_goes_on(project, run):
    ids = [run("augment", TASK, "--json", root=project.root).json["dispatch_id"] for _ in range(3)]
    segment = project.state / "receipts" / "000001.ndjson"
    lines = segment.read_bytes().splitlines(keepends=True)
    lines[1] = lines[1][:100] + b"\n"
    segment.write_bytes(b"".join(lines))
    assert "000001.ndjson:2: not JSON" in run("receipts", "verify", root=project.root).text
    assert ids[0] in run("receipts", "list", root=project.root).text
    assert run("explain", ids[0], root=project.root).code == 0
    assert failed(run("explain", ids[1], root=project.root), "no receipt has this id")
    assert "damaged, taught nothing: 000001.ndjson:2" in run("learn", root=project.root).text


def test_torn_line_is_set_aside_and_nothing_is_lost(project, run):
    first = run("augment", TASK, "--json", root=project.root).json["dispatch_id"]
    segment = project.state / "receipts" / "000001.ndjson"
    with segment.open("ab") as file:
        file.write(b'{"type":"receipt","v":1,"disp')
    assert run("explain", first, root=project.root).code == 0
    done = run("augment", TASK, "--json", "--log-level", "warning", root=project.root)
    assert done.json["degraded"] is None
    checked = run("receipts", "verify", root=project.root)
    assert checked.code == 0
    assert "torn" in checked.text
    assert run("receipts", "list", "--json", root=project.root).json["receipts"][1]["dispatch_id"] == first


def test_replay_is_identical(project, run, dispatch):
    done = run("replay", dispatch, root=project.root)
    assert (done.code, done.text) == (0, f"{dispatch}: identical, prompt and offers.\n")
    assert run("replay", "last", "--json", root=project.root).json["identical"] is True


def test_replay_says_when_the_text_was_not_kept(project, run):
    project.write("prebrief.toml", "[dispatch]\nkeep_task = false\n")
    run("augment", TASK, root=project.root)
    done = run("replay", "last", root=project.root)
    assert done.code == 1
    assert "cannot be replayed" in done.text
    assert "dispatch.keep_task" in done.text
    assert TASK not in (project.state / "receipts" / "000001.ndjson").read_text()


def test_replay_says_what_differs_when_the_index_has_moved_on(project, run, dispatch):
    source = (project.root / "src/stream.py").read_text()
    project.write("src/stream.py", source.replace("Close the socket and wait", "Shut the socket and wait"))
    run("index", root=project.root)
    done = run("replay", dispatch, root=project.root)
    assert done.code == 1
    assert "symbol:src/stream.py::EventStream.close" in done.text
    assert "the prompt's bytes differ" in done.text
    assert "the index has moved on" in done.text


def test_replay_of_a_degraded_dispatch_says_so(project, run):
    run("augment", root=project.root)
    done = run("replay", "last", root=project.root)
    assert done.code == 1
    assert "task-error" in done.text


def test_replay_without_an_index(project, run, dispatch):
    for path in project.state.glob("catalog.sqlite*"):
        path.unlink()
    assert failed(run("replay", dispatch, root=project.root), "nothing is indexed yet. Run 'prebrief index'")


def test_damaged_catalog_is_rebuilt_on_demand(project, run):
    (project.state / "catalog.sqlite").write_bytes(b"no database, though it is a file of that name\n" * 99)
    assert failed(run("index", root=project.root), "prebrief index --full")
    assert run("index", "--full", root=project.root).code == 0
    assert run("augment", TASK, "--json", root=project.root).json["offered"]


def test_newer_catalog_is_not_written_to(project, run):
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
def test_read_only_state_folder(project, run, dispatch, unprivileged, words):
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


def test_init_writes_a_file_that_changes_nothing_and_never_twice(new_project, run):
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


def test_init_where_nothing_can_be_written(new_project, run, unprivileged):
    project = new_project()
    project.root.chmod(0o555)
    with unprivileged(project.root):
        done = run("init", root=project.root)
    project.root.chmod(0o755)
    assert failed(done, "cannot be written: Permission denied", "Make the folder writable")


def test_index_of_a_repository_whose_git_is_broken(project, run):
    (project.root / ".git" / "HEAD").write_text("ref: refs/heads/gone\n")
    (project.root / ".git" / "index").write_bytes(b"no index")
    done = run("index", root=project.root)
    assert failed(done, "git")


def test_export_is_the_ledger(project, run, dispatch, tmp_path):
    ledger = (project.state / "receipts" / "000001.ndjson").read_bytes()
    (line,) = run("receipts", "export", root=project.root).text.splitlines()
    record = json.loads(line)
    assert record.pop("hash").startswith("blake2b:")
    assert record == json.loads(ledger)
    assert run("receipts", "export", "--output", tmp_path / "out", root=project.root).code == 0
    assert (tmp_path / "out").read_text() == f"{line}\n"
    assert failed(run("receipts", "export", "--since", "once", root=project.root), "'once' is not a time")
    bad = run("receipts", "export", "--output", tmp_path / "no" / "out", root=project.root)
    assert failed(bad, "cannot be written", "Give a writable file")


def test_list_of_an_empty_ledger(project, run):
    assert run("receipts", "list", root=project.root).text == "No receipts yet.\n"
    assert run("receipts", "verify", root=project.root).code == 0
    assert run("receipts", "export", root=project.root).code == 0
    assert run("learn", root=project.root).code == 0


def test_explanation_tells_every_factor(project, run, dispatch):
    text = run("explain", dispatch, root=project.root).text
    receipt = run("explain", dispatch, "--json", root=project.root).json["receipt"]
    first = receipt["offered"][0]
    assert first["name"] == "EventStream.close"
    for name in first["factors"]:
        assert name in text
    assert "Named in the task (backticked): EventStream.close." in text
    assert "mentioned as backticked EventStream.close" in text


def test_explanation_of_an_abstention(project, run):
    run("augment", "cook pasta with tomatoes", root=project.root)
    assert (
        "Nothing was offered: the task went out as it was." in run("explain", "last", root=project.root).text
    )


def test_explanation_of_a_degraded_dispatch(project, run):
    run("augment", root=project.root)
    text = run("explain", "last", root=project.root).text
    assert "The task went out unchanged: task-error. Give a text" in text


def test_ladder_is_part_of_the_explanation(project, run, dispatch):
    run("outcome", dispatch, "--status", "success", "--diff", "-", root=project.root, stdin=DIFF.encode())
    document = run("explain", dispatch, "--json", root=project.root).json
    close = next(item for item in document["receipt"]["offered"] if item["name"] == "EventStream.close")
    assert document["ladder"][close["pattern_hash"]][-1] == "used"


def test_schedule_runs_the_cycle_once(project, run, dispatch):
    done = run("schedule", "--once", root=project.root)
    assert done.code == 0
    assert "1 dispatch" in done.text


@pytest.mark.parametrize("words", [("--cron", "hourly"), ("--timezone", "Mars")])
def test_schedule_that_cannot_be_kept(project, run, words):
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
