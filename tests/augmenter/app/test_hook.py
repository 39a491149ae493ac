"""The generic host: one JSON object in, one out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from augmenter.hosts import generic
from knowledge.errors import TaskError

SOURCES = Path(__file__).parents[3]
TASK = "Fix the timeout in `EventStream.close`"


@pytest.fixture
def hook(run, project):
    """Runs the hook on an event, an object or raw bytes."""

    def hook(event, root=project.root):
        data = event if isinstance(event, bytes) else json.dumps(event).encode()
        done = run("hook", "run", "generic", root=root, stdin=data)
        assert (done.code, done.err) == (0, "")
        assert done.out.endswith(b"\n")
        assert done.out.count(b"\n") == 1
        assert done.out.isascii()
        return done.json

    return hook


def test_event_is_answered_with_the_document_of_augment(hook, run, project):
    answer = hook({"task": TASK})
    direct = run("augment", TASK, "--json", root=project.root).json
    varying = ("dispatch_id", "timings_ms")
    assert {k: v for k, v in answer.items() if k not in varying} == {
        k: v for k, v in direct.items() if k not in varying
    }
    assert answer["offered"]


def test_event_names_sender_and_options(hook, run, project):
    answer = hook(
        {
            "task": TASK,
            "session": "s-1",
            "agent": "worker",
            "role": "fixer",
            "preamble": "/fix",
            "patterns": 1,
            "rules": 0,
            "budget": 200,
            "format": "xml",
            "a key of a newer host": {"is": "ignored"},
        }
    )
    assert answer["prompt"].startswith("/fix\n\n<context")
    assert len(answer["offered"]) == 1
    assert answer["rules"] == []
    receipt = run("receipts", "show", answer["dispatch_id"], "--json", root=project.root).json["receipt"]
    assert (receipt["agent"], receipt["host"], receipt["session"], receipt["role"]) == (
        "worker",
        "generic",
        "s-1",
        "fixer",
    )
    assert receipt["options"]["budget"] == 200


def test_event_tells_the_folder(hook, project):
    answer = hook({"task": TASK, "cwd": str(project.root / "src")}, root=None)
    assert answer["offered"]


def test_root_wins_over_the_event(hook, project, tmp_path):
    assert hook({"task": TASK, "cwd": str(tmp_path / "nowhere")})["offered"]


@pytest.mark.parametrize(
    ("event", "task"),
    [
        (b"", ""),
        (b"not JSON", ""),
        (b"[1, 2]", ""),
        (b'{"cwd": "."}', ""),
        (b'{"task": 7}', ""),
        (b'{"task": null}', ""),
        (b'{"task": "do it", "budget": "much"}', "do it"),
        (b'{"task": "do it", "budget": -1}', "do it"),
        (b'{"task": "do it", "format": "html"}', "do it"),
        (b'{"task": "do it", "cwd": 5}', "do it"),
        (b'{"task": "do it"', ""),
        (b"[" * 100_000, ""),
        (b'\xff\xfe{"task"', ""),
    ],
    ids=range(13),
)
def test_event_that_cannot_be_used_gives_the_task_back(hook, event, task):
    answer = hook(event)
    assert answer["prompt"] == task
    assert answer["offered"] == []
    assert answer["degraded"]["reason"] == "task-error"
    assert "docs/hooks.md" in answer["degraded"]["remedy"]


def test_event_that_cannot_be_used_is_recorded(hook, run, project):
    answer = hook({"task": "do it", "budget": "much"})
    assert answer["dispatch_id"]
    assert "not briefed: task-error" in run("receipts", "list", root=project.root).text


def test_event_that_cannot_be_used_says_which_key():
    with pytest.raises(TaskError, match="'budget'"):
        generic.read(b'{"task": "do it", "budget": "much"}')


_VALUES = st.sampled_from([None, True, 0, 1, -1, 1.0, 10**30, "", "5", "xml", "html", "\udc80", [], {}])
_KEYS = st.sampled_from([*(item.name for item in fields(generic.Task)), "other"])


@given(st.dictionaries(_KEYS, _VALUES), st.sampled_from([{}, {"task": "t"}]))
def test_an_event_is_taken_exactly_when_its_types_say_so(event, more):
    document = event | more
    try:
        expected = TypeAdapter(generic.Task).validate_python(document)
    except ValidationError as error:
        (key, *_), message = error.errors()[0]["loc"], error.errors()[0]["msg"]
        with pytest.raises(TaskError) as refused:
            generic.read(json.dumps(document).encode())
        assert f"'{key}': {message}" in str(refused.value)
    else:
        read = generic.read(json.dumps(document).encode())
        assert {item.name: getattr(read, item.name) for item in fields(expected)} == asdict(expected)


def test_bytes_that_are_no_utf8_survive(hook):
    answer = hook(b'{"task": "Fix `EventStream.close` caf\xe9"}')
    assert answer["prompt"].encode("utf-8", "surrogateescape").endswith(b"caf\xe9")
    assert answer["offered"]


def test_lone_surrogates_survive(hook):
    answer = hook({"task": "Fix `EventStream.close` \ud800"})
    assert answer["prompt"].endswith("\ud800")
    assert answer["offered"]


def test_event_in_utf16_is_read(hook):
    assert hook(json.dumps({"task": TASK}).encode("utf-16"))["offered"]


def test_large_event(hook):
    task = TASK + "\n" + "x" * 5_000_000
    assert hook({"task": task})["prompt"].endswith(task)


def test_unknown_host_is_wrong_usage(run):
    done = run("hook", "run", "nobody", stdin=b'{"task": "do it"}')
    assert done.code == 2
    assert "usage:" in done.err


def test_hook_in_a_process_of_its_own(spawn, project):
    done = spawn("hook", "run", "generic", stdin=json.dumps({"task": TASK}).encode(), cwd=project.root)
    assert (done.code, done.err) == (0, "")
    assert done.json["offered"]


def test_standard_input_that_is_closed(project):
    script = "import sys; from augmenter.app.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", script, "hook", "run", "generic", "--root", str(project.root)]
    environment = {**os.environ, "PYTHONPATH": str(SOURCES)}
    shell = ["sh", "-c", '"$@" <&-', "sh", *command]
    done = subprocess.run(shell, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["degraded"]["reason"] == "task-error"


def test_pattern_that_takes_forever_is_ended(project, run):
    """The preamble's pattern is the project's own; one that backtracks without end costs only the brief."""
    project.write("prebrief.toml", "[brief]\npreamble = '(a+)+b'\n[dispatch]\ndeadline_ms = 200\n")
    task = "a" * 3000
    began = time.monotonic()
    done = run("hook", "run", "generic", root=project.root, stdin=json.dumps({"task": task}).encode())
    assert time.monotonic() - began < 2
    assert done.json["prompt"] == task
    assert done.json["degraded"]["reason"] == "deadline-exceeded"
