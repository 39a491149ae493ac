"""The examples of docs/http.md, run against a real daemon; its tables, held to the code."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from document import Document, run_example
from git_repository import GitRepository
from prebrief_command import write_command
from python_process import REPOSITORY

from augmenter.app.daemon.tally import Figures
from augmenter.app.daemon.workroom import Stats
from augmenter.app.http import bodies, connections
from augmenter.app.http.guards import MOST_HEAD
from augmenter.app.http.metrics import Metrics
from augmenter.app.http.models import AugmentQuestion, FiltersAsked, OutcomeQuestion
from augmenter.app.http.operations import OPERATIONS

DOCUMENT = Document.read("docs/http.md")
PORT = "8787"
PATIENCE = 60.0  # seconds, on a loaded machine
MIB, KIB = 1024 * 1024, 1024
STREAM = '''"""Server-sent events."""


def read_events(stream, timeout: float):
    """Yield SSE events until the server closes or the streaming timeout passes."""
    yield from stream
'''
# What the examples use of curl, where there is none.
CURL = """\
import sys, urllib.error, urllib.parse, urllib.request
words, headers, data, url, is_query = sys.argv[1:], {}, [], "", False
while words:
    word = words.pop(0)
    if word == "-H":
        told = words.pop(0)
        for line in sys.stdin.read().splitlines() if told == "@-" else [told]:
            name, _, value = line.partition(": ")
            headers[name] = value
    elif word == "-d":
        data.append(words.pop(0))
    elif word == "-G":
        is_query = True
    elif word != "-sS":
        url = word
text = "&".join(data)
request = urllib.request.Request(
    f"{url}?{text}" if is_query else url, None if is_query or not data else text.encode(), headers
)
try:
    answer = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    answer = error
sys.stdout.buffer.write(answer.read())
"""


def named(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


@pytest.fixture
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Of a shell in which `prebrief` is on the path, with a daemon's folder of its own."""
    folder = tmp_path_factory.mktemp("h")
    command = write_command(folder / "bin" / "prebrief")
    return {
        **os.environ,
        "PATH": f"{command.parent}:{os.environ['PATH']}",
        "HOME": str(folder),
        "PREBRIEF_RUNTIME": str(folder / "run"),
    }


@pytest.fixture
def repository(tmp_path: Path, environment) -> Path:
    repository = GitRepository(tmp_path / "project")
    repository.commit("Begin", **{"src/stream.py": STREAM})
    subprocess.run(
        ["prebrief", "index"], cwd=repository.root, env=environment, check=True, capture_output=True
    )
    return repository.root


@contextmanager
def daemon(environment, *words: str):
    """A daemon, told as the document tells it; once it serves."""
    process = subprocess.Popen(
        ["prebrief", *words, "--no-watch"], env=environment, stderr=subprocess.PIPE, text=True
    )
    try:
        said = next((line for line in process.stderr if "serving HTTP" in line), "")
        assert said
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


@pytest.mark.parametrize("client", ["curl", "stand-in"] if shutil.which("curl") else ["stand-in"])
def test_the_examples_run(client, repository, environment, tmp_path):
    if client == "stand-in":
        (tmp_path / "curl.py").write_text(CURL, encoding="utf-8")
        curl = Path(environment["PATH"].partition(":")[0], "curl")
        curl.write_text(f'#!/bin/sh\nexec {sys.executable} {tmp_path / "curl.py"} "$@"\n', encoding="utf-8")
        curl.chmod(0o755)
    port = free_port()
    start = DOCUMENT.blocks("console")[0].splitlines()[1].removeprefix("$ prebrief ").replace(PORT, port)
    setup, *examples = (block.replace(PORT, port) for block in DOCUMENT.blocks("sh"))
    with daemon(environment, *start.split()):
        brief = run_example(f"{setup}{examples[0]}", repository, environment)
        dispatch_id = json.loads(brief)["dispatch_id"]
        lines = [line for block in examples[1:] for line in re.split(r"\n(?=ask|curl)", block.strip())]
        script = "\nprintf '\\n--\\n'\n".join(lines)
        outcome, listed, shown, health, metrics, described = run_example(
            f"{setup}id={dispatch_id}\n{script}", repository, environment
        ).split("\n--\n")
    assert "read_events" in json.loads(brief)["prompt"]
    assert json.loads(outcome)["recorded"]
    assert json.loads(listed)["receipts"][0]["dispatch_id"] == dispatch_id
    assert json.loads(shown)["linked"][0]["status"] == "success"
    assert json.loads(health)["status"] == "ok"
    assert "prebrief_http_dispatches_total{" in metrics
    assert json.loads(described)["openapi"].startswith("3.1")


def test_every_operation_is_told():
    told = [(*named(method), *named(path)) for method, path, _ in DOCUMENT.rows("## Operations")]
    assert told == [(operation.method, operation.path) for operation in OPERATIONS]


def test_every_field_is_told():
    fields = [
        named(sentence)
        for sentence in re.findall(
            r"(?:The fields|Those) of (?:`/v1/augment`|an outcome) are (.*?)[;.] ?", DOCUMENT.text
        )
    ]
    assert set(fields[0]) == {*AugmentQuestion.model_fields, *FiltersAsked.model_fields}
    assert set(fields[1]) == set(OutcomeQuestion.model_fields)


def test_every_status_is_told():
    told = {int(status) for status, _ in DOCUMENT.rows("## Refusals")}
    assert told == {status for operation in OPERATIONS for status in operation.statuses} | {431}


def test_every_metric_is_told():
    stats = Stats((), 0, 0, 0.0, Figures(0, {}, 0.0, 0.0, 0.0))
    text = Metrics(lambda: stats, tuple).text()
    told = {name for cell, _ in DOCUMENT.rows("## Metrics") for name in named(cell)}
    assert told == set(re.findall(r"^# TYPE (\S+)", text, re.M))


def test_the_bounds_are_told_as_they_are():
    told = dict(DOCUMENT.rows("## Bounds"))
    assert told["a body"] == f"{bodies.MOST_BODY // MIB} MiB, within {bodies.BODY_SECONDS:g} seconds"
    assert told["all bodies at once"] == f"{bodies.MOST_HELD // MIB} MiB"
    assert told["requests at once"] == str(bodies.MOST_REQUESTS)
    assert told["connections"] == str(connections.MOST_CONNECTIONS)
    assert told["a connection between two requests"] == f"{connections.IDLE_SECONDS} seconds"
    assert (
        told["the head of a request"]
        == f"{MOST_HEAD // KIB} KiB, within {connections.HEAD_SECONDS:g} seconds"
    )


def test_what_it_says_when_it_does_not_start_is_what_it_says():
    folders = (REPOSITORY / "augmenter" / "app" / name for name in ("http", "commands"))
    code = "".join(path.read_text(encoding="utf-8") for folder in folders for path in folder.glob("*.py"))
    said = [
        named(cell)[0].partition(" …")[0].partition(":")[0]
        for cell, _ in DOCUMENT.rows("## When it does not start")
    ]
    assert [text for text in said if text not in code] == []
