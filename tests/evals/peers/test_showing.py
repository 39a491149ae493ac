"""What of an answer fits a budget, and which functions are in it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.golds import Gold, read_golds
from evals.peers.answers import Answer, Piece, View
from evals.peers.showing import (
    ROWS,
    SHIPPED,
    covers,
    defines,
    line_of,
    names,
    shown_by,
    touches,
)
from knowledge.errors import TaskError
from knowledge.tokens import estimate_tokens
from templates.context import BlockContext, PatternLine
from templates.render import Renderer

GOLD = Gold("a.py", "A.f", 10, 19, 11)
BY_TITLE = {row.title: row for row in ROWS}
LINES = BY_TITLE["bm25s over functions"]
GREP = BY_TITLE["ripgrep, its own output"]
MAP = BY_TITLE["aider's repo map"]
CHUNKS = BY_TITLE["semble with general static vectors, its chunks"]
PLACES = BY_TITLE["semble …, places of chunks alone"]


@pytest.mark.parametrize(
    ("piece", "expected"),
    [
        (Piece("a.py", 1, 2, "A.f"), [True, False, False, False]),  # named, wherever its lines are
        (Piece("b.py", 10, 19, "A.f"), [False, False, False, False]),  # another file's
        (Piece("a.py", 10, 14), [True, True, True, True]),  # half of it
        (Piece("a.py", 10, 13), [False, False, True, True]),  # less than half, with the definition
        (Piece("a.py", 12, 15), [False, False, False, True]),  # a part of its body
        (Piece("a.py", 20, 30), [False, False, False, False]),
    ],
)
def test_when_a_function_is_inside(piece, expected):
    assert [rule(piece, GOLD) for rule in (names, covers, defines, touches)] == expected


def test_a_function_reads_as_in_a_brief():
    item = PatternLine("A.f", "unit", 0.5, "Does it.", "a.py", 10, 19)
    block = Renderer(SHIPPED.format).block(BlockContext(patterns=(item,)))
    line = line_of(Piece("a.py", 10, 19, "A.f", "Does it."))
    assert f"\n{line}\n" in block
    assert all(part in line for part in ("A.f", "Does it.", "10-19"))


def test_what_does_not_fit_is_passed_over_and_the_next_is_tried():
    long = Piece("b.py", 1, 2, "g", "word " * 400)
    shown = shown_by(LINES, Answer(functions=(long, Piece("a.py", 10, 19, "A.f"))), [GOLD], 100)
    assert shown.inside == 1
    assert 0 < shown.tokens <= 100


def test_each_form_shows_its_own():
    chunk = Piece("a.py", 8, 20, text="def f(): ...")
    hit = Piece("a.py", 15, 15, text="    return 1")
    view = View("a.py:\n│def f():\n", (Piece("a.py", 11, 11),))
    answer = Answer(passages=(chunk,), views={300: view})
    assert shown_by(MAP, answer, [GOLD], 300).inside == 1
    assert shown_by(MAP, answer, [GOLD], 550).tokens == 0  # it drew no map of this size
    assert shown_by(GREP, Answer(passages=(hit,)), [GOLD], 300).inside == 1
    assert shown_by(CHUNKS, Answer(passages=(hit,)), [GOLD], 300).inside == 0
    chunks, places = (shown_by(row, answer, [GOLD], 300) for row in (CHUNKS, PLACES))
    assert chunks.inside == places.inside == 1
    assert chunks.tokens > places.tokens


def test_a_failure_shows_nothing():
    for row in ROWS:
        shown = shown_by(row, Answer(failure="too slow"), [GOLD], 2_000)
        assert (shown.inside, shown.tokens) == (0, 0)


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=80)
ANY_PIECES = st.lists(st.builds(Piece, st.just("a.py"), st.just(1), st.just(2), TEXTS, TEXTS), max_size=20)


@given(ANY_PIECES, st.integers(0, 300))
def test_no_budget_is_ever_exceeded(pieces, budget):
    answer = Answer(functions=tuple(pieces), passages=tuple(pieces))
    assert all(shown_by(row, answer, [GOLD], budget).tokens <= budget for row in ROWS)


def test_what_is_counted_is_what_is_shown():
    pieces = (Piece("a.py", 1, 2, "f", "One."), Piece("a.py", 3, 4, "g", "Two."))
    text = "".join(f"{line_of(piece)}\n" for piece in pieces)
    assert shown_by(LINES, Answer(functions=pieces), [GOLD], 300).tokens == estimate_tokens(text)


def test_golds_are_read_and_a_malformed_line_is_named(tmp_path):
    path = tmp_path / "gold.jsonl"
    function = {"file": "a.py", "name": "A.f", "start": 10, "end": 19}
    rows = [
        {"instance_id": "one", "gold_functions": [{**function, "def_line": 11}]},
        {"instance_id": "two", "gold_functions": [function]},
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    golds = read_golds(path)
    assert golds["one"] == [GOLD]
    assert golds["two"][0].defined == 10
    path.write_text('{"instance_id": "one", "gold_functions": [{"file": "a.py"}]}')
    with pytest.raises(TaskError, match="no 'name'") as refused:
        read_golds(path)
    assert refused.value.where == f"{path}:1"
