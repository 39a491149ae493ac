"""The referee is used as it is, and paired comparisons are what the books say."""

import json
import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.referee import PAIRED, Prediction, Referee, mcnemar
from knowledge.errors import TaskError

POOL = {"file": "src/pool.py", "name": "take_connection"}
STREAM = {"file": "src/stream.py", "name": "close_stream"}


@pytest.fixture
def referee(bench):
    return Referee(bench.bench / "score.py", bench.gold)


def test_figures_are_those_of_the_referee_run_as_a_script(bench, referee):
    predictions = {
        "one": Prediction([POOL, STREAM]),
        "two": Prediction([POOL], files=["src/other.py", "src/pool.py"]),
        "three": Prediction([]),
        "four": Prediction([STREAM]),
    }
    written = bench.bench / "predictions.jsonl"
    referee.write(predictions, written)
    script = [sys.executable, str(bench.bench / "score.py"), str(bench.gold), str(written)]
    said = json.loads(subprocess.run(script, check=True, capture_output=True).stdout)
    assert referee.compare(predictions, {})[0].ours == said
    baseline = referee.read(written)
    assert baseline == predictions
    assert referee.compare(predictions, baseline)[0].theirs == said


def test_files_that_a_system_ranks_apart_count(referee):
    apart = {"two": Prediction([POOL], files=["src/other.py", "src/pool.py"])}
    assert referee.compare(apart, {})[0].ours["file_acc@1"] == 0
    assert referee.compare({"two": Prediction([POOL])}, {})[0].ours["file_acc@1"] == 100


def test_rows_for_all_for_hidden_names_and_for_each_repository(bench, referee, write, gold_row):
    rows = [json.loads(line) for line in bench.gold.read_text().splitlines()]
    write(bench.gold, [*rows, gold_row("five", bench.first, "x", "a.go", "f", repo="acme/other")])
    predictions = {key: Prediction([]) for key in ("one", "two", "three", "five")}
    compared = Referee(bench.bench / "score.py", bench.gold).compare(predictions, {})
    assert {row.name: row.count for row in compared} == {
        "all": 4,
        "gold name not in the text": 3,
        "acme/app": 3,
        "acme/other": 1,
    }
    assert [row.theirs for row in compared] == [{}] * 4


def test_task_that_the_baseline_did_not_answer_counts_as_wrong_for_it(referee):
    ours = {"one": Prediction([STREAM]), "two": Prediction([POOL])}
    row = referee.compare(ours, {"two": Prediction([POOL])})[0]
    assert (row.ours[PAIRED], row.theirs[PAIRED]) == (100, 50)
    assert (row.count, row.won, row.lost) == (2, 1, 0)


def test_no_baseline_is_no_comparison(bench, referee):
    assert referee.read(bench.bench / "missing.jsonl") == {}
    row = referee.compare({"one": Prediction([STREAM])}, {})[0]
    assert (row.theirs, row.won, row.lost, row.p_value) == ({}, 0, 0, 1)


def test_wins_and_losses_are_counted_in_pairs(referee):
    ours = {"one": Prediction([STREAM]), "two": Prediction([STREAM]), "three": Prediction([])}
    theirs = {"one": Prediction([POOL]), "two": Prediction([POOL]), "three": Prediction([])}
    row = referee.compare(ours, theirs)[0]
    assert (row.won, row.lost) == (1, 1)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "Expecting"),
        ('{"repo": "a/b"}', "no 'instance_id'"),
        ('{"instance_id": 7, "repo": "a/b"}', "no text"),
    ],
)
def test_malformed_gold_line_is_named(bench, line, reason):
    with bench.gold.open("a") as out:
        out.write(line + "\n")
    with pytest.raises(TaskError, match=reason) as refused:
        Referee(bench.bench / "score.py", bench.gold)
    assert refused.value.where == f"{bench.gold}:5"


def test_malformed_prediction_is_named(bench):
    path = bench.bench / "p.jsonl"
    path.write_text('{"instance_id": "one", "results": []}\n\n{"instance_id": "two"}\n')
    with pytest.raises(TaskError, match="no 'results'") as refused:
        Referee.read(path)
    assert refused.value.where == f"{path}:3"


def test_missing_referee_is_named(bench):
    with pytest.raises(TaskError, match="no referee"):
        Referee(bench.bench / "nowhere.py", bench.gold)


# Two-sided exact binomial p-values, as R's binom.test(won, won + lost) gives them.
@pytest.mark.parametrize(
    ("won", "lost", "p"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (5, 5, 1.0),
        (10, 0, 0.001953125),
        (9, 1, 0.021484375),
        (1, 9, 0.021484375),
        (8, 2, 0.109375),
        (15, 5, 0.04138947),
        (39, 11, 9.016e-05),
        (121, 59, 4.434e-06),
    ],
)
def test_mcnemar_of_known_tables(won, lost, p):
    assert mcnemar(won, lost) == pytest.approx(p, rel=2e-3)


@given(st.integers(0, 300), st.integers(0, 300))
def test_mcnemar_is_a_probability_and_takes_no_side(won, lost):
    assert 0 < mcnemar(won, lost) <= 1
    assert mcnemar(won, lost) == mcnemar(lost, won)
    assert mcnemar(won + 1, lost) <= mcnemar(won, lost) or won < lost
    assert math.isfinite(mcnemar(won, lost))
