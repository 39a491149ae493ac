"""The reports of an evaluation: Markdown, and one HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from evals.cases import Case
from evals.evaluation.comparison import Comparison, Difference
from evals.evaluation.evaluate import Evaluation
from evals.evaluation.figures import Value
from evals.evaluation.outcomes import Outcome, Timed
from evals.evaluation.plots import cumulative_plot, figures_plot, recall_plot
from evals.evaluation.store import REPORTS, write_file
from evals.evaluation.wording import (
    badness,
    rank_of,
    shown,
    shown_p,
    told_answer,
    told_offer,
    verdict_of,
)
from knowledge.hygiene import one_line, purify
from templates.pages import html_page, markdown_page

TITLE = 100  # characters of a task that are shown at once; the HTML page has the rest behind it
WHOLE_TASK = 4000  # characters of a task that the HTML page holds
_NONE = "–"
_FUNCTIONS = "Answers among the first k functions"
_TESTS = (
    "Intervals are Wilson's for shares of cases, bootstrapped for the rest. Tests are paired by case:"
    " McNemar's exact one for yes and no, randomisation for the rest; two-sided, significant below"
    " {alpha:g}. The p-values of the figures that decide are corrected for their number (Holm)."
)


def write_reports(evaluation: Evaluation) -> None:
    """Write both into the run's folder.

    Raises:
        TaskError: they cannot be written.
        TemplateError: a template is damaged.
    """
    variables = _variables(evaluation)
    write_file(evaluation.folder / REPORTS["markdown"], markdown_page("evaluation.md.j2", variables))
    page = html_page("evaluation.html.j2", {**variables, "plots": list(_plots(evaluation))})
    write_file(evaluation.folder / REPORTS["html"], page)


def _plots(evaluation: Evaluation) -> Iterator[dict[str, object]]:
    timed = {name: evaluation.outcomes(name) for name in evaluation.summaries}
    outcomes = {name: [one.outcome for one in members] for name, members in timed.items()}
    yield _plot("Figures with 95 % intervals", figures_plot(evaluation.summaries))
    for name, title in (("everything", "Answers among the first k items"), ("functions", _FUNCTIONS)):
        ranks = {
            configuration: [found for one in members if (found := getattr(one.ranks, name))]
            for configuration, members in outcomes.items()
        }
        if ranks[evaluation.main]:
            yield _plot(title, recall_plot(name, title, ranks))
    latency = {name: [one.milliseconds for one in members] for name, members in timed.items()}
    title, label = "Cases answered within a time", "milliseconds from task to brief"
    yield _plot(title, cumulative_plot("latency", title, latency, "ms", label))
    tokens = {name: [float(one.tokens) for one in members] for name, members in outcomes.items()}
    title, label = "Cases answered within so many tokens", "tokens of the context block, estimated"
    yield _plot(title, cumulative_plot("tokens", title, tokens, "tokens", label))


def _plot(title: str, drawing: Markup) -> dict[str, object]:
    return {"title": title, "drawing": drawing}


def _variables(evaluation: Evaluation) -> dict[str, object]:
    cases = evaluation.cases
    found = evaluation.against_baseline
    return {
        "project": evaluation.project,
        "verdict": verdict_of(evaluation),
        "regressed": evaluation.has_regressed,
        "note": evaluation.note,
        "cases": len(cases),
        "unanswerable": sum(case.abstain for case in cases.values()),
        "run_id": evaluation.identity.run_id,
        "date": evaluation.date,
        "seconds": f"{evaluation.seconds:.1f}",
        "main": evaluation.main,
        "compared": bool(found and found.common),
        "figures": _figure_rows(evaluation.summaries[evaluation.main], found),
        "tests": _TESTS.format(alpha=evaluation.alpha),
        "others": list(evaluation.against_main),
        "beside": list(_beside(evaluation)),
        "rows": _case_rows(evaluation),
        "versions": _versions(evaluation),
    }


def _figure_rows(summary: Mapping[str, Value], found: Comparison | None) -> list[dict[str, object]]:
    differences = found.differences if found else {}
    return [
        {
            "name": name,
            "meaning": value.figure.meaning,
            "decides": value.figure.decides,
            "value": shown(value.value, value.figure.unit),
            "low": shown(value.interval.low, value.figure.unit, bare=True),
            "high": shown(value.interval.high, value.figure.unit, bare=True),
            "cases": value.cases,
            **_difference(differences.get(name)),
        }
        for name, value in summary.items()
    ]


def _difference(one: Difference | None) -> dict[str, object]:
    if one is None:
        return {"theirs": _NONE, "change": _NONE, "p": _NONE, "verdict": ""}
    unit = one.figure.unit
    return {
        "theirs": shown(one.theirs, unit),
        "change": shown(one.change, unit, sign=True),
        "p": shown_p(one.p_value),
        "verdict": one.verdict,
    }


def _beside(evaluation: Evaluation) -> Iterator[dict[str, object]]:
    """The figures of every configuration, beside those of the main one."""
    for name, value in evaluation.summaries[evaluation.main].items():
        cells = []
        for other, found in evaluation.against_main.items():
            theirs = evaluation.summaries[other].get(name)
            cells.append(
                {
                    "value": shown(theirs.value, theirs.figure.unit) if theirs else _NONE,
                    **_difference(found.differences.get(name)),
                }
            )
        yield {"name": name, "main": shown(value.value, value.figure.unit), "cells": cells}


def _case_rows(evaluation: Evaluation) -> list[dict[str, object]]:
    ordered = sorted(evaluation.outcomes(evaluation.main), key=lambda one: badness(one.outcome))
    return [_case_row(evaluation.cases[one.outcome.case], one) for one in ordered]


def _case_row(case: Case, timed: Timed) -> dict[str, object]:
    outcome = timed.outcome
    return {
        "id": case.id,
        "commit": case.commit[:12],
        "title": one_line(case.task, TITLE),
        "task": purify(case.task[:WHOLE_TASK]).text,
        "abstain": case.abstain,
        "expected": list(map(told_answer, case.relevant)),
        "offered": [
            {"name": one.name, "place": one.place, "text": one.text, "hit": offer.hit}
            for offer in outcome.offered
            for one in (told_offer(offer),)
        ],
        "rank": rank_of(outcome),
        "state": _state(outcome),
        "tokens": outcome.tokens,
        "ms": f"{timed.milliseconds:.1f}",
    }


def _state(outcome: Outcome) -> str:
    """How a case went, in a word by which it is coloured: right, partly or wrong."""
    share = badness(outcome)[0]
    return "right" if share == 1 else "partly" if share > 0 else "wrong"


def _versions(evaluation: Evaluation) -> Sequence[tuple[str, str]]:
    versions = evaluation.identity.versions
    told = [
        ("prebrief", versions.prebrief),
        ("code", versions.code),
        ("index", versions.index),
        ("changed since indexed", versions.tree),
        ("learned", versions.learned),
        ("templates", versions.templates),
        ("cases", evaluation.identity.cases_hash),
    ]
    for name, (settings, weights) in evaluation.identity.configurations.items():
        told += [(f"settings of {name}", settings), (f"weights of {name}", weights)]
    return [(name, value) for name, value in told if value]
