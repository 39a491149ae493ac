"""What the doctor says of the daemon."""

from __future__ import annotations

import json

import pytest
from daemons import TASK

from augmenter.app.checkup import admit
from augmenter.app.daemon import tally
from augmenter.app.daemon.protocol import ANSWER, answer_line
from augmenter.app.daemon_checks import check_daemon
from augmenter.app.findings import Level
from knowledge.project import locate
from knowledge.version import VERSION

WELL = {
    "version": VERSION,
    "rss_mib": 60.0,
    "trees": [],
    "work": {"projects": ["/p"], "answered": 100, "passed": {}, "p50": 20.0, "p99": 90.0},
}


@pytest.fixture
def findings(project):
    return lambda: list(check_daemon(admit(locate(project.root))))


def says(status):
    """How an impostor answers who asks for its status."""

    def behave(connection):
        connection.recv(1000)
        data = json.dumps(status).encode()
        connection.sendall(answer_line(ANSWER, 0, len(data)) + data)
        connection.close()

    return behave


def test_none_is_in_order(place, findings, project):
    assert "the settings want none" in findings()[0].what
    (project.root / "prebrief.toml").unlink()
    (found,) = findings()
    assert (found.level, found.what) == (Level.OK, "none is running; the next hook starts one")


def test_one_that_is_off_is_in_order(place, findings, monkeypatch):
    monkeypatch.setenv("PREBRIEF_DAEMON", "off")
    (found,) = findings()
    assert (found.level, found.what[:19]) == (Level.OK, "PREBRIEF_DAEMON=off")


def test_an_unsafe_folder_is_a_warning(place, findings):
    place.mkdir(mode=0o755)
    (found,) = findings()
    assert found.level is Level.WARNING
    assert "mode 755" in found.what
    assert "PREBRIEF_RUNTIME" in found.remedy


def test_one_that_works_is_told_with_its_memory_and_speed(daemon, hook, project, findings):
    hook({"task": TASK}, cwd=project.root)
    (found,) = findings()
    assert found.level is Level.OK
    assert f"version {VERSION}" in found.what
    assert "1 warm project; 1 answered" in found.what


@pytest.mark.parametrize(
    ("change", "told", "remedy"),
    [
        ({"version": "0.0.1"}, "of version 0.0.1", "prebrief serve --stop"),
        ({"rss_mib": 900.0}, "900 MiB", "prebrief serve --stop"),
        (
            {"work": {**WELL["work"], "passed": {tally.LATE: 10}}},
            "10 of 110 tasks",
            "prebrief serve --status",
        ),
        (
            {"trees": [{"project": "/p", "failures": 2, "last": "no room"}]},
            "/p cannot be indexed: no room",
            "prebrief index --root /p",
        ),
    ],
)
def test_what_is_not_in_order_is_a_warning(impostor, findings, change, told, remedy):
    impostor(says({**WELL, **change}))
    found = findings()[0]
    assert (found.level, found.remedy) == (Level.WARNING, remedy)
    assert told in found.what


def test_one_that_cannot_be_understood_is_a_warning(impostor, findings):
    impostor(lambda connection: connection.close())
    (found,) = findings()
    assert found.level is Level.WARNING
    assert "does not answer" in found.what
