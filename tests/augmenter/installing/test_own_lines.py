"""Lines that a user has written, and that call Prebrief: they stay, and are named."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augmenter.app.installing.hooks import (
    command_line,
    executable_of,
    is_call_by_others,
    is_command_of,
)

CLAUDE = ".claude/settings.json"
PIECES = ["'", '"', "\\", " ", ";", "|", "$(", "`", "#", "\n", "-", "=", "x", "prebrief hook run codex"]
OWN = (
    "PREBRIEF_DAEMON=off prebrief hook run claude-code --root /elsewhere"
    " | tee -a ~/hook.log && my-own-notifier"
)
OURS = [
    command_line("/opt/tools/bin/prebrief", "codex"),
    command_line("/opt/it's mine/pre brief", "codex"),
    "prebrief hook run codex",
    "~/bin/prebrief hook run codex",
    "'/opt/own tools/prebrief' hook run codex --root /elsewhere",
    "/bin/prebrief hook run codex --root=/elsewhere",
]
OTHERS = [
    OWN.replace("claude-code", "codex"),
    "PREBRIEF_DAEMON=off prebrief hook run codex",
    "X=/bin/prebrief hook run codex",
    "prebrief hook run codex; notify",
    "prebrief hook run codex&",
    "prebrief hook run codex\nnotify",
    "prebrief hook run codex # mine",
    "prebrief hook run codex >> ~/log",
    "prebrief hook run codex --root /elsewhere|tee",
    'prebrief hook run codex --root "$(where-i-work)"',
    "prebrief hook run codex --root `where-i-work`",
    "sh -c 'prebrief hook run codex'",
    command_line("/bin/prebrief", "codex") + "; notify",
    command_line("/bin/prebrief", "codex").replace("|| exit 1", "|| true"),
    command_line("/bin/prebrief", "codex").replace("-x /bin", "-x /usr/bin"),
    "prebrief hook run codex --root 'unclosed",
]


def settings(*commands, event="Stop"):
    handlers = [{"type": "command", "command": command} for command in commands]
    return json.dumps({"hooks": {event: [{"hooks": handlers}]}})


@pytest.mark.parametrize("line", OURS)
def test_a_line_as_we_write_it_or_nothing_but_the_call_is_ours(line):
    assert is_command_of("codex")(line)
    assert not is_command_of("gemini")(line)
    assert executable_of(line)


@pytest.mark.parametrize("line", OTHERS)
def test_a_line_with_anything_else_in_it_is_its_writers(line):
    assert not is_command_of("codex")(line)
    assert executable_of(line) == ""


@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
def test_whatever_is_added_to_our_line_makes_it_anothers(added):
    line = command_line("/bin/prebrief", "codex")
    assert is_command_of("codex")(line + added) == (added == "")
    assert is_command_of("codex")(added + line) == (added == "")
    assert is_call_by_others("codex")(line + added) == (added != "")


@pytest.mark.parametrize("line", OTHERS)
def test_it_survives_install_and_uninstall(run, project, line):
    text = settings(line)
    project.write(".codex/hooks.json", text)
    done = run("hook", "install", "codex", "--json")
    written = json.loads((project.root / ".codex/hooks.json").read_text())
    assert written["hooks"]["Stop"][0] == {"hooks": [{"type": "command", "command": line}]}
    assert any("calls Prebrief" in note and "Stop is told twice" in note for note in done.json["notes"])
    gone = run("hook", "uninstall", "codex", "--json")
    assert (project.root / ".codex/hooks.json").read_text() == text
    assert any("calls Prebrief" in note and "told twice" not in note for note in gone.json["notes"])


def test_a_line_in_another_file_is_named_too(run, project, home):
    (home / ".claude").mkdir()
    (home / CLAUDE).write_text(settings(OWN, "my-own-notifier"))
    for options in (("--dry-run",), ()):
        (note,) = (
            note
            for note in run("hook", "install", "claude-code", "--json", *options).json["notes"]
            if "is told twice" in note
        )
        assert note.startswith(
            "~/.claude/settings.json has a line that is not of our form and calls Prebrief"
        )
        assert note.endswith("so Stop is told twice")


def test_a_line_on_an_event_that_we_do_not_use_is_told_once(run, project):
    project.write(CLAUDE, settings(OWN, event="Notification"))
    (note,) = (
        note for note in run("hook", "install", "claude-code", "--json").json["notes"] if "line" in note
    )
    assert "on Notification" in note
    assert "twice" not in note


def test_the_doctor_and_the_trial_name_it_and_do_not_run_it(run, indexed, tmp_path):
    log = tmp_path / "ran"
    indexed.write(CLAUDE, settings(f"touch {log}; prebrief hook run claude-code", event="UserPromptSubmit"))
    run("hook", "install", "claude-code")
    told = "calls Prebrief as well, on UserPromptSubmit"
    assert told in run("doctor").text
    done = run("hook", "test", "claude-code")
    assert done.code == 0
    assert told in done.text
    assert not log.exists()


def test_a_line_alone_is_no_installed_hook(run, indexed):
    indexed.write(CLAUDE, settings(OWN))
    done = run("hook", "test", "claude-code")
    assert done.code == 1
    assert "calls Prebrief as well, on Stop" in done.text
    assert "→ prebrief hook install claude-code" in done.text
    assert "calls Prebrief as well, on Stop" in run("doctor").text
    assert "hook uninstall" not in run("hook", "uninstall", "claude-code", "--user").text
