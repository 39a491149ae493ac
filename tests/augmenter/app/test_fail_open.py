"""Whatever goes wrong on the way of a dispatch, the task goes out unchanged, with the reason."""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
import time
from contextlib import contextmanager

import pytest

from augmenter import Ask, Augmenter
from augmenter.app.cli import main
from knowledge.locks import file_lock

TASK = "Fix the timeout in `EventStream.close`: it leaks the socket"
STATE = ".knowledge"


@contextmanager
def nothing(_project):
    yield


@contextmanager
def no_index(project):
    for path in project.state.glob("catalog.sqlite*"):
        path.unlink()
    yield


def settings_file(text, **files):
    """A fault of the project's settings, or of what they name."""

    @contextmanager
    def fault(project):
        for path, content in {"prebrief.toml": text, **files}.items():
            project.write(path, content)
        yield

    return fault


invalid_key = settings_file("[brief]\nbudgt = 5\n")
settings_that_are_no_toml = settings_file("[brief\n")
failing_template = settings_file(
    '[brief]\ntemplates = "briefs"\n', **{"briefs/brief.markdown.j2": "{{ patterns.nothing.like.it }}"}
)
missing_templates = settings_file('[brief]\ntemplates = "nowhere"\n')


@contextmanager
def locked_catalog(project):
    connection = sqlite3.connect(project.state / "catalog.sqlite", isolation_level=None)
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("BEGIN EXCLUSIVE")
    connection.execute("UPDATE meta SET value = value")
    yield
    connection.close()


@contextmanager
def truncated_catalog(project):
    path = project.state / "catalog.sqlite"
    os.truncate(path, path.stat().st_size // 2)
    yield


@contextmanager
def empty_catalog(project):
    os.truncate(project.state / "catalog.sqlite", 0)
    yield


@contextmanager
def overwritten_catalog(project):
    (project.state / "catalog.sqlite").write_bytes(b"this is no database, and it is long enough\n" * 400)
    yield


@contextmanager
def scribbled_catalog(project):
    """Every page but the first is noise: the file opens, and its tables cannot be read."""
    path = project.state / "catalog.sqlite"
    data = path.read_bytes()
    path.write_bytes(data[:4096] + bytes((17 * i) % 251 for i in range(len(data) - 4096)))
    yield


@contextmanager
def newer_catalog(project):
    connection = sqlite3.connect(project.state / "catalog.sqlite")
    connection.execute("PRAGMA user_version = 9999")
    connection.close()
    yield


@contextmanager
def damaged_learning(project):
    project.write(f"{STATE}/learned.sqlite", "no database at all, though it is here\n" * 100)
    yield


@contextmanager
def locked_ledger(project):
    folder = project.state / "receipts"
    folder.mkdir(exist_ok=True)
    with file_lock(folder / "lock", 1.0):
        yield


@contextmanager
def ledger_that_is_a_file(project):
    project.write(f"{STATE}/receipts", "")
    yield


FAULTS = {
    no_index: "catalog-missing",
    invalid_key: "settings-error",
    settings_that_are_no_toml: "settings-error",
    failing_template: "template-error",
    missing_templates: "template-error",
    locked_catalog: "catalog-busy",
    truncated_catalog: "catalog-corrupt",
    empty_catalog: "catalog-missing",
    overwritten_catalog: "catalog-corrupt",
    scribbled_catalog: "catalog-corrupt",
    newer_catalog: "catalog-too-new",
    damaged_learning: "catalog-corrupt",
    locked_ledger: "ledger-error",
    ledger_that_is_a_file: "ledger-error",
}
UNRECORDED = (locked_ledger, ledger_that_is_a_file)
each_fault = pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)


@each_fault
def test_task_comes_out_byte_for_byte(project, run, fault):
    task = f"{TASK}\r\n\ttab, NUL \0 and no line end".encode()
    with fault(project):
        done = run("augment", root=project.root, stdin=task)
    assert done.out == task
    assert done.code == 0
    (line,) = done.err.splitlines()
    assert line.startswith("prebrief: not briefed: ")


@each_fault
def test_json_tells_reason_and_remedy(project, run, fault, assert_unbriefed):
    with fault(project):
        done = run("augment", TASK, "--json", root=project.root)
    assert done.code == 0
    assert done.err == ""
    assert_unbriefed(done.json, TASK, FAULTS[fault])


