"""``prebrief hook install``, ``uninstall`` and ``test``."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from augmenter.app.checks import finding_of
from augmenter.app.common import answer, print_text
from augmenter.app.findings import Finding, Level
from augmenter.app.installing import installation
from augmenter.app.installing.advice import after_install, after_uninstall, how_to_call
from augmenter.app.installing.hooks import Hook, command_line, own_executable, own_or_none
from augmenter.app.installing.inspection import inspect, is_reading_hooks
from augmenter.app.installing.installation import Change
from augmenter.app.installing.places import Scope, places_of
from augmenter.app.installing.plans import GENERIC, PLANS
from augmenter.app.installing.selftest import Run, bench, judge, try_hooks
from augmenter.app.wording import counted
from knowledge.errors import SettingsError
from knowledge.project import Project, locate
from knowledge.settings import Settings
from knowledge.settings_loading import load_settings

# Of a run, what the findings do not say.
_OF_A_RUN = ("event", "by", "exit_code", "ms", "bytes", "tokens", "dispatch_id")


def install(arguments: argparse.Namespace, scope: Scope) -> int:
    """Write the hooks; 0 also when they are there already."""
    project = locate(Path(arguments.root))
    executable = own_executable(sys.argv[0])
    if arguments.host == GENERIC:
        told = {"host": GENERIC, "command": f"{shlex.quote(executable)} hook run {GENERIC}"}
        answer(arguments, told, how_to_call(executable))
        return 0
    plan = PLANS[arguments.host]
    deadline_ms = load_settings(project.view_root).dispatch.deadline_ms
    hooks = plan.hooks(executable, deadline_ms, with_newer=arguments.all_events)
    place = installation.place_for(arguments.host, scope, project.view_root)
    change = installation.install(place, hooks, dry_run=arguments.dry_run)
    notes = after_install(change, project)
    document = {
        **_document(change, notes, dry_run=arguments.dry_run),
        "hooks": [_told(hook) for hook in hooks],
    }
    done = (
        f"{plan.title} calls Prebrief on {_events(hooks)} ({place.shown}):\n\n    {hooks[0].command}\n"
        if change.is_one
        else f"Nothing to do: {place.shown} has these hooks already."
    )
    _tell(arguments, document, change, [done, *notes, f"Next: prebrief hook test {arguments.host}"])
    return 0


def uninstall(arguments: argparse.Namespace, scope: Scope) -> int:
    """Take the hooks out; 0 also when there are none."""
    project = locate(Path(arguments.root))
    if arguments.host == GENERIC:
        answer(
            arguments, {"host": GENERIC}, "The generic host has no settings: there is nothing to take out."
        )
        return 0
    places = [
        place
        for place in places_of(arguments.host, project.view_root)
        if place.scope == installation.place_for(arguments.host, scope, project.view_root).scope
    ]
    changes = [installation.uninstall(place, dry_run=arguments.dry_run) for place in places]
    change = next((change for change in changes if change.is_one), changes[0])
    notes = after_uninstall(change, project)
    gone = " and deleted the file, of which nothing was left" if change.after is None else ""
    done = (
        f"Took Prebrief's hooks out of {change.place.shown}{gone}."
        if change.is_one
        else f"Nothing to do: {change.place.shown} has no hooks of Prebrief."
    )
    _tell(arguments, _document(change, notes, dry_run=arguments.dry_run), change, [done, *notes])
    return 0


def test(arguments: argparse.Namespace) -> int:
    """Try the hooks; 1 when something is wrong."""
    project = locate(Path(arguments.root))
    deadline_ms, findings = _deadline(project)
    installed, hooks = _installed(arguments.host, project)
    runs = list(try_hooks(bench(project, arguments.host, deadline_ms), hooks))
    findings += [*installed, *judge(arguments.host, runs)]
    well = all(finding.level is not Level.PROBLEM for finding in findings)
    document = {
        "host": arguments.host,
        "ok": well,
        "findings": [asdict(finding) for finding in findings],
        "runs": [{key: getattr(run, key) for key in _OF_A_RUN} for run in runs],
    }
    answer(arguments, document, _table(runs, findings))
    return 0 if well else 1


def _deadline(project: Project) -> tuple[int, list[Finding]]:
    """The deadline in ms; the default one, with a finding, where the settings are broken."""
    try:
        return load_settings(project.view_root).dispatch.deadline_ms, []
    except SettingsError as error:
        return Settings().dispatch.deadline_ms, [finding_of("settings", error)]


def _installed(host: str, project: Project) -> tuple[list[Finding], Sequence[Hook]]:
    """What is to be said of what is installed, and the hooks to try."""
    if host == GENERIC:
        handler = {"command": command_line(own_executable(sys.argv[0]), GENERIC)}
        return [], [Hook("task", handler)]
    findings = list(inspect(host, project, own_or_none(sys.argv[0])))
    found = [item for item in installation.installed(host, project.view_root) if is_reading_hooks(item)]
    distinct = {(hook.event, hook.command): hook for item in found for hook in item.hooks}
    if not distinct:
        text, remedy = "there are no hooks of Prebrief", f"prebrief hook install {host}"
        return [*findings, Finding("installed", Level.PROBLEM, text, remedy)], ()
    return findings, list(distinct.values())


def _document(change: Change, notes: Sequence[str], *, dry_run: bool) -> dict[str, Any]:
    return {
        "host": change.place.host,
        "scope": change.place.scope,
        "file": str(change.place.path),
        "changed": change.is_one,
        "dry_run": dry_run,
        "diff": change.diff,
        "notes": list(notes),
    }


def _told(hook: Hook) -> dict[str, Any]:
    return {"event": hook.event, "group": hook.group()}


def _events(hooks: Sequence[Hook]) -> str:
    return ", ".join(hook.event for hook in hooks)


def _tell(
    arguments: argparse.Namespace, document: dict[str, Any], change: Change, lines: Sequence[str]
) -> None:
    if arguments.dry_run and not arguments.json:
        print_text(change.diff or "Nothing would change.")
        return
    answer(
        arguments, document, "\n".join(line if line.endswith((".", "\n")) else f"{line}." for line in lines)
    )


def _table(runs: Sequence[Run], findings: Sequence[Finding]) -> str:
    lines = [f"{'event':<18} {'by':<8} {'exit':>5} {'ms':>6} {'bytes':>7} {'tokens':>7}"] if runs else []
    for run in runs:
        code = "late" if run.exit_code is None else run.exit_code
        lines.append(f"{run.event:<18} {run.by:<8} {code:>5} {run.ms:>6} {run.bytes:>7} {run.tokens:>7}")
    for finding in findings:
        lines.append(f"{finding.level:<8} {finding.check}: {finding.what}")
        lines += [f"{'':<8} → {finding.remedy}"] * bool(finding.remedy)
    problems = sum(finding.level is Level.PROBLEM for finding in findings)
    return "\n".join([*lines, f"{counted(problems, 'problem')}." if problems else "The hooks work."])
