"""What callers build on: keys, options, exit codes, and that the documents tell them all."""

from __future__ import annotations

import argparse
import re
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import pytest

from augmenter.app.cli import COMMANDS, main, prebrief
from augmenter.app.reference import reference
from augmenter.hosts.generic import Task
from receipts.ledger import Ledger

ROOT = Path(__file__).parents[3]
TASK = "Fix the timeout in `EventStream.close`: it leaks the socket"
ITEM = [
    *("id", "kind", "name", "path", "start", "end", "pattern_hash", "content_hash", "rank", "score"),
    *("factors", "channels", "why", "tokens"),
]


def parsers():
    """Every command and action that can be run, by its words."""
    found = {}
    for name in COMMANDS:
        module = import_module(f"augmenter.app.commands.{name}")
        _collect(_actions(prebrief().parser(name, module))[name], found)
    return found


def _collect(parser, found):
    inner = _actions(parser)
    for choice in inner.values():
        _collect(choice, found)
    if not inner:
        found[parser.prog] = parser


def _actions(parser):
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return action.choices
    return {}


PARSERS = parsers()
ANSWER_DATA = {
    *("index", "augment", "explain", "replay", "outcome", "learn", "tune", "serve", "doctor", "gc"),
    *("receipts list", "receipts show", "receipts verify"),
    *("hook install", "hook uninstall", "hook test"),
}
each_command = pytest.mark.parametrize("words", PARSERS)


@each_command
def test_every_command_takes_a_root(words):
    assert "--root" in PARSERS[words].format_help()


@each_command
def test_commands_that_answer_data_answer_it_as_json(words):
    assert ("--json" in PARSERS[words].format_help()) == (words.removeprefix("prebrief ") in ANSWER_DATA)


@each_command
def test_help_is_help(run, words):
    done = run(*words.split()[1:], "--help")
    assert done.code == 0
    assert done.text.startswith(f"usage: {words} ")
    assert done.err == ""


def test_document_of_augment(project, run):
    document = run("augment", TASK, "--json", root=project.root).json
    assert list(document) == [
        *("schema_version", "dispatch_id", "prompt", "context", "offered", "rules", "below_threshold"),
        *("abstained", "coverage", "tokens", "degraded", "index", "timings_ms"),
    ]
    assert document["schema_version"] == 1
    assert document["offered"]
    assert document["rules"]
    assert all(list(item) == ITEM for item in document["offered"])
    assert all(list(item) == [*ITEM, "statement", "evidence_count"] for item in document["rules"])
    for item in (*document["offered"], *document["rules"]):
        assert all(list(factor) == ["value", "weight", "contribution"] for factor in item["factors"].values())
        assert item["factors"]
        assert all(isinstance(rank, int) for rank in item["channels"].values())
        assert re.fullmatch(r"blake2b:[0-9a-f]{32}", item["pattern_hash"])
    assert [item["rank"] for item in document["offered"]] == list(range(1, len(document["offered"]) + 1))
    assert list(document["index"]) == ["fingerprint", "stale"]
    assert document["degraded"] is None


def test_contributions_add_up_to_the_score(project, run):
    document = run("augment", TASK, "--json", root=project.root).json
    for item in document["offered"]:
        total = sum(factor["contribution"] for factor in item["factors"].values())
        assert total == pytest.approx(item["score"], abs=1e-5)
        for factor in item["factors"].values():
            assert factor["value"] * factor["weight"] == pytest.approx(factor["contribution"], abs=1e-5)


def test_no_number_is_minus_zero(project, run):
    assert not re.search(r"-0\.0+\b", run("augment", TASK, "--json", root=project.root).text)


def test_document_of_index(project, run):
    document = run("index", "--json", root=project.root).json
    assert list(document) == [
        *("schema_version", "fingerprint", "files", "units", "languages", "kinds", "skipped"),
        *("events", "history", "changed", "removed", "unchanged", "problems", "seconds"),
    ]
    assert document["languages"] == {"markdown": 2, "python": 4}
    assert document["files"] == 6
    assert document["units"] == document["kinds"]["unit"] == 7
    assert (
        document["fingerprint"]
        == run("augment", TASK, "--json", root=project.root).json["index"]["fingerprint"]
    )


