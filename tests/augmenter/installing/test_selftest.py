"""``prebrief hook test``: hooks are called as the host would call them, and what is wrong is named."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tempfile
import time

import pytest

from augmenter.app.installing.plans import PLANS
from augmenter.app.installing.probes import PROBES

HOSTS = sorted(PLANS)
CLAUDE = ".claude/settings.json"


@pytest.fixture
def fake(run, command, project):
    """Installs the hooks of Claude Code, has a script of one's own in their place, and tests it."""

    def fake(script):
        run("hook", "install", "claude-code")
        command.write_text(f"#!/bin/sh\n{script}\n")
        done = run("hook", "test", "claude-code", "--json")
        assert done.err == ""
        assert done.json["ok"] == (done.code == 0)
        return done

    return fake


def told(done, event="UserPromptSubmit", level="problem"):
    found = done.json["findings"]
    return [item["what"] for item in found if (item["check"], item["level"]) == (event, level)]


@pytest.mark.parametrize("host", [*HOSTS, "generic"])
def test_hooks_that_work(run, indexed, host):
    run("hook", "install", host)
    done = run("hook", "test", host, "--json")
    assert (done.code, done.json["ok"]) == (0, True), done.json["findings"]
    runs = done.json["runs"]
    assert [one["event"] for one in runs] == [probe.event for probe in PROBES[host]]
    for one, probe in zip(runs, PROBES[host], strict=True):
        assert one["exit_code"] == 0
        assert (one["bytes"] > 0) == (one["dispatch_id"] != "") == probe.carries_task
    shown = run("hook", "test", host)
    assert shown.code == 0
    assert shown.text.startswith("event ")
    assert shown.text.endswith("The hooks work.\n")


def test_every_event_that_carries_a_task_is_tried():
    for host, plan in PLANS.items():
        tried = {probe.event for probe in PROBES[host] if probe.carries_task}
        assert tried == set(plan.dispatches)
        assert {probe.event for probe in PROBES[host]} <= {event for event, _ in plan.events}


def test_hooks_that_are_not_installed(run, indexed):
    done = run("hook", "test", "claude-code")
    assert done.code == 1
    assert "→ prebrief hook install claude-code" in done.text


def test_a_project_that_is_not_indexed(run, project):
    run("hook", "install", "claude-code")
    done = run("hook", "test", "claude-code", "--json")
    assert done.code == 1
    assert told(done) == ["no receipt was kept: Prebrief has not been set up here"]
    assert not (project.root / ".knowledge").exists()


def test_a_damaged_index_is_named_with_its_remedy(run, indexed):
    run("hook", "install", "codex")
    (indexed.root / ".knowledge" / "catalog.sqlite").write_bytes(b"no index any more")
    done = run("hook", "test", "codex")
    assert done.code == 1
    assert "not briefed: catalog-corrupt" in done.text
    assert "→ Run 'prebrief index" in done.text


@pytest.mark.parametrize("text", ["[dispatch\n", "[dispatch]\ndeadline_ms = 'soon'\n", "[nonsense]\na = 1\n"])
def test_broken_settings_are_a_finding_among_others(run, indexed, text):
    run("hook", "install", "claude-code")
    indexed.write("prebrief.toml", text)
    done = run("hook", "test", "claude-code", "--json")
    assert (done.code, done.err, done.json["ok"]) == (1, "", False)
    (what,) = told(done, "settings")
    assert what.startswith(str(indexed.root / "prebrief.toml"))
    assert all(item["remedy"] for item in done.json["findings"] if item["level"] == "problem")
    assert [one["event"] for one in done.json["runs"]] == [probe.event for probe in PROBES["claude-code"]]
    assert "not briefed: settings-error" in told(done)
    shown = run("hook", "test", "claude-code")
    assert (shown.code, shown.err) == (1, "")
    assert "problem  settings: " in shown.text


def test_noise_on_standard_error(fake):
    done = fake('echo "DeprecationWarning: old" >&2')
    assert done.code == 1
    assert "not silent: DeprecationWarning: old" in told(done)


def test_an_exit_code(fake):
    done = fake("exit 2")
    assert done.code == 1
    assert done.json["runs"][0]["exit_code"] == 1
    assert any(what.startswith("exit code 1") for what in told(done))


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("Hello", "the answer has not the host's form"),
        ("[]", "it is no JSON object"),
        ('{"hookSpecificOutput": {"hookEventName": "Stop"}}', "not for this event"),
        (
            '{"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": 1}}',
            "no text",
        ),
        (
            '{"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "updatedInput": {"prompt": ""}}}',
            "not the whole input",
        ),
    ],
    ids=range(5),
)
def test_an_answer_of_another_form(fake, answer, why):
    assert any(why in what for what in told(fake(f"echo {shlex.quote(answer)}")))


