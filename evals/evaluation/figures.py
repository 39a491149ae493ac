"""The figures of an evaluation: what each means, and its value over a run with an interval."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from evals.metrics import percentile
from evals.statistics import Interval, bootstrap, wilson

Unit = Literal["percent", "number", "tokens", "ms"]
Values = Mapping[str, Mapping[str, float]]  # by case, then by name


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean of one value at least."""
    return sum(values) / len(values)


def median(values: Sequence[float]) -> float:
    """The 50th percentile."""
    return percentile(values, 0.5)


def nearly_all(values: Sequence[float]) -> float:
    """The 95th percentile."""
    return percentile(values, 0.95)


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure.

    Attributes:
        name: of the figure.
        meaning: what it says, for people.
        unit: of its values; those in percent are shares from 0 to 1.
        decides: whether a change for the worse fails a run.
        yes_or_no: whether each case has it or not.
        rises: whether more is better.
        of: the cases' values of which name make it; ``""``: its own.
        over: how they make it.
        tested: whether a difference is tested.
    """

    name: str
    meaning: str
    unit: Unit = "percent"
    decides: bool = False
    yes_or_no: bool = False
    rises: bool = True
    of: str = ""
    over: Callable[[Sequence[float]], float] = mean
    tested: bool = True

    @property
    def source(self) -> str:
        """The name of the values that make it."""
        return self.of or self.name

    def interval(self, values: Sequence[float]) -> Interval:
        """Where its true value lies, as far as these cases tell."""
        if self.yes_or_no:
            return wilson(round(sum(values)), len(values))
        return bootstrap(values, self.over)


def _latency(name: str, meaning: str, over: Callable[[Sequence[float]], float], *, tested: bool) -> Figure:
    return Figure(name, meaning, "ms", rises=False, of="milliseconds", over=over, tested=tested)


# Those that decide are what the product promises: the right functions and files, what is in the brief, and
# silence where there is no answer. Fewer of them make the tests of each stronger.
FIGURES = (
    Figure("recall@1", "answers that are the first item"),
    Figure("recall@5", "answers among the first 5 items"),
    Figure("recall@10", "answers among the first 10 items"),
    Figure("recall@20", "answers among the first 20 items"),
    Figure("mrr", "mean of 1 / rank of the first answer", "number"),
    Figure(
        "ndcg@10", "gain of the answers within the first 10, the less the later they come", "number", True
    ),
    Figure("file_acc@1", "cases whose only file with answers is the first file", "percent", True, True),
    Figure("file_acc@5", "cases with all files of the answers among the first 5 files", yes_or_no=True),
    Figure("file_acc@10", "cases with all files of the answers among the first 10 files", yes_or_no=True),
    Figure("fn_any@5", "cases with one answer among the first 5 functions", "percent", True, True),
    Figure("fn_acc@5", "cases with all answers among the first 5 functions", "percent", True, True),
    Figure("fn_any@10", "cases with one answer among the first 10 functions", yes_or_no=True),
    Figure("fn_acc@10", "cases with all answers among the first 10 functions", yes_or_no=True),
    Figure("brief_recall", "answers that are in the brief", "percent", True),
    Figure("brief_precision", "items of a brief that answer its task"),
    Figure("answered", "cases with an answer that are offered anything", "percent", True, True),
    Figure("abstention_recall", "cases without an answer that are offered nothing", "percent", True, True),
    Figure("abstention_precision", "cases that are offered nothing and have no answer", yes_or_no=True),
    Figure("worth", "evidence: correct × authoritative × usable", "number"),
    Figure("tokens", "tokens of the context block, estimated, on average", "tokens", rises=False),
    _latency("latency_p50", "from task to brief, half of the cases", median, tested=True),
    _latency("latency_p95", "from task to brief, 95 in 100 cases", nearly_all, tested=False),
    Figure("utility", "evidence / (tokens × latency), in 1 / 1,000 token-seconds", "number"),
)
BY_NAME = {figure.name: figure for figure in FIGURES}
VARYING = ("latency_p50", "latency_p95", "utility")  # from run to run; what is made of durations


@dataclass(frozen=True, slots=True)
class Value:
    """A figure's value.

    Attributes:
        figure: which.
        cases: on how many it is defined.
        value: in the figure's unit.
        interval: around it.
    """

    figure: Figure
    cases: int
    value: float
    interval: Interval


def summarise(values: Values) -> dict[str, Value]:
    """Every figure that is defined on one of the cases at least, by name, in the order of `FIGURES`."""
    summary: dict[str, Value] = {}
    for figure in FIGURES:
        defined = [values[case][figure.source] for case in sorted(values) if figure.source in values[case]]
        if defined:
            summary[figure.name] = Value(figure, len(defined), figure.over(defined), figure.interval(defined))
    return summary
