"""Whether a client hands a brief on is told by what its model was asked."""

import pytest

from evals.clients.__main__ import main
from evals.clients.endpoint import Question
from evals.clients.trying import delivered, receipt_of
from evals.clients.turns import Say

CONTEXT = "## Context\n- `a` <b>"


def asked(*said, is_agent=True):
    return Question("/v1/messages", {}, said, is_agent, Say("ok"))


@pytest.mark.parametrize(
    ("said", "how"),
    [
        (("task", CONTEXT), ("yes", len(CONTEXT))),
        ((f"{CONTEXT}\n\ntask",), ("yes", len(CONTEXT))),
        (("task", "<hook>## Context\n- `a` &lt;b&gt;</hook>"), ("escaped", len(CONTEXT))),
        (("task", CONTEXT[:-1]), ("no", 0)),
        (("task",), ("no", 0)),
        ((CONTEXT,), ("no", 0)),
    ],
)
def test_a_context_block_is_delivered_when_the_model_was_asked_with_it(said, how):
    assert delivered("task", CONTEXT, [asked("other"), asked(*said)]) == how


def test_the_first_question_with_the_task_counts():
    questions = [asked("task", CONTEXT, is_agent=False), asked("task"), asked("task", CONTEXT)]
    assert delivered("task", CONTEXT, questions) == ("no", 0)


def test_without_a_context_block_nothing_is_delivered():
    assert delivered("task", "", [asked("task")]) == ("no", 0)


def test_a_receipt_tells_how_far_a_dispatch_came():
    linked = [{"type": "delivery", "rung": "delivered"}, {"type": "outcome"}]
    receipts = [{"receipt": {"task": "other"}, "linked": []}, {"receipt": {"task": "task"}, "linked": linked}]
    assert receipt_of("task", receipts) == "offered, delivered, outcome"
    assert receipt_of("other", receipts) == "offered"
    assert receipt_of("none", receipts) == "none"


@pytest.mark.slow
def test_this_tree_s_hook_briefs_the_client_that_stands_in(tmp_path, stand_in, capsys):
    assert main(["try", "--host", "claude-code", "--client", str(stand_in), "--work", str(tmp_path)]) == 0
    rows = [line.split()[:4] for line in capsys.readouterr().out.splitlines()]
    assert rows == [
        ["host", "version", "event", "delivered"],
        ["claude-code", "9.9.9", "prompt", "yes"],
        ["claude-code", "9.9.9", "sub-agent", "yes"],
    ]


def test_a_hook_that_is_no_prebrief_is_told(tmp_path, stand_in, capsys):
    other = tmp_path / "prebrief"
    other.write_text("#!/bin/sh\necho nothing\n")
    other.chmod(0o755)
    words = ["try", "--host", "claude-code", "--client", str(stand_in), "--work", str(tmp_path)]
    assert main([*words, "--prebrief", str(other)]) == 1
    assert "'prebrief index' failed: no JSON" in capsys.readouterr().err


def test_a_client_that_asks_no_model_is_told(tmp_path, capsys):
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\necho 1.0\necho why >&2\n")
    silent.chmod(0o755)
    assert main(["try", "--host", "claude-code", "--client", str(silent), "--work", str(tmp_path)]) == 1
    assert "ended with 0 after 0 questions to the model: why" in capsys.readouterr().err


def test_a_brief_that_does_not_arrive_is_a_failure(tmp_path, stand_in, capsys):
    deaf = stand_in.read_text().replace('fields.get("tool_name"', 'fields.get("tool_named"')
    stand_in.write_text(deaf)
    words = ["try", "--host", "claude-code", "--client", str(stand_in), "--work", str(tmp_path)]
    assert main(words) == 1
    printed = capsys.readouterr()
    assert [line.split()[3] for line in printed.out.splitlines()[1:]] == ["yes", "no"]
    assert "no brief reached the model: sub-agent" in printed.err
