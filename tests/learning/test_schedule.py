"""The schedule: cron's meaning, and a process that ends when told to."""

from __future__ import annotations

import signal
import subprocess
from datetime import UTC, datetime

import pytest
from python_process import start_python

from knowledge.errors import SettingsError
from learning.schedule import next_run, run_schedule

SATURDAY = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("cron", "expected"),
    [
        ("30 2 * * *", "2026-02-01T02:30"),
        ("0 12 * * *", "2026-02-01T12:00"),
        ("*/15 * * * *", "2026-01-31T12:15"),
        ("0 3 * * 0", "2026-02-01T03:00"),  # Sunday
        ("0 3 * * 7", "2026-02-01T03:00"),
        ("0 3 * * 1", "2026-02-02T03:00"),
        ("0 3 * * 1-5", "2026-02-02T03:00"),
        ("0 13 * * 5-7", "2026-01-31T13:00"),
        ("0 3 * * fri-mon", "2026-02-01T03:00"),
        ("0 3 * * TUE,4", "2026-02-03T03:00"),
        ("0 3 * * 1/2", "2026-02-02T03:00"),
        ("0 3 * * */3", "2026-02-01T03:00"),
        ("0 3 15 * *", "2026-02-15T03:00"),
        ("0 3 15 * 3", "2026-02-04T03:00"),  # either will do
        ("0 3 29 2 *", "2028-02-29T03:00"),
    ],
)
def test_next_run(cron, expected):
    assert next_run(cron, "UTC", SATURDAY).strftime("%Y-%m-%dT%H:%M") == expected


def test_next_run_in_another_time_zone():
    found = next_run("30 2 * * *", "Europe/Berlin", SATURDAY)
    assert found.astimezone(UTC) == datetime(2026, 2, 1, 1, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    "cron",
    ["", "* * * *", "* * * * * *", "61 * * * *", "0 25 * * *", "x * * * *", "0 3 * * 8", "0 3 * * noday",
     "0 3 * * 1-", "0 3 * * */0", "0 3 31 2 *"],
)  # fmt: skip
def test_invalid_expression_is_an_error_that_quotes_it(cron):
    with pytest.raises(SettingsError, match="is no schedule") as caught:
        next_run(cron, "UTC", SATURDAY)
    assert f"'{cron}'" in str(caught.value)


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../etc/passwd"])
def test_invalid_time_zone_is_an_error(zone):
    with pytest.raises(SettingsError, match="no time zone"):
        next_run("* * * * *", zone, SATURDAY)


def test_invalid_expression_is_refused_before_anything_starts():
    with pytest.raises(SettingsError):
        run_schedule(lambda: None, "never")


def test_schedule_ends_cleanly_when_interrupted():
    code = """
        import logging, signal, sys
        from learning.schedule import run_schedule

        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
        logging.basicConfig(stream=sys.stdout, level=logging.INFO)
        run_schedule(print, "0 0 1 1 *")
    """
    process = start_python(code, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert any(b"Scheduler started" in line for line in process.stdout)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.3)  # it waits for the new year
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, b"")
