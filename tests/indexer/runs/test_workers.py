"""Whatever happens to a process that parses, it costs the file that it was at, and the run goes on."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

import hostile_parsing
import pytest

import indexer.parse
from indexer.runs import pool, processes, worker
from knowledge.errors import PrebriefError

PLAIN = "def plain():\n    return 1\n"
OTHERS = ("a.py", "b.py", "y.py", "z.py")

RUN = """
import signal, sys
from pathlib import Path
import hostile_parsing, indexer.parse
from indexer.build import build_index
from knowledge.clock import Clock
from knowledge.project import locate
from knowledge.settings import Settings

signal.signal(signal.SIGINT, signal.default_int_handler)  # started in the background, it would be ignored
indexer.parse.parse_file = hostile_parsing.parse
build_index(locate(Path(sys.argv[1])), Settings(), Clock())
"""


@pytest.fixture(params=["fork", "program"])
def start_method(request, monkeypatch):
    monkeypatch.setattr(processes, "may_fork", lambda: request.param == "fork")
    return request.param


@pytest.fixture
def hostile(folder, monkeypatch):
    """A folder of good files, and a parser that does what one asks for."""
    monkeypatch.setattr(indexer.parse, "parse_file", hostile_parsing.parse)
    for path in OTHERS:
        folder.write(path, PLAIN)
    return folder


def assert_only(hostile, report, reason, problem):
    """One file was lost, and the catalog is that of the others."""
    assert report.skipped == {reason: 1}
    assert report.files == {"python": len(OTHERS)}
    assert len(report.problems) == 1
    assert report.problems[0].startswith("m.py: ")
    assert problem in report.problems[0]
    assert hostile.names() == sorted([*OTHERS, *["plain"] * len(OTHERS)])


@pytest.mark.parametrize(
    ("deed", "problem"),
    [
        ("die SIGSEGV", "the parser was killed by signal 11"),
        ("die SIGKILL", "the parser was killed by signal 9"),
        ("leave", "the parser ended with status 7"),
        ("fail", "the parser failed: ZeroDivisionError. Name it"),
        ("dive", "it is nested too deeply"),
    ],
)
def test_death_of_a_worker_costs_the_file_it_was_at(hostile, start_method, deed, problem):
    hostile.write("m.py", f"# {deed}\n{PLAIN}")
    assert_only(hostile, hostile.index(), "parse-failure", problem)


def test_file_at_which_a_worker_died_is_left_alone_until_it_changes(hostile):
    hostile.write("m.py", f"# die SIGSEGV\n{PLAIN}")
    hostile.index()
    again = hostile.index()
    assert (again.skipped, again.problems) == ({"parse-failure": 1}, ())
    hostile.write("m.py", PLAIN)
    report = hostile.index()
    assert (report.changed, report.skipped) == (1, {})


def test_worker_killed_from_outside_costs_nothing(hostile, tmp_path, start_method):
    hostile.write("m.py", f"# die_once {tmp_path / 'marker'}\n{PLAIN}")
    report = hostile.index()
    assert (report.skipped, report.problems) == ({}, ())
    assert report.files == {"python": len(OTHERS) + 1}


def test_time_out_kills_and_is_counted(hostile, monkeypatch):
    monkeypatch.setattr(worker, "SECONDS", 0.3)
    hostile.write("m.py", f"# spin\n{PLAIN}")
    assert_only(hostile, hostile.index(), "parse-timeout", "takes too long")


def test_busy_machine_makes_no_time_outs(hostile, monkeypatch):
    monkeypatch.setattr(worker, "SECONDS", 0.3)
    monkeypatch.setitem(hostile_parsing.DEEDS, "sleep", lambda: time.sleep(0.7))
    hostile.write("m.py", f"# sleep\n{PLAIN}")
    assert hostile.index().skipped == {}


def test_worker_that_waits_for_ever_is_given_up(hostile, monkeypatch):
    monkeypatch.setattr(pool, "STALLED_SECONDS", 0.5)
    hostile.write("m.py", f"# sleep\n{PLAIN}")
    assert_only(hostile, hostile.index(), "parse-timeout", "takes too long")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the address space has no bound")
def test_memory_is_bounded(hostile, start_method):
    hostile.set(index={"max_file_bytes": 1024 * 1024})
    hostile.write("m.py", f"# hog\n{PLAIN}")
    assert_only(hostile, hostile.index(), "parse-failure", "takes too much memory")


def test_many_hostile_files_among_many_good_ones(folder, monkeypatch, make_repo):
    monkeypatch.setattr(indexer.parse, "parse_file", hostile_parsing.parse)
    monkeypatch.setattr(worker, "SECONDS", 0.2)
    good = make_repo(folder.root.parent / "good", git=False)
    deeds = ("die SIGSEGV", "leave", "fail", "spin")
    for number in range(200):
        text = f"def unit_{number}():\n    return {number}\n"
        if number % 25 == 7:
            folder.write(f"m{number}.py", f"# {deeds[number // 25 % 4]}\n{text}")
        else:
            folder.write(f"m{number}.py", text)
            good.write(f"m{number}.py", text)
    report = folder.index()
    assert report.skipped == {"parse-failure": 6, "parse-timeout": 2}
    assert report.files == {"python": 192}
    good.index()
    assert folder.names() == good.names()


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_catalog_does_not_depend_on_the_number_of_workers(folder, workers, monkeypatch):
    monkeypatch.setattr(pool, "BATCH_FILES", 3)
    for number in range(40):
        folder.write(f"m{number}.py", f"def unit_{number}():\n    return {number}\n" * (40 - number))
    folder.index(workers=workers)
    assert folder.dump() == folder.rebuilt()[0]


def test_small_window_is_enough(folder, monkeypatch):
    monkeypatch.setattr(pool, "WINDOW_FILES", 1)
    for number in range(9):
        folder.write(f"m{number}.py", PLAIN)
    assert folder.index().files == {"python": 9}


def test_workers_that_cannot_start_end_the_run_with_a_remedy(folder, monkeypatch):
    folder.write("a.py", PLAIN)
    monkeypatch.setattr(processes, "may_fork", lambda: False)
    monkeypatch.setattr(processes, "_PROGRAM", "import no_such_module")
    with pytest.raises(PrebriefError, match="start"):
        folder.index()
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with pytest.raises(PrebriefError, match="No such file"):
        folder.index()


@pytest.mark.parametrize("unknown", ["", None])
def test_program_that_embeds_python_and_has_threads_is_told_what_to_do(folder, monkeypatch, unknown):
    monkeypatch.setattr(processes, "may_fork", lambda: False)
    monkeypatch.setattr(sys, "executable", unknown)
    folder.write("a.py", PLAIN)
    with pytest.raises(PrebriefError, match=r"sys\.executable"):
        folder.index()


def test_process_with_threads_is_not_forked():
    assert processes.may_fork()
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert not processes.may_fork()
    finally:
        done.set()
        thread.join()


@pytest.fixture
def at_work(folder, request, tmp_path):
    """A run in a process of its own whose worker waits at a file; gives both process ids."""
    place = tmp_path / "pid"
    folder.write("m.py", f"# tell {place}\n{PLAIN}")
    paths = (request.config.rootpath, request.config.rootpath / "tests/support")
    run = subprocess.Popen(
        [sys.executable, "-c", RUN, str(folder.root)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))},
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    wait_until(lambda: place.exists() and place.read_text())
    worker_id = int(place.read_text())
    yield run, worker_id
    run.kill()
    run.communicate()
    with suppress(ProcessLookupError):
        os.kill(worker_id, signal.SIGKILL)


def wait_until(condition):
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def is_gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:  # noqa: PTH123
        return file.read().rpartition(")")[2].split()[0] == "Z"


def test_interrupt_ends_the_run_and_its_worker(folder, at_work):
    run, pid = at_work
    os.killpg(run.pid, signal.SIGINT)  # as Ctrl-C does
    run.wait(timeout=30)
    wait_until(lambda: is_gone(pid))
    assert b"KeyboardInterrupt" in run.stderr.read()


def test_worker_holds_nothing_of_a_parent_that_was_killed(folder, at_work):
    """It is at a file for an hour, and still another run can begin."""
    run, _ = at_work
    run.kill()
    run.wait()
    folder.write("m.py", PLAIN)
    assert folder.index().files == {"python": 1}


def test_idle_worker_ends_with_its_parent():
    process = processes.start()
    process.connection.close()
    assert process.wait() == 0


@pytest.mark.slow
def test_thousands_of_small_files(folder):
    """Twice through the window of what is under way, with a batch in every message."""
    count = int(os.environ.get("PREBRIEF_SMALL_FILES", 2 * pool.WINDOW_FILES + 1))
    for number in range(count):
        folder.write(f"p{number % 50}/m{number}.py", f"def unit_{number}():\n    return {number}\n")
    assert folder.index().files == {"python": count}
    report = folder.index()
    assert (report.changed, report.unchanged) == (0, count)
