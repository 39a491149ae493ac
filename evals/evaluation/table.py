"""An evaluation for the terminal, and as the JSON of ``kb evaluate``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evals.cases import Problem
from evals.evaluation.comparison import Comparison, Difference
from evals.evaluation.evaluate import Evaluation
from evals.evaluation.figures import Value
from evals.evaluation.outcomes import DIGITS
from evals.evaluation.store import REPORTS, RESULTS, SCHEMA_VERSION, value_row
from evals.evaluation.wording import badness, rank_of, shown, shown_p, told_answer, verdict_of
from knowledge.hygiene import one_line

SHOWN_CASES = 5  # of the worst; the reports have all
SHOWN_TASK = 70  # characters
_HEADINGS = ("figure", "value", "95 % interval", "cases", "baseline", "change", "p")


def table(evaluation: Evaluation) -> str:
    """What to print for people."""
    abstain = sum(case.abstain for case in evaluation.cases.values())
    count = len(evaluation.cases)
    lines = [
        f"{count} cases, {abstain} of them without an answer; {evaluation.main};"
        f" {evaluation.seconds:.1f} s; run {evaluation.identity.run_id}",
        "",
        *_figures(evaluation),
        *_configurations(evaluation),
        "",
        *_worst(evaluation),
        evaluation.note,
        verdict_of(evaluation),
        f"Report: {evaluation.folder / REPORTS['html']}",
    ]
    return "\n".join(lines)


def _figures(evaluation: Evaluation) -> Iterator[str]:
    found = evaluation.against_baseline
    differences = found.differences if found else {}
    rows = [
        (*_value_cells(value), *_difference_cells(differences.get(name)))
        for name, value in evaluation.summaries[evaluation.main].items()
    ]
    columns = len(_HEADINGS) if differences else 4
    yield from columned([_HEADINGS[:columns], *(row[:columns] for row in rows)])
    yield "* decides whether this is a regression" + ("; p corrected for their number" if differences else "")


def _value_cells(value: Value) -> tuple[str, ...]:
    unit, interval = value.figure.unit, value.interval
    ends = (shown(end, unit, bare=True) for end in (interval.low, interval.high))
    name = f"{value.figure.name}{' *' if value.figure.decides else ''}"
    return name, shown(value.value, unit), " – ".join(ends), str(value.cases)


def _difference_cells(one: Difference | None) -> tuple[str, ...]:
    if one is None:
        return "", "", ""
    unit = one.figure.unit
    mark = {"better": " better", "worse": " worse"}.get(one.verdict, "")
    return shown(one.theirs, unit), shown(one.change, unit, sign=True), f"{shown_p(one.p_value)}{mark}"


def _configurations(evaluation: Evaluation) -> Iterator[str]:
    """The other configurations beside the main one, by the figures that decide."""
    if not evaluation.against_main:
        return
    names = [name for name, value in evaluation.summaries[evaluation.main].items() if value.figure.decides]
    heading = (
        "figure",
        evaluation.main,
        *(name for other in evaluation.against_main for name in (other, "p")),
    )
    rows = [
        (
            name,
            _cell(evaluation.summaries[evaluation.main].get(name)),
            *(
                text
                for other, found in evaluation.against_main.items()
                for text in (
                    _cell(evaluation.summaries[other].get(name)),
                    _difference_cells(found.differences.get(name))[2],
                )
            ),
        )
        for name in names
    ]
    yield ""
    yield from columned([heading, *rows])


def _cell(value: Value | None) -> str:
    return shown(value.value, value.figure.unit) if value else "–"


def columned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows of cells as lines: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = (cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))
        yield "  ".join([first.ljust(widths[0]), *cells]).rstrip()


def _worst(evaluation: Evaluation) -> Iterator[str]:
    outcomes = sorted((one.outcome for one in evaluation.outcomes(evaluation.main)), key=badness)
    missed = [one for one in outcomes if badness(one)[0] < 1]
    if missed:
        yield f"Worst of {len(missed)} cases that miss something:"
    for outcome in missed[:SHOWN_CASES]:
        case = evaluation.cases[outcome.case]
        rank = rank_of(outcome)
        place = (
            f"{len(outcome.offered)} offered" if case.abstain else f"first at {rank}" if rank else "not found"
        )
        yield f"  {one_line(case.id, 30)}: {one_line(case.task, SHOWN_TASK)}"
        wanted = ", ".join(told_answer(one).text for one in case.relevant) or "nothing"
        yield f"      expected {one_line(wanted, 2 * SHOWN_TASK)}; {place}"
    if missed:
        yield ""


def document(evaluation: Evaluation, problems: Sequence[Problem]) -> dict[str, Any]:
    """What ``kb evaluate --json`` prints."""
    abstain = sum(case.abstain for case in evaluation.cases.values())
    found = evaluation.against_baseline
    return {
        "schemaVersion": SCHEMA_VERSION,
        "runId": evaluation.identity.run_id,
        "date": evaluation.date,
        "seconds": round(evaluation.seconds, 3),
        "cases": {
            "count": len(evaluation.cases),
            "answerable": len(evaluation.cases) - abstain,
            "unanswerable": abstain,
            "malformed": [{"line": one.line, "reason": one.reason} for one in problems],
        },
        "configurations": [
            {
                "name": name,
                "figures": {key: value_row(one) for key, one in summary.items()},
                "differences": _differences(evaluation.against_main.get(name)),
            }
            for name, summary in evaluation.summaries.items()
        ],
        "baseline": {
            "found": found is not None,
            "commonCases": found.common if found else 0,
            "note": evaluation.note,
            "differences": _differences(found),
        },
        "regression": evaluation.has_regressed,
        "files": {
            "results": str(evaluation.folder / RESULTS),
            **{kind: str(evaluation.folder / name) for kind, name in REPORTS.items()},
        },
    }


def _differences(found: Comparison | None) -> Mapping[str, Any]:
    if found is None:
        return {}
    return {
        name: {
            "ours": round(one.ours, DIGITS),
            "theirs": round(one.theirs, DIGITS),
            "change": round(one.change, DIGITS),
            "pValue": None if one.p_value is None else round(one.p_value, DIGITS),
            "decides": one.figure.decides,
            "verdict": one.verdict or None,
        }
        for name, one in found.differences.items()
    }
