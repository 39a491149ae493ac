"""A dispatch as a block: its receipt is completed whatever happens in it, and nothing of it is masked."""

import asyncio
import shutil
from threading import Event, get_ident

import pytest
from git_repository import GitRepository

from augmenter import Ask, AsyncAugmenter, Augmenter
from indexer.build import build_index
from knowledge.clock import Clock
from knowledge.errors import GitError, ProjectError, TaskError
from knowledge.project import locate
from knowledge.settings import Settings

TASK = "Fix the timeout in `EventStream.close`"
KEY = "AKIA" + "QYLPMN5HHHFPZAM2"


@pytest.fixture
def repository(project):
    made = GitRepository(project.root)
    made.commit("Begin")
    build_index(locate(made.root), Settings(), Clock())
    return made


@pytest.fixture
def augmenter(repository):
    with Augmenter.open(repository.root) as opened:
        yield opened


def outcome(augmenter, scope):
    return augmenter.history(scope.brief.dispatch_id).outcome


def test_a_normal_end_is_a_success_and_use_is_found_in_the_work(augmenter, repository):
    with augmenter.dispatch(TASK, session="worker") as dispatch:
        assert "EventStream.close" in dispatch.brief.prompt
        path = repository.root / "src/stream.py"
        path.write_text(path.read_text().replace("self.timer.cancel()", "self.timer.cancel(now=True)"))
    history = augmenter.history(dispatch.brief.dispatch_id)
    assert (history.outcome.status, history.outcome.error) == ("success", "")
    assert history.outcome.base == repository.git("rev-parse", "HEAD")
    used = {item.id for use in history.uses for item in use.items}
    assert "symbol:src/stream.py::EventStream.close" in used
    assert history.receipt.session == "worker"


def test_commits_of_the_work_count_as_well(augmenter, repository):
    with augmenter.dispatch(TASK) as dispatch:
        path = repository.root / "src/stream.py"
        repository.commit(
            "Fix", **{"src/stream.py": path.read_text().replace("cancel()", "cancel(now=True)")}
        )
    assert any(use.items for use in augmenter.history(dispatch.brief.dispatch_id).uses)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ValueError("no such stream"), "failure"),
        (KeyboardInterrupt(), "cancelled"),
        (asyncio.CancelledError(), "cancelled"),
        (SystemExit(1), "failure"),
    ],
)
def test_an_exception_goes_on_and_is_recorded(augmenter, error, status):
    with pytest.raises(type(error)) as raised, augmenter.dispatch(TASK) as dispatch:
        raise error
    assert raised.value is error
    found = outcome(augmenter, dispatch)
    assert found.status == status
    assert found.error.startswith(type(error).__name__)


def test_an_error_is_recorded_with_its_class_and_without_secrets(augmenter):
    with pytest.raises(ConnectionError), augmenter.dispatch(TASK) as dispatch:
        raise ConnectionError(f"refused for {KEY} " + "x" * 9000)
    found = outcome(augmenter, dispatch)
    assert found.error_class == "ConnectionError"
    assert KEY not in found.error
    assert len(found.error) < 3000


def test_what_the_caller_says_goes_before_what_the_end_says(augmenter):
    with augmenter.dispatch(TASK) as dispatch:
        dispatch.outcome("success")
        dispatch.outcome("failure", error="the tests fail", used=[dispatch.brief.offered[0].pattern_hash])
    history = augmenter.history(dispatch.brief.dispatch_id)
    assert (history.outcome.status, history.outcome.error) == ("failure", "the tests fail")
    assert [item.how for use in history.uses for item in use.items] == ["stated"]


def test_a_receipt_that_cannot_be_completed_costs_nothing(augmenter, repository):
    with augmenter.dispatch(TASK) as dispatch:
        dispatch.outcome("success", head="no-such-commit")
    assert dispatch.error is not None
    bad = augmenter.dispatch(TASK)

    def work():
        with bad:
            bad.outcome("success", diff="+++ not a diff\x00\n@@ nonsense")
            raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        work()


class Unspeakable(Exception):
    def __str__(self):
        raise RuntimeError("there are no words for it")


@pytest.mark.parametrize("error", [Unspeakable(), ValueError("\udc80"), ValueError("a\0b")])
def test_no_text_of_an_exception_takes_its_place(augmenter, error):
    with pytest.raises(type(error)) as raised, augmenter.dispatch(TASK) as dispatch:
        raise error
    assert raised.value is error
    assert outcome(augmenter, dispatch).error.startswith(type(error).__name__)


@pytest.mark.parametrize("told", [{"head": "a\0b"}, {"diff": "\udc80"}, {"used": ["nothing offered"]}])
def test_nothing_that_is_told_wrongly_takes_the_place_of_an_exception(augmenter, told):
    error = KeyError("mine")

    def work():
        with augmenter.dispatch(TASK) as dispatch:
            dispatch.outcome("failure", **told)
            raise error

    with pytest.raises(KeyError) as raised:
        work()
    assert raised.value is error


