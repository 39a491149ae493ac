"""What peers answered is kept, and asked again only where it must be."""

from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.peers.answers import Answer, Kept, Piece, View, answer_of, answered
from knowledge.jsonable import to_json

PIECES = st.builds(Piece, st.text(), st.integers(), st.integers(), st.text(), st.text())
ANSWERS = st.builds(
    Answer,
    st.lists(PIECES).map(tuple),
    st.lists(PIECES).map(tuple),
    st.dictionaries(st.integers(1), st.builds(View, st.text(), st.lists(PIECES).map(tuple))),
    st.text(),
)


class Parrot:
    """Answers with the task; can be made to fall silent."""

    name = "parrot"

    def __init__(self, version="1"):
        self.asked = []
        self.silent_at = None
        self._version = version

    def version(self):
        return self._version

    @contextmanager
    def open(self, root):
        def ask(text):
            if text == self.silent_at:
                raise KeyboardInterrupt
            self.asked.append(text)
            return Answer(failure=text)

        yield ask


@pytest.fixture
def ask(tmp_path):
    said = []

    def asking(peer, *texts):
        return answered(peer, answer_of, tmp_path / "app@1", texts, tmp_path / "kept", said.append)

    asking.said = said
    return asking


@given(ANSWERS)
def test_any_answer_comes_back_as_it_was(tmp_path_factory, answer):
    path = tmp_path_factory.mktemp("kept") / "one.jsonl"
    Kept(path, answer_of).put("task", answer)
    assert Kept(path, answer_of).get("task") == answer


def test_a_task_is_asked_once(ask):
    first, second = Parrot(), Parrot()
    assert ask(first, "one", "two", "one")["one"].failure == "one"
    assert ask(second, "two", "three").keys() == {"two", "three"}
    assert (first.asked, second.asked) == (["one", "two"], ["three"])
    assert ask.said == ["parrot on app@1: 2 tasks", "parrot on app@1: 1 tasks"]


def test_an_interrupted_run_goes_on_where_it_was(ask):
    peer = Parrot()
    peer.silent_at = "two"
    with pytest.raises(KeyboardInterrupt):
        ask(peer, "one", "two")
    peer.silent_at = None
    ask(peer, "one", "two")
    assert peer.asked == ["one", "two"]


def test_another_version_is_asked_again(ask):
    newer = Parrot("2")
    ask(Parrot("1"), "one")
    ask(newer, "one")
    assert newer.asked == ["one"]


@pytest.mark.parametrize(
    "torn", ['{"task": "blake', "[]", "7", '{"task": "x"}', '{"task": "x", "answer": {}}']
)
def test_a_torn_line_was_never_written(tmp_path, torn):
    path = tmp_path / "one.jsonl"
    kept = Kept(path, answer_of)
    kept.put("one", Answer(failure="1"))
    with path.open("a") as out:
        out.write(torn)
    kept.put("two", Answer(failure="2"))
    again = Kept(path, answer_of)
    assert [again.get(task) for task in ("one", "two")] == [Answer(failure="1"), Answer(failure="2")]


def test_a_row_without_its_parts_is_no_answer():
    row = to_json(Answer())
    for name in row:
        with pytest.raises(KeyError):
            answer_of({key: value for key, value in row.items() if key != name})
