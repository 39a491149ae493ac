"""Recordings tell nothing of the machine, and the same of the same."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.clients.neutral import HEAD, LONGEST, Neutraliser, as_name, shortened

UUID = "266c081e-b926-48fd-b50c-7d2d3df90cd9"
OTHER = "01a22fa5-5d22-7c13-a36a-05d7b5fb542d"


def neutral(**folders):
    return Neutraliser({"/srv/x/project": "/home/dev/project", "/srv/x": "/home/dev", **folders})


def test_longer_folders_are_replaced_first_whatever_their_order():
    assert neutral().text("/srv/x/project/a.py /srv/x/b") == "/home/dev/project/a.py /home/dev/b"


def test_ids_are_numbered_as_they_come_and_stay_the_same():
    ours = neutral()
    first, second = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"
    assert ours.text(f"{UUID} {OTHER} {UUID}") == f"{first} {second} {first}"
    assert ours.value({"session": OTHER}) == {"session": second}


def test_an_agent_s_id_is_known_from_hashes():
    ours = neutral()
    assert ours.text("agent-ad0a7ba71511a6c87.jsonl") == "agent-a0000000000000001.jsonl"
    assert ours.text("ad0a7ba71511a6c87ff") == "ad0a7ba71511a6c87ff"


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("2026-12-01T03:19:57.188Z", "2026-01-01T00:00:00.000Z"),
        ("rollout-2026-12-01T03-28-16-x", "rollout-2026-01-01T00-00-00-x"),
        ("session-2026-12-01T03-33-18443184.jsonl", "session-2026-01-01T00-00-00000000.jsonl"),
        ("sessions/2026/12/01/x", "sessions/2026/01/01/x"),
        ("http://127.0.0.1:34143/v1", "http://127.0.0.1:8080/v1"),
        ("/tmp/claude-0/x", "/tmp/claude-1000/x"),
        ("commit 0316647dd2a2c6379446ebc7794dfd6aa0aede4a", f"commit {'0' * 40}"),
        ("Chunk ID: 77b7a0\n", "Chunk ID: 000000\n"),
        ("Wall time: 4.9276 seconds", "Wall time: 0.1 seconds"),
        ("<duration_ms>689</duration_ms>", "<duration_ms>100</duration_ms>"),
        ('{"nickname":"Curie"}', '{"nickname":"Ada"}'),
        ("src/stream.py:4-8", "src/stream.py:4-8"),
        ("toolu_000000000000000000000001", "toolu_000000000000000000000001"),
    ],
)
def test_moments_ports_and_hashes_are_replaced_and_nothing_else(told, kept):
    assert neutral().text(told) == kept


def test_numbers_that_a_clock_gave_are_all_the_same():
    told = {
        "duration_ms": 3,
        "totalDurationMs": 9.5,
        "started_at": 17,
        "totalTokens": 5,
        "is_at": True,
        "process_id": "7",
    }
    kept = {
        "duration_ms": 100,
        "totalDurationMs": 100,
        "started_at": 100,
        "totalTokens": 5,
        "is_at": True,
        "process_id": "100",
    }
    assert neutral().value([told, None]) == [kept, None]


@given(st.text())
def test_what_is_neutral_stays_as_it_is(text):
    once = neutral().text(text)
    assert neutral().text(once) == once


def test_long_texts_keep_their_beginning_and_say_so():
    value = {"a": ["x" * LONGEST, "y" * (LONGEST + 1)], "b": 1}
    kept = shortened(value)
    assert kept["a"][0] == "x" * LONGEST
    assert kept["a"][1] == f"{'y' * HEAD}… [{LONGEST + 1 - HEAD} characters more]"
    assert json.dumps(shortened(kept)) == json.dumps(kept)


def test_a_folder_s_name_in_another_is_that_of_claude_code():
    assert as_name("/home/dev/my_project.x") == "-home-dev-my-project-x"
