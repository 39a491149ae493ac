"""``prebrief hook test``: the installed command line, called as the host would call it, and judged."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from augmenter.app.client import Talk
from augmenter.app.daemon.protocol import ANSWER, STATUS, FrameError, Request
from augmenter.app.findings import Finding, Level
from augmenter.app.installing.hooks import Hook, executable_of
from augmenter.app.installing.plans import GENERIC, PLANS, SECONDS_OVER, Plan
from augmenter.app.installing.probes import PROBES, Probe, Trip, context_of
from augmenter.app.installing.trial import Trial, call
from augmenter.hosts.events import Cap
from augmenter.hosts.registry import host as host_of
from knowledge.catalog.reader import CatalogReader
from knowledge.clock import Clock
from knowledge.errors import CatalogError, LedgerError
from knowledge.project import Project
from knowledge.tokens import estimate_tokens
from knowledge.types import Kind
from receipts.reading import latest_receipts
from receipts.records import Receipt

SESSION = "prebrief-hook-test-"  # begins the name of a trial's session: such receipts prove no use of a host
ANY_TASK = "Describe what this project does and how its parts work together"
START_SECONDS = 1.0  # what an interpreter may take to start, on top of the deadline
STATUS_SECONDS = 2.0  # for the daemon to say how it is
LOOKED_AT = 100  # the last receipts among which a trial's own is found
_PROJECT = ("CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR")  # variables in which hosts tell the folder
_WITH_NAME = (Kind.UNIT, Kind.CLASS)


@dataclass(frozen=True, slots=True)
class Run:
    """One event, and how its answer did.

    Attributes:
        event: its name.
        by: who seems to have answered: the ``daemon``, or the hook's own ``process``. A guess: the daemon has
            answered something meanwhile, which may have been another hook's event.
        exit_code: None when the host's time was up.
        ms: from the shell's start to its end.
        bytes: of the context that was given.
        tokens: of it, estimated.
        dispatch_id: its receipt's; ``""`` when none was kept.
        problems: what is wrong, each with its remedy.
        notes: what is less than it could be.
    """

    event: str
    by: str
    exit_code: int | None
    ms: int
    bytes: int
    tokens: int
    dispatch_id: str
    problems: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bench:
    """Where, and against what, hooks are tried.

    Attributes:
        project: which.
        host: whose hooks.
        deadline: seconds that a dispatch may take.
        cap: what the host takes of context.
        clock: for the names of sessions.
    """

    project: Project
    host: str
    deadline: float
    cap: Cap
    clock: Clock

    @property
    def plan(self) -> Plan | None:
        """How the host calls; None for the generic one."""
        return PLANS.get(self.host)


def bench(project: Project, host: str, deadline_ms: int) -> Bench:
    """A bench for a host. The host must be one of `augmenter.hosts.registry.NAMES`."""
    return Bench(project, host, deadline_ms / 1000, host_of(host).cap, Clock())


def try_hooks(tools: Bench, hooks: Sequence[Hook]) -> Iterator[Run]:
    """Call the hooks of the events for which there is a probe."""
    task = task_of(tools.project)
    for probe in PROBES[tools.host]:
        for hook in hooks:
            if hook.event == probe.event:
                yield _try(tools, hook, probe, task)


def task_of(project: Project) -> str:
    """A task about something that the project's index holds, by the order of paths; else any task."""
    try:
        with CatalogReader(project.catalog) as reader:
            for path in reader.paths():
                found = reader.evidence(reader.in_file(path, 1, _LAST_LINE, 50)).values()
                names = sorted((item.start, item.name) for item in found if item.kind in _WITH_NAME)
                if names:
                    return f"Explain what `{names[0][1]}` in `{path}` does, and what depends on it"
    except CatalogError:
        pass  # the doctor's finding; the hook must answer all the same
    return ANY_TASK


_LAST_LINE = 1 << 30


