"""Understanding a task takes time in proportion to its length, whatever it holds."""

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augmenter.task import understand

LONG = 200_000
SECONDS = 1.0
PIECES = (
    *(
        "\n", "\n \n", "\t", "\r\n", " ", "\x0b", "\u200b", "é", "漢", "`", "`a", "`a` ", "``a", "```\n",
        "``` a\n", "~~~\n",
    ),
    *(
        "<!--", "<!-- ", "-->", "<!-- -->", "<!", "--", 'File "', '  File "\n', 'File "a", line 1, in f\n',
        "in f.",
    ),
    *(
        "at ", "at a(", " at a\n", "at a (", "at a [as b] (", "at a.b:1\n", ".a", " --> ", "a.go:1\n",
        "\t/a.go:1 +0x1\n",
    ),
    *(
        "panicked at 'a', ", "thread 'a' ", "a.rs:1:", "a.a", "a.", "a/", "a", "A", "Aa", "aA", "AAa", "_",
        "_a", "a_",
    ),
    *(
        "A_", "$", "a$", "a::", "x.py::a", "a#", "x.py#L", "x.py:", "x.py:1 ", "a.py ", "x.py/", "line ",
        ", line 1",
    ),
    *(
        "+", "+.", "+/", "@", "a@", "a@b.c ", "@a", "\\", "C:\\a\\", "~", "1.", "1e", "e.g.", "self.", "(",
        ")", "(s)",
    ),
    *(
        "a(", "()", ").a(", "http://", "https://a/", "/blob/", ">>> a\n", "    a\n", "how ", "fix ", "add ",
        "#", "*",
    ),
)  # fmt: skip


def seconds_to_understand(piece):
    text = piece * (LONG // len(piece) + 1)
    began = time.process_time()
    understand(text, 1 << 20)
    return time.process_time() - began


def looks_superlinear(piece, length=20_000):
    """Whether a tenth of the length takes more than a tenth of the time: found out in little time."""
    text = piece * (length // len(piece) + 1)
    began = time.process_time()
    understand(text, 1 << 20)
    return (time.process_time() - began) > SECONDS * length / LONG * 2


def test_repeated_pieces_take_bounded_time():
    slow = [piece for piece in PIECES if looks_superlinear(piece) and looks_superlinear(piece)]
    assert slow == []


def test_combined_pieces_take_bounded_time():
    chance = random.Random(7)
    combined = ("".join(chance.choices(PIECES, k=chance.choice((2, 3, 4)))) for _ in range(60))
    slow = [piece for piece in combined if looks_superlinear(piece) and looks_superlinear(piece)]
    assert slow == []


@pytest.mark.parametrize("piece", ["<!--", "\n", "`a", "x::", "a.", 'File "', "+/", "at a ("])
def test_worst_pieces_at_full_length(piece):
    assert seconds_to_understand(piece) < SECONDS


@settings(max_examples=30)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join))
def test_any_combination_takes_bounded_time(piece):
    assert not (looks_superlinear(piece) and looks_superlinear(piece))
