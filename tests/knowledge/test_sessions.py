"""The working sets: what was given is known, bounded, and never in the way."""

import sqlite3
import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowledge import sessions as module
from knowledge.errors import SessionError
from knowledge.sessions import MAX_AGE, Sessions


@pytest.fixture
def at(tmp_path):
    """Sessions of one file, at a time in seconds."""
    return lambda now=1_000_000: Sessions(tmp_path / "sessions.sqlite", lambda: now)


def test_nothing_is_given_before_anything_is_and_no_file_is_made(at):
    assert at().given("a") == {}
    assert at().dispatch_of("a") == ""
    at().forget("a")
    assert not at().path.exists()


def test_each_context_window_has_what_it_was_given(at):
    at().give("a", [("x", "1"), ("y", "2")])
    at().give("b", [("x", "3")])
    assert (at().given("a"), at().given("b"), at().given("c")) == ({"x": "1", "y": "2"}, {"x": "3"}, {})


def test_what_is_given_again_has_its_last_content(at):
    at().give("a", [("x", "1")])
    at().give("a", [("x", "2")])
    assert at().given("a") == {"x": "2"}


def test_a_session_is_forgotten_with_the_windows_within_it_alone(at):
    for context in ("s", "s:1", "s:1:2", "s1", "s;", "t:s"):
        at().give(context, [("x", "1")])
    at().forget("s")
    assert [at().given(one) for one in ("s", "s:1", "s:1:2")] == [{}] * 3
    assert [at().given(one) for one in ("s1", "s;", "t:s")] == [{"x": "1"}] * 3


def test_a_dispatch_is_found_by_what_the_host_calls_it(at):
    at().link("s:1", "first")
    at().link("s:2", "second")
    at().link("s:1", "third")
    assert (at().dispatch_of("s:1"), at().dispatch_of("s:2"), at().dispatch_of("s")) == (
        "third",
        "second",
        "",
    )


@pytest.mark.parametrize("name", ["\ud800", "s:\udcff:t", "é", "a\0b", ""])
def test_hosts_may_call_things_anything(at, name):
    at().give(name, [("x", "1")])
    at().link(name, "first")
    assert (at().given(name), at().dispatch_of(name)) == ({"x": "1"}, "first")
    at().forget(name)
    assert at().given(name) == {}


def test_what_is_old_falls_out(at):
    at(now=1_000).give("a", [("x", "1")])
    at(now=1_000).link("k", "d")
    at(now=1_000 + MAX_AGE).give("b", [("x", "1")])
    assert at().given("a") == {"x": "1"}
    at(now=1_001 + MAX_AGE).give("b", [("y", "1")])
    assert (at().given("a"), at().dispatch_of("k")) == ({}, "")


def test_there_are_never_more_rows_than_may_be(at, monkeypatch):
    monkeypatch.setattr(module, "MAX_ROWS", 10)
    for number in range(50):
        at().give(f"s{number}", [("x", "1")])
    assert [bool(at().given(f"s{number}")) for number in range(50)] == [False] * 40 + [True] * 10


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b"no database at all, and long enough to be looked at" * 50),
        lambda path: path.write_bytes(path.read_bytes()[:4096] + b"\xff" * 8192),
        lambda path: sqlite3.connect(path).executescript("DROP TABLE given; DROP TABLE links;"),
        lambda path: sqlite3.connect(path).executescript("PRAGMA user_version = 99"),
        lambda path: sqlite3.connect(path).executescript("PRAGMA application_id = 7"),
    ],
    ids=["garbage", "torn", "without tables", "newer", "somebody else's"],
)
def test_a_damaged_file_is_told_once_and_made_anew(at, damage):
    at().give("a", [("x", "1")])
    damage(at().path)
    told = []
    for _ in range(3):
        try:
            at().given("a")
        except SessionError as error:
            told.append(str(error))
    assert len(told) == 1
    assert "sessions.sqlite: the working sets cannot be used" in told[0]
    at().give("a", [("z", "1")])
    assert at().given("a") == {"z": "1"}


def test_a_file_that_somebody_holds_is_left_alone(at):
    at().give("a", [("x", "1")])
    holder = sqlite3.connect(at().path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(SessionError, match="locked"):
        at().give("a", [("y", "1")])
    holder.execute("ROLLBACK")
    holder.close()
    assert at().given("a") == {"x": "1"}


def test_a_file_that_cannot_be_made_is_told(tmp_path):
    with pytest.raises(SessionError, match="unable to open"):
        Sessions(tmp_path / "no" / "folder", lambda: 0.0).give("a", [("x", "1")])


def test_many_may_begin_at_once(at):
    at().path.unlink(missing_ok=True)
    failures = []

    def give(number):
        for _ in range(500):
            try:
                at().give(f"s{number}", [("x", str(number))])
                return
            except SessionError as error:  # locked for longer than a dispatch would wait
                failures.append(str(error))

    threads = [threading.Thread(target=give, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [at().given(f"s{number}") for number in range(8)] == [{"x": str(number)} for number in range(8)]
    assert all("locked" in failure for failure in failures)


short = st.text(max_size=3)
gifts = st.tuples(
    st.just("give"), st.sampled_from(["s", "s:a", "t"]), st.dictionaries(short, short, max_size=3)
)
steps = st.lists(
    st.one_of(gifts, st.tuples(st.just("forget"), st.sampled_from("st"), st.none())), max_size=12
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps)
def test_a_window_holds_what_a_simple_dictionary_would(tmp_path_factory, steps):
    sessions = Sessions(tmp_path_factory.mktemp("s") / "sessions.sqlite", lambda: 5.0)
    model = {}
    for kind, context, items in steps:
        if kind == "give":
            sessions.give(context, items.items())
            model.setdefault(context, {}).update(items)
        else:
            sessions.forget(context)
            for name in [name for name in model if name == context or name.startswith(f"{context}:")]:
                del model[name]
    assert {name: sessions.given(name) for name in ("s", "s:a", "t")} == {
        name: model.get(name, {}) for name in ("s", "s:a", "t")
    }
