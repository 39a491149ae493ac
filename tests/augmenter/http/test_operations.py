"""What the operations answer, on a real server."""

from __future__ import annotations

import argparse
import json

import pytest

from augmenter import Ask, Augmenter
from augmenter.app.commands import augment, outcome
from augmenter.app.http.models import AugmentQuestion, FiltersAsked, OutcomeQuestion
from augmenter.app.http.openapi import openapi_document

DIFF = """\
diff --git a/src/stream.py b/src/stream.py
--- a/src/stream.py
+++ b/src/stream.py
@@ -7,4 +7,5 @@
     def close(self) -> None:
         \"\"\"Close the socket and wait for the timeout of the reconnect timer.\"\"\"
         self.timer.cancel()
+        self.timer.join()
         self.socket.close()
"""
TASK = "Fix the timeout in `EventStream.close`"


def of_commands(document):
    """What does not differ between two dispatches."""
    return {name: value for name, value in document.items() if name not in ("dispatch_id", "timings_ms")}


def test_a_task_is_briefed_as_the_library_briefs_it(server):
    answer = server.augment(patterns=1, record=False)
    with Augmenter.open(server.project) as augmenter:
        expected = augmenter.augment(TASK, ask=Ask(patterns=1, record=False))
    assert answer.status == 200
    assert answer.json["offered"]
    assert of_commands(answer.json) == of_commands(json.loads(json.dumps(expected.as_json())))


def test_a_receipt_tells_who_asked(server):
    sent = server.augment(session="s-http", agent="coder", role="fixer", preamble="Mind the gap.")
    dispatch_id = sent.json["dispatch_id"]
    shown = server.get(f"/v1/receipts/{dispatch_id}", root=server.project)
    assert shown.status == 200
    receipt = shown.json["receipt"]
    assert receipt["dispatch_id"] == dispatch_id
    assert (receipt["host"], receipt["session"], receipt["agent"]) == ("http", "s-http", "coder")
    assert receipt["role"] == "fixer"
    assert receipt["options"]["preamble"] == "Mind the gap."
    assert shown.json["linked"] == []


def test_filters_are_filters(server):
    answer = server.augment(filters={"paths": ["src/invoice.py"], "kinds": ["unit"]}, record=False)
    assert {item["path"] for item in answer.json["offered"]} <= {"src/invoice.py"}


def test_formats_differ(server):
    plain, xml = (server.augment(format=name, record=False).json["prompt"] for name in ("plain", "xml"))
    assert plain != xml


def test_nothing_is_given_twice_in_a_session(start):
    with start() as server:
        first = server.augment(session="one").json
        assert first["offered"]
        again = server.augment(session="one").json
        assert not {item["id"] for item in first["offered"]} & {item["id"] for item in again["offered"]}
        assert server.augment(session="two").json["offered"] == first["offered"]


def test_an_outcome_is_linked_once_and_tells_what_was_used(start):
    with start() as server:
        dispatch_id = server.augment().json["dispatch_id"]
        path = f"/v1/dispatches/{dispatch_id}/outcome"
        document = {"root": str(server.project), "status": "success", "diff": DIFF}
        first = server.post(path, document)
        assert first.status == 200, first.body
        assert first.json["recorded"]
        assert "symbol:src/stream.py::EventStream.close" in {item["id"] for item in first.json["used"]}
        assert not server.post(path, document).json["recorded"]
        other = server.post(path, {**document, "status": "failure"})
        assert (other.status, other.reason) == (409, "outcome-conflict")
        replaced = server.post(path, {**document, "status": "failure", "replace": True})
        assert replaced.json["replaced"]
        shown = server.get("/v1/receipts/last", root=server.project).json
        assert [record["type"] for record in shown["linked"]] == ["outcome", "use", "outcome"]


def test_receipts_come_page_by_page_the_newest_first(start):
    with start() as server:
        made = [server.augment(f"{TASK}, number {number}").json["dispatch_id"] for number in range(5)]
        seen, query = [], {}
        while True:
            page = server.get("/v1/receipts", root=server.project, limit=2, **query).json
            seen.append([receipt["dispatch_id"] for receipt in page["receipts"]])
            if page["next"] is None:
                break
            query = {"before": page["next"]}
        assert seen == [made[:2:-1], made[2:0:-1], made[:1]]
        assert server.get("/v1/receipts", root=server.project, limit=5).json["next"] is None


def test_a_page_after_an_unknown_receipt_is_none(server):
    answer = server.get("/v1/receipts", root=server.project, before="0" * 26)
    assert (answer.status, answer.reason) == (404, "unknown-dispatch")


@pytest.mark.parametrize("dispatch_id", ["0" * 26, "no-id", "%00", "..%2F..", "LAST"])
def test_an_unknown_dispatch_is_not_found(server, dispatch_id):
    assert server.get(f"/v1/receipts/{dispatch_id}", root=server.project).status == 404
    answer = server.post(
        f"/v1/dispatches/{dispatch_id}/outcome", {"root": str(server.project), "status": "success"}
    )
    assert answer.status == 404


def test_a_revision_that_git_does_not_know_is_the_callers_fault(server):
    dispatch_id = server.augment().json["dispatch_id"]
    answer = server.post(
        f"/v1/dispatches/{dispatch_id}/outcome",
        {"root": str(server.project), "status": "success", "base": "--output=/tmp/x"},
    )
    assert (answer.status, answer.reason) == (422, "git-error")


def test_health_needs_no_token_and_says_little(server):
    answer = server.get("/health", token=False)
    assert answer.status == 200
    assert set(answer.json) == {"status", "version"}


def options_of(command):
    """What a command takes, but for what is about the command line itself: its choices by name."""
    parser = argparse.ArgumentParser(add_help=False)
    command.add_arguments(parser)
    of_commands = {"json", "log_level", "file", "strict", "dispatch_id"}
    return {action.dest: action.choices for action in parser._actions if action.dest not in of_commands}


def test_what_can_be_asked_is_what_the_command_takes():
    filters = {"path": "paths", "language": "languages", "kind": "kinds", "source": "sources"}
    taken = {"record" if name == "no_record" else name for name in options_of(augment)}
    assert {filters[name] for name in taken & set(filters)} == set(FiltersAsked.model_fields)
    assert taken - set(filters) == set(AugmentQuestion.model_fields) - {"filters", "deadline_ms"}
    assert set(options_of(outcome)) == set(OutcomeQuestion.model_fields)


def test_choices_are_those_of_the_command():
    schemas = openapi_document()["components"]["schemas"]
    options = options_of(augment)
    filters = schemas["FiltersAsked"]["properties"]
    assert filters["kinds"]["items"]["enum"] == list(options["kind"])
    assert filters["sources"]["items"]["enum"] == list(options["source"])
    formats = schemas["AugmentQuestion"]["properties"]["format"]["anyOf"]
    assert formats[0]["enum"] == list(options["format"])
    assert schemas["OutcomeQuestion"]["properties"]["status"]["enum"] == list(options_of(outcome)["status"])
