"""Crashes, full disks, readers beside writers: the previous catalog stays whole, and no reader waits."""

import os
import resource
import signal
import subprocess
import sys
import threading
import time

import pytest

from knowledge.catalog import database
from knowledge.catalog.reader import CatalogReader
from knowledge.catalog.writer import CatalogWriter
from knowledge.errors import CatalogBusy, CatalogError

# Writes more than the page cache holds, so that much of it is in the log before the commit; at random, since
# what recurs takes next to no room.
WRITER = """
import random
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from conftest import file, item
from knowledge.catalog.writer import CatalogWriter
with CatalogWriter(Path(sys.argv[1])) as writer:
    for number in range(100_000):
        path = f"new{number}.py"
        bodies = (random.randbytes(4000).hex(" ", 32) for _ in range(10))
        writer.replace(file(path, *(item(path, f"n{i}", body=body) for i, body in enumerate(bodies))))
        if number % 20 == 0:
            print(number, flush=True)
"""


@pytest.fixture
def old(catalog, made):
    """A catalog with something in it, and its dump."""
    made.write(catalog, *(made.file(f"{n}.py", made.item(f"{n}.py", f"n{n}")) for n in range(50)))
    return made.dump(catalog)


@pytest.fixture
def start_writer(catalog, request):
    """Starts a process that writes and writes; returns when it has begun."""
    running = []

    def start(**options):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(catalog), str(request.path.parent)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=request.config.rootpath,
            **options,
        )
        running.append(writer)
        writer.stdout.readline()
        return writer

    yield start
    for writer in running:
        writer.kill()
        writer.communicate()


def log_of(catalog):
    return catalog.with_name(catalog.name + "-wal")


def wait_until(condition):
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_exception_in_a_run_leaves_the_previous_catalog(catalog, made, old):
    def run():
        with CatalogWriter(catalog) as writer:
            writer.clear()
            writer.replace(made.file("new.py", made.item("new.py", "new")))
            raise KeyError("crash")

    with pytest.raises(KeyError):
        run()
    assert made.dump(catalog) == old


def test_killed_process_leaves_the_previous_catalog(catalog, made, old, start_writer):
    writer = start_writer()
    wait_until(lambda: log_of(catalog).exists() and log_of(catalog).stat().st_size > 4_000_000)
    writer.kill()
    assert writer.wait() == -signal.SIGKILL
    assert made.dump(catalog) == old
    made.write(catalog, made.file("new.py", made.item("new.py", "new")))
    with CatalogReader(catalog) as reader:
        assert len(reader.paths()) == 51
    assert not log_of(catalog).exists() or not log_of(catalog).stat().st_size


def test_first_run_that_is_killed_leaves_nothing_and_can_be_repeated(catalog, made, start_writer):
    writer = start_writer()
    writer.kill()
    writer.wait()
    with pytest.raises(CatalogError) as raised:
        CatalogReader(catalog)
    assert raised.value.reason == "catalog-missing"
    made.write(catalog, made.file("a.py", made.item("a.py", "a")))
    assert made.dump(catalog)


def test_full_disk_leaves_the_previous_catalog_and_says_so(catalog, made, old, start_writer):
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (8_000_000, 8_000_000))

    writer = start_writer(preexec_fn=limit)
    _, errors = writer.communicate(timeout=60)
    assert writer.returncode == 1
    assert b"CatalogError: " in errors
    assert b"Check the folder's permissions and free space" in errors
    assert made.dump(catalog) == old


def test_reader_that_is_open_sees_the_old_state_and_never_waits(catalog, made, old, start_writer):
    with CatalogReader(catalog) as reader:
        version = reader.data_version()
        start_writer()
        wait_until(lambda: log_of(catalog).stat().st_size > 2_000_000)
        # A reader that had to wait would fail: the writer goes on for longer than readers are patient.
        assert list(reader.dump()) == old
        assert made.dump(catalog) == old  # and so does one that opens now
        assert reader.data_version() == version


def test_reader_holds_one_state_from_begin_to_end(catalog, made, old):
    with CatalogReader(catalog) as reader:
        reader.begin()
        before = reader.paths()
        made.write(catalog, made.file("new.py", made.item("new.py", "new")), remove=["1.py"])
        assert reader.paths() == before
        reader.end()
        assert reader.paths() == sorted({*before, "new.py"} - {"1.py"})
        reader.end()


def test_log_is_emptied_unless_a_reader_needs_it(catalog, made, old):
    with CatalogReader(catalog) as reader:
        reader.begin()
        reader.paths()
        began = time.perf_counter()
        made.write(catalog, *(made.file(f"b{n}.py", made.item(f"b{n}.py", "b")) for n in range(200)))
        assert time.perf_counter() - began < database.WRITE_TIMEOUT / 2
        assert log_of(catalog).stat().st_size > 100_000
        reader.end()
        made.write(catalog, made.file("last.py", made.item("last.py", "last")))
        assert log_of(catalog).stat().st_size == 0
        assert "last.py" in reader.paths()


def test_second_writer_gives_up_with_a_remedy(catalog, made, old, monkeypatch):
    monkeypatch.setattr(database, "WRITE_TIMEOUT", 0.1)
    with CatalogWriter(catalog), pytest.raises(CatalogBusy, match="Try again"):
        CatalogWriter(catalog)
    assert made.dump(catalog) == old


def test_second_writer_waits_for_the_first(catalog, made, old):
    def second():
        made.write(catalog, made.file("second.py", made.item("second.py", "second")))

    with CatalogWriter(catalog) as writer:
        waiting = threading.Thread(target=second)
        waiting.start()
        time.sleep(0.1)
        writer.replace(made.file("first.py", made.item("first.py", "first")))
    waiting.join()
    with CatalogReader(catalog) as reader:
        assert {"first.py", "second.py"} <= set(reader.paths())


def test_only_one_run_at_a_time_on_one_catalog(catalog, monkeypatch):
    monkeypatch.setattr(database, "WRITE_TIMEOUT", 0.1)
    with database.only_writer(catalog):
        other = os.fork()
        if other == 0:
            try:
                with database.only_writer(catalog):
                    os._exit(1)
            except CatalogBusy as error:
                os._exit(0 if error.remedy else 2)
        assert os.waitstatus_to_exitcode(os.waitpid(other, 0)[1]) == 0
    with database.only_writer(catalog):
        pass


def test_run_that_changes_nothing_writes_nothing(catalog, made, old):
    content = catalog.read_bytes()
    with CatalogReader(catalog) as reader:
        with CatalogWriter(catalog) as writer:
            writer.set_meta(writer.meta())
            writer.remove(["none.py"])
        assert reader.data_version() == reader.version
    assert catalog.read_bytes() == content


def test_removed_text_is_overwritten(catalog, made):
    marker = "unmistakablemarker"
    made.write(
        catalog, *(made.file(f"{n}.py", made.item(f"{n}.py", f"n{n}", body=marker)) for n in range(200))
    )
    assert marker.encode() in catalog.read_bytes()
    with CatalogWriter(catalog) as writer:
        writer.clear()
    assert marker.encode() not in catalog.read_bytes()
