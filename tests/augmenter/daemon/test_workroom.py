"""Warm Augmenters: for one thread at a time, never behind what is on the disk, given up when time is up."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import threading
import time
from pathlib import Path

import pytest
from daemons import LIMIT, TASK

from augmenter.app.cli import main
from augmenter.app.daemon import crew, shelf
from augmenter.app.daemon.protocol import MOST_READ_HERE
from augmenter.app.daemon.workroom import HookCall, Workroom
from knowledge.errors import DeadlineExceeded, ProjectError


def soon():
    return time.monotonic() + LIMIT


def in_a_workroom(function, **options):
    """Runs an async function of a workroom, in a loop that is made for it."""

    async def run():
        room = Workroom(**options)
        try:
            return await function(room)
        finally:
            room.close()

    return asyncio.run(run())


def names(brief):
    return [item.name for item in brief.offered]


async def brief_of(room, project, task=TASK):
    return await room.run(project.root, lambda augmenter: augmenter.augment(task), soon())


def test_work_gets_the_warm_augmenter_of_the_folders_project(project):
    async def act(room):
        first = await room.run(project.root / "src", lambda augmenter: augmenter, soon())
        second = await room.run(project.root, lambda augmenter: augmenter, soon())
        assert first is second
        return names(await brief_of(room, project)), room.stats()

    offered, stats = in_a_workroom(act)
    assert offered[0] == "EventStream.close"
    assert stats.projects == (str(project.root),)
    assert stats.figures.answered == 3


def test_errors_of_the_work_come_back(project):
    async def act(room):
        with pytest.raises(ProjectError):
            await room.run(project.root / "nowhere", lambda augmenter: augmenter, soon())
        with pytest.raises(ZeroDivisionError):
            await room.run(project.root, lambda augmenter: 1 / 0, soon())
        assert (await brief_of(room, project)).offered

    in_a_workroom(act)


def test_work_that_hangs_is_given_up_at_its_deadline_and_others_go_on(project, copies, monkeypatch):
    monkeypatch.setattr(crew, "HELD_UP_SECONDS", 0.05)
    goes_on = threading.Event()
    other = copies("other")

    async def act(room):
        with pytest.raises(DeadlineExceeded):
            await room.run(project.root, lambda augmenter: goes_on.wait(), time.monotonic() + 0.2)
        assert room.stats().running == 1
        briefs = [await brief_of(room, one) for one in (project, other)]
        assert room.stats().figures.passed == {"late": 1}
        goes_on.set()
        return briefs

    assert all(brief.offered for brief in in_a_workroom(act))


def test_when_all_threads_hang_it_says_so(project, monkeypatch):
    monkeypatch.setattr(crew, "HELD_UP_SECONDS", 0.01)
    monkeypatch.setattr(crew, "HUNG_SECONDS", 0.1)
    goes_on = threading.Event()

    async def act(room):
        for _ in range(crew.MOST_THREADS):
            assert not room.is_hung
            with pytest.raises(DeadlineExceeded):
                await room.run(project.root, lambda augmenter: goes_on.wait(), time.monotonic() + 0.1)
        await asyncio.sleep(0.1)
        assert room.is_hung
        with pytest.raises(DeadlineExceeded):
            await room.run(project.root, lambda augmenter: None, time.monotonic() + 0.1)
        goes_on.set()

    in_a_workroom(act)


def test_what_has_not_begun_at_its_deadline_is_never_done(project):
    goes_on, done = threading.Event(), []

    async def act(room):
        first = asyncio.ensure_future(room.run(project.root, lambda augmenter: goes_on.wait(), soon()))
        await asyncio.sleep(0)
        with pytest.raises(DeadlineExceeded):
            await room.run(project.root, lambda augmenter: done.append(1), time.monotonic() + 0.05)
        goes_on.set()
        await first
        await room.run(project.root, lambda augmenter: done.append(2), soon())

    in_a_workroom(act)
    assert done == [2]


def test_one_thread_does_it_all_while_nothing_holds_it_up(project, copies):
    others = [copies(f"other-{number}") for number in range(3)]

    async def act(room):
        asked = [
            room.run(one.root, lambda augmenter: (augmenter, threading.get_ident()), soon())
            for one in (project, *others) * 3
        ]
        return await asyncio.gather(*asked)

    found = in_a_workroom(act)
    assert len({thread for _, thread in found}) == 1
    assert len({id(augmenter) for augmenter, _ in found}) == 4


def test_only_so_many_projects_stay_warm_those_used_last(project, copies, monkeypatch):
    monkeypatch.setattr(shelf.Shelf, "open", shelf.Shelf.open)
    others = [copies(f"other-{number}") for number in range(shelf.MOST_WARM)]

    async def act(room):
        for one in (project, *others):
            assert (await brief_of(room, one)).offered
        return room.stats().projects

    assert in_a_workroom(act) == tuple(sorted(str(one.root) for one in others))


def test_what_is_idle_is_closed(project, monkeypatch):
    monkeypatch.setattr(shelf.Shelf.tidy, "__defaults__", (0.0,))

    async def act(room):
        await brief_of(room, project)
        assert room.projects()
        room.tidy()
        await room.run(project.root.parent, lambda augmenter: None, soon())
        return [one.view_root for one in room.projects()]

    assert in_a_workroom(act) == [project.root.parent.resolve()]


def test_a_setting_that_was_written_meanwhile_holds(project):
    async def act(room):
        before = await brief_of(room, project)
        (project.root / "prebrief.toml").write_text("[brief]\npatterns = 1\n")
        after = await brief_of(room, project)
        (project.root / "prebrief.toml").write_text("[brief]\npatterns = one\n")
        broken = await brief_of(room, project)
        (project.root / "prebrief.toml").unlink()
        again = await brief_of(room, project)
        return before, after, broken, again

    before, after, broken, again = in_a_workroom(act)
    assert len(before.offered) > 1
    assert len(after.offered) == 1
    assert broken.degraded.reason == "settings-error"
    assert names(again) == names(before)


def test_a_template_that_was_written_meanwhile_holds(project):
    (project.root / "prebrief.toml").write_text('[brief]\ntemplates = "mine"\n')
    (project.root / "mine").mkdir()
    template = project.root / "mine" / "brief.markdown.j2"
    template.write_text("first\n")

    async def act(room):
        first = await brief_of(room, project)
        template.write_text("second, and longer\n")
        return first, await brief_of(room, project)

    first, second = in_a_workroom(act)
    assert "first" in first.prompt
    assert "second" in second.prompt


def test_an_index_that_was_replaced_meanwhile_is_read(project):
    async def act(room):
        assert "Latest" not in str(names(await brief_of(room, project)))
        (project.root / "src" / "stream.py").write_text(
            "class EventStream:\n    def close_latest(self):\n        '''Close after the timeout.'''\n"
        )
        main(["index", "--full", "--root", str(project.root)])
        renamed = names(await brief_of(room, project, "Fix the timeout in `EventStream.close_latest`"))
        shutil.rmtree(project.root / ".knowledge")
        missing = await brief_of(room, project)
        main(["index", "--root", str(project.root)])
        return renamed, missing, names(await brief_of(room, project, "Fix `close_latest`"))

    renamed, missing, made_anew = in_a_workroom(act)
    assert "EventStream.close_latest" in renamed
    assert missing.degraded.reason == "catalog-missing"
    assert "EventStream.close_latest" in made_anew


def test_an_index_that_is_damaged_meanwhile_costs_the_brief_alone(project):
    async def act(room):
        await brief_of(room, project)
        catalog = project.root / ".knowledge" / "catalog.sqlite"
        catalog.with_name("damaged").write_bytes(b"no catalog" * 1000)
        catalog.with_name("damaged").replace(catalog)
        return await brief_of(room, project)

    brief = in_a_workroom(act)
    assert brief.prompt == TASK
    assert brief.degraded.reason == "catalog-corrupt"


def test_a_project_that_was_deleted_meanwhile_costs_the_brief_alone(project, copies):
    other = copies("other")

    async def act(room):
        await brief_of(room, project)
        shutil.rmtree(project.root)
        event = json.dumps({"task": TASK}).encode()
        outcome = await room.answer(HookCall("generic", event, str(project.root)), soon())
        room.tidy()
        assert (await brief_of(room, other)).offered
        return json.loads(outcome.answer.stdout), outcome.other_may, room.stats()

    answer, other_may, stats = in_a_workroom(act)
    assert (answer["prompt"], answer["degraded"]["reason"]) == (TASK, "project-error")
    assert other_may
    assert stats.projects == (str(other.root),)


def test_dispatches_end_before_the_deadline_by_themselves(project):
    async def act(room):
        return await room.run(
            project.root, lambda augmenter: augmenter.augment(TASK), time.monotonic() + 0.03
        )

    try:
        brief = in_a_workroom(act)
    except DeadlineExceeded:
        return  # the event loop came first
    assert brief.degraded.reason == "deadline-exceeded"


def test_an_event_is_answered_at_its_deadline_whatever_hangs(project, monkeypatch):
    goes_on = threading.Event()
    monkeypatch.setattr("augmenter.app.daemon.workroom.answer_event", lambda *_: goes_on.wait())

    async def act(room):
        event = json.dumps({"task": TASK}).encode()
        outcome = await room.answer(HookCall("generic", event, str(project.root)), time.monotonic() + 0.1)
        goes_on.set()
        return outcome

    outcome = in_a_workroom(act)
    assert json.loads(outcome.answer.stdout)["prompt"] == TASK
    assert not outcome.other_may


def test_a_large_event_that_is_late_is_left_to_its_client(project, monkeypatch):
    """To pass it through, the event loop would have to read it, and all others to wait for that."""
    goes_on = threading.Event()
    monkeypatch.setattr("augmenter.app.daemon.workroom.answer_event", lambda *_: goes_on.wait())

    async def act(room):
        event = json.dumps({"task": TASK + "x" * MOST_READ_HERE}).encode()
        outcome = await room.answer(HookCall("generic", event, str(project.root)), time.monotonic() + 0.1)
        goes_on.set()
        return outcome

    outcome = in_a_workroom(act)
    assert (outcome.answer.stdout, outcome.other_may) == (b"", True)


def test_whoever_wants_to_know_is_told_which_project_was_used_and_whether_it_is_stale(project):
    told = []

    async def act(room):
        await brief_of(room, project)
        stream = project.root / "src" / "stream.py"
        stream.write_text(stream.read_text() + "\n\nMORE = 1\n")
        os.utime(stream, (1, 1))
        await brief_of(room, project)
        await brief_of(room, project, "Fix `EventStream.reconnect`")
        await asyncio.sleep(0.05)

    in_a_workroom(act, on_use=lambda used, stale: told.append((used.view_root, stale)))
    assert [place for place, _ in told] == [Path(project.root).resolve()] * 3
    assert [stale for _, stale in told] == [False, True, True]
