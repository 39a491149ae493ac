"""Tasks asked of repositories that have no answer to them."""

import pytest

from augmenter.relevance import CONSTANT, GIVEN, WEIGHTS
from evals.abstention import THRESHOLDS, Answer, fitted, held_out, main, spread, table
from evals.localisation import Case
from knowledge.settings import Settings

NONE = dict.fromkeys(WEIGHTS, 0.0) | {CONSTANT: 1.0}


def answer(asked, home, best, **more):
    return Answer(asked, home, named=False, signs=NONE | {"best": best}, **more)


def test_every_task_is_asked_of_one_checkout_of_each_repository(bench, capsys):
    assert main(bench.command()) == 0
    rows = capsys.readouterr().out.splitlines()
    assert "(n = 4)" in rows[0]
    assert "(n = 0;" in rows[0]
    assert len(rows) == 2 + len(THRESHOLDS)


def test_further_sets_and_files_are_asked_too(bench, capsys):
    assert main(bench.command("--also", "tiny", "--cases", str(bench.bench / "tiny.jsonl"))) == 0
    assert "(n = 12)" in capsys.readouterr().out.splitlines()[0]


def test_a_part_of_each_repository_is_spread_over_its_tasks():
    cases = [Case(f"{repo}{n}", repo, repo, "0" * 40, "") for n in range(9) for repo in "ba"]
    assert [case.instance_id for case in spread(cases, 3)] == ["a0", "a3", "a6", "b0", "b3", "b6"]
    assert spread(cases, 0) == cases


def test_a_repository_that_no_task_is_about_is_refused(bench, capsys):
    assert main(bench.command("--repo", "no/where")) == 1
    assert "no task is about no/where" in capsys.readouterr().err


def test_the_shares_fall_and_rise_with_the_threshold():
    answers = [answer("a", home, best / 10) for home in "ab" for best in range(10)]
    cells = [[cell.strip() for cell in row.split("|")] for row in table(answers, {}).splitlines()[2:]]
    kept, turned_away = ([float(row[column]) for row in cells] for column in (2, 3))
    assert kept == sorted(kept, reverse=True)
    assert turned_away == sorted(turned_away)
    assert kept[0] > kept[-1]
    assert all(one + other == pytest.approx(100) for one, other in zip(kept, turned_away, strict=True))


def test_what_is_named_is_offered_and_what_nothing_supports_is_not():
    assert Answer("a", "a", named=True, signs=NONE).offered(1.0, WEIGHTS)
    assert not answer("a", "a", 9.0, supported=False).offered(0.1, WEIGHTS)


def test_the_shipped_threshold_is_marked():
    assert Settings().ranking.threshold in THRESHOLDS
    marked = [row for row in table([answer("a", "a", 1.0)], {}).splitlines() if "shipped" in row]
    assert len(marked) == 1


def test_a_fit_finds_what_tells_own_tasks_from_others():
    pytest.importorskip("numpy")
    answers = [answer(a, h, 0.9 if a == h else 0.1) for a in "abc" for h in "abc" for _ in range(20)]
    weights = fitted(answers)
    assert weights["best"] > 0 > weights[CONSTANT]
    assert all(weight >= 0 for name, weight in weights.items() if name not in GIVEN)
    assert all(one.offered(0.5, weights) == one.own for one in answers)
    assert fitted(answers[::-1]) == weights


def test_no_repository_is_judged_by_weights_that_were_fitted_on_it():
    pytest.importorskip("numpy")
    answers = [answer(a, h, 0.9 if a == h else 0.1) for a in "abc" for h in "abc" for _ in range(5)]
    turned = [answer("c", one.home, 1 - one.signs["best"]) if one.asked == "c" else one for one in answers]
    assert held_out(turned)["c"] == held_out(answers)["c"]
