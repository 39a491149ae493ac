"""The saving, on a tiny bench."""

import re

import pytest

from evals.peers.answers import Piece
from evals.peers.ours import Brief
from evals.peers.walks import OPENINGS, Sources
from evals.searcher import (
    ANY,
    EVERY,
    FIRST,
    Trip,
    by_repository,
    main,
    median_saving,
    reading_of,
    saving_of_sums,
    table,
)


def trip(searched, briefed, goal=FIRST, opening=OPENINGS[0], repo="a", found=True):
    return Trip(repo, opening, goal, searched, briefed, found)


def test_whole_run_counts_the_tasks_whose_answer_the_brief_holds(bench, capsys):
    assert main(bench.command()) == 0
    said = capsys.readouterr()
    opening = re.match(r"4 tasks; in ([1-3]) of them the brief holds a function. Searcher: rules ", said.out)
    assert opening is not None
    firsts = [line for line in said.out.splitlines() if f" | first | {opening[1]} | " in line]
    assert len(firsts) == len(OPENINGS)
    alls = [line for line in said.out.splitlines() if f" | {ANY} | 4 | " in line]
    assert len(alls) == len(OPENINGS)
    assert all(line.endswith("| 25 % |") for line in alls)  # nobody finds what is not there
    assert "searcher on acme+app@" in said.err


def test_walks_are_kept(bench, capsys):
    assert main(bench.command()) == 0
    first = capsys.readouterr()
    assert main(bench.command()) == 0
    second = capsys.readouterr()
    assert second.out == first.out
    assert "searcher on" not in second.err


def test_no_task_is_no_figure(bench, capsys):
    assert main(bench.command("--repo", "nobody/nothing")) == 0
    assert capsys.readouterr().out.startswith("0 tasks; in 0 of them")


def test_what_is_wrong_is_said_in_a_line(bench, capsys):
    bench.gold.unlink()
    assert main(bench.command()) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_reader_opens_what_is_offered_functions_in_full(tmp_path):
    (tmp_path / "a.py").write_text("x\n" * 1_000)
    sources = Sources(tmp_path)
    offered = (Piece("a.py", 1, 1_000), Piece("a.py", 1, 500, "f"))
    brief, whole_class, function = reading_of(Brief(offered, 70), sources)
    assert (brief.tokens, brief.place) == (70, None)
    assert whole_class.place.end == 200
    assert function.place == offered[1]
    assert function.tokens > whole_class.tokens > 0


def test_savings():
    trips = [trip(1_000, 100), trip(100, 100), trip(100, 200)]
    assert [one.saving for one in trips] == pytest.approx([90.0, 0.0, -100.0])
    assert median_saving(trips) == pytest.approx(0.0)
    assert saving_of_sums(trips) == pytest.approx(100 * (1 - 400 / 1_200))
    assert trip(0, 0).saving == 100.0


def test_table_shows_both_ways_and_how_many_gave_up():
    trips = [trip(1_000, 100), trip(100_000, 1_000, found=False), trip(10, 5, EVERY)]
    first, every = table(trips, (FIRST, EVERY)).splitlines()[2:]
    assert first.startswith(
        "| whole files | first | 2 | 50,500, 50,500 | 550, 550 | 94.5 [90.0, 99.0] | 98.9 ["
    )
    assert first.endswith("| 100 % | 50 % |")
    assert every.startswith("| whole files | all | 1 | 10, 10 | 5, 5 | 50.0 [50.0, 50.0]")


def test_repositories_stand_apart():
    trips = [trip(100, 10, opening=opening, repo=repo) for opening in OPENINGS for repo in ("b", "a")]
    rows = by_repository(trips).splitlines()[2:]
    assert [row.split(" | ")[0] for row in rows] == ["| a", "| b"]
    assert rows[0].count("90.0 [90.0, 90.0]") == len(OPENINGS)
