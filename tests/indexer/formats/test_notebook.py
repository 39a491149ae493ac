"""Notebooks: sources of cells at the lines of the file; no output, no attachment."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.formats.notebook import extract_notebook, notebook_view
from knowledge.types import Kind


def cell(kind, source, **more):
    outputs = {"outputs": [{"data": {"image/png": "iVBORw0" * 900, "text/plain": ["hidden\n"]}}]}
    extra = {**outputs, "execution_count": 1} if kind == "code" else {"attachments": {"a.png": {"x": "QUJD"}}}
    return {"cell_type": kind, **extra, "metadata": {}, "source": source, **more}


def notebook(*cells, **metadata):
    data = {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def lines_of(source):
    return source.splitlines(keepends=True)


CODE = '''\
def load(path):
    """Reads "it"."""
    return open(path)


class Model:
    def fit(self):
        pass'''
BOOK = notebook(
    cell("markdown", lines_of("# Housing\n\nPredicts *prices*.")),
    cell("code", lines_of("%matplotlib inline\nimport numpy as np\n!pip install x")),
    cell("markdown", lines_of("## Data\n\n```python\nunclosed")),
    cell("code", lines_of(CODE)),
    cell("code", lines_of("%%bash\ndef not_python() { :; }")),
    cell("raw", []),
    cell("markdown", lines_of("## Model")),
    kernelspec={"language": "python"},
)


def drafts_of(text):
    return extract_notebook(notebook_view(text)).drafts


def test_sections_and_functions_come_from_cells_alone():
    drafts = drafts_of(BOOK)
    found = [(d.kind, d.name) for d in drafts]
    assert found == [
        (Kind.DOCUMENT, ""),
        (Kind.SECTION, "Housing"),
        (Kind.SECTION, "Housing › Data"),
        (Kind.SECTION, "Housing › Model"),
        (Kind.UNIT, "load"),
        (Kind.CLASS, "Model"),
        (Kind.UNIT, "Model.fit"),
    ]
    assert drafts[0].doc == "Housing\n\nPredicts prices."
    assert not any("iVBOR" in d.body or "hidden" in d.body or "QUJD" in d.body for d in drafts)


def test_lines_are_those_of_the_file():
    file = BOOK.split("\n")
    for draft in drafts_of(BOOK):
        if draft.kind in (Kind.UNIT, Kind.CLASS):
            quoted = [json.loads(line.rstrip(",").strip()) for line in file[draft.start - 1 : draft.end]]
            body = draft.body if draft.kind is Kind.UNIT else CODE[CODE.index("class") :]
            assert "".join(quoted).rstrip("\n") == body
    document = drafts_of(BOOK)[0]
    assert (document.start, document.end) == (1, BOOK.count("\n"))
    data = next(d for d in drafts_of(BOOK) if d.name == "Housing › Data")
    assert '"## Data' in file[data.start - 1]


def test_source_in_one_string_lies_on_that_line():
    text = notebook(cell("markdown", "# T\n\ntext"), cell("code", "def f():\n    return 1"))
    unit = next(d for d in drafts_of(text) if d.kind is Kind.UNIT)
    assert unit.start == unit.end
    assert "def f()" in text.split("\n")[unit.start - 1]
    assert unit.body == "def f():\n    return 1"


def test_code_is_read_in_the_language_of_the_kernel():
    text = notebook(cell("code", ["function go() { return 1 }"]), language_info={"name": "javascript"})
    assert [d.name for d in drafts_of(text) if d.kind is Kind.UNIT] == ["go"]
    other = notebook(cell("code", ["f <- function(x) x"]), kernelspec={"language": "R"})
    assert [d.kind for d in drafts_of(other)] == [Kind.DOCUMENT, Kind.SECTION]


def test_old_notebooks_have_worksheets():
    old = json.dumps(
        {
            "worksheets": [{"cells": [{"cell_type": "code", "input": ["def f(): pass"], "outputs": []}]}],
            "nbformat": 3,
        }
    )
    assert "f" in [d.name for d in drafts_of(old)]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "no json", BOOK[: len(BOOK) // 2], BOOK.replace('"cells"', '"x"')]
)
def test_broken_notebook_gives_what_can_be_told(text):
    drafts = drafts_of(text)
    assert drafts[0].kind is Kind.DOCUMENT
    assert drafts[0].end == max(1, text.count("\n") + (not text.endswith("\n")))


SOURCES = st.lists(
    st.sampled_from(
        [
            "# H",
            "```",
            "~~~~~~~~",
            "text",
            "def f():",
            "    pass",
            "",
            "%magic",
            "%%bash",
            "| a |",
            "---",
            "<!--",
        ]
    ),
    max_size=8,
).map("\n".join)
CELLS = st.lists(st.tuples(st.sampled_from(["code", "markdown", "raw"]), SOURCES, st.booleans()), max_size=8)


@given(CELLS)
@settings(max_examples=80, deadline=None)
def test_lines_ascend_and_stay_in_the_file(cells):
    text = notebook(*(cell(kind, lines_of(source) if split else source) for kind, source, split in cells))
    view = notebook_view(text)
    last = text.count("\n")
    assert all(before <= after for before, after in pairwise(view.lines))
    for draft in extract_notebook(view).drafts:
        assert 1 <= draft.start <= draft.end <= last
