"""``python -m evals.tuning`` on a tiny bench: held-out figures, and a file of weights with its provenance."""

import json

import pytest

from augmenter.weights import read_weights
from evals.tuning.__main__ import SETS, main


@pytest.fixture
def run(bench, write, gold_row, tmp_path, capsys):
    """Runs it on two repositories; returns its exit code, what it said, and the file that it wrote."""
    tasks = (
        ("Wake the readers of the stream", "src/stream.py", "close_stream"),
        ("take_connection hangs", "src/pool.py", "take_connection"),
        ("Wait longer before another attempt", "src/retry.py", "backoff"),
    )
    for name in SETS:
        rows = [
            gold_row(f"{name}-{repo}-{number}", bench.second, *task) | {"repo": repo}
            for repo in ("acme/app", "acme/other")
            for number, task in enumerate(tasks)
        ]
        write(bench.bench / f"{name}.jsonl", rows)
        write(
            bench.bench / f"bm25_code_{name}.jsonl",
            [{"instance_id": row["instance_id"], "results": []} for row in rows],
        )

    def run(*more):
        out = tmp_path / "weights.json"
        code = main([*bench.command()[2:], "--out", str(out), *more])
        said = capsys.readouterr()
        return code, said, out

    return run


def test_weights_are_written_with_what_they_were_fitted_on(run, bench):
    code, said, out = run()
    assert code == 0
    weights = read_weights(out)
    assert weights.weights
    assert weights.provenance["tasks"] == weights.provenance["tasks_with_answer_found"] == 12
    assert weights.provenance["repositories"] == {
        repo: [bench.second[:12]] for repo in ("acme/app", "acme/other")
    }
    assert weights.provenance["held_out_figures"].keys() == set(SETS)
    for name in SETS:
        assert f"## {name}, each repository held out" in said.out
    assert "fitted without acme/app\nfitted without acme/other\n" in said.err


def test_same_tasks_give_the_same_bytes(run):
    first = run()[2].read_bytes()
    assert run()[2].read_bytes() == first


def test_more_tasks_are_fitted_on_and_not_judged(run, bench, write, gold_row, tmp_path):
    more = tmp_path / "more.jsonl"
    write(more, [gold_row("more", bench.first, "Take one from the pool", "src/pool.py", "take_connection")])
    code, said, out = run("--cases", str(more))
    assert code == 0
    assert read_weights(out).provenance["tasks"] == 13
    assert said.out.count("## ") == len(SETS)


def test_channel_can_be_left_out(run):
    weights = read_weights(run("--without", "exact")[2]).weights
    assert not [name for name in weights if name.startswith("mentioned")]
    assert [name for name in read_weights(run()[2]).weights if name.startswith("mentioned")]


def test_channel_that_is_off_by_default_can_be_asked_with(run):
    assert run("--with", "relations", "--with", "members")[0] == 0


def test_malformed_tasks_are_told_by_line(run, bench):
    path = bench.bench / f"{SETS[0]}.jsonl"
    row = json.loads(path.read_text().splitlines()[0])
    del row["gold_functions"]
    path.write_text(json.dumps(row) + "\n")
    code, said, out = run()
    assert code == 1
    assert f"{path}:1: malformed: no 'gold_functions'" in said.err
    assert not out.exists()
