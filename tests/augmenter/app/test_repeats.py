"""A task that is asked again gets the same answer, sooner, as long as nothing that matters has changed."""

import os
from dataclasses import replace

import pytest

from augmenter import Augmenter
from augmenter.app import repeats
from augmenter.app.ask import Ask
from augmenter.candidates import Filters
from knowledge.clock import Clock
from knowledge.learned import LearnedState, write_learned
from knowledge.project import locate

TASK = "Fix the timeout in `EventStream.close`"


def was_repeated(brief):
    return "repeated" in brief.timings_ms


def same(brief):
    """A brief without what is one dispatch's own."""
    return replace(brief, dispatch_id="", timings_ms={})


def test_same_task_gets_the_same_brief_under_a_new_id(augmenter):
    first, second = augmenter.augment(TASK), augmenter.augment(TASK)
    assert (was_repeated(first), was_repeated(second)) == (False, True)
    assert same(first) == same(second)
    assert first.dispatch_id != second.dispatch_id


def test_each_dispatch_has_its_own_receipt(augmenter):
    ids = [augmenter.augment(TASK).dispatch_id for _ in range(3)]
    receipts = [augmenter.history(one).receipt for one in ids]
    assert [receipt.dispatch_id for receipt in receipts] == ids
    assert len({receipt.prompt_hash for receipt in receipts}) == 1
    assert [receipt.offered for receipt in receipts] == [receipts[0].offered] * 3


@pytest.mark.parametrize(
    "ask",
    [
        Ask(budget=300),
        Ask(patterns=1),
        Ask(rules=0),
        Ask(format="plain"),
        Ask(preamble="Above all: be careful."),
        Ask(record=False),
        Ask(filters=Filters(paths=["src/*"])),
    ],
    ids=["budget", "patterns", "rules", "format", "preamble", "unrecorded", "paths"],
)
def test_other_question_is_answered_by_itself(augmenter, ask):
    augmenter.augment(TASK)
    assert not was_repeated(augmenter.augment(TASK, ask=ask))
    assert was_repeated(augmenter.augment(TASK, ask=ask))
    assert not was_repeated(augmenter.augment(TASK + "."))
    assert not was_repeated(augmenter.augment(TASK, session="another"))


def test_unrecorded_repetition_leaves_no_receipt(augmenter):
    ask = Ask(record=False)
    assert [augmenter.augment(TASK, ask=ask).dispatch_id for _ in range(2)] == ["", ""]
    assert augmenter.ledger().latest(5) == []


def test_new_index_is_asked_anew(augmenter, project, run):
    before = augmenter.augment(TASK)
    project.write("src/stream.py", "class EventStream:\n    def close(self):\n        return 'timeout'\n")
    run("index", root=project.root)
    after = augmenter.augment(TASK)
    assert not was_repeated(after)
    assert after.fingerprint != before.fingerprint
    assert was_repeated(augmenter.augment(TASK))


def test_changed_file_makes_the_answer_stale(augmenter, project):
    assert not augmenter.augment(TASK).stale
    path = project.root / "src/stream.py"
    content = path.read_bytes()
    path.write_bytes(content + b"\n# more\n")
    changed = augmenter.augment(TASK)
    assert (changed.stale, was_repeated(changed)) == (True, False)
    assert was_repeated(augmenter.augment(TASK))
    path.write_bytes(content)
    assert (augmenter.augment(TASK).stale, was_repeated(augmenter.augment(TASK))) == (False, True)


def test_changed_confidence_is_looked_at(augmenter, project):
    best = augmenter.augment(TASK).offered[0]
    states = {best.id: LearnedState(confidence=0.9, offers=1)}
    write_learned(locate(project.root).learned, states, "", "original")
    after = augmenter.augment(TASK)
    assert not was_repeated(after)
    assert after.offered[0].factors["confidence"].value == 0.9


def test_changed_template_is_looked_at(project):
    template = project.root / "mine" / "brief.markdown.j2"
    template.parent.mkdir()
    template.write_text("{% extends 'shipped/brief.markdown.j2' %}\n")
    project.write("prebrief.toml", '[brief]\ntemplates = "mine"\n')
    with Augmenter.open(project.root) as augmenter:
        augmenter.augment(TASK)
        assert was_repeated(augmenter.augment(TASK))
        template.write_text("{% extends 'shipped/brief.markdown.j2' %}\n\n")
        os.utime(template, ns=(1, 1))
        assert not was_repeated(augmenter.augment(TASK))


def test_failure_is_not_kept(project):
    ticks = iter([0.0, *[1e9] * 50])
    slow = Clock(tick=lambda: next(ticks, 2e9))
    with Augmenter.open(project.root, clock=slow) as augmenter:
        assert augmenter.augment(TASK).degraded is not None
        assert augmenter.augment(TASK).degraded is None


def test_only_the_last_answers_are_held(augmenter, monkeypatch):
    monkeypatch.setattr(repeats, "MAX_ANSWERS", 2)
    for task in ("Fix close", "Fix reconnect", "Fix close", "Fix the tax"):
        augmenter.augment(task)
    assert was_repeated(augmenter.augment("Fix close"))
    assert not was_repeated(augmenter.augment("Fix reconnect"))


def test_huge_prompts_are_not_held(augmenter, monkeypatch):
    monkeypatch.setattr(repeats, "MAX_PROMPT", 100)
    augmenter.augment(TASK)
    assert not was_repeated(augmenter.augment(TASK))


def test_each_offered_file_is_looked_at(augmenter, project, run):
    """Also where documents, of which a brief takes one, would have stood before what was offered."""
    for name in ("a", "b", "c", "d", "e", "f"):
        text = f"# Stream timeout {name}\n\nThe stream timeout {name} closes the stream after the timeout.\n"
        project.write(f"docs/{name}.md", text)
    run("index", root=project.root)
    task = "Stream timeout closes the stream"
    offered = {item.path for item in augmenter.augment(task).offered}
    assert len(offered) > 1
    for path in sorted(offered):
        file = project.root / path
        content = file.read_bytes()
        file.write_bytes(content + b"\n# more\n")
        assert augmenter.augment(task).stale, path
        file.write_bytes(content)
        assert not augmenter.augment(task).stale, path
