"""What was learned: a projection that is replaced whole, and the nightly job that does it."""

from __future__ import annotations

import dataclasses
import json
import os
import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from python_process import modules_imported_with

from knowledge.errors import CatalogCorrupt, CatalogError, CatalogTooNew
from knowledge.learned import LearnedState, learned_fingerprint, learned_head, read_learned, write_learned
from learning.nightly import learn
from learning.policy import OriginalPolicy

STATE = LearnedState(0.55, 3, 2, 1, 1, 0, 100, 90, "blake2b:ab")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / "learned.sqlite"


def test_what_was_written_is_read(path):
    write_learned(path, {"b": STATE, "a": LearnedState(0.5)}, "head", "original")
    assert list(read_learned(path, ["b", "a", "never seen"]).items()) == [
        ("a", LearnedState(0.5)),
        ("b", STATE),
    ]
    assert read_learned(path, []) == {}
    assert learned_head(path) == "head"


def test_missing_file_means_nothing_learned(path):
    assert read_learned(path, ["a"]) == {}
    assert learned_fingerprint(path) == ""
    assert learned_head(path) == ""
    assert not path.parent.exists()


def test_nothing_learned_has_one_fingerprint(path):
    write_learned(path, {}, "head", "original")
    assert learned_fingerprint(path) == ""


def test_fingerprint_is_of_what_was_learned_alone(path):
    write_learned(path, {"a": STATE, "b": STATE}, "head", "original")
    first = learned_fingerprint(path)
    write_learned(path, {"b": STATE, "a": STATE}, "other head", "original")
    assert learned_fingerprint(path) == first != ""
    for states, policy in (
        ({"a": STATE}, "original"),
        ({"a": STATE, "b": STATE}, "beta"),
        ({"a": STATE, "b": dataclasses.replace(STATE, confidence=0.5500000000000002)}, "original"),
    ):
        write_learned(path, states, "head", policy)
        assert learned_fingerprint(path) != first


@settings(max_examples=25, deadline=None)
@given(
    states=st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"])),
        st.builds(LearnedState, confidence=st.floats(0.05, 1.0), offers=st.integers(0, 2**40)),
        max_size=8,
    )
)
def test_any_state_survives(tmp_path_factory, states):
    path = tmp_path_factory.mktemp("learned") / "a b%c?d#e.sqlite"
    write_learned(path, states, "", "original")
    assert read_learned(path, states) == states


def test_many_ids_are_asked_for_at_once(path):
    states = {f"id{n}": LearnedState(0.5, offers=n) for n in range(3000)}
    write_learned(path, states, "", "original")
    assert read_learned(path, [f"id{n}" for n in range(2000)]) == {
        f"id{n}": states[f"id{n}"] for n in range(2000)
    }


def test_open_reader_keeps_the_old_state_while_it_is_replaced(path):
    write_learned(path, {"a": STATE}, "", "original")
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)
    write_learned(path, {}, "", "original")
    assert connection.execute("SELECT count(*) FROM learned").fetchone() == (1,)
    connection.close()
    assert read_learned(path, ["a"]) == {}


def test_leftover_of_a_killed_writer_does_no_harm(path):
    write_learned(path, {"a": STATE}, "", "original")
    path.with_name("learned.sqlite.new").write_bytes(b"half")
    write_learned(path, {"b": STATE}, "", "original")
    assert list(read_learned(path, ["a", "b"])) == ["b"]
    assert sorted(p.name for p in path.parent.iterdir()) == ["learned.sqlite", "learned.sqlite.lock"]


@pytest.mark.parametrize("content", [b"", b"nonsense" * 1000, b"SQLite format 3\0" + b"\0" * 4000])
def test_damaged_file_is_an_error_with_a_remedy(path, content):
    path.parent.mkdir()
    path.write_bytes(content)
    for read in (learned_fingerprint, learned_head, lambda p: read_learned(p, ["a"])):
        with pytest.raises(CatalogCorrupt, match="prebrief learn"):
            read(path)


def test_truncated_file_is_an_error(path):
    write_learned(path, {f"id{n}": STATE for n in range(500)}, "", "original")
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(CatalogCorrupt):
        read_learned(path, [f"id{n}" for n in range(500)])


def test_other_database_is_an_error(path):
    path.parent.mkdir()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE learned (id TEXT)")
    with pytest.raises(CatalogCorrupt):
        read_learned(path, ["a"])


def test_newer_file_is_told_from_a_damaged_one(path):
    write_learned(path, {"a": STATE}, "", "original")
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(CatalogTooNew):
        read_learned(path, ["a"])


def test_place_that_cannot_be_written_is_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CatalogError):
        write_learned(tmp_path / "file" / "learned.sqlite", {}, "", "original")


def test_nightly_job_learns_and_says_what_moved(ledger, path, clock, make_item, make_dispatch):
    good, idle = make_item("Good.name"), make_item("Idle.name")
    for record in make_dispatch(good, idle, status="success", used=[good]):
        ledger.append(record)
    for record in make_dispatch(good, status="infra"):
        head = ledger.append(record)
    report = learn(ledger, path, OriginalPolicy(), clock)
    assert (report.dispatches, report.outcomes) == (2, {"infra": 1, "success": 1})
    assert (report.items, report.raised, report.lowered) == (2, 1, 1)
    assert (report.ledger_head, report.damaged, report.newer) == (head, (), 0)
    assert read_learned(path, [good.id])[good.id].confidence == pytest.approx(0.55)
    assert json.loads(json.dumps(dataclasses.asdict(report)))["policy"] == "original"


def test_nightly_job_can_run_twice_and_from_nothing(ledger, path, clock, make_item, make_dispatch):
    for record in make_dispatch(make_item(), status="success"):
        ledger.append(record)
    learn(ledger, path, OriginalPolicy(), clock)
    first = path.read_bytes()
    again = learn(ledger, path, OriginalPolicy(), clock)
    assert (again.raised, again.lowered) == (0, 0)
    assert path.read_bytes() == first
    path.unlink()
    learn(ledger, path, OriginalPolicy(), clock)
    assert path.read_bytes() == first


def test_nightly_job_rebuilds_a_damaged_file(ledger, path, clock, make_item, make_dispatch):
    path.parent.mkdir()
    path.write_bytes(b"nonsense")
    item = make_item()
    for record in make_dispatch(item, status="success"):
        ledger.append(record)
    learn(ledger, path, OriginalPolicy(), clock)
    assert list(read_learned(path, [item.id])) == [item.id]


def test_damaged_line_teaches_nothing_and_is_named(ledger, path, clock, make_item, make_dispatch):
    item = make_item()
    for record in make_dispatch(item, status="success", used=[item]):
        ledger.append(record)
    segment = ledger.folder / "000001.ndjson"
    lines = segment.read_bytes().splitlines(keepends=True)
    segment.write_bytes(b"".join([*lines[:2], b"nonsense\n"]))
    report = learn(ledger, path, OriginalPolicy(), clock)
    assert report.damaged == ("000001.ndjson:3",)
    assert report.dispatches == 1


def test_empty_ledger_teaches_nothing(ledger, path, clock):
    report = learn(ledger, path, OriginalPolicy(), clock)
    assert (report.items, report.ledger_head, learned_fingerprint(path)) == (0, "", "")


def test_import_is_light():
    modules = "learning.nightly, learning.use, learning.gitdiff, learning.schedule"
    assert modules_imported_with(modules, {"git", "apscheduler", "jinja2", "structlog"}) == set()