def test_index_counts_by_skip_reason(project, run):
    project.write("logo.png", b"\x89PNG\r\n\x1a\n\0\0\0")
    project.write("src/broken.py", b"\xff\xfe\0\0\0binary")
    skipped = run("index", "--json", root=project.root).json["skipped"]
    assert sum(skipped.values()) == 2


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        (("explain", "last"), ["receipt", "ladder"]),
        (
            ("replay", "last"),
            ["dispatch_id", "possible", "differences", "moved", "prompt_compared", "identical"],
        ),
        (
            ("outcome", "last", "--status", "success"),
            ["dispatch_id", "status", "recorded", "replaced", "looked", "used"],
        ),
        (("receipts", "list"), ["receipts"]),
        (("receipts", "show", "last"), ["receipt", "linked"]),
        (
            ("receipts", "verify"),
            ["segments", "lines", "receipts", "newer", "torn", "problems", "ok"],
        ),
        (
            ("learn",),
            [
                *("policy", "ledger_head", "dispatches", "outcomes", "items", "lessons"),
                *("raised", "lowered"),
                *("damaged", "newer", "seconds"),
            ],
        ),
    ],
    ids=lambda value: " ".join(value[:2]),
)
def test_other_documents_and_their_description(project, run, words, keys):
    run("augment", TASK, root=project.root)
    document = run(*words, "--json", root=project.root).json
    assert list(document) == ["schema_version", *keys]
    assert document["schema_version"] == 1
    told = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8").partition("## What the answers hold")[2]
    assert [key for key in keys if f"`{key}`" not in told] == []


def test_options_change_the_brief(project, run):
    def brief(*words, task=TASK):
        return run("augment", task, "--json", *words, root=project.root).json

    assert len(brief("--patterns", "1")["offered"]) == 1
    assert brief("--patterns", "0")["offered"] == []
    assert brief("--rules", "0")["rules"] == []
    assert brief("--budget", "60")["tokens"] <= 60
    assert brief("--budget", "0")["prompt"] == TASK
    assert {item["path"] for item in brief("--path", "src/*")["offered"]} <= {
        "src/stream.py",
        "src/backoff.py",
    }
    classes = brief("--kind", "class", task="Split `EventStream`")["offered"]
    assert [item["name"] for item in classes] == ["EventStream"]
    assert brief("--language", "cobol")["offered"] == []
    tests = brief("--source", "test", task="`test_close_cancels_the_reconnect_timer` is flaky")["offered"]
    assert {item["path"] for item in tests} == {"tests/test_stream.py"}
    assert brief("--no-record")["dispatch_id"] == ""


def test_task_may_come_in_a_file_or_on_standard_input(project, run, tmp_path):
    (tmp_path / "task.md").write_text(TASK)
    direct = run("augment", TASK, root=project.root).out
    assert run("augment", "--file", tmp_path / "task.md", root=project.root).out == direct
    assert run("augment", "-", root=project.root, stdin=TASK.encode()).out == direct
    assert run("augment", root=project.root, stdin=TASK.encode()).out == direct
    assert run("augment", "--root", project.root, "--", "--close").out.endswith(b"--close")
    assert run("augment", TASK, "--file", tmp_path / "task.md", root=project.root).code == 2


def test_receipt_holds_what_was_asked_and_offered(project, run):
    words = ("--session", "s", "--agent", "a", "--role", "r", "--preamble", "Go.", "--budget", "300")
    document = run("augment", TASK, "--json", *words, root=project.root).json
    receipt = Ledger(project.state / "receipts", None).find(document["dispatch_id"]).receipt
    assert (receipt.session, receipt.agent, receipt.role, receipt.host) == ("s", "a", "r", "cli")
    assert (receipt.options.preamble, receipt.options.budget) == ("Go.", 300)
    assert receipt.task == TASK
    assert [item.pattern_hash for item in receipt.offered] == [i["pattern_hash"] for i in document["offered"]]
    assert receipt.project == "project"
    assert str(project.root) not in (project.state / "receipts" / "000001.ndjson").read_text()


def test_reference_is_what_the_parsers_say():
    written = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert written == reference(), "run: python -m augmenter.app.reference > docs/cli.md"


@each_command
def test_reference_names_every_command_and_option(words):
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    section = text.partition(f"## `{words}")[2].partition("\n## ")[0] + text.partition("\n## ")[0]
    for action in PARSERS[words]._actions:
        for option in action.option_strings:
            assert option in ("-h", "--help") or f"`{option}" in section, option


def test_hooks_document_names_every_key_and_reason():
    text = (ROOT / "docs" / "hooks.md").read_text(encoding="utf-8")
    assert [item.name for item in fields(Task) if f"`{item.name}`" not in text] == []
    for reason in ("catalog-missing", "settings-error", "deadline-exceeded", "internal-error"):
        assert f"`{reason}`" in text


def test_version(run):
    done = run("--version")
    assert done.code == 0
    assert re.fullmatch(r"prebrief \d+\.\d+\.\d+\n", done.text)


def test_main_takes_words(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    text = capsys.readouterr().out
    assert [name for name in COMMANDS if name not in text] == []
