"""Signals: a fixed vocabulary, within bounds, of nothing but the task and what was found."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from augmenter.candidates import Gathered
from augmenter.channels.exact import ExactHit
from augmenter.channels.past import Past, PastHit
from augmenter.signals import members, relations
from augmenter.signals.mentioned import ALIAS
from augmenter.signals.signals import DISPATCHES, FITTED, signals_of
from knowledge.settings import ChannelSettings
from knowledge.types import Kind

ON = ChannelSettings(members=True, relations=True)
shared = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def signals(candidates, query, cards=(), switches=ON, files=None):
    return signals_of(Gathered(list(candidates), list(cards), Past(files=files or {})), query, switches)


@shared
@given(st.data())
def test_signals_are_known_bounded_and_never_zero(anything, highest, data):
    gathered, query = data.draw(anything)
    found = signals_of(gathered, query, ON)
    assert len(found) == len(gathered.candidates)
    for given_ in found:
        assert set(given_) <= {*FITTED, DISPATCHES, ALIAS}
        outside = {name: value for name, value in given_.items() if not 0 < value <= highest(name) + 1e-9}
        assert outside == {}


@shared
@given(st.data())
def test_order_of_the_candidates_does_not_matter(anything, data):
    gathered, query = data.draw(anything)
    numbers = data.draw(st.permutations(range(len(gathered.candidates))))
    shuffled = Gathered(
        [gathered.candidates[n] for n in numbers], data.draw(st.permutations(gathered.cards)), gathered.past
    )
    expected = signals_of(gathered, query, ON)
    assert signals_of(shuffled, query, ON) == [expected[n] for n in numbers]


@shared
@given(st.data())
def test_what_is_told_in_one_order_is_told_in_the_same_bytes(anything, data):
    """Scores are sums in the order of the signals: it must be the same each time."""
    gathered, query = data.draw(anything)
    once, again = (json.dumps(signals_of(gathered, query, ON)) for _ in range(2))
    assert once == again


@shared
@given(st.data())
def test_switches_take_their_signals_away_and_no_others(anything, data):
    gathered, query = data.draw(anything)
    every = signals_of(gathered, query, ON)
    for switch, own in (("members", members.SIGNALS), ("relations", relations.SIGNALS)):
        left = signals_of(gathered, query, replace(ON, **{switch: False}))
        assert left == [{name: v for name, v in one.items() if name not in own} for one in every]


def test_nothing_gives_no_signals(asked):
    assert signals([], asked("stream")) == []


def test_more_of_the_task_in_a_field_is_a_stronger_signal(asked, candidate):
    query = asked("stream", "close")
    one, both = signals([candidate(0, query, "stream other"), candidate(1, query, "stream close")], query)
    assert 0 < one["title_body"] < both["title_body"] <= 1
    assert one["coverage"] == 0.5
    assert both["coverage"] == both["bm25f"] == 1
    assert not {"prose_body", "code_body", "title_name"} & both.keys()


def test_naming_is_the_share_of_the_name_that_the_task_says(asked, candidate):
    query = asked("stream", "close")
    whole, part, none = signals(
        [
            candidate(0, name="Stream.close_stream", path="src/pool.py"),
            candidate(1, name="Pool.close_all_idle_users", path="src/close.py"),
            candidate(2, name="Pool.take", path="src/pool.py"),
        ],
        query,
    )
    assert whole["own_in_task"] == whole["own_in_title"] == whole["owner_in_task"] == 1
    assert 0 < part["own_in_task"] < 0.5
    assert part["file_in_task"] == 1
    assert not [name for name in none if "_in_" in name]


def test_mentions_are_told_by_kind_up_to_a_bound(asked, candidate):
    hit = ExactHit(0, 5.0, "", by_kind={"path": 0.5, "code": 4.5})
    (found,) = signals([candidate(0, exact=hit)], asked("stream"))
    mentions = {name: value for name, value in found.items() if name.startswith("mentioned")}
    assert mentions == {"mentioned_path": 0.5, "mentioned_code": 2.0}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("close", set()),
        ("Stream.close", {"method"}),
        ("Stream.__init__", {"method", "constructor"}),
        ("Stream.Stream", {"method", "constructor"}),
        ("Stream.constructor", {"method", "constructor"}),
        ("Stream.__enter__", {"method", "dunder"}),
        ("_close", {"private"}),
    ],
)
def test_shape_tells_what_a_function_is(asked, candidate, name, expected):
    (found,) = signals([candidate(0, name=name)], asked("stream"))
    assert {"method", "constructor", "dunder", "private"} & found.keys() == expected


def test_larger_functions_have_more_size_up_to_a_bound(asked, candidate):
    sizes = [
        one["size"]
        for one in signals([candidate(n, end=lines) for n, lines in enumerate((1, 9, 200, 900))], asked("x"))
    ]
    assert sizes == sorted(sizes)
    assert sizes[0] > 0
    assert sizes[2] == sizes[3] == 1


def test_namesakes_are_counted_among_functions(asked, candidate):
    found = signals(
        [
            candidate(0, name="Stream.close"),
            candidate(1, name="Pool.close"),
            candidate(2, name="take"),
            candidate(3, name="close", kind=Kind.CLASS),
        ],
        asked("x"),
    )
    assert found[0]["namesakes"] == found[1]["namesakes"] > 0
    assert "namesakes" not in found[2]
    assert found[3]["is_class"] == 1
    assert "size" not in found[3]


def test_past_is_told_by_function_and_by_file(asked, candidate):
    touched = PastHit(0, 0.25, 3.0, "touched")
    files = {"src/m000.py": 0.125}
    found = signals([candidate(0, history=touched, used=touched), candidate(1)], asked("x"), files=files)
    past = [{k: v for k, v in one.items() if k.startswith(("history", "dispatches"))} for one in found]
    assert past == [{"history": 0.25, "history_total": 1.0, "history_file": 0.125, "dispatches": 1.0}, {}]


def test_members_share_in_what_speaks_for_their_file_and_class(asked, candidate):
    query = asked("stream", "close")
    first = candidate(0, query, "stream close", name="Stream.close", path="src/a.py")
    second = candidate(1, query, "stream other", name="Stream.open", path="src/a.py")
    alone = candidate(2, query, "stream other", name="Pool.take", path="src/b.py")
    card = candidate(
        3,
        query,
        "stream close stream",
        kind=Kind.CLASS,
        name="Stream",
        path="src/a.py",
        exact=ExactHit(3, 0.7, ""),
    )
    one, two, three = signals([first, second, alone], query, cards=[card])
    assert one["file_count"] == two["file_count"] > three["file_count"]
    assert one["class_text"] == two["class_text"] <= 1
    assert one["class_mentioned"] == two["class_mentioned"] == 0.7
    assert not {"class_text", "class_mentioned"} & three.keys()


def test_card_is_no_evidence_for_itself(asked, candidate):
    query = asked("stream")
    card = candidate(
        0, query, "stream", kind=Kind.MODULE, name="", path="src/a.py", exact=ExactHit(0, 0.7, "")
    )
    (found,) = signals([card], query, cards=[card])
    assert not {"file_text", "file_mentioned", "file_count"} & found.keys()


def test_best_words_are_the_same_whether_or_not_cards_are_candidates(asked, candidate):
    """A filter of kinds takes candidates away; what remains is judged as before."""
    query = asked("stream", "close")
    unit = candidate(0, query, "stream other other", path="src/a.py")
    card = candidate(1, query, "stream close", kind=Kind.MODULE, name="", path="src/a.py")
    every, alone = signals([unit, card], query, [card])[0], signals([unit], query, [card])[0]
    assert every == alone


def test_many_members_count_up_to_a_bound(asked, candidate):
    found = signals([candidate(n, name=f"f{n}", path="src/a.py") for n in range(400)], asked("x"))
    assert {one["file_count"] for one in found} == {1.0}
