"""The measure of speed leaves what it measures as it was."""

import json

import pytest

from evals import speed
from indexer.build import build_index
from knowledge.clock import Clock
from knowledge.project import locate
from knowledge.settings import Settings


@pytest.fixture
def checkout(bench):
    root = bench.snapshots / "acme" / "app"
    build_index(locate(root), Settings(), Clock())
    return root


def test_every_task_is_asked_once_and_none_is_degraded(checkout):
    count, p50, p95, most, degraded, mebibytes = speed.in_process(
        checkout, ["Wake the readers of the stream", "take_connection hangs"]
    ).split(" | ")
    assert (count, degraded) == ("2", "0")
    assert 0 < float(p50) <= float(p95) <= float(most)
    assert float(mebibytes) > 10


def test_the_edited_file_is_put_back(checkout):
    before = {path: path.read_bytes() for path in sorted(checkout.rglob("*.py"))}
    seen = []
    times = speed.seconds_after_edits(speed.largest_source(checkout), lambda: seen.append(1) or 0.5)
    assert times == [0.5, 0.5, 0.5]
    assert len(seen) == 4  # three edits, and once more for the file as it was
    assert {path: path.read_bytes() for path in sorted(checkout.rglob("*.py"))} == before


def test_cold_starts_are_compared_in_pairs(checkout):
    rows = speed.cold_rows(checkout, "Wake the readers", 2, Clock())
    assert [row.split(" | ")[0] for row in rows] == [
        "| bare interpreter",
        "| prebrief augment",
        "| ratio (median of 2 pairs)",
    ]
    assert json.loads(rows[2].split(" | ")[1].strip(" |")) > 1
