"""What a client tells its hooks becomes fixtures."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from evals.clients import claude_code, recorder, situations
from evals.clients.__main__ import main
from evals.clients.neutral import Neutraliser
from evals.clients.recording import CONTEXT, as_fixture, record
from evals.clients.situations import DONE, FOUND, PROMPT, TASK, Kept, Situation
from evals.clients.turns import Call, Fail, Say, Scene
from knowledge.errors import TaskError

AGENT = Call("Agent", {"prompt": TASK, "subagent_type": "Explore"})
SCENES = (Scene(TASK, (Say(FOUND),)), Scene(PROMPT, (AGENT, Say(DONE))))


def played(*kept, scenes=SCENES, **more):
    return lambda _project: (Situation("one", scenes, kept, **more),)


@pytest.fixture
def recorded(tmp_path, stand_in):
    """Records a situation of the client that stands in; the fixtures by their names."""

    def play(*kept, **more):
        fixtures, work = tmp_path / "fixtures", tmp_path / "work"
        names = list(record(claude_code.CLIENT, stand_in, work, played(*kept, **more), fixtures))
        assert names == list(dict.fromkeys(names))
        return {name: fixtures.joinpath(name).read_text() for name in names}

    return play


def test_events_are_kept_by_name_tool_and_number(recorded):
    fixtures = recorded(
        Kept("UserPromptSubmit", "what the user says"),
        Kept("PreToolUse", "a call", "Agent"),
        Kept("Stop", "the end", number=2, suffix="again"),
        prompts=(PROMPT, f"{PROMPT} again"),
    )
    assert list(fixtures) == [
        "claude-code/UserPromptSubmit.json",
        "claude-code/PreToolUse.json",
        "claude-code/Stop.again.json",
    ]
    prompt, call, stop = (json.loads(text) for text in fixtures.values())
    assert (prompt["origin"], prompt["client"]) == ("recorded", "claude-code 9.9.9")
    assert prompt["note"] == "what the user says"
    assert prompt["event"] == {
        "session_id": "00000000-0000-4000-8000-000000000001",
        "transcript_path": (
            "/home/dev/.claude/projects/-home-dev-project/00000000-0000-4000-8000-000000000001.jsonl"
        ),
        "cwd": "/home/dev/project",
        "hook_event_name": "UserPromptSubmit",
        "prompt": PROMPT,
    }
    assert call["event"]["tool_input"] == AGENT.arguments
    assert stop["event"]["last_assistant_message"] == DONE


def test_the_answers_of_the_hook_reach_the_client(recorded):
    fixtures = recorded(Kept("PostToolUse", "a call", "Agent"), keeps_records=True)
    call = json.loads(fixtures["claude-code/PostToolUse.json"])["event"]
    assert call["tool_input"] == AGENT.arguments | {"prompt": f"{CONTEXT}\n{TASK}"}
    lines = fixtures["claude-code/transcript.jsonl"].splitlines()
    assert json.loads(lines[1])["attachment"]["content"] == [CONTEXT]


def test_recording_again_gives_the_same_bytes(recorded):
    kept = (Kept("UserPromptSubmit", "a"), Kept("PostToolUse", "b"), Kept("Stop", "c"))
    assert recorded(*kept, keeps_records=True) == recorded(*kept, keeps_records=True)


def test_nothing_of_the_machine_is_left(recorded, tmp_path):
    kept = (Kept("SessionStart", "a"), Kept("PostToolUse", "b"), Kept("Stop", "c"))
    text = "".join(recorded(*kept, keeps_records=True).values())
    assert str(tmp_path) not in text
    assert str(Path(recorder.__file__).parent) not in text


def test_an_event_that_was_not_told_is_missed_aloud(recorded):
    with pytest.raises(TaskError, match=r"'PreCompact' was not told, but SessionStart, UserPromptSubmit"):
        recorded(Kept("PreCompact", "never"), scenes=(Scene(PROMPT, (Fail(400),)),))


def test_the_number_of_an_event_counts_only_its_kind():
    events = [{"hook_event_name": "A", "tool_name": tool} for tool in ("x", "y", "x")]
    for number, event in enumerate(events):
        event["number"] = number
    fixture = as_fixture(Kept("A", "", "x", 2), events, "c", Neutraliser({}))
    assert fixture["event"]["number"] == 2
    with pytest.raises(TaskError, match="'A' was not told"):
        as_fixture(Kept("A", "", "y", 2), events, "c", Neutraliser({}))


@pytest.mark.parametrize(
    ("event", "output"),
    [
        ({"hook_event_name": "UserPromptSubmit"}, {"additionalContext": "C"}),
        ({"hook_event_name": "BeforeAgent"}, {"additionalContext": "C"}),
        (
            {"hook_event_name": "PreToolUse", "tool_name": "Agent", "tool_input": {"prompt": "p", "a": 1}},
            {"updatedInput": {"prompt": "C\np", "a": 1}},
        ),
        (
            {"hook_event_name": "BeforeTool", "tool_name": "invoke_agent", "tool_input": {"prompt": "p"}},
            {"tool_input": {"prompt": "C\np"}},
        ),
        ({"hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": {}}, None),
        ({"hook_event_name": "Stop"}, None),
    ],
)
def test_the_recording_hook_keeps_the_bytes_and_answers_as_prebrief_would(tmp_path, event, output):
    data = json.dumps(event, indent=1).encode()
    done = subprocess.run(
        [sys.executable, "-I", recorder.__file__, str(tmp_path), "C"],
        input=data,
        stdout=subprocess.PIPE,
        check=True,
    )
    (kept,) = tmp_path.iterdir()
    assert kept.read_bytes() == data
    name = event["hook_event_name"]
    expected = {"hookSpecificOutput": {"hookEventName": name, **output}} if output else {}
    assert json.loads(done.stdout) == expected


@pytest.mark.parametrize("played", [situations.claude_code, situations.codex, situations.gemini])
def test_no_two_fixtures_of_a_client_have_the_same_name(played):
    kept = [kept for situation in played("/p") for kept in situation.kept]
    names = [item.name for item in kept]
    assert sorted(names) == sorted(set(names))
    assert all(item.note for item in kept)
    assert "agent" in [situation.name for situation in played("/p")]


def test_a_program_that_is_no_client_is_told_in_one_line(tmp_path, capsys):
    words = ["record", "--host", "codex", "--client", str(tmp_path / "none"), "--work", str(tmp_path)]
    assert main(words) == 1
    assert capsys.readouterr().err.count("\n") == 1
