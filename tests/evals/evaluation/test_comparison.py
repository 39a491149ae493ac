"""Comparisons: which test is made, how p-values are corrected, and what counts as a regression."""

import pytest

from evals.evaluation.comparison import compare
from evals.evaluation.figures import BY_NAME, FIGURES, summarise
from evals.statistics import holm, mcnemar, randomization


def cases(**figures):
    """Values by case, from lists by figure (with - for the @ in a name)."""
    count = max(map(len, figures.values()))
    return {
        f"case-{number}": {
            name.replace("_at_", "@"): values[number]
            for name, values in figures.items()
            if number < len(values) and values[number] is not None
        }
        for number in range(count)
    }


def test_yes_and_no_is_tested_by_mcnemar():
    ours, theirs = cases(fn_any_at_10=[1.0] * 6 + [0.0] * 2), cases(fn_any_at_10=[0.0] * 6 + [1.0] * 2)
    found = compare("x", ours, theirs).differences["fn_any@10"]
    assert found.p_value == mcnemar(6, 2)
    assert found.change == pytest.approx(0.5)
    assert found.verdict == "no difference"


def test_measures_are_tested_by_randomisation():
    ours, theirs = cases(mrr=[0.5, 1.0, 0.25, 1.0]), cases(mrr=[0.25, 0.5, 0.25, 0.5])
    found = compare("x", ours, theirs).differences["mrr"]
    assert found.p_value == randomization([(0.5, 0.25), (1.0, 0.5), (0.25, 0.25), (1.0, 0.5)])


def test_figure_of_other_cases_than_theirs_is_tested_by_randomisation():
    ours, theirs = cases(abstention_precision=[1.0, None, 0.0]), cases(abstention_precision=[1.0, 1.0, None])
    found = compare("x", ours, theirs).differences["abstention_precision"]
    assert (found.ours, found.theirs) == (0.5, 1)
    assert found.p_value == 0.5  # of the four exchanges two are as extreme


def test_figures_that_decide_are_corrected_for_their_number():
    wins = [1.0] * 8
    ours = cases(fn_any_at_5=[0.0] * 8, fn_acc_at_5=[0.0] * 8, answered=wins)
    theirs = cases(fn_any_at_5=wins, fn_acc_at_5=wins, answered=wins)
    found = compare("x", ours, theirs)
    raw = mcnemar(0, 8)
    # 'answered' does not differ in one case: it could not tell anything, and costs the others nothing.
    assert found.differences["fn_any@5"].p_value == holm([raw, raw])[0] == 2 * raw
    assert [one.figure.name for one in found.regressions] == ["fn_any@5", "fn_acc@5"]


def test_figure_that_does_not_decide_is_no_regression():
    ours, theirs = cases(fn_any_at_10=[0.0] * 9), cases(fn_any_at_10=[1.0] * 9)
    found = compare("x", ours, theirs)
    assert found.differences["fn_any@10"].verdict == "worse"
    assert found.regressions == []


def test_more_tokens_are_worse():
    ours, theirs = cases(tokens=[400.0] * 9), cases(tokens=[300.0] * 9)
    assert compare("x", ours, theirs).differences["tokens"].verdict == "worse"
    assert compare("x", theirs, ours).differences["tokens"].verdict == "better"


def test_no_common_case_is_no_comparison():
    found = compare("x", {"a": {"mrr": 1.0}}, {"b": {"mrr": 0.0}})
    assert (found.common, dict(found.differences), found.regressions) == (0, {}, [])


def test_summary_is_over_the_cases_that_have_a_figure():
    found = summarise(cases(mrr=[1.0, 0.5, None], milliseconds=[30.0, 10.0, 20.0]))
    assert list(found) == ["mrr", "latency_p50", "latency_p95"]
    assert (found["mrr"].value, found["mrr"].cases) == (0.75, 2)
    assert (found["latency_p50"].value, found["latency_p95"].value) == (20, 30)
    assert found["mrr"].interval.low <= 0.75 <= found["mrr"].interval.high


def test_figures_have_names_of_their_own_and_a_meaning():
    assert len(BY_NAME) == len(FIGURES)
    assert all(figure.meaning for figure in FIGURES)
    assert all(figure.unit == "percent" for figure in FIGURES if figure.yes_or_no)
