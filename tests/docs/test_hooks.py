"""The examples of docs/hooks.md, run as they stand in a repository of their own."""

from __future__ import annotations

import json
import os
import re
import tomllib
from pathlib import Path

import pytest
from document import Document, run_example
from git_repository import GitRepository
from prebrief_command import write_command

from augmenter.app.installing.plans import PLANS
from augmenter.hosts.registry import NAMES, host
from knowledge.settings_file import parse_settings

DOCUMENT = Document.read("docs/hooks.md")
STREAM = '''"""Server-sent events."""


def read_events(stream, timeout: float):
    """Yield SSE events until the server closes or the streaming timeout passes."""
    yield from stream
'''


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    repository = GitRepository(tmp_path / "project")
    repository.commit("Begin", **{"src/stream.py": STREAM})
    return repository.root


@pytest.fixture
def shell(tmp_path: Path, repository: Path):
    """Runs a line in the repository, where `prebrief` is on the path."""
    command = write_command(tmp_path / "bin" / "prebrief")
    environment = {
        **os.environ,
        "PATH": f"{command.parent}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "SHELL": "/bin/sh",
    }

    return lambda line: run_example(line, repository, environment)


def test_the_console_examples_run_in_order(shell, repository):
    lines = [line.removeprefix("$ ") for block in DOCUMENT.blocks("console") for line in block.splitlines()]
    for line in lines:
        said = shell(line)
    assert len(lines) == 5
    assert json.loads(said)["offered"]
    assert list((repository / ".claude").iterdir()) == []


def test_the_file_that_is_written_is_the_one_that_is_shown(shell, repository):
    shell("prebrief hook install claude-code")
    shown = json.loads(DOCUMENT.blocks("json")[0])
    written = json.loads((repository / ".claude" / "settings.json").read_text())
    (group,) = shown["hooks"]["UserPromptSubmit"]
    (handler,) = group["hooks"]
    for event, groups in shown["hooks"].items():
        text = json.dumps(written["hooks"][event])
        path = handler["command"].split()[3]
        installed = written["hooks"][event][0]["hooks"][0]["command"].split()[3]
        assert json.loads(text.replace(installed, path)) == groups


def test_the_role_that_opts_out_is_a_valid_setting():
    assert parse_settings(tomllib.loads(DOCUMENT.blocks("toml")[0]), "docs/hooks.md")


def test_every_host_is_named():
    assert {row[0].strip("`") for row in DOCUMENT.rows("# Hooks")} == set(NAMES)


def test_every_event_is_named():
    section = DOCUMENT.text.partition("## What each event does")[2].partition("\n## ")[0]
    for plan in PLANS.values():
        for event, _ in (*plan.events, *plan.newer):
            assert f"`{event}`" in section


def test_the_caps_are_those_of_the_hosts():
    (first, *_) = DOCUMENT.rows("## How much is injected")
    numbers = {int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", first[2])}
    for plan in PLANS.values():
        cap = host(plan.host).cap
        assert {cap.bytes, cap.tokens} == numbers
