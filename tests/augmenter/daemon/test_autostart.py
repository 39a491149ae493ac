"""A hook that finds no daemon starts one for the next time, where that is wanted; nobody waits for it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from daemons import COMMAND, TASK, ask_status, background_daemons, wait_until
from python_process import REPOSITORY

from augmenter.app.daemon.listening import only_daemon
from augmenter.app.daemon.places import lock_in
from augmenter.app.daemon.starting import LEAST_SECONDS_BETWEEN_STARTS, start

EVENT = {"task": TASK}
NOTHING_COMES = 2.0  # seconds in which a daemon would have come, on a machine that is not too busy


def nobody_comes():
    time.sleep(NOTHING_COMES)
    return ask_status() is None


def test_a_hook_without_a_daemon_starts_one_for_the_next(hook, willing, place):
    assert hook(EVENT, cwd=willing.root).json["prompt"].endswith(TASK)
    status = wait_until(ask_status)
    assert place.stat().st_mode & 0o777 == 0o700
    wait_until(lambda: str(willing.root) in ask_status()["work"]["projects"])
    assert ask_status()["work"]["answered"] == 0
    assert hook(EVENT, cwd=willing.root).json["prompt"].endswith(TASK)
    assert ask_status()["work"]["answered"] + sum(ask_status()["work"]["passed"].values()) >= 1
    assert ask_status()["pid"] == status["pid"]


def test_the_daemon_has_nothing_of_the_hooks(hook, willing, place):
    """No file, no session, no folder: whoever waits for the hook's output waits for no daemon."""
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, "hook", "run", "generic"],
        cwd=willing.root,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        close_fds=False,
    )
    os.close(writing)
    assert TASK.encode() in process.communicate(b'{"task": "%b"}' % TASK.encode())[0]
    pid = wait_until(ask_status)["pid"]
    assert os.read(reading, 1) == b""  # nobody holds the other end
    os.close(reading)
    assert os.getsid(pid) == pid
    assert Path(f"/proc/{pid}/cwd").readlink() == Path("/")
    files = {Path(f"/proc/{pid}/fd/{number}").readlink() for number in (0, 1, 2)}
    assert files == {Path(os.devnull)}


@pytest.mark.parametrize(
    "settings", ["[serve]\nautostart = false\n", "[serve]\nautostart = 'maybe'\n"], ids=["off", "invalid"]
)
def test_settings_can_forbid_it(hook, project, place, settings):
    (project.root / "prebrief.toml").write_text(settings)
    assert hook(EVENT, cwd=project.root).json["prompt"].endswith(TASK)
    assert nobody_comes()


def test_the_environment_can_forbid_it(hook, willing, place):
    assert hook(EVENT, cwd=willing.root, PREBRIEF_DAEMON="off").json["prompt"]
    assert nobody_comes()
    assert not place.exists()


def test_nothing_is_started_where_prebrief_is_not_in_use(hook, tmp_path, place):
    assert hook(EVENT, cwd=tmp_path).json["prompt"] == TASK
    assert nobody_comes()


def test_many_hooks_at_once_start_one(willing, place):
    words = [sys.executable, "-c", COMMAND, "hook", "run", "generic", "--root", str(willing.root)]
    running = [
        subprocess.Popen(words, cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(6)
    ]
    for process in running:
        assert TASK.encode() in process.communicate(b'{"task": "%b"}' % TASK.encode())[0]
    pid = wait_until(ask_status)["pid"]
    assert wait_until(lambda: background_daemons() == [pid])


def test_what_cannot_stay_is_not_started_over_and_over(place):
    with only_daemon(str(place)):
        assert not start(str(REPOSITORY), 1)  # there is one
    assert not start(str(REPOSITORY), 1)  # there was one just now
    os.utime(lock_in(str(place)), (1, time.time() - LEAST_SECONDS_BETWEEN_STARTS - 1))
    assert start(str(REPOSITORY), 1)
    assert not start(str(REPOSITORY), 1)
    assert wait_until(ask_status)


def test_nothing_is_started_in_a_folder_that_is_not_safe(place):
    place.mkdir(mode=0o755)
    assert not start(str(REPOSITORY), 1)
