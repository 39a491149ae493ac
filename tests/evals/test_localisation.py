"""The localisation benchmark's runner: gold files, checkouts, tables, and a whole run."""

import json
from itertools import count

import pytest

from evals.localisation import Places, latency, main, read_cases, run_cases, table
from evals.referee import Comparison, Prediction, Referee
from knowledge.clock import Clock
from knowledge.errors import TaskError


def test_gold_file_is_read(bench):
    cases = read_cases(bench.gold)
    assert [case.instance_id for case in cases] == ["one", "two", "three", "four"]
    assert cases[0].text == "Wake the readers of the stream"
    assert (cases[0].repo, cases[0].snapshot, cases[0].base_commit) == ("acme/app", "acme/app", bench.first)


def test_text_is_the_issue_or_the_commit_message(bench, write, gold_row):
    row = gold_row("one", bench.first, "message", "a.py", "f")
    write(bench.gold, [row, {**row, "problem_statement": "issue"}])
    assert [case.text for case in read_cases(bench.gold)] == ["message", "issue"]


def test_any_separator_but_the_line_feed_is_text(bench, gold_row):
    text = "one\u2028two\x85three\x0bfour"
    row = gold_row("one", bench.first, text, "a.py", "f")
    bench.gold.write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")
    assert [case.text for case in read_cases(bench.gold)] == [text]
    Referee(bench.bench / "score.py", bench.gold)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "Expecting"),
        ("[]", "indices"),
        ("7", "not"),
        ('"text"', "indices"),
        ("null", "not"),
        ('{"instance_id": "x"}', "no 'repo'"),
        ('{"instance_id": "x", "repo": "r", "snapshot": "s", "base_commit": "c"}', "no 'message'"),
        (
            '{"instance_id": "x", "repo": "r", "snapshot": "s", "base_commit": "c", "message": null}',
            "no text",
        ),
        ('{"instance_id": "x", "repo": "r", "snapshot": 7, "base_commit": "c", "message": "m"}', "no text"),
    ],
)
def test_malformed_line_is_named_with_its_reason(bench, line, reason):
    with bench.gold.open("a") as out:
        out.write(f"\n{line}\n")  # blank lines count, and are no mistake
    with pytest.raises(TaskError, match=reason) as refused:
        read_cases(bench.gold)
    assert refused.value.where == f"{bench.gold}:6"


def test_missing_gold_file_is_named(bench):
    with pytest.raises(TaskError, match=r"missing\.jsonl: cannot be read"):
        read_cases(bench.bench / "missing.jsonl")


@pytest.fixture
def places(bench):
    return Places(bench.bench, bench.snapshots, bench.work, history=True)


def test_commit_is_laid_out_once(bench, places):
    root = places.checkout("acme/app", bench.first)
    assert (root / "src" / "stream.py").is_file()
    assert not (root / "src" / "later.py").exists()
    (root / "src" / "stream.py").unlink()
    assert places.checkout("acme/app", bench.first) == root
    assert not (root / "src" / "stream.py").exists()


def test_checkouts_with_and_without_history_lie_apart(bench, places):
    without = Places(bench.bench, bench.snapshots, bench.work, history=False).checkout(
        "acme/app", bench.first
    )
    assert not (without / ".git").exists()
    assert (places.checkout("acme/app", bench.first) / ".git").exists()


@pytest.mark.parametrize("form", ["acme+app/repo", "acme/app.git", "acme/app"])
def test_snapshots_may_lie_in_several_forms(bench, places, form):
    kept = (bench.snapshots / "acme" / "app").rename(bench.snapshots / "kept")
    (bench.snapshots / form).parent.mkdir(exist_ok=True)
    kept.rename(bench.snapshots / form)
    assert (places.checkout("acme/app", bench.first) / "src").is_dir()


def test_unknown_snapshot_says_where_it_belongs(places):
    with pytest.raises(TaskError, match=r"no git directory of a/b.*a/b\.git"):
        places.checkout("a/b", "f" * 40)


def test_commit_that_cannot_be_laid_out_says_why_and_is_tried_again(bench, places):
    for _ in range(2):
        with pytest.raises(TaskError, match="ffff cannot be laid out: no such commit"):
            places.checkout("acme/app", "f" * 40)


