"""What past commits and dispatches point at: in a real repository, by a real index and ledger."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augmenter import Augmenter
from augmenter.app.cli import main
from augmenter.channels.past import PastHit, dispatches, history, no_lessons
from augmenter.query import make_query
from augmenter.task import understand
from knowledge.learned import PastDispatch
from knowledge.taxonomy import load_taxonomy

POST_ENTRY = "symbol:src/ledger.py::post_entry"


def signals(item):
    return {name: factor.value for name, factor in item.factors.items()}


def test_functions_that_a_commit_with_such_a_message_touched_are_found(project, tasks):
    """No word of the task stands in the code: only the commit's message has them."""
    found = project.rank(tasks["history"])
    assert found["post_entry"].channels == {"history": 1}
    assert 0 < signals(found["post_entry"])["history"] <= signals(found["post_entry"])["history_total"] <= 1
    assert signals(found["post_entry"])["history_file"] > 0
    assert "post_entry" not in project.rank(tasks["history"], "history")


def test_functions_of_a_touched_file_share_in_it(project, tasks):
    """`balance` is found by its word; of its file a commit speaks."""
    task = f"{tasks['history']}, sum the account, distances between pairs"
    assert "history" not in signals(project.rank(task)["balance"])
    assert signals(project.rank(task)["balance"])["history_file"] > 0
    assert "history_file" not in signals(project.rank(task, "history")["balance"])
    assert "history_file" not in signals(project.rank(task)["kerning"])


def test_functions_that_a_dispatch_of_such_a_task_used_are_found(project, tasks):
    found = project.rank(tasks["dispatches"])
    assert found["Postman.send_letter"].channels["dispatches"] == 1
    assert 0 < signals(found["Postman.send_letter"])["dispatches"] <= 1
    assert "Postman.send_letter" not in project.rank(tasks["dispatches"], "dispatches")


@pytest.mark.parametrize("channel", ["history", "dispatches"])
def test_reason_tells_the_commit_or_dispatch(project, tasks, channel):
    (first,) = (item for item in project.rank(tasks[channel]).values() if channel in item.channels)
    if channel == "history":
        commit = project.git("log", "--format=%H", "--grep=interrupted")
        expected = f"touched by {commit[:10]} (An interrupted transfer must not be booked twice)"
    else:
        with Augmenter.open(project.root) as augmenter:
            (receipt,) = augmenter.ledger().latest(5)
        expected = f"used by dispatch {receipt.dispatch_id}"
    assert expected in first.why


def test_past_that_is_out_of_scope_is_filtered_like_anything(project, tasks):
    assert "post_entry" not in project.rank(tasks["history"], kinds=("class",))


def test_failed_dispatch_teaches_no_function(project):
    with Augmenter.open(project.root) as augmenter:
        brief = augmenter.augment("Swallows migrate in autumn: `kerning`")
        fonts = (project.root / "src/fonts.py").read_text()
        project.commit("Work", **{"src/fonts.py": fonts.replace("font.pairs", "list(font.pairs)")})
        augmenter.complete(brief.dispatch_id, status="failure", base="HEAD~1", head="HEAD")
    assert main(["learn", "--root", str(project.root)]) == 0
    assert not any("dispatches" in item.channels for item in project.rank("Swallows migrate").values())


def test_function_that_is_gone_is_not_found(project, tasks):
    for gone in ("src/ledger.py", "src/mail.py"):
        (project.root / gone).unlink()
    assert main(["index", "--root", str(project.root)]) == 0
    for channel in ("history", "dispatches"):
        found = project.rank(tasks[channel])
        assert not [item for item in found.values() if channel in item.channels]


def test_function_in_parts_keeps_its_past(project):
    """A long function is one candidate: its part is found by a word, its whole by the commit."""
    steps = "\n".join(f"    if row == {n}:\n        total += zebra{n}(row)\n" for n in range(90))
    long = f'def crunch(row):\n    """Crunch."""\n    total = 0\n{steps}    return total\n'
    project.commit("Begin", **{"src/crunch.py": long})
    project.commit(
        "Swallows migrate in autumn", **{"src/crunch.py": long.replace("total = 0", "total = 1", 1)}
    )
    assert main(["index", "--root", str(project.root)]) == 0
    found = project.rank("zebra77 zebra78: swallows migrate in autumn")
    assert found["crunch"].channels.keys() == {"lexical", "history"}
    assert signals(found["crunch"])["history"] > 0


class Reader:
    """Rows of evidence by id, as a catalog gives them."""

    def __init__(self, ids):
        self.rowids = {name: number for number, name in enumerate(ids, start=1)}

    def rows_by_id(self, ids):
        return {name: Row(self.rowids[name]) for name in ids if name in self.rowids}


class Row:
    def __init__(self, rowid):
        self.columns = (rowid,)


names = st.sampled_from("abcdefgh")
lessons = st.lists(
    st.builds(
        PastDispatch,
        dispatch_id=st.sampled_from(["01", "02", "03"]),
        time=st.just(1),
        score=st.floats(0, 200),
        used=st.lists(names, max_size=6, unique=True).map(tuple),
    ),
    max_size=8,
)


@pytest.fixture(scope="module")
def query(_taught):
    with Augmenter.open(_taught.root) as augmenter:
        reader = augmenter._session.reader
        return make_query(understand("letter", 1 << 20), reader, reader.statistics(), load_taxonomy({}))


@given(lessons)
def test_strengths_are_bounded_and_more_lessons_never_weaken_one(query, found):
    hits, rows = dispatches(query, Reader("abcdef"), lambda _terms, _limit: found)
    assert set(hits) <= set(rows)
    for hit in hits.values():
        assert isinstance(hit, PastHit)
        assert 0 <= hit.strength <= 1
        assert hit.strength <= hit.total + 1e-12
    fewer, _ = dispatches(query, Reader("abcdef"), lambda _terms, _limit: found[:-1])
    assert all(hits[rowid].total >= hit.total for rowid, hit in fewer.items())
    assert all(hits[rowid].strength >= hit.strength for rowid, hit in fewer.items())


def test_the_fewer_a_dispatch_used_the_more_it_says_of_each(query):
    def strength(*used):
        hits, _ = dispatches(query, Reader("abcdef"), lambda _t, _l: [PastDispatch("01", 1, 12.0, used)])
        return hits[1].strength

    assert strength("a") > strength("a", "b") > strength("a", "b", "c", "d")
    assert strength("a") == 0.5  # two rare words in common


def test_nothing_learned_is_nothing_found(query):
    assert dispatches(query, Reader("abc"), no_lessons) == ({}, {})


def test_nothing_asked_is_nothing_found(project):
    with Augmenter.open(project.root) as augmenter:
        reader = augmenter._session.reader
        nothing = make_query(understand("the and of", 99), reader, reader.statistics(), load_taxonomy({}))
        past = history(nothing, reader)
    assert (past.hits, past.files) == ({}, {})
