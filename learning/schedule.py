"""The nightly job's schedule: a cron expression, and a process that waits for it.

apscheduler is imported where it is needed: only ``prebrief schedule`` pays for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from knowledge.errors import SettingsError

if TYPE_CHECKING:
    from apscheduler.triggers.base import BaseTrigger

# A run missed for less than this (the machine slept) is made up for, once.
MISFIRE_GRACE_SECONDS = 6 * 3600
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_DAY_ITEM = re.compile(r"(?:\*|(\w+)(?:-(\w+))?)(?:/(\d+))?")


def run_schedule(job: Callable[[], None], cron: str, timezone: str = "UTC") -> None:
    """Run ``job`` whenever ``cron`` says so, until interrupted (Ctrl-C, or SystemExit in a signal handler).

    Runs never overlap, and missed ones are made up for by a single one. A run that raises is logged (by
    the logger ``apscheduler``) and does not end the schedule.

    Args:
        job: what to do.
        cron: as for `next_run`.
        timezone: an IANA name.

    Raises:
        SettingsError: the expression or the time zone is invalid.
    """
    from apscheduler.schedulers.blocking import BlockingScheduler  # noqa: PLC0415

    trigger = _trigger(cron, timezone)
    scheduler = BlockingScheduler(timezone=_zone(timezone))
    scheduler.add_job(
        job,
        trigger,
        id="learn",
        coalesce=True,
        max_instances=1,
        misfire_grace_time=MISFIRE_GRACE_SECONDS,
    )
    try:
        scheduler.start()
    except (KeyboardInterrupt, SystemExit):
        scheduler.shutdown(wait=True)


def next_run(cron: str, timezone: str, after: datetime) -> datetime:
    """When the schedule runs next, strictly after ``after`` (which knows its time zone).

    Args:
        cron: five fields: minute, hour, day of month, month, day of week. Days of the week count as in
            cron: 0 and 7 are Sunday. As there, when both a day of month and a day of week are given, a
            day that fits either will do.
        timezone: an IANA name (``Europe/Berlin``).
        after: the moment to start from.

    Raises:
        SettingsError: the expression or the time zone is invalid, or there is no such day.
    """
    trigger = _trigger(cron, timezone)
    found: datetime | None = trigger.get_next_fire_time(None, after + timedelta(microseconds=1))
    if found is None:
        raise _invalid(cron, "no day ever fits it")
    return found


def _trigger(cron: str, timezone: str) -> BaseTrigger:
    from apscheduler.triggers.combining import OrTrigger  # noqa: PLC0415
    from apscheduler.triggers.cron import CronTrigger  # noqa: PLC0415

    zone = _zone(timezone)
    fields = cron.split()
    if len(fields) != 5:
        raise _invalid(cron, f"it has {len(fields)} fields, not 5")
    minute, hour, day, month, weekday = fields
    weekday = _weekdays(weekday, cron)
    # apscheduler wants every field to fit; cron wants one of the two, if both are restricted.
    pairs = [(day, "*"), ("*", weekday)] if day != "*" and weekday != "*" else [(day, weekday)]
    try:
        triggers = [
            CronTrigger(minute=minute, hour=hour, day=d, month=month, day_of_week=w, timezone=zone)
            for d, w in pairs
        ]
    except ValueError as error:
        raise _invalid(cron, str(error)) from None
    return triggers[0] if len(triggers) == 1 else OrTrigger(triggers)


def _weekdays(text: str, cron: str) -> str:
    """Cron's days of the week as names: apscheduler counts from Monday."""
    if text == "*":
        return text
    chosen: set[int] = set()
    for item in text.lower().split(","):
        chosen.update(_days_of(item, cron))
    return ",".join(_DAYS[day] for day in sorted(chosen))


def _days_of(item: str, cron: str) -> set[int]:
    match = _DAY_ITEM.fullmatch(item)
    if match is None:
        raise _invalid(cron, f"'{item}' is no day of the week")
    first, last, step = match.groups()
    start = _day(first, cron) if first else 0
    end_without_last = 6 if first is None or step else start
    end = _day(last, cron) if last else end_without_last
    if end < start:  # fri-mon; and fri-sun, where Sunday is 0
        end += 7
    if step == "0":
        raise _invalid(cron, "a step of 0")
    return {day % 7 for day in range(start, end + 1, int(step or 1))}


def _day(text: str, cron: str) -> int:
    if text in _DAYS:
        return _DAYS.index(text)
    if text.isdecimal() and int(text) <= 7:
        return int(text)
    raise _invalid(cron, f"'{text}' is no day of the week")


def _zone(timezone: str) -> ZoneInfo:
    try:
        return ZoneInfo(timezone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise SettingsError(
            f"'{timezone}' is no time zone", remedy="Give an IANA name such as Europe/Berlin"
        ) from None


def _invalid(cron: str, why: str) -> SettingsError:
    return SettingsError(
        f"'{cron}' is no schedule: {why}",
        remedy="Give minute, hour, day of month, month and day of week, such as '30 2 * * *'",
    )