def test_tasks_of_one_commit_share_one_index(bench, places):
    indexed, asked = [], []

    class Asking:
        def __init__(self, root):
            self.root = root

        def __enter__(self):
            return lambda text, limit: asked.append((self.root.name[:13], text)) or []

        def __exit__(self, *_):
            pass

    ticks = count()
    run = run_cases(
        read_cases(bench.gold),
        places,
        lambda root: indexed.append(root) or {"kinds": {}, "files": {}, "seconds": 0},
        Asking,
        Clock(tick=lambda: float(next(ticks))),
    )
    assert len(indexed) == len(run.indexed) == 2
    assert len(asked) == 4
    assert run.predictions == {key: Prediction([]) for key in ("one", "two", "three", "four")}
    assert run.milliseconds == {"acme/app": [1000.0] * 4}


def comparison(ours, theirs, won=0, lost=0):
    return Comparison("all", 2, ours, theirs, won, lost)


FULL = dict.fromkeys(("fn_any@5", "fn_acc@5", "fn_acc@10", "fn_mrr", "file_acc@1", "file_acc@5"), 50.0)


def test_table_shows_both_and_the_test():
    row = table([comparison(FULL, {**FULL, "fn_any@5": 40.0}, won=9, lost=1)]).splitlines()[-1]
    assert row.startswith("| all | 2 | **50.0** (40.0) | **50.0** (50.0) |")
    assert row.endswith("| 9/1 (0.021) |")


def test_table_without_a_baseline_shows_ours_alone():
    assert table([comparison(FULL, {})]).splitlines()[-1] == "| all | 2 |" + " 50.0 |" * 6 + "  |"


def test_table_of_tasks_without_gold_functions_has_dashes():
    row = table([comparison({"file_acc@1": 50.0, "file_acc@5": 60.0}, {})]).splitlines()[-1]
    assert row == "| all | 2 | – | – | – | – | 50.0 | 60.0 |  |"


def test_latency_stays_within_what_was_measured():
    lines = latency({"b": [1.0, 3.0], "a": [2.0]}).splitlines()
    assert lines[-2:] == ["| a | 1 | 2.0 | 2.0 |", "| b | 2 | 2.0 | 2.9 |"]


def test_whole_run_on_a_tiny_bench(bench, capsys):
    assert main(bench.command()) == 0
    said = capsys.readouterr()
    rows = {line.split(" | ")[0].strip("| "): line.split(" | ") for line in said.out.splitlines() if line}
    assert rows["all"][1] == "4"
    assert rows["all"][2] == "**75.0** (25.0)"  # fn_any@5: three found; the baseline found one
    assert rows["all"][-1].startswith("2/0 (0.5")
    assert rows["all"][6] == "**75.0** (50.0)"  # file_acc@1: with the files that the baseline ranks apart
    assert {f"acme/app@{commit[:10]}" for commit in (bench.first, bench.second)} <= set(rows)
    predictions = Referee.read(bench.work / "predictions_tiny.jsonl")
    assert predictions["one"].results[0] == {
        "file": "src/stream.py",
        "name": "close_stream",
        "start": 1,
        "end": 3,
    }
    # Nothing later than the task's commit is seen, and only functions count.
    assert "src/later.py" not in {row["file"] for row in predictions["one"].results}
    assert {row["name"] for row in predictions["one"].results} <= {
        *("close_stream", "take_connection", "backoff", "test_wake_the_readers"),
    }


def test_second_run_gives_the_same_predictions(bench):
    assert main(bench.command("--no-history")) == 0
    first = (bench.work / "predictions_tiny.jsonl").read_bytes()
    assert main(bench.command("--no-history")) == 0
    assert (bench.work / "predictions_tiny.jsonl").read_bytes() == first


def test_run_of_a_repository_without_tasks_is_empty(bench, capsys):
    assert main(bench.command("--repo", "nobody/nothing")) == 0
    assert "| all |" not in capsys.readouterr().out


def test_what_is_wrong_is_said_in_a_line(bench, capsys):
    (bench.bench / "score.py").unlink()
    assert main(bench.command()) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "no referee" in said.err


def test_unknown_profile_is_wrong_usage(bench, capsys):
    with pytest.raises(SystemExit) as left:
        main(bench.command("--profile", "magic"))
    assert left.value.code == 2
    assert "rrf" in capsys.readouterr().err