def _try(tools: Bench, hook: Hook, probe: Probe, task: str) -> Run:
    trip = Trip(task, str(tools.project.view_root), SESSION + tools.clock.dispatch_id())
    before = _answered_by_daemon()
    trial = _call(tools, hook, probe.data(trip))
    by = "process" if before == _answered_by_daemon() else "daemon"
    receipt = _receipt(tools.project, trip.session)
    problems = list(_wrong_in(trial, hook))
    context = ""
    if trial.exit_code == 0:
        try:
            context = context_of(tools.host, probe.event, trial.stdout, task)
        except ValueError as error:
            problems.append((f"the answer has not the host's form: {error}", _REPORT))
    size, tokens = len(context.encode("utf-8", "surrogatepass")), estimate_tokens(context)
    problems += _too_much(tools.cap, size, tokens)
    notes = list(_slow(tools, trial))
    if probe.carries_task:
        problems += _not_briefed(receipt)
        notes += ["nothing was offered"] if not context and not problems else []
    return Run(
        event=probe.event,
        by=by,
        exit_code=trial.exit_code,
        ms=round(trial.seconds * 1000),
        bytes=size,
        tokens=tokens,
        dispatch_id=receipt.dispatch_id if receipt else "",
        problems=tuple(problems),
        notes=tuple(notes),
    )


_REPORT = "Update Prebrief and its hooks: 'prebrief hook install'; if that does not help, report it"


def _answered_by_daemon() -> int:
    """How many events the daemon has answered so far; 0 without one, and for one of another version."""
    try:
        word, _, data = Talk(time.perf_counter()).ask(Request(STATUS), (b"", b"", b""), STATUS_SECONDS)
        if word != ANSWER:
            return 0
        work = json.loads(data)["work"]
        return int(work["answered"]) + sum(map(int, work["passed"].values()))
    except (OSError, FrameError, ValueError, KeyError):
        return 0


def _call(tools: Bench, hook: Hook, event: bytes) -> Trial:
    plan = tools.plan
    folder = str(tools.project.view_root)
    return call(
        hook.command,
        event,
        runner=plan.runner if plan else ("/bin/sh", "-c"),
        cwd=tools.project.view_root,
        environment={**os.environ, **dict.fromkeys(_PROJECT, folder)},
        timeout=timeout_of(hook, plan) or tools.deadline + SECONDS_OVER,
    )


def timeout_of(hook: Hook, plan: Plan | None) -> float:
    """Seconds after which the host ends a hook; 0 when the hook does not say."""
    timeout = hook.handler.get("timeout")
    return timeout / plan.unit if plan and isinstance(timeout, int) and timeout > 0 else 0.0


def _wrong_in(trial: Trial, hook: Hook) -> Iterator[tuple[str, str]]:
    if trial.exit_code is None:
        yield f"no answer within {trial.seconds:.0f} s, the host's timeout", "prebrief doctor"
    elif trial.exit_code != 0:
        yield f"exit code {trial.exit_code}: the host would show an error or refuse the prompt", _AGAIN
    if trial.stderr.strip():
        first = trial.stderr.decode(errors="replace").strip().splitlines()[0]
        yield f"not silent: {first}", _AGAIN
    executable = executable_of(hook.command)
    if not os.access(executable, os.X_OK) or not Path(executable).is_file():
        yield f"there is no executable {executable}", _AGAIN


_AGAIN = "prebrief hook install"


def _too_much(cap: Cap, size: int, tokens: int) -> Iterator[tuple[str, str]]:
    for count, most, what in ((size, cap.bytes, "bytes"), (tokens, cap.tokens, "tokens")):
        if most and count > most:
            yield f"{count} {what} of context: the host cuts at {most}", _REPORT


def _slow(tools: Bench, trial: Trial) -> Iterator[str]:
    allowed = tools.deadline + START_SECONDS
    if trial.exit_code is not None and trial.seconds > allowed:
        yield f"slow: {trial.seconds:.1f} s; the deadline is {tools.deadline:g} s"


def _receipt(project: Project, session: str) -> Receipt | None:
    try:
        latest = latest_receipts(project.receipts, LOOKED_AT)
    except LedgerError:
        return None
    return next((receipt for receipt in latest if receipt.session == session), None)


def _not_briefed(receipt: Receipt | None) -> Iterator[tuple[str, str]]:
    if receipt is None:
        yield "no receipt was kept: Prebrief has not been set up here", "prebrief index"
    elif receipt.degraded:
        yield f"not briefed: {receipt.degraded.reason}", receipt.degraded.remedy


def judge(host: str, runs: Iterable[Run]) -> Iterator[Finding]:
    """The findings of the trials."""
    for run in runs:
        for what, remedy in run.problems:
            fixed = f"{remedy} {host}" if remedy == _AGAIN and host != GENERIC else remedy
            yield Finding(run.event, Level.PROBLEM, what, fixed)
        for note in run.notes:
            yield Finding(run.event, Level.WARNING, note)
