"""The table of equal budgets, on a tiny bench."""

import pytest

from evals.budgets import AS_SHIPPED, BUDGETS, OURS, main
from evals.localisation import read_cases, some_of
from evals.peers.answers import Answer, Piece

LOCAL = ("--peer", "bm25s", "--peer", "ripgrep")


def rows(text):
    lines = (line for line in text.splitlines() if line.startswith("| "))
    return [[cell.strip() for cell in line.split(" | ")] for line in lines]


def test_whole_run_gives_a_row_for_each_form_of_each_peer(bench, capsys):
    assert main(bench.command(*LOCAL)) == 0
    said = capsys.readouterr()
    assert said.out.startswith("4 tasks, 4 functions.\n")
    table = {row[0].strip("| "): row for row in rows(said.out)[:6]}
    assert list(table)[1:] == [
        OURS,
        AS_SHIPPED,
        "bm25s over functions",
        "ripgrep, functions around its hits",
        "ripgrep, its own output",
    ]
    # One task has no answer in the repository; how much of the rest is offered is not this table's affair.
    assert all(cell in ("25.0 / 25.0", "50.0 / 50.0", "75.0 / 75.0") for cell in table[OURS][1:5])
    assert len(table[OURS][1:5]) == len(BUDGETS)
    assert table["bm25s over functions"][2] == "75.0 / 75.0"
    assert "[" in table["bm25s over functions"][6]
    assert table["bm25s over functions"][7].startswith("0/")
    assert "- bm25s: bm25s " in said.out
    assert "- ripgrep: ripgrep " in said.out
    assert "| system, at 550 | acme/app |" in said.out


def test_peers_are_asked_once_and_we_every_time(bench, capsys):
    assert main(bench.command(*LOCAL)) == 0
    first = capsys.readouterr()
    assert main(bench.command(*LOCAL)) == 0
    second = capsys.readouterr()
    assert second.out == first.out
    assert "bm25s on" in first.err
    assert "bm25s on" not in second.err


def test_what_was_not_asked_yet_can_be_left_out_and_is_told(bench, capsys):
    assert main(bench.command("--peer", "bm25s", "--limit", "1")) == 0
    capsys.readouterr()
    assert main(bench.command(*LOCAL, "--kept")) == 0
    said = capsys.readouterr()
    assert "- bm25s: 1 of 4 tasks so far" in said.out
    assert "- ripgrep: 0 of 4 tasks so far" in said.out
    assert "ripgrep, functions" not in said.out
    assert "| bm25s over functions | 100.0 / 100.0 |" in said.out
    assert "ripgrep on" not in said.err


def test_we_can_be_measured_alone(bench, capsys):
    assert main(bench.command("--peer", "none")) == 0
    assert len(rows(capsys.readouterr().out)) == 6  # two tables of a heading and two rows


def test_a_peer_that_is_not_installed_is_named_before_anything_is_done(bench, capsys):
    assert main(bench.command()) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "aider is not installed" in said.err
    assert "evals.peers install --work DIR" in said.err
    assert not bench.work.exists()


def test_a_peer_that_took_too_long_is_told(bench, capsys, monkeypatch):
    monkeypatch.setattr("evals.peers.bm25._answer", lambda *_: Answer(failure="too slow"))
    assert main(bench.command("--peer", "bm25s")) == 0
    said = capsys.readouterr().out
    assert "- bm25s: nothing within its time for 4 tasks" in said
    assert "| bm25s over functions | 0.0 / 0.0 |" in said


def test_a_malformed_line_is_named(bench, capsys):
    with bench.gold.open("a") as out:
        out.write("{\n")
    assert main(bench.command("--peer", "none")) == 1
    assert f"{bench.gold}:5: malformed" in capsys.readouterr().err


def test_a_profile_without_fitted_weights_can_be_measured(bench, capsys):
    assert main(bench.command("--peer", "none", "--profile", "rrf")) == 0
    assert capsys.readouterr().out.startswith("4 tasks")
    with pytest.raises(SystemExit) as left:
        main(bench.command("--profile", "magic"))
    assert left.value.code == 2


def test_unknown_peer_is_wrong_usage(bench):
    with pytest.raises(SystemExit) as left:
        main(bench.command("--peer", "magic"))
    assert left.value.code == 2


def test_tasks_can_be_chosen_by_repository_and_number(bench):
    cases = read_cases(bench.gold)
    assert [case.instance_id for case in some_of(cases, [], 2)] == ["one", "two"]
    assert some_of(cases, ["acme/app"], 0) == cases
    assert some_of(cases, ["nobody/nothing"], 0) == []


def test_no_task_is_no_figure(bench, capsys):
    assert main(bench.command("--peer", "none", "--repo", "nobody/nothing")) == 0
    assert capsys.readouterr().out.startswith("0 tasks, 0 functions.\n")


def test_a_peers_function_counts_by_name_or_lines(bench, capsys, monkeypatch):
    renamed, moved = Piece("src/stream.py", 1, 3, "renamed"), Piece("src/pool.py", 9, 9, "take_connection")
    answer = Answer(functions=(renamed, moved))
    monkeypatch.setattr("evals.peers.bm25._answer", lambda *_: answer)
    assert main(bench.command("--peer", "bm25s")) == 0
    assert "| bm25s over functions | 50.0 / 50.0 |" in capsys.readouterr().out
