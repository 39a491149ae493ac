"""The OpenAPI document is true: whatever it allows is asked of a real server, and whatever it forbids."""

from __future__ import annotations

import re

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import CHECKS

from augmenter.app.http.openapi import openapi_document

EXAMPLES = 60  # of each operation, beside those that schemathesis makes of the borders of each parameter
# A task that can be read comes back, whatever else is wrong with the question.
FAILS_OPEN = "POST /v1/augment"
REVISION = re.compile(r"[^\x00]+")
FORMS = {
    "root": re.compile(r"/[^\x00]*"),
    "dispatch_id": re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}"),
    "before": re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}"),
    "base": REVISION,
    "head": REVISION,
    "diff": re.compile(r".+", re.DOTALL),
}
LONGEST = 1000  # characters that all of them may have
DIFF = (
    "--- a/src/stream.py\n+++ b/src/stream.py\n@@ -9,1 +9,1 @@\n-        self.timer.cancel()\n+        pass\n"
)

interface = schemathesis.openapi.from_dict(openapi_document())


@pytest.fixture(scope="module")
def there_is(server):
    """What can be asked about, by the name of the field."""
    brief = server.augment().json
    dispatch_id = brief["dispatch_id"]
    return {
        "root": str(server.project),
        "dispatch_id": dispatch_id,
        "before": dispatch_id,
        "base": "HEAD",
        "head": "HEAD",
        "diff": DIFF,
        "used": [brief["offered"][0]["pattern_hash"]],
    }


def known(values, there_is):
    """What there is in place of what there could be: chance would find neither folder nor dispatch."""
    if not isinstance(values, dict):
        return values
    return {name: there_is[name] if _is_well_formed(name, value) else value for name, value in values.items()}


def _is_well_formed(name, value):
    if name == "used":
        return isinstance(value, list) and value and all(_is_text(item) for item in value)
    return name in FORMS and _is_text(value) and FORMS[name].fullmatch(value)


def _is_text(value):
    return isinstance(value, str) and 0 < len(value) <= LONGEST


def test_the_document_is_one_of_openapi():
    interface.validate()
    assert openapi_document()["openapi"].startswith("3.1.")


def test_the_document_is_what_the_server_tells(server):
    assert server.get("/openapi.json").json == openapi_document()


def test_all_but_health_is_said_to_need_the_token():
    document = openapi_document()
    assert document["security"]
    operations = {path: operation for path, item in document["paths"].items() for operation in item.values()}
    assert {path for path, operation in operations.items() if operation.get("security") == []} == {"/health"}


@interface.parametrize()
@settings(
    max_examples=EXAMPLES,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_answers_are_as_described(case, server, there_is):
    for part in ("query", "body", "path_parameters"):
        setattr(case, part, known(getattr(case, part), there_is))
    excluded = ["negative_data_rejection"] if case.operation.label == FAILS_OPEN else []
    response = case.call_and_validate(
        base_url=server.url,
        headers={"Authorization": f"Bearer {server.token}"},
        excluded_checks=[check for check in CHECKS.get_all() if check.__name__ in excluded],
    )
    if case.operation.label == FAILS_OPEN and response.status_code == 200:
        check_task(case.body["task"], response.json())


def check_task(task, brief):
    """Whatever was wrong with the question, the task is there; with a fault it is all that is there."""
    assert brief["prompt"].endswith(task)
    assert brief["degraded"] is None or (brief["prompt"] == task and not brief["offered"])
