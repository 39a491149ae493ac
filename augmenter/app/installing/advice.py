"""What there is to know besides, once hooks have been written or taken out."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from augmenter.app.installing.hooks import executable_of
from augmenter.app.installing.installation import FORMS, Change, Installed, installed
from augmenter.app.installing.plans import CLAUDE_CODE, CODEX, GEMINI, PLANS
from knowledge.project import Project


def after_install(change: Change, project: Project) -> list[str]:
    """What remains to be done or known; each a sentence without a full stop."""
    place, plan = change.place, PLANS[change.place.host]
    notes = [*plan.after]
    if place.scope == "project":
        notes.append(
            f"Where {place.shown} is shared, the hook does nothing for those who have no such executable"
            + ("; --local keeps it to yourself" if place.host == CLAUDE_CODE else "")
        )
        notes += _TRUST.get(place.host, ())
    notes += switched_off(change.after, place.host, place.form == "json")
    notes += [_twice(other) for other in _elsewhere(change, project.view_root)]
    if not project.catalog.exists():
        notes.append("Nothing is indexed yet, so nothing is offered: prebrief index")
    return notes


def after_uninstall(change: Change, project: Project) -> list[str]:
    """Where else there are hooks of the same host."""
    return [
        f"There are hooks of Prebrief in {other.place.shown} as well: {_uninstall(other)}"
        for other in _elsewhere(change, project.view_root)
    ]


_TRUST = {
    CODEX: ("Codex reads this file only in a project that it was told to trust",),
    GEMINI: ("Gemini CLI reads this file only in a folder that it was told to trust",),
}


def _elsewhere(change: Change, root: Path) -> Iterator[Installed]:
    for found in installed(change.place.host, root):
        if isinstance(found, Installed) and found.place.path != change.place.path:
            yield found


def _twice(other: Installed) -> str:
    return f"{other.place.shown} has hooks of Prebrief, too, so each event is told twice: {_uninstall(other)}"


def _uninstall(other: Installed) -> str:
    option = "" if other.place.scope == "project" else f" --{other.place.scope}"
    return f"prebrief hook uninstall {other.place.host}{option}"


def switched_off(text: str | None, host: str, is_json: bool) -> Iterator[str]:
    """Settings in the same file that keep the hooks from being called."""
    if text is None or not is_json:
        return
    told = FORMS["json"].rest(text)
    if host == CLAUDE_CODE and told.get("disableAllHooks") is True:
        yield "All hooks are switched off here: 'disableAllHooks' is true"
    config = told.get("hooksConfig")
    if host == GEMINI and isinstance(config, Mapping):
        if config.get("enabled") is False:
            yield "All hooks are switched off here: 'hooksConfig.enabled' is false"
        names = config.get("disabled")
        if isinstance(names, list) and "prebrief" in names:
            yield "The hooks are switched off here: 'hooksConfig.disabled' names 'prebrief'"


def how_to_call(executable: str) -> str:
    """What an orchestrator without settings of its own is to call."""
    command = f"{shlex.quote(executable)} hook run generic"
    return (
        "The generic host has no settings to install into. Before each dispatch, call\n\n"
        f"    {command}\n\n"
        'with {"task": "…", "cwd": "…", "session": "…"} on standard input. Hand on what its answer has as\n'
        '"prompt". docs/hooks.md has all keys.'
    )


def own_words(found: Installed) -> tuple[str, ...]:
    """The executables that the hooks of a file call, each once."""
    return tuple(dict.fromkeys(executable_of(hook.command) for hook in found.hooks))