@each_fault
def test_strict_exits_with_one_and_still_prints_the_task(project, run, fault):
    with fault(project):
        done = run("augment", TASK, "--strict", root=project.root)
    assert (done.code, done.text) == (1, TASK)


@each_fault
def test_hook_answers_in_silence(project, run, fault, assert_unbriefed):
    event = json.dumps({"task": TASK, "cwd": str(project.root)}).encode()
    with fault(project):
        began = time.monotonic()
        done = run("hook", "run", "generic", stdin=event)
        took = time.monotonic() - began
    assert (done.code, done.err) == (0, "")
    assert_unbriefed(done.json, TASK, FAULTS[fault])
    assert took < 1.5


@each_fault
def test_fault_is_recorded_and_listed(project, run, fault):
    with fault(project):
        document = run("augment", TASK, "--json", root=project.root).json
    if fault in UNRECORDED:
        assert document["dispatch_id"] == ""
        return
    listed = run("receipts", "list", root=project.root)
    assert f"not briefed: {FAULTS[fault]}" in listed.text
    assert listed.text.startswith(document["dispatch_id"])
    assert run("receipts", "verify", root=project.root).code == 0


def test_dispatch_works_again_once_the_fault_is_gone(project):
    with Augmenter.open(project.root) as augmenter:
        assert augmenter.augment(TASK).offered
        project.write("prebrief.toml", "")
        with no_index(project):
            assert augmenter.augment(TASK).degraded.reason == "catalog-missing"
        assert main(["index", "--root", str(project.root)]) == 0
        assert augmenter.augment(TASK).offered


def test_settings_error_names_file_key_and_what_is_allowed(project, run):
    project.write("prebrief.toml", '[brief]\nformat = "html"\n')
    done = run("augment", TASK, root=project.root)
    for part in ("prebrief.toml", "brief.format", '"markdown", "xml", "plain", "json"'):
        assert part in done.err


def test_task_is_not_kept_when_the_settings_cannot_be_read(project, run):
    with invalid_key(project):
        run("augment", TASK, root=project.root)
    assert run("receipts", "list", "--json", root=project.root).code == 0
    ledger = (project.state / "receipts" / "000001.ndjson").read_text()
    assert "leaks the socket" not in ledger


@pytest.mark.parametrize("task", ["", " \n\t\n"], ids=["empty", "blank"])
def test_empty_task(project, run, task, assert_unbriefed):
    done = run("augment", "--json", root=project.root, stdin=task.encode())
    assert done.code == 0
    assert_unbriefed(done.json, task, "task-error")
    assert run("augment", root=project.root, stdin=task.encode()).out == task.encode()
    assert run("augment", "--strict", root=project.root, stdin=task.encode()).code == 1


@pytest.mark.parametrize(
    "task",
    ["of the and with it is to", "修复登录页面的错误，并添加测试。", "…!?", "\U0001f525\U0001f525"],
    ids=["stop words", "Chinese", "signs", "emoji"],
)
def test_task_without_a_known_word_is_no_fault(project, run, task):
    done = run("augment", "--json", "--strict", root=project.root, stdin=task.encode())
    assert done.code == 0
    assert done.json["degraded"] is None
    assert done.json["abstained"] is True
    assert done.json["prompt"] == task


def test_chinese_task_finds_what_it_names(project, run):
    done = run("augment", "修复 `EventStream.close` 的超时", "--json", root=project.root)
    assert done.json["offered"][0]["name"] == "EventStream.close"


def test_task_of_five_megabytes(project, run):
    task = (TASK + "\n" + "All of the log follows: nothing but noise 0x%08x\n" * 110_000).encode()
    assert len(task) > 5_000_000
    began = time.monotonic()
    done = run("augment", root=project.root, stdin=task)
    assert done.code == 0
    assert done.out.endswith(task)
    assert time.monotonic() - began < 3


def test_bytes_that_are_no_utf8_survive(project, run):
    task = b"Fix `EventStream.close` \xff\xfe caf\xe9 \xed\xa0\x80"
    assert run("augment", root=project.root, stdin=task).out.endswith(task)
    done = run("augment", "--json", root=project.root, stdin=task)
    done.out.decode("utf-8")
    assert done.json["prompt"].encode("utf-8", "surrogateescape").endswith(task)
    assert done.json["offered"]


