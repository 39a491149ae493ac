"""Checks of the hooks: are they installed, do hosts call them, and are they in time."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence

from augmenter.app.findings import Finding, Level, Patient
from augmenter.app.installing.hooks import own_or_none
from augmenter.app.installing.inspection import inspect, is_reading_hooks
from augmenter.app.installing.installation import installed
from augmenter.app.installing.plans import PLANS
from augmenter.app.installing.selftest import SESSION
from augmenter.app.wording import counted
from indexer.sources.git import Repository
from knowledge.clock import Clock, parse_time
from knowledge.errors import GitError, LedgerError
from knowledge.project import Project
from receipts.reading import latest_receipts
from receipts.records import Receipt

LOOKED_AT = 200  # the last receipts: of some days in a busy project, and read in a tenth of a second
QUIET_COMMITS = 5  # made without a dispatch before silence is remarkable: a person commits now and then, too
LATE_SHARE = 0.05  # of the last dispatches: fewer are a busy machine's
TAIL = 0.95  # the slowest twentieth is left out of what dispatches are said to take
_LATE = "deadline-exceeded"
_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60))


def check_hooks(patient: Patient) -> Iterator[Finding]:
    """Whether hosts are told to call Prebrief, whether they can, and whether they do."""
    project = patient.project
    found = [
        finding for host in PLANS for finding in inspect(host, project, own_or_none(sys.argv[0]), "hooks")
    ]
    if not found:
        text = "no host calls Prebrief in this project: 'prebrief hook install HOST' has one do so"
        yield Finding("hooks", Level.OK, text)
        return
    yield from found
    hosts = [host for host in PLANS if any(map(is_reading_hooks, installed(host, project.view_root)))]
    if hosts:
        yield from _firing(project, hosts)


def check_deadline(patient: Patient) -> Iterator[Finding]:
    """Whether dispatches have been in time lately."""
    receipts = _receipts(patient.project)
    if not receipts:
        yield Finding("deadline", Level.OK, "there are no dispatches yet")
        return
    late = sum(receipt.degraded is not None and receipt.degraded.reason == _LATE for receipt in receipts)
    times = sorted(sum(receipt.timings_ms.values()) for receipt in receipts if receipt.timings_ms)
    took = f"; 95 of 100 took {_tail(times):.0f} ms or less" if times else ""
    text = f"of the last {counted(len(receipts), 'task')} {late or 'none'}"
    if late > LATE_SHARE * len(receipts):
        why = "for the time was up (dispatch.deadline_ms); a warm process is faster"
        yield Finding("deadline", Level.WARNING, f"{text} went out unchanged, {why}{took}", "prebrief serve")
    else:
        yield Finding("deadline", Level.OK, f"{text} was late{took}")


def _receipts(project: Project) -> list[Receipt]:
    """The last receipts, but for those of ``prebrief hook test``, newest first."""
    try:
        latest = latest_receipts(project.receipts, LOOKED_AT)
    except (LedgerError, OSError):
        return []  # the check of the receipts says so
    return [receipt for receipt in latest if not receipt.session.startswith(SESSION)]


def _tail(times: Sequence[float]) -> float:
    return times[math.ceil(TAIL * len(times)) - 1]


def _firing(project: Project, hosts: Sequence[str]) -> Iterator[Finding]:
    receipts = _receipts(project)
    now = Clock().now()
    for host in hosts:
        theirs = [receipt for receipt in receipts if receipt.host == host]
        if theirs:
            ago = _age(now - parse_time(theirs[0].time))
            text = f"{host}: called last {ago} ago; {len(theirs)} of the last {len(receipts)} dispatches"
            yield Finding("hooks", Level.OK, text)
        else:
            text = f"{host}: has not called yet in this project"
            yield Finding("hooks", Level.NOTE, text, f"prebrief hook test {host}")
    fired = [receipt for receipt in receipts if receipt.host in hosts]
    quiet = _commits_since(project, parse_time(fired[0].time)) if fired else 0
    if quiet >= QUIET_COMMITS:
        text = f"{counted(quiet, 'commit')} since a host called last: does it still?"
        yield Finding("hooks", Level.WARNING, text, f"prebrief hook test {fired[0].host}")


def _age(seconds: float) -> str:
    """A time span in the largest unit of which there is one: ``3 days``."""
    for unit, size in _UNITS:
        if seconds >= size:
            return counted(int(seconds / size), unit)
    return "a moment"


def _commits_since(project: Project, moment: float) -> int:
    """How many commits of the view's branch are younger."""
    if project.git_dir is None:
        return 0
    try:
        told = Repository(project.view_root).run("rev-list", "--count", f"--since=@{int(moment)}", "HEAD")
    except GitError:  # the check of git says so
        return 0
    return int(told or 0)
