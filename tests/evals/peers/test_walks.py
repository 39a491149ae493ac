"""The simulated searcher: what it reads, in which order, and when it has seen enough."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.golds import Gold
from evals.peers.answers import Piece
from evals.peers.walks import (
    BOUND,
    OPENINGS,
    Sources,
    Step,
    Walker,
    Walks,
    named_files,
    reached,
    sees,
    walks_of,
)
from knowledge.jsonable import to_json
from knowledge.tokens import estimate_tokens

A, B = Gold("a.py", "a", 1, 10, 1), Gold("b.py", "b", 1, 10, 2)
OPEN_A, OPEN_B = Step(100, Piece("a.py", 1, 5)), Step(10, Piece("b.py", 2, 2))
GREP = Step(1)


@pytest.fixture
def walk(checkout):
    with Walker().open(checkout) as ask:
        yield lambda text: ask(text).steps


def places(steps):
    return [(step.place.file, step.place.start, step.place.end) for step in steps if step.place]


def test_first_it_greps_and_then_it_opens_the_place_with_most_words(walk, checkout):
    steps = walk("zebra readers")
    assert set(steps) == set(OPENINGS)
    greps = [step.place is None for step in steps["whole files"]]
    assert greps == [True, True, False]  # both words, then the one file that matches; tests do not come up
    first = 'src/stream.py:3:        """Wake the readers."""'
    assert steps["windows"][0] == Step(estimate_tokens(first))
    assert places(steps["whole files"]) == [("src/stream.py", 1, 2_000)]
    assert places(steps["windows"]) == [("src/stream.py", 1, 200)]
    assert places(steps["exact functions"])[0] == ("src/stream.py", 2, 5)
    whole = estimate_tokens((checkout / "src/stream.py").read_text())
    assert steps["whole files"][-1].tokens == whole


def test_a_function_of_that_name_comes_before_more_lines(walk):
    assert places(walk("common")["whole files"])[0][0] == "src/spare.py"
    assert places(walk("common take")["whole files"])[0][0] == "src/pool.py"


def test_a_file_that_is_named_comes_first(walk):
    assert places(walk("common, in pool.py")["whole files"])[0][0] == "src/pool.py"


def test_nothing_to_search_for_is_nothing_read(walk):
    assert walk("of the") == walk("bread") == dict.fromkeys(OPENINGS, ())


def test_nothing_is_opened_twice(walk):
    for steps in walk("zebra readers common take pool give self stream return").values():
        assert len(places(steps)) == len(set(places(steps))) > 1


def test_it_gives_up_when_it_has_read_too_much(tmp_path, monkeypatch, walk):
    monkeypatch.setattr("evals.peers.walks.BOUND", 1)
    assert [len(steps) for steps in walk("zebra readers").values()] == [1, 1, 1]
    assert BOUND > 1


def test_walks_come_back_as_they_were(walk):
    walks = Walks(walk("zebra readers"))
    assert walks_of(to_json(walks)) == walks


@pytest.mark.parametrize(
    ("every", "steps", "expected"),
    [
        (False, [GREP, OPEN_B, OPEN_A], (11, True)),
        (True, [GREP, OPEN_B, OPEN_A], (111, True)),
        (True, [GREP, OPEN_B], (11, False)),
        (False, [GREP], (1, False)),
        (False, [], (0, False)),
    ],
)
def test_it_stops_when_it_has_seen_what_it_wants(every, steps, expected):
    assert reached(steps, [A, B], sees, every=every) == expected


@given(st.lists(st.sampled_from([GREP, OPEN_A, OPEN_B])))
def test_all_never_cost_less_than_any(steps):
    some, whole = (reached(steps, [A, B], sees, every=every) for every in (False, True))
    assert some[0] <= whole[0]
    assert some[1] >= whole[1]


def test_files_are_named_by_ends_of_their_paths():
    files = ["src/app/pool.py", "src/pool.py", "pool.pyi", "src/whirlpool.py"]
    assert named_files("see app/pool.py", files) == {"src/app/pool.py"}
    assert named_files('File "/usr/lib/src/pool.py", line 3, in take', files) == {"src/pool.py"}
    assert named_files("pool", files) == frozenset()


def test_a_file_that_cannot_be_read_costs_nothing(tmp_path):
    assert Sources(tmp_path).tokens(Piece("none.py", 1, 9)) == 0