def test_repository_without_commits(new_project, run):
    project = new_project({})
    project.git("update-ref", "-d", "HEAD")
    project.write("src/stream.py", "class EventStream:\n    def close(self):\n        '''Close it.'''\n")
    assert run("augment", TASK, "--json", root=project.root).json["degraded"]["reason"] == "catalog-missing"
    assert run("index", root=project.root).code == 0
    done = run("augment", TASK, "--json", root=project.root).json
    assert done["degraded"] is None
    assert done["offered"][0]["name"] == "EventStream.close"


def test_missing_root(tmp_path, run, assert_unbriefed):
    done = run("augment", TASK, "--json", root=tmp_path / "nowhere")
    assert done.code == 0
    assert_unbriefed(done.json, TASK, "project-error")
    assert run("augment", TASK, "--strict", root=tmp_path / "nowhere").code == 1


def test_fault_leaves_no_trace_where_prebrief_was_never_set_up(new_project, run):
    project = new_project()
    assert run("augment", TASK, "--json", root=project.root).json["dispatch_id"] == ""
    assert not project.state.exists()


def test_fault_is_recorded_where_it_was_set_up(new_project, run):
    project = new_project()
    run("init", root=project.root)
    run("augment", TASK, root=project.root)
    assert "not briefed: catalog-missing" in run("receipts", "list", root=project.root).text


@pytest.mark.parametrize("has_ledger", [False, True])
def test_read_only_state_folder(project, run, unprivileged, has_ledger, assert_unbriefed):
    if has_ledger:
        run("augment", TASK, root=project.root)
    for path in sorted(project.state.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    project.state.chmod(0o555)
    run("augment", TASK, "--no-record", root=project.root)  # imports what is imported lazily
    with unprivileged(project.root):
        done = run("augment", TASK, "--json", root=project.root)
        strict = run("augment", TASK, "--strict", root=project.root)
        unrecorded = run("augment", TASK, "--json", "--no-record", root=project.root)
    project.state.chmod(0o755)
    assert done.code == 0
    assert_unbriefed(done.json, TASK, "ledger-error")
    assert done.json["dispatch_id"] == ""
    assert strict.code == 1
    assert unrecorded.json["degraded"] is None
    assert unrecorded.json["offered"]


def test_root_that_cannot_be_read(project, run, unprivileged, assert_unbriefed):
    project.root.chmod(0o000)
    with unprivileged():
        done = run("augment", TASK, "--json", root=project.root)
    project.root.chmod(0o755)
    assert_unbriefed(done.json, TASK, "project-error")


def test_ledger_that_hangs_after_the_receipt_was_written(project, monkeypatch):
    """A receipt may be on the disk when the dispatch fails: the failure gets an id of its own."""
    with Augmenter.open(project.root) as augmenter:
        ledger = augmenter.ledger()
        append, calls = type(ledger).append, []

        def late(self, record):
            calls.append(append(self, record))
            if len(calls) == 1:
                raise TimeoutError("the alarm")
            return calls[-1]

        monkeypatch.setattr(type(ledger), "append", late)
        brief = augmenter.augment(TASK)
        assert brief.prompt == TASK
        assert brief.degraded.reason == "internal-error"
        first, second = reversed(ledger.latest(5))
    assert first.dispatch_id != second.dispatch_id == brief.dispatch_id
    assert second.degraded is not None


def test_unexpected_error_is_no_reason_to_hold_the_task_back(project, monkeypatch, run, assert_unbriefed):
    monkeypatch.setattr("augmenter.augment.make_query", lambda *_: 1 / 0)
    done = run("augment", TASK, "--json", root=project.root)
    assert done.code == 0
    assert_unbriefed(done.json, TASK, "internal-error")


def test_unreadable_file_with_the_task_is_an_error(project, run, tmp_path):
    """There is nothing to hand on: an empty prompt would be worse than none."""
    done = run("augment", "--file", tmp_path / "none.md", root=project.root)
    assert (done.code, done.out) == (1, b"")
    assert "none.md: cannot be read" in done.err


def test_lock_is_given_back(project, run):
    with locked_ledger(project):
        run("augment", TASK, root=project.root)
    with (project.state / "receipts" / "lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_recording_can_be_left_out_of_a_failed_dispatch(project):
    with no_index(project), Augmenter.open(project.root) as augmenter:
        assert augmenter.augment(TASK, ask=Ask(record=False)).dispatch_id == ""
        assert augmenter.ledger().latest(5) == []
