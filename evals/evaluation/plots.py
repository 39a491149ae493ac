"""The plots of a report, as inline SVG: figures with intervals, recall by k, and what cases take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from evals.evaluation import svg
from evals.evaluation.figures import Unit, Value
from evals.evaluation.judging import LIMIT
from evals.evaluation.wording import shown
from evals.metrics import Rank, percentile, recall_at

WIDTH = 520.0  # of every plot, in its own units; two stand side by side on a desk, one on a phone
LEFT, RIGHT = 52.0, 500.0  # of the plotted area
HEIGHT = 190.0  # of the plotted area of curves
ROW, OFFSET = 16.0, 9.0  # of the rows of figures, and of further configurations in a row
NAMES = 138.0  # room for the names of figures
CUTS = (1, 2, 5, 10, 20, LIMIT)  # told on the axis of k
CURVE = tuple(range(1, LIMIT + 1))

Summaries = Mapping[str, Mapping[str, Value]]


def figures_plot(summaries: Summaries) -> Markup:
    """Every figure between 0 and 1, with its interval, of each configuration."""
    names = list(summaries)
    main = summaries[names[0]]
    rows = [name for name, value in main.items() if value.figure.unit == "percent" or name in _FROM_0_TO_1]
    parts, top = svg.legend(names, 4, RIGHT, 4)
    axis = svg.linear(1.0, NAMES, RIGHT, lambda value: f"{value:.0%}")
    height = ROW + OFFSET * (len(names) - 1)
    bottom = top + height * len(rows) + 6
    parts += [svg.line(axis.place(tick), top, axis.place(tick), bottom, "grid") for tick, _ in axis.ticks]
    parts += [svg.text(axis.place(tick), bottom + 15, label, "tick", "middle") for tick, label in axis.ticks]
    for place, name in enumerate(rows):
        middle = top + height * (place + 0.5) + 3
        parts.append(svg.text(NAMES - 10, middle + 4, name, "name", "end"))
        for number, configuration in enumerate(names):
            y = middle + OFFSET * (number - (len(names) - 1) / 2)
            parts += _whisker(summaries[configuration].get(name), number, configuration, axis, y)
    return svg.drawing(
        "figures",
        "Figures with 95 % intervals",
        f"{len(rows)} figures from 0 to 100 %, each a mark with a line for its interval.",
        (WIDTH, bottom + 24),
        *parts,
    )


_FROM_0_TO_1 = ("mrr", "ndcg@10", "worth")


def _whisker(value: Value | None, number: int, configuration: str, axis: svg.Axis, y: float) -> list[Markup]:
    if value is None:
        return []
    low, high = axis.place(value.interval.low), axis.place(min(1.0, value.interval.high))
    said = (
        f"{configuration}: {value.figure.name} {shown(value.value, 'percent')}"
        f" ({shown(value.interval.low, 'percent', bare=True)} to {shown(value.interval.high, 'percent')})"
    )
    mark = svg.element(
        "g",
        svg.element("title", said),
        svg.line(low, y, high, y, f"interval {svg.series(number)}"),
        svg.marker(number, axis.place(value.value), y, 3.5),
    )
    return [mark]


def recall_plot(name: str, title: str, ranks: Mapping[str, Sequence[Sequence[Rank]]]) -> Markup:
    """The share of the answers within the first k, of each configuration.

    Args:
        name: of the plot.
        title: of it.
        ranks: of the answers of each case, by configuration.
    """
    curves = {
        configuration: [(k, sum(recall_at(case, k) for case in cases) / len(cases)) for k in CURVE]
        for configuration, cases in ranks.items()
        if cases
    }
    said = "; ".join(
        f"{configuration}: {', '.join(f'{points[k - 1][1]:.0%} at {k}' for k in CUTS)}"
        for configuration, points in curves.items()
    )
    across = svg.logarithmic(CUTS, LEFT, RIGHT)
    return _curves(name, title, f"{said}.", curves, across, "k, the first so many")


def cumulative_plot(
    name: str, title: str, series: Mapping[str, Sequence[float]], unit: Unit, label: str
) -> Markup:
    """The share of the cases that take no more than so much, of each configuration."""
    highest = max((max(values) for values in series.values()), default=0.0)
    axis = svg.linear(highest, LEFT, RIGHT, lambda value: f"{value:g}")
    curves = {one: _steps(sorted(values)) for one, values in series.items()}
    said = "; ".join(
        f"{one}: half of the cases take {shown(percentile(values, 0.5), unit)} at most,"
        f" 95 in 100 {shown(percentile(values, 0.95), unit)}"
        for one, values in series.items()
    )
    return _curves(name, title, f"{said}.", curves, axis, label)


def _steps(values: Sequence[float]) -> list[tuple[float, float]]:
    points = [(0.0, 0.0)]
    for number, value in enumerate(values, start=1):
        points += [(value, points[-1][1]), (value, number / len(values))]
    return points


def _curves(
    name: str,
    title: str,
    description: str,
    curves: Mapping[str, Sequence[tuple[float, float]]],
    across: svg.Axis,
    label: str,
) -> Markup:
    parts, top = svg.legend(list(curves), LEFT, RIGHT, 4)
    top += 6
    bottom = top + HEIGHT
    up = svg.linear(1.0, bottom, top, lambda value: f"{value:.0%}")
    for tick, told in up.ticks:
        y = up.place(tick)
        parts += [svg.line(LEFT, y, RIGHT, y, "grid"), svg.text(LEFT - 8, y + 4, told, "tick", "end")]
    for tick, told in across.ticks:
        x = across.place(tick)
        parts += [
            svg.line(x, bottom, x, bottom + 4, "axis"),
            svg.text(x, bottom + 17, told, "tick", "middle"),
        ]
    parts.append(svg.text((LEFT + RIGHT) / 2, bottom + 34, label, "label", "middle"))
    for number, (configuration, points) in enumerate(curves.items()):
        placed = [(across.place(x), up.place(y)) for x, y in points]
        parts.append(
            svg.element(
                "g", svg.element("title", configuration), svg.path(placed, f"curve {svg.series(number)}")
            )
        )
        parts += [svg.marker(number, *placed[at], 3) for at in _marked(len(placed))]
    return svg.drawing(name, title, description, (WIDTH, bottom + 42), *parts)


def _marked(count: int) -> list[int]:
    """A few points of a curve that carry the mark of its series."""
    return sorted({round((count - 1) * share) for share in (0.1, 0.4, 0.7, 1.0)}) if count else []
