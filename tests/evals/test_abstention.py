"""Tasks asked of repositories that have no answer to them."""

from evals.abstention import THRESHOLDS, Answer, main, table
from knowledge.settings import Settings


def test_every_task_is_asked_of_every_checkout(bench, capsys):
    assert main(bench.command()) == 0
    rows = capsys.readouterr().out.splitlines()
    assert "(n = 8)" in rows[0]  # four tasks, two commits of their own repository
    assert "(n = 0)" in rows[0]
    assert len(rows) == 2 + len(THRESHOLDS)


def test_the_shares_fall_and_rise_with_the_threshold():
    own = [Answer(True, tuple(t <= 0.2 for t in THRESHOLDS)), Answer(True, tuple(True for _ in THRESHOLDS))]
    other = [Answer(False, tuple(t <= 0.15 for t in THRESHOLDS))]
    cells = [[cell.strip() for cell in row.split("|")] for row in table([*own, *other]).splitlines()[2:]]
    assert [row[2] for row in cells] == ["100.0", "100.0", "100.0", "50.0", "50.0", "50.0"]
    assert [row[3] for row in cells] == ["0.0", "0.0", "100.0", "100.0", "100.0", "100.0"]


def test_the_shipped_threshold_is_marked():
    assert Settings().ranking.threshold in THRESHOLDS
    marked = [
        row for row in table([Answer(True, (True,) * len(THRESHOLDS))]).splitlines() if "shipped" in row
    ]
    assert len(marked) == 1
