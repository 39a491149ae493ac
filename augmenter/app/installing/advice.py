"""What there is to know besides, once hooks have been written or taken out."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from augmenter.app.installing.hooks import Hook, executable_of, is_command_of
from augmenter.app.installing.installation import FORMS, Change, Installed, installed
from augmenter.app.installing.jsonc import BOM, has_trailing_comma, parse
from augmenter.app.installing.places import Place
from augmenter.app.installing.plans import CLAUDE_CODE, CODEX, GEMINI, PLANS
from indexer.sources.git import Repository
from knowledge.errors import GitError, SettingsError
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
    if place.scope == "local" and _is_loose(place.path, project):
        notes.append(f"Git would add {place.shown}: echo {place.shown} >> .git/info/exclude")
    notes += obstacles(change.after, place)
    notes += [
        _twice(other) for other in _elsewhere(change, project.view_root) if _is_told_twice(change, other)
    ]
    notes += calls_by_others(_files(change, project.view_root))
    if not project.catalog.exists():
        notes.append("Nothing is indexed yet, so nothing is offered: prebrief index")
    return notes


def _is_loose(path: Path, project: Project) -> bool:
    """Whether git neither tracks nor ignores a file."""
    if project.git_dir is None:
        return False
    try:
        told = Repository(project.view_root).run(
            "ls-files", "--others", "--exclude-standard", "--", str(path)
        )
    except GitError:
        return False
    return bool(told)


def after_uninstall(change: Change, project: Project) -> list[str]:
    """What else has the same host call Prebrief."""
    return [
        *(
            f"There are hooks of Prebrief in {other.place.shown} as well: {_uninstall(other)}"
            for other in _elsewhere(change, project.view_root)
        ),
        *calls_by_others(_files(change, project.view_root)),
    ]


_TRUST = {
    CODEX: ("Codex reads this file only in a project that it was told to trust",),
    GEMINI: ("Gemini CLI reads this file only in a folder that it was told to trust",),
}


def _elsewhere(change: Change, root: Path) -> Iterator[Installed]:
    for found in _files(change, root):
        if found.hooks and found.place.path != change.place.path:
            yield found


def _files(change: Change, root: Path) -> Iterator[Installed]:
    """The files by which a host calls Prebrief, once the change is made: it may be a mere trial."""
    changed = Installed(change.place, _ours(change))
    for found in installed(change.place.host, root):
        if isinstance(found, SettingsError):
            continue
        if found.place.path == change.place.path:
            changed = replace(changed, others=found.others)
        else:
            yield found
    yield changed


def _is_told_twice(change: Change, other: Installed) -> bool:
    return told_twice(other.place.host, [_ours(change), other.hooks])


def _ours(change: Change) -> tuple[Hook, ...]:
    found = () if change.after is None else FORMS[change.place.form].find(change.after)
    return tuple(filter(lambda hook: is_command_of(change.place.host)(hook.command), found))


def told_twice(host: str, files: Iterable[Iterable[Hook]]) -> bool:
    """Whether an event is told twice, for hooks are in several files."""
    calls = [{(hook.event, hook.command) for hook in hooks if executable_of(hook.command)} for hooks in files]
    if PLANS[host].joins_equals:
        calls = [set().union(*calls)]
    events = [event for found in calls for event, _ in found]
    return len(events) > len(set(events))


def calls_by_others(files: Iterable[Installed]) -> Iterator[str]:
    """That lines which are not ours call Prebrief as well, and which events are told twice by that."""
    files = list(files)
    known = {hook.event for file in files for hook in file.hooks}
    for file in files:
        events = list(dict.fromkeys(hook.event for hook in file.others))
        if not events:
            continue
        twice = ", ".join(event for event in events if event in known)
        yield (
            f"{file.place.shown} has a line that is not of our form and calls Prebrief as well, on "
            f"{', '.join(events)}; it is left alone{f', so {twice} is told twice' if twice else ''}"
        )


def _twice(other: Installed) -> str:
    return f"{other.place.shown} has hooks of Prebrief, too, so each event is told twice: {_uninstall(other)}"


def _uninstall(other: Installed) -> str:
    option = "" if other.place.scope == "project" else f" --{other.place.scope}"
    return f"prebrief hook uninstall {other.place.host}{option}"


def obstacles(text: str | None, place: Place) -> Iterator[str]:
    """What in a settings file keeps its hooks from being called."""
    if text is None or place.form != "json":
        return
    if why := _not_read(text, place.host):
        yield f"{PLANS[place.host].title} does not read this file, for it has {why}"
    told = FORMS["json"].rest(text)
    if place.host == CLAUDE_CODE and told.get("disableAllHooks") is True:
        yield "All hooks are switched off here: 'disableAllHooks' is true"
    config = told.get("hooksConfig")
    if place.host == GEMINI and isinstance(config, Mapping):
        if config.get("enabled") is False:
            yield "All hooks are switched off here: 'hooksConfig.enabled' is false"
        names = config.get("disabled")
        if isinstance(names, list) and "prebrief" in names:
            yield "The hooks are switched off here: 'hooksConfig.disabled' names 'prebrief'"


def _not_read(text: str, host: str) -> str:
    """What of the liberties that `jsonc` allows a host does not; ``""`` for nothing.

    As seen with Claude Code 2.1.197, Codex 0.171 and Gemini CLI 0.61.
    """
    if text.startswith(BOM) and host != CLAUDE_CODE:
        return "a byte-order mark"
    if host == GEMINI:
        return "a comma behind the last of its parts" if has_trailing_comma(parse(text)) else ""
    try:
        json.loads(text.removeprefix(BOM))
    except ValueError:
        return "comments, or a comma behind the last of its parts"
    return ""


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
