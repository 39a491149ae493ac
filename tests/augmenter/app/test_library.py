"""The library's face."""

from __future__ import annotations

import pytest

import augmenter as package
from augmenter import Ask, Augmenter, Brief, Filters, Sender
from knowledge.catalog.writer import CatalogWriter
from knowledge.errors import CatalogMissing, PrebriefError, TaskError, UnknownDispatch

TASK = "Fix the timeout in `EventStream.close`: it leaks the socket"


def test_session_of_the_documents(project):
    project.commit(**{"src/invoice.py": "def total(net: int) -> int:\n    return net\n"})
    augmenter = Augmenter.open(project.root)
    brief = augmenter.augment(TASK, session="worker-1")
    assert isinstance(brief, Brief)
    assert brief.prompt.endswith(TASK)
    assert brief.offered[0].name == "EventStream.close"
    done = augmenter.complete(brief.dispatch_id, status="success", base="HEAD~1", head="HEAD")
    assert (done.recorded, done.looked) == (True, True)
    history = augmenter.history(brief.dispatch_id)
    assert history.receipt.session == "worker-1"
    assert history.outcome.status == "success"
    assert augmenter.rank(TASK, limit=50, kinds=("unit",))[0].name == "EventStream.close"
    augmenter.close()


def test_package_hands_on_what_it_names_and_nothing_else():
    assert set(package.__all__) <= set(dir(package))
    for name in package.__all__:
        assert getattr(package, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'Augmentr'"):
        package.Augmentr  # noqa: B018


def test_import_of_the_package_imports_no_room(spawn):
    script = "import sys, augmenter; print([m for m in sys.modules if 'augmenter' in m or 'knowledge' in m])"
    assert spawn(script=script).text == "['augmenter']\n"


def test_ranking_is_by_score_alone(augmenter):
    ranked = augmenter.rank(TASK, limit=100)
    assert len(ranked) > 5
    order = [(-item.score, item.path, item.start, item.id) for item in ranked]
    assert order == sorted(order)
    assert [item.rank for item in ranked] == list(range(1, len(ranked) + 1))
    brief = augmenter.augment(TASK, ask=Ask(rules=0))
    assert {item.id for item in brief.offered} < {item.id for item in ranked}


def test_ranking_holds_what_a_brief_leaves_out_as_irrelevant(project, augmenter):
    project.write("prebrief.toml", "[ranking]\nthreshold = 1.0\n")
    task = "Bound the backoff of the stream, the tax of the invoice and the Retry-After header"
    brief = augmenter.augment(task, ask=Ask(rules=0))
    assert brief.offered == ()
    assert brief.below_threshold > 0
    assert len(augmenter.rank(task, limit=100)) >= brief.below_threshold


def test_ranking_records_nothing(augmenter):
    augmenter.rank(TASK)
    assert augmenter.ledger().latest(5) == []
    assert not augmenter.project.receipts.exists()


def test_ranking_by_limit_and_kind(augmenter):
    assert len(augmenter.rank(TASK, limit=2)) == 2
    assert augmenter.rank(TASK, limit=0) == []
    assert {item.kind for item in augmenter.rank(TASK, kinds=("unit",))} == {"unit"}
    assert {item.kind for item in augmenter.rank(TASK, kinds=("class", "section"))} == {"class", "section"}
    with pytest.raises(TaskError, match=r"no kind 'function'. Allowed: unit, class"):
        augmenter.rank(TASK, kinds=("function",))


def test_ranking_is_loud(new_project):
    with Augmenter.open(new_project().root) as augmenter, pytest.raises(CatalogMissing):
        augmenter.rank(TASK)


def test_ask_overrides_the_settings(augmenter):
    ask = Ask(
        sender=Sender(agent="a", session="from the sender"),
        patterns=1,
        rules=0,
        format="plain",
        preamble="Go.",
        filters=Filters(paths=("src/*",)),
    )
    brief = augmenter.augment(TASK, ask=ask)
    assert brief.prompt.startswith("Go.\n\nCONTEXT FROM THIS REPOSITORY")
    assert len(brief.offered) == 1
    assert augmenter.history(brief.dispatch_id).receipt.session == "from the sender"
    again = augmenter.augment(TASK, ask=ask, session="from the call")
    assert augmenter.history(again.dispatch_id).receipt.session == "from the call"


def test_complete_is_loud(augmenter):
    with pytest.raises(UnknownDispatch):
        augmenter.complete("01ARZ3NDEKTSV4RRFFQ69G5FAV", status="success")
    brief = augmenter.augment(TASK)
    with pytest.raises(PrebriefError, match="git knows no commit"):
        augmenter.complete(brief.dispatch_id, status="success", base="no-such")
    assert augmenter.history(brief.dispatch_id).outcome is None


def test_reindexing_is_seen_by_an_open_augmenter(project, augmenter, run):
    assert augmenter.augment(TASK).offered[0].name == "EventStream.close"
    project.write("src/stream.py", "class EventStream:\n    def shut(self):\n        '''Close it.'''\n")
    assert augmenter.augment(TASK).stale
    run("index", root=project.root)
    brief = augmenter.augment(TASK)
    assert "EventStream.close" not in [item.name for item in brief.offered]
    assert not brief.stale
    run("index", "--full", root=project.root)
    assert augmenter.augment("Fix `EventStream.shut`").offered


def test_dispatches_while_an_index_run_is_at_work(project, augmenter):
    """Readers never wait for the writer."""
    with CatalogWriter(project.state / "catalog.sqlite") as writer:
        writer.clear()
        assert augmenter.augment(TASK).offered
