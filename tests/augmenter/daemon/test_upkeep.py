"""Index runs that cannot even begin, or say what nobody understands, are failures as any other."""

from __future__ import annotations

import asyncio
import sys
import time

import pytest
from daemons import LIMIT

from augmenter.app.daemon import upkeep
from augmenter.app.daemon.upkeep import Upkeep
from augmenter.app.logs import Log
from knowledge.project import locate


async def look_after(project, condition):
    """Looks after a tree that each dispatch finds stale, until the status says of it what it is to say."""
    trees, end = Upkeep(Log()), time.monotonic() + LIMIT
    try:
        while True:
            trees.used(project, True)
            (tree,) = trees.as_json()
            if condition(tree):
                return tree
            assert time.monotonic() < end, tree
            await asyncio.sleep(0.01)
    finally:
        await trees.close()


@pytest.fixture
def hasty(monkeypatch):
    """No pauses."""
    for name in ("FIRST_PAUSE", "LEAST_REST", "DEAF_SECONDS", "REST"):
        monkeypatch.setattr(upkeep, name, 0.01)


@pytest.mark.parametrize("said", ["print('no json')", "print('[]')", "print('{}')", ""])
def test_a_report_that_is_none_is_a_failure_and_the_next_run_may_do_better(
    project, hasty, monkeypatch, capfd, said
):
    real = upkeep.program
    left = ["bad", "bad"]
    monkeypatch.setattr(
        upkeep,
        "program",
        lambda *words, **more: ["-c", said] if left and left.pop() else real(*words, **more),
    )
    failed = []

    def is_over(tree):
        failed.append(tree["failures"])
        return tree["runs"] > 2 and tree["failures"] == 0

    tree = asyncio.run(look_after(locate(project.root), is_over))
    assert max(failed) == 2
    assert "gone" in tree["last"]
    assert capfd.readouterr().err.count("index run failed") == 2


def test_a_process_that_cannot_be_started_is_a_failure(project, hasty, monkeypatch, capfd):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    tree = asyncio.run(look_after(locate(project.root), lambda tree: tree["failures"] > 1))
    assert (tree["runs"], "FileNotFoundError" in tree["last"]) == (0, True)
    assert "index run failed" in capfd.readouterr().err
