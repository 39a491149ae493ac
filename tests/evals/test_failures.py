"""Failing tasks are told apart by what would have spoken for the function that was missed."""

import pytest

from evals.cases import Answer
from evals.failures import Kind, failures, table
from evals.localisation import Case
from evals.referee import Prediction

POOL = Answer(path="src/pool.py", name="Pool.take", start=10, end=20)
FILLER = [{"file": f"src/f{number}.py", "name": f"f{number}", "start": 1, "end": 3} for number in range(10)]
HIT = {"file": "src/pool.py", "name": "Pool.take", "start": 10, "end": 20}
NEIGHBOUR = {"file": "src/pool.py", "name": "Pool.give", "start": 22, "end": 30}


def found_in(text, results, answers=(POOL,)):
    case = Case("one", "acme/app", "acme/app", "0" * 40, text)
    return failures([case], {"one": list(answers)}, {"one": Prediction(results)})


def test_a_task_whose_functions_are_among_the_first_ten_has_not_failed():
    assert found_in("take hangs", [*FILLER[:9], HIT]) == []


@pytest.mark.parametrize(
    ("text", "first", "kind"),
    [
        ("take() hangs", [], Kind.NAMED),
        ("The Pool hangs", [], Kind.AROUND),
        ("Look into src/pool.py", [], Kind.AROUND),
        ("It hangs, mistaken for a pooling matter", [NEIGHBOUR], Kind.NEIGHBOUR),
        ("It hangs", [], Kind.NOTHING),
    ],
)
def test_kind_tells_what_spoke_for_the_function(text, first, kind):
    (failure,) = found_in(text, [*first, *FILLER, HIT])
    assert failure.kind is kind
    assert failure.rank == 11 + len(first)


def test_of_several_functions_the_one_with_the_least_to_speak_for_it_counts():
    far = Answer(path="src/far.py", name="away", start=1, end=2)
    (failure,) = found_in("take() hangs", [HIT, *FILLER], (POOL, far))
    assert (failure.kind, failure.rank, failure.functions) == (Kind.NOTHING, None, 2)


def test_table_counts_by_kind_and_rank():
    found = [*found_in("take() hangs", [*FILLER, HIT]), *found_in("It hangs", FILLER)]
    text = table(found, 7)
    assert text.startswith("2 of 7 tasks have a function that is not among the first 10; 0 of them")
    assert "| the task names the function | 1 | 0 | 0 | 1 |" in text
    assert "| nothing of its file is among them | 0 | 0 | 1 | 1 |" in text