def test_more_context_than_the_host_takes(fake):
    context = {"hookEventName": "UserPromptSubmit", "additionalContext": "x" * 20_000}
    done = fake(f"echo {shlex.quote(json.dumps({'hookSpecificOutput': context}))}")
    assert any("the host cuts at" in what for what in told(done))


def test_an_executable_that_is_gone(run, indexed, command):
    run("hook", "install", "claude-code")
    command.unlink()
    done = run("hook", "test", "claude-code", "--json")
    assert done.code == 1 or done.json == {}
    assert "there is no command 'prebrief'" in done.err or any("no executable" in what for what in told(done))


def test_a_hook_that_hangs_is_ended_with_all_it_started(run, indexed, command, tmp_path):
    file = indexed.root / run("hook", "install", "claude-code", "--json").json["file"]
    settings = json.loads(file.read_text())
    for groups in settings["hooks"].values():
        groups[0]["hooks"][0]["timeout"] = 1
    file.write_text(json.dumps(settings))
    pids = tmp_path / "pids"
    command.write_text(f"#!/bin/sh\nsleep 600 &\necho $! >> {shlex.quote(str(pids))}\nwait\n")
    done = run("hook", "test", "claude-code", "--json")
    assert done.code == 1
    assert done.json["runs"][0]["exit_code"] is None
    assert any("the host's timeout" in what for what in told(done))
    alive = subprocess.run(
        ["ps", "-o", "stat=", "-p", ",".join(pids.read_text().split())],
        capture_output=True,
        text=True,
        check=False,
    )
    assert [state for state in alive.stdout.split() if not state.startswith("Z")] == []


def test_hooks_of_another_installation_are_noticed(run, indexed, command, other_command, monkeypatch):
    monkeypatch.setattr(sys, "argv", [str(other_command())])
    run("hook", "install", "claude-code")
    monkeypatch.setattr(sys, "argv", [str(command)])
    done = run("hook", "test", "claude-code", "--json")
    assert done.code == 0
    other_command().write_text("#!/bin/sh\necho prebrief 0.0.1\n")
    done = run("hook", "test", "claude-code", "--json")
    assert any("another installation (0.0.1" in what for what in told(done, "installed", "warning"))


def test_an_event_without_a_hook_is_noticed(run, indexed):
    file = indexed.root / run("hook", "install", "codex", "--json").json["file"]
    settings = json.loads(file.read_text())
    del settings["hooks"]["Stop"]
    file.write_text(json.dumps(settings))
    done = run("hook", "test", "codex", "--json")
    assert any("no hook for Stop" in what for what in told(done, "installed", "warning"))


def test_the_hooks_of_every_file_are_tried(run, indexed, command, other_command, monkeypatch):
    run("hook", "install", "codex", "--user")
    monkeypatch.setattr(sys, "argv", [str(other_command())])
    run("hook", "install", "codex")
    done = run("hook", "test", "codex", "--json")
    assert [one["event"] for one in done.json["runs"]] == ["UserPromptSubmit"] * 2 + ["Stop"] * 2


def test_a_project_that_is_the_home_has_its_hooks_in_one_file(run, indexed, monkeypatch):
    monkeypatch.setenv("HOME", str(indexed.root))
    run("hook", "install", "codex", "--user")
    done = run("hook", "test", "codex", "--json")
    assert done.code == 0
    assert told(done, "installed", "warning") == []


def test_without_a_command_of_its_own_it_tries_what_is_installed(run, indexed, tmp_path, monkeypatch):
    run("hook", "install", "gemini")
    monkeypatch.setattr(sys, "argv", ["-c"])
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert run("hook", "test", "gemini").code == 0


@pytest.fixture
def daemon(command, monkeypatch):
    """A daemon of this test's own, in a folder whose name is short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="pb") as folder:
        monkeypatch.setenv("PREBRIEF_RUNTIME", f"{folder}/run")
        monkeypatch.delenv("PREBRIEF_DAEMON")
        process = subprocess.Popen([command, "serve"], stderr=subprocess.DEVNULL)
        try:
            until = time.monotonic() + 60
            while subprocess.run([command, "serve", "--status"], capture_output=True, check=False).returncode:
                assert process.poll() is None
                assert time.monotonic() < until
                time.sleep(0.1)
            yield process
        finally:
            process.terminate()
            process.wait(60)


def test_the_process_answers_without_a_daemon(run, indexed):
    run("hook", "install", "codex")
    assert {one["by"] for one in run("hook", "test", "codex", "--json").json["runs"]} == {"process"}


def test_the_daemon_answers_where_there_is_one(run, indexed, daemon):
    run("hook", "install", "codex")
    done = run("hook", "test", "codex", "--json")
    assert (done.code, [one["by"] for one in done.json["runs"]]) == (0, ["daemon", "daemon"])
