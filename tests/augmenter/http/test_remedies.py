"""What is to be done is told in the words of HTTP, and not in those of the command line."""

from __future__ import annotations

import shutil

import pytest
from python_process import REPOSITORY

from augmenter.app.http.service import _REMEDIES


@pytest.fixture
def outcome(server):
    """Sends an outcome of a new dispatch; returns what it is refused with."""

    def outcome(dispatch_id="", **fields):
        dispatch_id = dispatch_id or server.augment().json["dispatch_id"]
        document = {"root": str(server.project), "status": "success", **fields}
        return server.post(f"/v1/dispatches/{dispatch_id}/outcome", document)

    return outcome


def remedy_of(answer):
    told = answer.json["error"]["remedy"]
    assert "--" not in told
    assert "'prebrief " not in told
    return told


def test_another_outcome_is_superseded_by_a_field(server, outcome):
    dispatch_id = server.augment().json["dispatch_id"]
    assert outcome(dispatch_id).status == 200
    refused = outcome(dispatch_id, status="failure")
    assert (refused.status, remedy_of(refused)) == (409, 'Send "replace": true to supersede it')
    assert outcome(dispatch_id, status="failure", replace=True).status == 200


@pytest.mark.parametrize("dispatch_id", ["0" * 26, "no-id"])
def test_an_unknown_dispatch_has_one_to_be_taken_from_the_list(server, outcome, dispatch_id):
    take = "Take one from GET /v1/receipts"
    assert remedy_of(outcome(dispatch_id)) == take
    assert remedy_of(server.get(f"/v1/receipts/{dispatch_id}", root=server.project)) == take


def test_an_unknown_page_is_to_be_taken_from_the_list(server):
    refused = server.get("/v1/receipts", root=server.project, before="0" * 26)
    assert remedy_of(refused) == "Take one from GET /v1/receipts"


def test_a_project_without_receipts_has_some_made(start):
    with start() as server:
        refused = server.get("/v1/receipts/last", root=server.project)
        assert (refused.status, remedy_of(refused)) == (404, "Ask POST /v1/augment for a brief first")


def test_a_difference_that_git_does_not_make_is_sent_as_a_field(start, project):
    with start() as server:
        path = f"/v1/dispatches/{server.augment().json['dispatch_id']}/outcome"
        shutil.rmtree(project.root / ".git")
        refused = server.post(path, {"root": str(server.project), "status": "success", "base": "HEAD"})
        assert refused.status == 422
        assert remedy_of(refused) == 'Send the difference as "diff"'


def test_an_empty_task_is_to_be_a_field(server):
    degraded = server.augment(" ").json["degraded"]
    assert (degraded["reason"], degraded["remedy"]) == ("task-error", 'Send a text as "task"')


def test_remedies_are_those_that_are_given():
    """A remedy that is worded anew elsewhere would no longer be translated."""
    text = "".join(
        path.read_text()
        for name in ("augmenter", "learning", "receipts")
        for path in (REPOSITORY / name).rglob("*.py")
    )
    for remedy in _REMEDIES:
        assert text.count(f'remedy="{remedy}"') >= 1, remedy


def test_a_diff_that_is_none_is_told_in_words_that_hold_here_too(outcome):
    refused = outcome(diff="@@ -1 +1 @@\n")
    assert refused.status == 422
    assert remedy_of(refused)
