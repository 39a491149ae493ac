"""``prebrief hook install`` and ``uninstall``: which file, what is written, and what is said."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

import pytest

from augmenter.app.installing.plans import PLANS
from augmenter.hosts.registry import NAMES

CLAUDE = ".claude/settings.json"
FILES = [
    ("claude-code", (), "project/.claude/settings.json"),
    ("claude-code", ("--local",), "project/.claude/settings.local.json"),
    ("claude-code", ("--user",), "home/.claude/settings.json"),
    ("codex", (), "project/.codex/hooks.json"),
    ("codex", ("--user",), "home/.codex/hooks.json"),
    ("gemini", (), "project/.gemini/settings.json"),
    ("gemini", ("--user",), "home/.gemini/settings.json"),
]
HOSTS = sorted(PLANS)


def handlers_in(path):
    hooks = json.loads(path.read_text())["hooks"]
    return [handler for groups in hooks.values() for group in groups for handler in group["hooks"]]


def test_every_host_has_a_plan_or_nothing_to_install():
    assert {*PLANS, "generic"} == set(NAMES)


@pytest.mark.parametrize(("host", "options", "file"), FILES, ids=str)
def test_each_scope_has_its_file(run, project, tmp_path, host, options, file):
    done = run("hook", "install", host, *options, "--json")
    assert (done.code, done.err) == (0, "")
    assert done.json["file"] == str(tmp_path / file)
    assert done.json["changed"] is True
    written = json.loads((tmp_path / file).read_text())
    assert list(written) == ["hooks"]
    assert list(written["hooks"]) == [event for event, _ in PLANS[host].events]
    gone = run("hook", "uninstall", host, *options)
    assert gone.code == 0
    assert not (tmp_path / file).exists()
    assert project.git("status", "--short") == ""


@pytest.mark.parametrize(
    ("host", "variable", "folder"),
    [
        ("claude-code", "CLAUDE_CONFIG_DIR", "x"),
        ("codex", "CODEX_HOME", "x"),
        ("gemini", "GEMINI_CLI_HOME", ""),
    ],
)
def test_a_variable_of_the_host_names_another_home(run, tmp_path, monkeypatch, host, variable, folder):
    monkeypatch.setenv(variable, str(tmp_path / "elsewhere" / folder))
    file = run("hook", "install", host, "--user", "--json").json["file"]
    assert file.startswith(str(tmp_path / "elsewhere"))


@pytest.mark.parametrize("host", HOSTS)
def test_the_command_line_is_that_of_this_installation(run, project, command, host):
    file = run("hook", "install", host, "--json").json["file"]
    lines = {handler["command"] for handler in handlers_in(project.root / file)}
    quoted = shlex.quote(str(command))
    assert lines == {f"[ ! -x {quoted} ] || {quoted} hook run {host} || exit 1"}


@pytest.mark.parametrize(("host", "timeout"), [("claude-code", 7), ("codex", 7), ("gemini", 7000)])
def test_the_timeout_is_in_the_hosts_unit_and_over_the_deadline(run, project, host, timeout):
    project.write("prebrief.toml", "[dispatch]\ndeadline_ms = 2500\n")
    file = run("hook", "install", host, "--json").json["file"]
    assert {handler["timeout"] for handler in handlers_in(project.root / file)} == {timeout}


def test_only_events_that_every_version_knows_unless_asked(run, project):
    """Claude Code passes over a settings file as a whole when it has an event that it does not know."""
    run("hook", "install", "claude-code")
    known = {"UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStop", "Stop", "SessionStart"}
    assert set(json.loads((project.root / CLAUDE).read_text())["hooks"]) == known
    run("hook", "install", "claude-code", "--all-events")
    more = set(json.loads((project.root / CLAUDE).read_text())["hooks"]) - known
    assert more == {"PostToolUseFailure", "StopFailure"}


def test_installing_twice_says_so(run, project):
    run("hook", "install", "claude-code")
    before = (project.root / CLAUDE).read_bytes()
    done = run("hook", "install", "claude-code")
    assert (done.code, done.text.splitlines()[0]) == (0, f"Nothing to do: {CLAUDE} has these hooks already.")
    assert (project.root / CLAUDE).read_bytes() == before


def test_other_settings_stay_and_come_back_as_they_were(run, project):
    text = '{\n    "permissions": {"allow": ["Bash(ls)"]}, // mine\n    "hooks": {"Stop": []},\n}\n'
    project.write(CLAUDE, text)
    run("hook", "install", "claude-code")
    assert "// mine" in (project.root / CLAUDE).read_text()
    run("hook", "uninstall", "claude-code")
    assert (project.root / CLAUDE).read_text() == text


def test_hooks_of_another_installation_are_replaced(run, project, command, other_command, monkeypatch):
    monkeypatch.setattr(sys, "argv", [str(other_command())])
    run("hook", "install", "claude-code")
    monkeypatch.setattr(sys, "argv", [str(command)])
    done = run("hook", "install", "claude-code", "--json")
    assert "-" in done.json["diff"]
    assert len(handlers_in(project.root / CLAUDE)) == len(PLANS["claude-code"].events)
    assert "old/prebrief" not in (project.root / CLAUDE).read_text()


def test_a_dry_run_shows_the_change_and_makes_none(run, project):
    project.write(CLAUDE, '{"model": "opus"}')
    done = run("hook", "install", "claude-code", "--dry-run")
    assert done.code == 0
    assert done.text.startswith(f"--- {project.root / CLAUDE}\n+++ {project.root / CLAUDE}\n@@")
    assert "\\ No newline at end of file" in done.text
    assert (project.root / CLAUDE).read_text() == '{"model": "opus"}'
    assert run("hook", "uninstall", "claude-code", "--dry-run").text == "Nothing would change.\n"


def test_a_file_that_cannot_be_edited_is_left_alone_and_named(run, project):
    project.write(CLAUDE, '{"hooks": [')
    done = run("hook", "install", "claude-code")
    assert done.code == 1
    assert done.err.startswith(f"prebrief: {project.root / CLAUDE}: line 1: this is not JSON.")
    assert (project.root / CLAUDE).read_text() == '{"hooks": ['


def test_codex_keeps_its_hooks_in_one_file(run, project):
    """It warns at each start when a folder has hooks in hooks.json and in config.toml."""
    text = (
        'model = "gpt-5"\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "/bin/audit"\n'
    )
    project.write(".codex/config.toml", text)
    done = run("hook", "install", "codex", "--json")
    assert done.json["file"].endswith("config.toml")
    assert not (project.root / ".codex/hooks.json").exists()
    assert run("hook", "install", "codex", "--json").json["changed"] is False
    run("hook", "uninstall", "codex")
    assert (project.root / ".codex/config.toml").read_text() == text


def test_hooks_of_codex_are_taken_out_of_both_files(run, project):
    run("hook", "install", "codex")
    other = (
        "\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = 'command'\ncommand = '/bin/prebrief hook run codex'\n"
    )
    project.write(".codex/config.toml", f"a = 1\n{other}")
    assert run("hook", "uninstall", "codex").code == 0
    assert (project.root / ".codex/config.toml").read_text() == "a = 1\n"
    assert not (project.root / ".codex/hooks.json").exists()


@pytest.mark.parametrize(("host", "options", "file"), FILES, ids=str)
def test_a_folder_that_was_there_and_empty_stays(run, project, tmp_path, host, options, file):
    folder = (tmp_path / file).parent
    folder.mkdir()
    run("hook", "install", host, *options)
    assert run("hook", "uninstall", host, *options).code == 0
    assert list(folder.iterdir()) == []


def test_a_scope_that_a_host_has_not_is_refused(run, project):
    done = run("hook", "install", "gemini", "--local")
    assert done.code == 1
    assert "has no settings of the scope 'local'" in done.err


def test_what_remains_to_be_done_is_said(run, indexed, home):
    assert "restart" in run("hook", "install", "claude-code").text
    assert "/hooks" in run("hook", "install", "codex", "--user").text
    assert "trust" in run("hook", "install", "gemini").text
    assert "Nothing is indexed" not in run("hook", "install", "gemini").text


def test_a_project_without_an_index_is_told(run, project):
    assert (
        "Nothing is indexed yet, so nothing is offered: prebrief index."
        in run("hook", "install", "claude-code").text
    )


def test_hooks_in_two_files_are_noticed(run, project, home):
    run("hook", "install", "codex", "--user")
    done = run("hook", "install", "codex")
    assert "~/.codex/hooks.json has hooks of Prebrief, too" in done.text
    assert "prebrief hook uninstall codex --user" in done.text
    assert "--user" in run("hook", "uninstall", "codex").text


@pytest.mark.parametrize(
    ("host", "file", "text", "key"),
    [
        ("claude-code", CLAUDE, '{"disableAllHooks": true}', "disableAllHooks"),
        ("gemini", ".gemini/settings.json", '{"hooksConfig": {"enabled": false}}', "hooksConfig.enabled"),
        ("gemini", ".gemini/settings.json", '{"hooksConfig": {"disabled": ["prebrief"]}}', "disabled"),
    ],
)
def test_a_switch_that_keeps_hooks_from_being_called_is_noticed(run, project, host, file, text, key):
    project.write(file, text)
    assert key in run("hook", "install", host).text


def test_the_generic_host_is_told_what_to_call(run, command):
    done = run("hook", "install", "generic")
    assert f"{shlex.quote(str(command))} hook run generic" in done.text
    assert run("hook", "install", "generic", "--json").json["command"].endswith("hook run generic")
    assert run("hook", "uninstall", "generic").code == 0


def test_an_installation_without_a_command_cannot_be_called(run, project, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "argv", ["-c"])
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    done = run("hook", "install", "claude-code")
    assert done.code == 1
    assert "there is no command 'prebrief'" in done.err


def test_unknown_host_is_wrong_usage(run):
    assert run("hook", "install", "nobody").code == 2


@pytest.mark.parametrize("host", HOSTS)
def test_a_missing_executable_is_passed_over_in_silence(run, project, command, host):
    file = run("hook", "install", host, "--json").json["file"]
    line = handlers_in(project.root / file)[0]["command"]
    command.unlink()
    done = subprocess.run(["/bin/sh", "-c", line], input=b"{}", capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("code", [1, 2, 127])
def test_no_exit_code_of_the_executable_refuses_a_prompt(run, project, command, code):
    """2 is what an older version ends with that does not know the host; hosts take it for a refusal."""
    run("hook", "install", "claude-code")
    line = handlers_in(project.root / CLAUDE)[0]["command"]
    command.write_text(f"#!/bin/sh\nexit {code}\n")
    assert subprocess.run(["/bin/sh", "-c", line], capture_output=True, check=False).returncode == 1


@pytest.mark.parametrize(
    ("host", "file", "text", "why"),
    [
        ("claude-code", CLAUDE, '{"model": "opus", // large\n}', "comments, or a comma"),
        ("claude-code", CLAUDE, '\ufeff{"model": "opus"}', ""),
        ("codex", ".codex/hooks.json", '\ufeff{"hooks": {}}', "a byte-order mark"),
        ("codex", ".codex/hooks.json", '{"hooks": {}} // none', "comments, or a comma"),
        ("gemini", ".gemini/settings.json", '{"ui": {}} // none', ""),
        ("gemini", ".gemini/settings.json", '{"ui": {"a": [1,]}}', "a comma behind"),
    ],
    ids=range(6),
)
def test_a_file_that_the_host_does_not_read_is_noticed(run, indexed, host, file, text, why):
    indexed.write(file, text)
    told = "does not read this file, for it has"
    assert (f"{told} {why}" in run("hook", "install", host).text) == bool(why)
    assert (f"{told} {why}" in run("doctor").text) == bool(why)


def test_equal_hooks_in_two_files_are_called_once_by_claude_code_alone(run, indexed, home):
    for host in HOSTS:
        run("hook", "install", host, "--user")
        twice = "has hooks of Prebrief, too" in run("hook", "install", host).text
        assert twice == ("told more than once" in run("hook", "test", host).text) == (host != "claude-code")


def test_an_interruption_is_not_to_take_longer_than_codex_allows(run, project):
    run("hook", "install", "codex", "--all-events")
    hooks = json.loads((project.root / ".codex/hooks.json").read_text())["hooks"]
    assert hooks["Interrupt"][0]["hooks"][0]["timeout"] == 3


def test_local_settings_that_git_would_add_are_noticed(run, indexed):
    remedy = "echo .claude/settings.local.json >> .git/info/exclude"
    assert remedy in run("hook", "install", "claude-code", "--local").text
    indexed.write(".git/info/exclude", ".claude/settings.local.json\n")
    assert remedy not in run("hook", "install", "claude-code", "--local").text
    assert remedy not in run("hook", "install", "claude-code").text
