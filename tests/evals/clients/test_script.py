"""A scripted model says what the conversation's newest words ask for, one turn after another."""

from concurrent.futures import ThreadPoolExecutor

from hypothesis import given
from hypothesis import strategies as st

from evals.clients.turns import OFF_SCRIPT, Call, Say, Scene, Script

READ = Call("Read", {"file_path": "a.py"})
MAIN = Scene("the user's words", (READ, Say("first"), Say("last")))
OTHER = Scene("an agent's words", (Say("other"),))


def test_turns_follow_each_other_and_the_last_is_repeated():
    script = Script((MAIN,))
    said = [script.next_turn(["the user's words"]) for _ in range(4)]
    assert said == [READ, Say("first"), Say("last"), Say("last")]


def test_each_conversation_has_its_own_place_in_the_script():
    script = Script((MAIN, OTHER))
    assert script.next_turn(["the user's words"]) == READ
    assert script.next_turn(["an agent's words"]) == Say("other")
    assert script.next_turn(["the user's words"]) == Say("first")


def test_the_newest_words_decide():
    script = Script((MAIN, OTHER))
    assert script.next_turn(["the user's words", "an agent's words", "and more"]) == Say("other")


def test_words_that_begin_no_scene_are_answered_off_script():
    assert Script((MAIN,)).next_turn(["anything"]) == OFF_SCRIPT
    assert Script(()).next_turn([]) == OFF_SCRIPT


@given(st.integers(1, 20))
def test_no_turn_is_lost_or_said_twice_when_asked_at_once(number):
    turns = tuple(Say(str(index)) for index in range(number))
    script = Script((Scene("words", turns),))
    with ThreadPoolExecutor(4) as pool:
        said = pool.map(lambda _: script.next_turn(["words"]), range(number))
        assert sorted(turn.text for turn in said) == sorted(turn.text for turn in turns)
