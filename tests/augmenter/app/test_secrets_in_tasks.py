"""A task may hold a secret: its prompt keeps it, the ledger does not."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from secret_samples import KEY_BLOCK, SAMPLES

from augmenter import Augmenter
from augmenter.app.ask import Ask
from augmenter.record import Sender
from evals.secrets import leftovers

TOKEN = SAMPLES["github-token"][0]
PASSWORD = "Tr0ub4" + "dor&3xyz"
TASK = (
    f"Fix the timeout in `EventStream.close`\n\nIt fails with {TOKEN} and\n\n    password = '{PASSWORD}'\n\n"
    f"postgres://app:{PASSWORD}@db1/app and {TOKEN[:12]}\u200b{TOKEN[12:]}\n{KEY_BLOCK}\n"
)


@pytest.fixture
def ledger_text(project):
    """Everything in the project's state but the index, as one text."""

    def read():
        files = [path for path in sorted(project.state.rglob("*")) if path.is_file()]
        return b"".join(path.read_bytes() for path in files).decode("utf-8", "replace")

    return read


def test_prompt_keeps_the_secret_and_the_ledger_does_not(project, run, ledger_text):
    done = run("augment", TASK, "--json", root=project.root).json
    assert done["prompt"].endswith(TASK)
    assert done["offered"][0]["name"] == "EventStream.close"
    kept = ledger_text()
    for secret in (TOKEN, PASSWORD, KEY_BLOCK):
        assert leftovers(secret, kept) == []
    with Augmenter.open(project.root) as augmenter:
        receipt = augmenter.history("last").receipt
    assert receipt.task_redactions == {
        "secret:assigned-value": 1,
        "secret:github-token": 2,
        "secret:private-key": 1,
        "secret:url-password": 1,
    }
    assert receipt.task.startswith("Fix the timeout in `EventStream.close`\n\nIt fails with [redacted:github")


def test_ledger_with_a_redacted_task_is_sound_and_replays(project, run):
    run("augment", TASK, root=project.root)
    assert run("receipts", "verify", root=project.root).code == 0
    done = run("replay", "last", root=project.root)
    assert done.code == 0
    assert "identical, offers; the prompt held secrets" in done.text
    assert run("replay", "last", "--json", root=project.root).json["prompt_compared"] is False


def test_task_without_a_secret_is_kept_byte_for_byte(project):
    task = "Fix the timeout\u200b in `EventStream.close`\r\n  password: ${DB_PASSWORD}"
    with Augmenter.open(project.root) as augmenter:
        augmenter.augment(task)
        receipt = augmenter.history("last").receipt
    assert receipt.task == task
    assert receipt.task_redactions == {}


def test_preamble_and_failed_dispatch_hold_no_secret_either(project, ledger_text):
    with Augmenter.open(project.root) as augmenter:
        augmenter.augment(TASK, ask=Ask(preamble=f"You may use {TOKEN}"))
        augmenter.augment(TASK, ask=replace(Ask(), format="no such format"))
        assert augmenter.history("last").receipt.degraded is not None
    assert leftovers(TOKEN, ledger_text()) == []


def test_error_of_an_outcome_holds_no_secret(project, run, dispatch, ledger_text):
    error = f"HTTPError: 401 for https://app:{PASSWORD}@api.acme.dev with {TOKEN}"
    command = ("outcome", dispatch, "--status", "failure", "--error", error)
    assert run(*command, root=project.root).code == 0
    assert "nothing changed" in run(*command, root=project.root).text
    kept = ledger_text()
    assert leftovers(TOKEN, kept) == leftovers(PASSWORD, kept) == []
    with Augmenter.open(project.root) as augmenter:
        outcome = augmenter.history(dispatch).outcome
    assert "[redacted:github-token]" in outcome.error
    assert outcome.error_class == "HTTPError"


def test_hook_keeps_no_secret(project, run, ledger_text):
    event = json.dumps({"task": TASK, "session": "worker-1"}).encode()
    done = run("hook", "run", "generic", root=project.root, stdin=event)
    assert json.loads(done.out)["prompt"].endswith(TASK)
    assert leftovers(TOKEN, ledger_text()) == []


def test_names_of_sessions_agents_and_roles_are_kept_without_secrets(project, ledger_text):
    sender = Sender(agent=f"agent {TOKEN}", session=f"session {TOKEN}", role=f"role {TOKEN}")
    with Augmenter.open(project.root) as augmenter:
        first = augmenter.augment("Fix `EventStream.close`", ask=Ask(sender=sender, keys=(f"key {TOKEN}",)))
        second = augmenter.augment("Fix `EventStream.close`", ask=Ask(sender=sender))
        assert augmenter.sessions.dispatch_of(f"key {TOKEN}") == first.dispatch_id
        augmenter.sessions.forget(f"session {TOKEN}")
        third = augmenter.augment("Fix `EventStream.close`", ask=Ask(sender=sender))
    assert leftovers(TOKEN, ledger_text()) == []
    assert [item.id for item in second.offered] != [item.id for item in first.offered]
    assert third.offered == first.offered
