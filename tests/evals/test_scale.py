"""The measure of scale: what it asks is the same every time, and what it prints is what it measured."""

import json
import sys
from hashlib import sha256
from zipfile import ZipFile

import pytest

from evals import scale
from evals.corpora import Package
from evals.processes import watched
from indexer.build import build_index
from knowledge.clock import Clock
from knowledge.errors import TaskError
from knowledge.project import locate
from knowledge.settings import Settings


@pytest.fixture
def checkout(bench):
    root = bench.snapshots / "acme" / "app"
    functions = (f'def f{n}():\n    """Wait for event {n} of the stream to come."""\n' for n in range(20))
    (root / "more.py").write_text("\n\n".join(functions))
    build_index(locate(root), Settings(), Clock())
    return root


@pytest.fixture
def few(monkeypatch):
    """As little as can be measured."""
    for name, value in {"TASKS": 5, "LONG_TASKS": 1, "REPEATS": 2, "MANY": 6, "RUNS": 1}.items():
        monkeypatch.setattr(scale, name, value)


def test_functions_are_counted_by_file(checkout):
    units = scale.units_of(checkout)
    assert units["more.py"] == 20
    assert units["src/stream.py"] == 1


def test_tasks_are_the_same_every_time(checkout, few):
    tasks = scale.make_tasks(checkout)
    assert tasks == scale.make_tasks(checkout)
    assert [len(asked) for asked in tasks.values()] == [5, 1, 1]
    assert all(": Wait for event" in task or ": Wake" in task for task in tasks["ordinary"])
    assert len(tasks["20 kB"][0]) == scale.LONG_TASK_BYTES


def test_repository_without_documentation_is_refused(tmp_path, few):
    (tmp_path / "a.py").write_text("def f():\n    return 1\n")
    build_index(locate(tmp_path), Settings(), Clock())
    with pytest.raises(TaskError, match="no function is documented"):
        scale.make_tasks(tmp_path)


def test_figures_are_those_of_the_corpus(checkout, few, capsys):
    before = {path: path.read_bytes() for path in checkout.rglob("*.py")}
    figures = scale.measure("sample", checkout, Clock())
    assert {path: path.read_bytes() for path in checkout.rglob("*.py")} == before
    assert (figures.files, figures.units) == (len(before), sum(scale.units_of(checkout).values()))
    assert figures.source_bytes == sum(map(len, before.values()))
    assert figures.peak_mib > 10
    assert {kind: took.count for kind, took in figures.latencies.items()} == {
        "ordinary": 5,
        "common words": 1,
        "20 kB": 1,
        "ordinary, receipt not synced": 5,
        "the same task again": 2,
        "the same task again, receipt not synced": 2,
        "6 ordinary tasks": 6,
    }
    assert not any(took.degraded for took in figures.latencies.values())
    printed = scale.tables([figures])
    assert f"| sample | {figures.files} | {figures.units} |" in printed
    assert printed.count("| sample |") == 2 + len(figures.latencies)
    assert "sample: full index" in capsys.readouterr().err


def test_nothing_to_measure_gives_an_empty_document(tmp_path, capsys):
    assert scale.main(["--work", str(tmp_path / "new"), "--units", "0"]) == 0
    _, brace, document = capsys.readouterr().out.partition("{")
    assert json.loads(brace + document)["corpora"] == []


def test_memory_of_children_is_counted():
    script = "import subprocess, sys; subprocess.run([sys.executable, '-c', %r])"
    child = "x = bytearray(120_000_000); import time; time.sleep(0.6)"
    run = watched([sys.executable, "-c", script % child], Clock())
    assert run.peak_mib > 110
    assert run.seconds > 0.5


def test_failing_command_says_what_it_said():
    with pytest.raises(TaskError, match="nothing works"):
        watched([sys.executable, "-c", "import sys; sys.exit('nothing works')"], Clock())


def test_packages_are_laid_out_once_and_counted(tmp_path, monkeypatch):
    wheel = tmp_path / "packages" / "app-1.0-py3-none-any.whl"
    wheel.parent.mkdir()
    with ZipFile(wheel, "w") as archive:
        archive.writestr("app/a.py", "def f():\n    pass\n\n\ndef g():\n    pass\n")
    pin = Package("app", "1.0", sha256(wheel.read_bytes()).hexdigest())
    monkeypatch.setattr(scale, "PACKAGES", (pin,))
    (tmp_path / "pool").mkdir()
    (tmp_path / "pool" / "old.py").write_text("def of_another_version():\n    pass\n")
    assert scale.prepare_pool(tmp_path, Clock()) == {"app/a.py": 2}
    wheel.unlink()  # what is laid out is not fetched again
    assert scale.prepare_pool(tmp_path, Clock()) == {"app/a.py": 2}
