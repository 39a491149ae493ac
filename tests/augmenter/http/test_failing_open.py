"""Whatever goes wrong with a brief: whoever sent a task gets it back, unchanged, with the reason."""

from __future__ import annotations

import json
import threading
import time

import pytest

from augmenter.app.augmenter import Augmenter
from augmenter.app.daemon.workroom import Workroom
from augmenter.app.http.guards import Access

TASK = "Fix the timeout in `EventStream.close`\r\n\twith ünïcode\x00 and all"
WRONG = [
    {"root": "relative"},
    {"root": ""},
    {"root": 7},
    {"root": "/\x00"},
    {"patterns": -1},
    {"patterns": "3"},
    {"patterns": 2.5},
    {"patterns": True},
    {"budget": 10**30},
    {"format": "html"},
    {"format": "MARKDOWN"},
    {"filters": {"kinds": ["rule"]}},
    {"filters": {"paths": "src"}},
    {"filters": {"unknown": []}},
    {"filters": None},
    {"session": "x" * 201},
    {"record": "no"},
    {"deadline_ms": 0},
    {"unknown": 1},
]


def is_unbriefed(answer, task, reason):
    assert answer.status == 200
    document = answer.json
    assert document["prompt"] == task
    assert document["offered"] == document["rules"] == []
    assert document["degraded"]["reason"] == reason
    assert document["degraded"]["remedy"]
    return document


@pytest.mark.parametrize("fields", WRONG, ids=str)
def test_a_wrong_option_costs_the_brief_and_not_the_task(server, fields):
    document = {"root": str(server.project), "task": TASK, **fields}
    told = is_unbriefed(server.post("/v1/augment", document), TASK, "task-error")
    assert next(iter(fields)) in told["degraded"]["remedy"]


def test_without_a_root_the_task_comes_back(server):
    is_unbriefed(server.post("/v1/augment", {"task": TASK}), TASK, "task-error")


@pytest.mark.parametrize("task", ["", " \n", "x" * 1_000_000, "\ud800 alone", "\x00"])
def test_odd_tasks_come_back_as_they_were(server, task):
    answer = server.augment(task, patterns=0, rules=0, record=False)
    assert answer.status == 200
    assert answer.json["prompt"] == task


def test_bytes_that_are_no_text_come_back_as_surrogates(server):
    body = b'{"root": "%b", "task": "caf\xe9", "record": false}' % str(server.project).encode()
    answer = server.request("POST", "/v1/augment", body, {"Content-Type": "application/json"}, raw=True)
    assert answer.status == 200
    assert answer.json["prompt"].encode("utf-8", "surrogateescape") == b"caf\xe9"


@pytest.mark.parametrize("task", [None, 7, ["x"], {}])
def test_what_has_no_task_is_refused(server, task):
    answer = server.post("/v1/augment", {"root": str(server.project), "task": task})
    assert (answer.status, answer.reason) == (422, "invalid")
    assert answer.json["error"]["where"] == "task"


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (b"", 400, "bad-json"),
        (b"{", 400, "bad-json"),
        (b'{"task": "x"', 400, "bad-json"),
        (b'{"task": "x"} and more', 400, "bad-json"),
        (b"[" * 100_000, 400, "bad-json"),
        (b'{"a": ' + b"9" * 10_000 + b"}", 400, "bad-json"),
        ('{"task": "x"}'.encode("utf-16"), 400, "bad-json"),
        (b"[]", 422, "invalid"),
        (b'"task"', 422, "invalid"),
        (b"null", 422, "invalid"),
        (b"{}", 422, "invalid"),
    ],
    ids=range(11),
)
def test_what_is_no_json_object_is_refused(server, body, status, reason):
    answer = server.request("POST", "/v1/augment", body, {"Content-Type": "application/json"}, raw=True)
    assert (answer.status, answer.reason) == (status, reason)


def test_a_project_without_an_index_says_so(server, tmp_path):
    (tmp_path / "prebrief.toml").write_text("")
    is_unbriefed(server.augment(root=str(tmp_path), task=TASK), TASK, "catalog-missing")


def test_broken_settings_say_so(server, tmp_path):
    (tmp_path / "prebrief.toml").write_text("[brief]\nbudget = 'many'\n")
    is_unbriefed(server.augment(root=str(tmp_path), task=TASK), TASK, "settings-error")


def test_a_damaged_index_says_so(start, project):
    project.catalog.write_bytes(b"no catalog at all" * 1000)
    with start() as server:
        is_unbriefed(server.augment(TASK), TASK, "catalog-corrupt")


def test_a_task_goes_out_at_its_deadline_and_others_are_answered_meanwhile(start, monkeypatch):
    done = threading.Event()
    original = Augmenter.augment

    def augment(self, task, **options):
        if task == "hang":
            done.wait(60)
        return original(self, task, **options)

    monkeypatch.setattr(Augmenter, "augment", augment)
    with start() as server:
        try:
            assert server.augment(deadline_ms=60_000).json["offered"]
            began = time.monotonic()
            is_unbriefed(server.augment("hang", deadline_ms=1000), "hang", "deadline-exceeded")
            assert time.monotonic() - began < 30
            assert server.get("/health").status == 200
            assert server.augment(deadline_ms=60_000).json["offered"]
        finally:
            done.set()


def test_a_defect_is_told_without_a_word_about_our_insides(start, monkeypatch):
    def fail(*_arguments, **_options):
        raise ZeroDivisionError("secret detail")

    monkeypatch.setattr(Augmenter, "augment", fail)
    monkeypatch.setattr(Augmenter, "history", fail)
    with start() as server:
        brief = server.augment(TASK)
        is_unbriefed(brief, TASK, "internal-error")
        broken = server.get("/v1/receipts/last", root=server.project)
        assert (broken.status, broken.reason) == (500, "internal-error")
        for answer in (brief, broken):
            assert b"secret" not in answer.body
            assert b"Traceback" not in answer.body
        assert "secret detail" in str(server.log.wait_for("request failed")["exc_info"])


def test_a_workroom_that_fails_costs_the_brief(start):
    class Broken(Workroom):
        async def run(self, root, work, deadline):
            raise RuntimeError

    with start(workroom=Broken) as server:
        is_unbriefed(server.augment(TASK), TASK, "internal-error")


def test_a_burst_is_answered_to_the_last(server):
    answers, threads = [], []

    def ask(number):
        answers.append(server.augment(f"{TASK} {number}", record=False, deadline_ms=60_000))

    for number in range(50):
        threads.append(threading.Thread(target=ask, args=(number,)))
        threads[-1].start()
    for thread in threads:
        thread.join(60)
    assert len(answers) == 50
    assert all(answer.status == 200 and answer.json["degraded"] is None for answer in answers)


def test_every_answer_is_ascii(server):
    answer = server.augment("Grüße", record=False)
    assert answer.body.isascii()
    assert json.loads(answer.body)["prompt"].endswith("Grüße")


def test_a_defect_before_any_operation_has_the_same_shape(start, monkeypatch):
    def fail(*_arguments):
        raise ZeroDivisionError("secret detail")

    with start() as server:
        monkeypatch.setattr(Access, "check_token", fail)
        answer = server.get("/metrics")
        assert (answer.status, answer.reason) == (500, "internal-error")
        assert b"secret" not in answer.body
        assert server.get("/health").status == 200
