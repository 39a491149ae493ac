"""``prebrief doctor`` on hooks: are they installed, can they be called, are they called, and in time."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import pytest

from augmenter.app.hook_checks import LOOKED_AT, QUIET_COMMITS
from knowledge.clock import Clock, format_time
from knowledge.project import locate
from receipts.ledger import Ledger
from receipts.records import DegradedRecord, Receipt


@pytest.fixture
def diagnose(run):
    """The findings of the checks of hooks."""

    def diagnose():
        found = run("doctor", "--json").json["findings"]
        return [item for item in found if item["check"] in ("hooks", "deadline")]

    return diagnose


@pytest.fixture
def dispatched(indexed):
    """Writes receipts as a host's dispatches leave them."""

    def dispatched(host, count=1, *, ago=0.0, late=0, session="s", ms=20.0):
        clock = Clock()
        ledger = Ledger(locate(indexed.root).receipts, clock)
        receipt = Receipt(
            dispatch_id=clock.dispatch_id(),
            time=format_time(clock.now() - ago),
            project="project",
            task_hash="blake2b:0",
            host=host,
            session=session,
            timings_ms={"find": ms, "pack": ms},
        )
        for number in range(count):
            degraded = DegradedRecord(reason="deadline-exceeded", remedy="") if number < late else None
            ledger.append(replace(receipt, dispatch_id=clock.dispatch_id(), degraded=degraded))

    return dispatched


def whats(findings, level):
    return [item["what"] for item in findings if item["level"] == level]


def test_a_project_that_no_host_works_in_is_well(indexed, diagnose):
    assert [item["level"] for item in diagnose()] == ["ok", "ok"]


def test_hooks_that_were_never_called_are_noted(run, indexed, diagnose):
    run("hook", "install", "claude-code")
    found = diagnose()
    assert whats(found, "note") == ["claude-code: has not called yet in this project"]
    assert any("6 hooks of this version in .claude/settings.json" in what for what in whats(found, "ok"))


def test_the_last_call_is_told(run, dispatched, diagnose):
    run("hook", "install", "gemini", "--user")
    dispatched("gemini", ago=3 * 3600 + 5)
    dispatched("cli")
    assert "gemini: called last 3 hours ago; 1 of the last 2 dispatches" in whats(diagnose(), "ok")


def test_trials_are_no_calls(run, indexed, diagnose):
    run("hook", "install", "claude-code")
    run("hook", "test", "claude-code")
    assert whats(diagnose(), "note") == ["claude-code: has not called yet in this project"]


def test_commits_without_a_call_since_are_noticed(run, indexed, dispatched, diagnose):
    run("hook", "install", "claude-code")
    now = int(Clock().now())
    dispatched("claude-code", ago=7200)
    for _ in range(QUIET_COMMITS - 1):
        indexed.commit("work", time=now)
    assert whats(diagnose(), "warning") == []
    indexed.commit("more work", time=now)
    assert whats(diagnose(), "warning") == [
        f"{QUIET_COMMITS} commits since a host called last: does it still?"
    ]


def test_an_executable_that_does_not_exist_is_a_problem(run, indexed, command, other_command, monkeypatch):
    old = other_command()
    monkeypatch.setattr(sys, "argv", [str(old)])
    run("hook", "install", "claude-code", "--user")
    monkeypatch.setattr(sys, "argv", [str(command)])
    old.unlink()
    done = run("doctor", "--json")
    (problem,) = [item for item in done.json["findings"] if item["level"] == "problem"]
    assert done.code == 1
    assert f"{old} does not exist" in problem["what"]
    assert problem["remedy"].startswith("prebrief hook install claude-code --user")


def test_settings_of_others_are_nobodys_business(indexed, diagnose):
    indexed.write(".gemini/settings.json", "{ broken")
    indexed.write(".claude/settings.json", '{"hooks": {"Stop": "what is this"}}')
    assert [item["level"] for item in diagnose()] == ["ok", "ok"]


def test_settings_that_name_us_and_cannot_be_read_are_noticed(indexed, diagnose):
    indexed.write(".claude/settings.json", '{"hooks": {"Stop": [{"command": "prebrief hook run')
    assert "this is not JSON" in whats(diagnose(), "warning")[0]


def test_late_dispatches_are_counted(dispatched, diagnose):
    dispatched("claude-code", 19, ms=10.0)
    dispatched("claude-code", 1, ms=400.0)
    assert diagnose()[-1]["what"] == "of the last 20 tasks none was late; 95 of 100 took 20 ms or less"
    dispatched("claude-code", 20, late=3)
    found = diagnose()[-1]
    assert found["level"] == "warning"
    assert found["what"].startswith("of the last 40 tasks 3 went")
    assert found["remedy"].startswith("prebrief serve")


def test_only_the_last_dispatches_count(dispatched, diagnose):
    dispatched("claude-code", 50, late=50)
    dispatched("claude-code", LOOKED_AT)
    assert diagnose()[-1]["level"] == "ok"


def test_a_ledger_that_is_damaged_is_no_further_finding(indexed, dispatched, diagnose, run):
    run("hook", "install", "claude-code")
    folder = locate(indexed.root).receipts
    folder.mkdir()
    (folder / "000001.ndjson").write_bytes(json.dumps({"type": "receipt"}).encode() + b"\n")
    assert whats(diagnose(), "problem") == []
