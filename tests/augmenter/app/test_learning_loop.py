"""The loop: a brief, its outcome on real commits, what was learned, and the next brief that knows it."""

from __future__ import annotations

import shutil

import pytest

TASK = "Fix the timeout in `EventStream.close`: it leaks the socket"
RANGE = ("--base", "HEAD~1", "--head", "HEAD")


@pytest.fixture
def loop(project, run):
    """Commands on the sample project."""

    def command(*words, **options):
        done = run(*words, root=project.root, **options)
        assert done.code == 0, done.err
        return done

    return command


def briefed(loop):
    return loop("augment", TASK, "--json").json


def confidence(document):
    return {item["name"]: item["factors"]["confidence"]["value"] for item in document["offered"]}


def work(project, old="self.timer.cancel()", new="self.timer.cancel(wait=True)"):
    """The agent's commit."""
    source = (project.root / "src/stream.py").read_text()
    assert old in source
    return project.commit("Work", **{"src/stream.py": source.replace(old, new)})


def test_use_in_a_success_raises_confidence(project, loop):
    first = briefed(loop)
    assert set(confidence(first).values()) == {0.5}
    work(project)
    done = loop("outcome", first["dispatch_id"], "--status", "success", *RANGE, "--json")
    used = {item["id"] for item in done.json["used"]}
    assert "symbol:src/stream.py::EventStream.close" in used
    report = loop("learn", "--json").json
    assert report["outcomes"] == {"success": 1}
    assert report["raised"] == len(used)
    after = confidence(briefed(loop))
    assert after["EventStream.close"] == pytest.approx(0.55)
    unused = [item["name"] for item in first["offered"] if item["id"] not in used]
    assert unused
    assert all(after[name] == pytest.approx(0.475) for name in unused if name in after)


def test_use_in_a_failure_lowers_confidence(project, loop):
    first = briefed(loop)
    work(project)
    loop(
        "outcome",
        "last",
        "--status",
        "failure",
        "--base",
        "HEAD~1",
        "--head",
        "HEAD",
        "--error",
        "tests fail",
    )
    loop("learn")
    assert confidence(briefed(loop))["EventStream.close"] == pytest.approx(0.4)
    assert first["offered"]


@pytest.mark.parametrize("status", ["infra", "cancelled"])
def test_what_says_nothing_of_the_brief_teaches_nothing(project, loop, status):
    briefed(loop)
    work(project)
    loop("outcome", "last", "--status", status, *RANGE)
    report = loop("learn", "--json").json
    assert (report["raised"], report["lowered"]) == (0, 0)
    assert set(confidence(briefed(loop)).values()) == {0.5}


def test_dispatch_without_an_outcome_teaches_nothing(loop):
    briefed(loop)
    loop("learn")
    assert set(confidence(briefed(loop)).values()) == {0.5}


def test_rule_loses_nothing_for_being_followed_in_silence(project, loop):
    first = briefed(loop)
    assert [rule["id"] for rule in first["rules"]] == ["rule:close-sockets"]
    work(project)
    loop("outcome", "last", "--status", "success", *RANGE)
    loop("learn")
    assert [rule["score"] for rule in briefed(loop)["rules"]] == [rule["score"] for rule in first["rules"]]


def test_learning_twice_or_anew_gives_the_same(project, loop):
    briefed(loop)
    work(project)
    loop("outcome", "last", "--status", "success", *RANGE)
    loop("learn")
    learned = project.state / "learned.sqlite"
    once = learned.read_bytes()
    again = loop("learn", "--json").json
    assert (again["raised"], again["lowered"]) == (0, 0)
    assert learned.read_bytes() == once
    learned.unlink()
    loop("learn")
    assert learned.read_bytes() == once


def test_replay_tells_that_confidence_was_learned(project, loop, run):
    first = briefed(loop)["dispatch_id"]
    loop("replay", first)
    work(project)
    loop("outcome", first, "--status", "success", *RANGE)
    loop("replay", first)
    loop("learn")
    done = run("replay", first, root=project.root)
    assert done.code == 1
    assert "confidence has been learned since" in done.text
    assert "EventStream.close differs in" in done.text
    (project.state / "learned.sqlite").unlink()
    loop("replay", first)


def test_work_that_is_not_committed_yet_counts_too(project, loop):
    first = briefed(loop)
    source = (project.root / "src/stream.py").read_text()
    project.write("src/stream.py", source.replace("self.timer.cancel()", "self.timer.stop()"))
    done = loop("outcome", first["dispatch_id"], "--status", "success", "--base", "HEAD")
    assert "used (location): symbol:src/stream.py::EventStream.close" in done.text


def test_ledger_carries_what_was_learned_to_another_machine(project, loop, run, tmp_path):
    briefed(loop)
    work(project)
    loop("outcome", "last", "--status", "success", *RANGE)
    loop("learn")
    expected = confidence(briefed(loop))
    copy = type(project)(tmp_path / "copy", git=False)
    project.git("clone", "--quiet", ".", str(copy.root))
    run("index", root=copy.root)
    shutil.copytree(project.state / "receipts", copy.state / "receipts")
    run("learn", root=copy.root)
    assert confidence(run("augment", TASK, "--json", root=copy.root).json) == expected


def test_schedule_learns(project, loop):
    briefed(loop)
    work(project)
    loop("outcome", "last", "--status", "success", *RANGE)
    assert "confidence rose for" in loop("schedule", "--once").text
    assert confidence(briefed(loop))["EventStream.close"] == pytest.approx(0.55)
