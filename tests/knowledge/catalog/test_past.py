"""Past commits in a catalog: which are found, in which order, and what is told of them."""

import sqlite3
from array import array

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowledge.catalog.commit_writer import NewCommit
from knowledge.catalog.commits import FIRST_POSITION, MAX_QUERY_TERMS, FileChange
from knowledge.catalog.postings import MAX_POSTINGS
from knowledge.catalog.reader import CatalogReader
from knowledge.catalog.writer import CatalogWriter
from knowledge.errors import CatalogCorrupt, DeadlineExceeded
from knowledge.types import SourceKind

TOP = FIRST_POSITION


def commit(number, terms, *paths):
    changes = tuple(FileChange(path, path, hunks=array("H", [1, 1, 1, 1])) for path in paths)
    return NewCommit(f"{number:040x}", 1_700_000_000 + number, f"Commit {number}", tuple(terms), 100, changes)


def put(writer, *commits, top=TOP):
    """Puts commits below each other, and lets each change touch its file's functions."""
    for position, one in zip(range(top, -1, -1), commits, strict=False):
        writer.past.add(position, one)
    for path in writer.past.files():
        rows = [row for row, _, _ in writer.past.units(path)]
        writer.past.claim(path, [(step, rows) for step in writer.past.trail(path)])
    writer.set_meta(writer.past.finish())


@pytest.fixture
def filled(catalog, made):
    """Makes a catalog with a few files and these commits, the newest first."""

    def fill(*commits):
        test = made.item("t.py", "test_alpha", source_kind=SourceKind.TEST)
        made.write(catalog, made.file("a.py", made.item("a.py", "alpha")), made.file("t.py", test))
        with CatalogWriter(catalog) as writer:
            put(writer, *commits)
        return CatalogReader(catalog)

    return fill


def found(reader, *terms, limit=10):
    return [one.subject for one in reader.past(terms, limit)]


def test_a_rarer_term_and_a_shorter_message_count_more(filled):
    common = [commit(number, ["common", "filler"], "a.py") for number in range(10, 20)]
    with filled(
        commit(1, ["rare", *("word",) * 20], "a.py"), commit(2, ["rare", "word"], "a.py"), *common
    ) as reader:
        assert found(reader, "common", "rare", limit=3) == ["Commit 2", "Commit 1", "Commit 10"]
        scores = [one.score for one in reader.past(["common", "rare"], 12)]
        assert scores == sorted(scores, reverse=True)


def test_of_equals_the_newest_come_first_wherever_the_cut_is(filled):
    with filled(*(commit(number, ["same"], "a.py") for number in range(9))) as reader:
        for limit in range(1, 10):
            assert found(reader, "same", limit=limit) == [f"Commit {number}" for number in range(limit)]


def test_what_is_told_of_a_commit(filled):
    with filled(commit(7, ["open", "twice"], "t.py", "a.py", "gone.py")) as reader:
        (told,) = reader.past(["open"], 5)
        assert (told.commit, told.time, told.paths) == (f"{7:040x}", 1_700_000_007, ("a.py", "t.py"))
        names = reader.evidence(told.touched)
        assert [names[row].name for row in told.touched] == ["alpha", "test_alpha"]  # tests last
        assert told.score > 0


def test_nothing_is_found_for_nothing(filled):
    with filled(commit(1, ["open"], "a.py"), commit(2, [], "a.py")) as reader:
        assert reader.past([], 5) == reader.past(["open"], 0) == reader.past(["other"], 5) == []
        assert reader.past(["\ud800", "open' OR 1"], 5) == []
        assert reader.counts()["history"] == {"commits": 2, "searched": 1}


def test_the_first_terms_are_looked_at_however_many_follow(filled):
    commits = [commit(number, ["everywhere"], "a.py") for number in range(MAX_POSTINGS + 10)]
    with filled(*commits, commit(99_999, ["needle"], "a.py")) as reader:
        assert found(reader, "everywhere", limit=1) == ["Commit 0"]
        assert found(reader, "needle", "everywhere") == ["Commit 99999"]
        many = [f"other{number}" for number in range(MAX_QUERY_TERMS)]
        assert found(reader, *many, "needle") == []
        assert found(reader, "needle", *many) == ["Commit 99999"]


def test_a_deadline_ends_a_question(filled):
    with filled(*(commit(number, ["same"], "a.py", "t.py") for number in range(3_000))) as reader:
        reader.interrupt_when(lambda: True)
        with pytest.raises(DeadlineExceeded):
            reader.past(["same"], 3_000)


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE past_terms SET postings = x'010203'",
        "UPDATE past_terms SET postings = x'00000000ffffffff'",
        "UPDATE past_changes SET touched = x'01'",
        "DELETE FROM past_commits",
        "UPDATE meta SET value = 'many' WHERE key = 'past.commits'",
        "DROP TABLE past_changes",
    ],
)
def test_a_damaged_history_is_told_to_be_so(filled, catalog, harm):
    filled(commit(1, ["open"], "a.py")).close()
    with sqlite3.connect(catalog) as db:
        db.execute(harm)
    db.close()
    with CatalogReader(catalog) as reader, pytest.raises(CatalogCorrupt, match="--full"):
        reader.past(["open"], 5)


def test_a_file_that_is_indexed_anew_is_told_to_have_changed(catalog, made):
    made.write(catalog, made.file("a.py", made.item("a.py", "alpha")), made.file("b.py"))
    with CatalogWriter(catalog) as writer:
        writer.replace(made.file("a.py", made.item("a.py", "beta")))
        writer.remove(["b.py", "none.py"])
        assert writer.rewritten == {"a.py", "b.py", "none.py"}


words = st.lists(st.sampled_from(["one", "two", "three", "four"]), max_size=5)
line = st.lists(words, min_size=1, max_size=8)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(old=line, kept=st.integers(0, 8), new=line, dropped=st.integers(0, 3))
def test_what_was_forgotten_and_added_leaves_what_was_written_at_once(
    tmp_path_factory, made, old, kept, new, dropped
):
    folder = tmp_path_factory.mktemp("past")
    kept = min(kept, len(old))
    commits = [commit(100 + number, terms, "a.py") for number, terms in enumerate(new)]
    rest = [commit(number, terms, "a.py", f"f{number}.py") for number, terms in enumerate(old)]
    with CatalogWriter(folder / "twice") as writer:
        put(writer, *rest)
        bottom = TOP - len(old) + 1
        writer.past.forget(bottom + min(dropped, kept), bottom + kept - 1)
        put(writer, *commits, top=bottom + kept - 1 + len(commits))
    with CatalogWriter(folder / "once") as writer:
        survivors = rest[len(rest) - kept : len(rest) - min(dropped, kept)]
        put(writer, *commits, *survivors)
    for name in ("twice", "once"):
        made.write(folder / name)
    assert made.dump(folder / "twice") == made.dump(folder / "once")
