"""A little SVG: elements whose texts and attributes are escaped, and plots' axes and scales."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from markupsafe import Markup, escape

CHARACTER = 6.4  # mean width of one in the plots' font size: what legends are laid out by
MARKERS = 4  # shapes in `marker`
COLOURS = 6  # of series in the page's style


def element(name: str, *children: Markup | str, **attributes: str | float) -> Markup:
    """An element. An underscore in an attribute's name stands for a hyphen; one at its end is dropped."""
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_text(value))}"' for key, value in attributes.items()
    )
    inside = "".join(str(escape(child)) for child in children)
    return Markup(f"<{name}{told}>{inside}</{name}>")  # noqa: S704 - all of it is escaped above


def _text(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")


def text(x: float, y: float, words: str, class_: str = "", anchor: str = "start") -> Markup:
    """A line of text; ``anchor`` says which part of it is at the point."""
    return element("text", words, x=x, y=y, class_=class_, text_anchor=anchor)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    """A straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def series(number: int) -> str:
    """The class of a series, by which the page colours it; there are six colours."""
    return f"s{number % COLOURS}"


def marker(number: int, x: float, y: float, size: float = 4) -> Markup:
    """The mark of a series: a circle, square, diamond or triangle, so that colour is not all that tells."""
    class_ = f"mark {series(number)}"
    if number % MARKERS == 0:
        return element("circle", cx=x, cy=y, r=size, class_=class_)
    if number % MARKERS == 1:
        return element("rect", x=x - size, y=y - size, width=2 * size, height=2 * size, class_=class_)
    large = size * 1.35
    corners = [(0, -large), (large, 0), (0, large), (-large, 0)]
    if number % MARKERS == 3:
        corners = [(0, -large), (large, size), (-large, size)]
    points = " ".join(f"{_text(x + dx)},{_text(y + dy)}" for dx, dy in corners)
    return element("polygon", points=points, class_=class_)


def path(points: Sequence[tuple[float, float]], class_: str) -> Markup:
    """A line through points."""
    told = " ".join(f"{'L' if number else 'M'}{_text(x)} {_text(y)}" for number, (x, y) in enumerate(points))
    return element("path", d=told, class_=class_, fill="none")


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of a plot.

    Attributes:
        place: from a value to a coordinate.
        ticks: values that are told, with their labels.
    """

    place: Callable[[float], float]
    ticks: Sequence[tuple[float, str]]


def linear(highest: float, start: float, end: float, label: Callable[[float], str]) -> Axis:
    """An axis from 0 to a round number that is no less than the highest value."""
    step = _step(highest)
    count = max(1, ceil(highest / step - 1e-9))
    ticks = [(number * step, label(number * step)) for number in range(count + 1)]
    return Axis(lambda value: start + (end - start) * value / (count * step), ticks)


def _step(highest: float) -> float:
    """A round number of which the highest value has three to seven."""
    if highest <= 0:
        return 1.0
    power = 10.0 ** floor(log10(highest))
    return next(power * share for share in (0.2, 0.25, 0.5, 1, 2) if highest / (power * share) <= 6)


def logarithmic(values: Sequence[int], start: float, end: float) -> Axis:
    """An axis of whole numbers from 1, each step the same ratio; the values are told."""
    whole = log10(values[-1])
    return Axis(
        lambda value: start + (end - start) * log10(value) / whole, [(value, str(value)) for value in values]
    )


def drawing(name: str, title: str, description: str, size: tuple[float, float], *children: Markup) -> Markup:
    """A whole picture, which says what it shows to those who cannot see it."""
    width, height = size
    return element(
        "svg",
        element("title", title, id=f"{name}-title"),
        element("desc", description, id=f"{name}-desc"),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_text(width)} {_text(height)}",
        role="img",
        aria_labelledby=f"{name}-title {name}-desc",
    )


def legend(names: Sequence[str], left: float, right: float, top: float) -> tuple[list[Markup], float]:
    """What the series are called, in as many rows as it takes; and where the next thing can begin."""
    if len(names) < 2:
        return [], top
    parts: list[Markup] = []
    x, y = left, top + 10
    for number, name in enumerate(names):
        width = 22 + CHARACTER * len(name) + 14
        if x > left and x + width > right:
            x, y = left, y + 18
        parts += [marker(number, x + 6, y - 4), text(x + 18, y, name)]
        x += width
    return parts, y + 14
