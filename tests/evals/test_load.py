"""The measure of the daemon under load, in small: nothing is lost, whatever becomes of the daemon."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest

from evals import load
from indexer.build import build_index
from knowledge.clock import Clock
from knowledge.errors import TaskError
from knowledge.project import locate
from knowledge.settings import Settings

TASKS = ("Wake the readers of the stream", "take_connection hangs", "Return a connection")


@pytest.fixture
def root(bench):
    root = bench.snapshots / "acme" / "app"
    build_index(locate(root), Settings(), Clock())
    return root


@pytest.fixture
def folder():
    """A runtime folder with a short path, not there yet."""
    with tempfile.TemporaryDirectory(prefix="pb-", dir="/tmp") as above:
        yield Path(above) / "run"


def test_tables_tell_what_came_of_every_task(root, folder):
    shown = []
    load.measure(load.Plan((root,), TASKS, runs=2, rate=10.0, seconds=1.0, burst=8), folder, shown.append)
    rows = [
        [cell.strip() for cell in row.strip("|").split("|")] for text in shown for row in text.split("\n")
    ]
    told = {row[0]: row[1:] for row in rows if len(row) > 1}
    for name, count in (
        ("10 a second, at the socket", 10),
        ("at once, at the socket", 8),
        ("at once, whole hooks", 8),
        ("one by one, the daemon is killed", 5),
    ):
        asked, briefed, passed, lost, *_ = told[name]
        assert (int(asked), int(briefed) + int(passed), int(lost)) == (count, count, 0), told
    assert float(told["bare interpreter"][0]) > 0
    assert told["warm projects"] == ["1"]
    assert 10 < float(told["RSS MiB"][0]) < 120


def test_tasks_come_again_with_a_number():
    plan = load.Plan((Path("a"), Path("b")), ("one",), 1, 1.0, 1.0, 1)
    asked = plan.asked()
    assert [next(asked) for _ in range(3)] == [
        (Path("a"), "one"),
        (Path("b"), "one\n\n(1)"),
        (Path("a"), "one\n\n(2)"),
    ]


@pytest.mark.parametrize(
    ("stdout", "outcome"),
    [
        (json.dumps({"prompt": "context\n\nmend it", "degraded": None}), load.BRIEFED),
        (json.dumps({"prompt": "mend it", "degraded": {"reason": "late"}}), load.PASSED),
        (json.dumps({"prompt": "mend", "degraded": None}), load.LOST),
        ("{}", load.LOST),
        ("", load.LOST),
    ],
)
def test_what_an_answer_comes_to(stdout, outcome):
    assert load.judged("mend it", stdout.encode(), 1.0).outcome == outcome


def test_without_a_daemon_it_says_so(folder, capsys):
    folder.mkdir(mode=0o755)
    with pytest.raises(TaskError, match="no daemon answers"), load.daemon(folder):
        pass
