"""A stage of one's own, and processes that leave nothing behind."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evals.clients import claude_code, codex, gemini
from evals.clients.client import play, prepare, tell, version
from evals.clients.stage import run, set_stage
from knowledge.errors import TaskError

CLIENTS = [claude_code.CLIENT, codex.CLIENT, gemini.CLIENT]


def python(code, stage, **more):
    return run([sys.executable, "-c", code], stage.project, stage.environment(), **more)


def test_a_stage_is_set_anew_each_time(stage):
    (stage.home / "left").touch()
    (stage.project / "src" / "stream.py").write_text("changed")
    again = set_stage(stage.root, stage.address)
    assert list(again.home.iterdir()) == []
    assert "def close" in (again.project / "src" / "stream.py").read_text()
    status = subprocess.run(
        ["git", "-C", str(again.project), "status", "--porcelain"], stdout=subprocess.PIPE, check=True
    )
    assert status.stdout == b""


def test_a_process_is_told_nothing_of_this_machine_s_user(stage, monkeypatch):
    monkeypatch.setenv("SECRET_OF_MINE", "x")
    code = "import os; print(sorted(os.environ)); print(os.path.expanduser('~'), os.getcwd())"
    ended = python(code, stage)
    assert "SECRET_OF_MINE" not in ended.output
    assert ended.output.splitlines()[1] == f"{stage.home} {stage.project}"


def test_what_a_process_prints_and_reads_is_kept_apart(stage):
    code = "import sys; print(sys.stdin.read()); sys.stderr.write('e'); sys.exit(3)"
    ended = python(code, stage, given="é" * 100_000)
    assert (ended.exit_code, ended.output.strip(), ended.errors) == (3, "é" * 100_000, "e")


def test_a_process_need_not_read_what_it_is_given(stage):
    assert python("pass", stage, given="x" * 1_000_000).exit_code == 0


def test_a_process_that_does_not_end_is_ended_with_its_children(stage):
    code = "sleep 600 & echo $! > child; wait"
    with pytest.raises(TaskError, match="does not end"):
        run(["sh", "-c", code], stage.project, stage.environment(), seconds=3)
    child = int((stage.project / "child").read_text())
    deadline = time.monotonic() + 60
    while is_running(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_running(child)


def is_running(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_a_process_can_be_interrupted(stage):
    code = (
        "import signal, sys, time\n"
        "def stop(*_): sys.exit(7)\n"
        "signal.signal(signal.SIGINT, stop)\n"
        "open('ready', 'w').close()\n"
        "time.sleep(600)\n"
    )
    assert python(code, stage, until=(stage.project / "ready").exists).exit_code == 7


def test_a_program_that_is_not_there_is_told(stage):
    with pytest.raises(TaskError, match="cannot be run"):
        run([str(stage.root / "none")], stage.project, {})


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.host)
def test_every_client_finds_its_files_and_its_hooks(client, stage):
    prepare(client, stage)
    tell(client, stage, "true")
    hooks = json.loads((stage.project / client.hooks_file).read_text())["hooks"]
    assert sorted(hooks) == sorted(client.events)
    assert all(stage.home.joinpath(name).read_text() for name in client.files(stage))
    values = [*client.environment(stage).values(), *client.files(stage).values()]
    assert any(stage.address in value for value in values)


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.host)
def test_every_prompt_is_said_once_and_in_order(client):
    said = "".join(
        " ".join((*process.arguments, process.given)) for process in client.processes(["one 1", "two 2"])
    )
    assert 0 <= said.index("one 1") < said.index("two 2")
    assert (said.count("one 1"), said.count("two 2")) == (1, 1)


def test_settings_of_one_play_come_first(stage):
    prepare(codex.CLIENT, stage, "limit = 50\n")
    assert (stage.home / ".codex" / "config.toml").read_text().startswith("limit = 50\nmodel = ")


def test_a_client_tells_its_version(stage, stand_in):
    assert version(claude_code.CLIENT, stand_in, stage) == "9.9.9"


def test_a_client_that_tells_no_version_is_none(stage):
    silent = stage.root / "silent"
    silent.write_text("#!/bin/sh\n")
    silent.chmod(0o755)
    with pytest.raises(TaskError, match="version"):
        version(claude_code.CLIENT, silent, stage)


def test_the_last_process_s_end_is_a_play_s(stage):
    script = stage.root / "script"
    script.write_text('#!/bin/sh\ncase "$*" in *two*) exit 4;; esac\n')
    script.chmod(0o755)
    assert play(codex.CLIENT, script, stage, ["one", "two"]).exit_code == 4