def test_a_status_that_there_is_not_is_told_at_once(augmenter):
    with augmenter.dispatch(TASK) as dispatch, pytest.raises(TaskError, match="Allowed: success"):
        dispatch.outcome("splendid")
    assert outcome(augmenter, dispatch).status == "success"


def test_where_the_work_cannot_be_compared_the_outcome_is_kept(augmenter, monkeypatch):
    with augmenter.dispatch(TASK) as dispatch:
        monkeypatch.setenv("PATH", "")  # no git
    history = augmenter.history(dispatch.brief.dispatch_id)
    assert (history.outcome.status, history.uses) == ("success", ())
    assert isinstance(dispatch.error, GitError)


def test_nothing_is_completed_where_nothing_was_recorded(augmenter):
    with augmenter.dispatch(TASK, ask=Ask(record=False)) as dispatch:
        pass
    assert (dispatch.brief.dispatch_id, dispatch.error) == ("", None)


def test_a_project_without_git_has_an_outcome_without_use(project):
    shutil.rmtree(project.root / ".git")
    with Augmenter.open(project.root) as augmenter, augmenter.dispatch(TASK) as dispatch:
        pass
    with Augmenter.open(project.root) as augmenter:
        history = augmenter.history(dispatch.brief.dispatch_id)
    assert (history.outcome.status, history.uses) == ("success", ())


def test_the_asynchronous_form_answers_alike(repository):
    async def ask():
        async with AsyncAugmenter.open(repository.root) as augmenter:
            briefs = await asyncio.gather(*(augmenter.augment(TASK) for _ in range(8)))
            ranked = await augmenter.rank(TASK, limit=3, kinds=("unit",))
            done = await augmenter.complete(briefs[0].dispatch_id, status="success")
            return briefs, ranked, done

    briefs, ranked, done = asyncio.run(ask())
    with Augmenter.open(repository.root) as augmenter:
        assert {brief.prompt for brief in briefs} == {augmenter.augment(TASK).prompt}
        assert ranked == augmenter.rank(TASK, limit=3, kinds=("unit",))
    assert len({brief.dispatch_id for brief in briefs}) == 8
    assert done.status == "success"


def test_the_event_loop_goes_on_while_a_task_is_briefed(repository, monkeypatch):
    threads = []
    real = Augmenter.augment
    monkeypatch.setattr(
        Augmenter, "augment", lambda self, *a, **k: threads.append(get_ident()) or real(self, *a, **k)
    )

    async def ask():
        async with AsyncAugmenter.open(repository.root) as augmenter:
            await augmenter.augment(TASK)
        return get_ident()

    assert asyncio.run(ask()) not in threads
    assert threads


def test_asynchronous_blocks_complete_their_receipts(repository):
    async def work():
        ids = []
        async with AsyncAugmenter.open(repository.root) as augmenter:
            async with augmenter.dispatch(TASK) as dispatch:
                ids.append(dispatch.brief.dispatch_id)

            async def fail():
                async with augmenter.dispatch(TASK) as dispatch:
                    ids.append(dispatch.brief.dispatch_id)
                    raise ValueError("mine")

            with pytest.raises(ValueError, match="mine"):
                await fail()

            async def long():
                async with augmenter.dispatch(TASK) as dispatch:
                    ids.append(dispatch.brief.dispatch_id)
                    await asyncio.sleep(60)

            task = asyncio.create_task(long())
            while len(ids) < 3:
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        return ids

    ids = asyncio.run(work())
    with Augmenter.open(repository.root) as augmenter:
        ends = [augmenter.history(one).outcome.status for one in ids]
    assert ends == ["success", "failure", "cancelled"]


def test_a_dispatch_that_is_cancelled_while_it_is_briefed_is_recorded_as_such(repository, monkeypatch):
    begun, go_on = Event(), Event()
    real = Augmenter.augment

    def slow(self, *args, **more):
        begun.set()
        assert go_on.wait(60)
        return real(self, *args, **more)

    async def work():
        async with AsyncAugmenter.open(repository.root) as augmenter:

            async def brief():
                async with augmenter.dispatch(TASK):
                    pass

            first, second = asyncio.create_task(brief()), asyncio.create_task(brief())
            assert await asyncio.to_thread(begun.wait, 60)
            for task in (first, second):
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            go_on.set()

    monkeypatch.setattr(Augmenter, "augment", slow)
    asyncio.run(work())
    monkeypatch.undo()
    with Augmenter.open(repository.root) as augmenter:
        (only,) = augmenter.ledger().latest(9)  # the second had not begun: nothing was recorded
        assert augmenter.history(only.dispatch_id).outcome.status == "cancelled"


def test_closing_twice_and_opening_nothing(repository, tmp_path):
    async def close():
        augmenter = AsyncAugmenter.open(repository.root)
        await augmenter.aclose()
        await augmenter.aclose()

    asyncio.run(close())
    with pytest.raises(ProjectError):
        AsyncAugmenter.open(tmp_path / "nowhere")
