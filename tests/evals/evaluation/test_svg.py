"""The SVG of reports: well-formed whatever the texts, and axes that hold what is plotted."""

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.evaluation import svg
from evals.evaluation.plots import cumulative_plot, recall_plot

SVG = "{http://www.w3.org/2000/svg}"
names = st.text(st.characters(min_codepoint=32, blacklist_categories=["Cs", "Cc", "Cn"]), min_size=1)


@given(st.dictionaries(names, st.lists(st.floats(0, 1e6), min_size=1, max_size=9), min_size=1, max_size=8))
def test_plot_of_any_series_is_well_formed_and_told(series):
    found = ET.fromstring(cumulative_plot("latency", "Latency", series, "ms", "milliseconds"))
    assert found.get("role") == "img"
    title, description = found.find(f"{SVG}title"), found.find(f"{SVG}desc")
    assert found.get("aria-labelledby").split() == [title.get("id"), description.get("id")]
    assert title.text == "Latency"
    assert "half of the cases take" in description.text


def test_curve_of_recall_is_told_in_words():
    plot = recall_plot("recall", "Recall", {"rrf": [(1,), (3, None)]})
    description = ET.fromstring(plot).find(f"{SVG}desc").text
    assert description == "rrf: 50% at 1, 50% at 2, 75% at 5, 75% at 10, 75% at 20, 75% at 50."


@pytest.mark.parametrize("word", ["<script>", "\"&'", "]]>"])
def test_texts_and_attributes_are_escaped(word):
    drawn = svg.element("g", svg.text(0, 0, word), id=word)
    found = ET.fromstring(drawn)
    assert (found.get("id"), found[0].text) == (word, word)


@given(st.floats(0, 1e9, allow_subnormal=False).filter(lambda value: value == 0 or value > 1e-6))
def test_linear_axis_holds_the_highest_value_in_few_round_ticks(highest):
    axis = svg.linear(highest, 0, 100, str)
    assert axis.place(0) == 0
    assert axis.place(highest) <= 100 + 1e-6
    assert 2 <= len(axis.ticks) <= 9
    assert axis.place(axis.ticks[-1][0]) == pytest.approx(100)


def test_legend_breaks_into_rows_and_is_left_out_for_one_series():
    assert svg.legend(["one"], 0, 100, 4) == ([], 4)
    parts, below = svg.legend(["a" * 30, "b" * 30, "c"], 0, 300, 4)
    assert len(parts) == 6
    assert below > 4 + 2 * 14
