"""Installing hooks, and taking them out again: which file, and what changes in it."""

from __future__ import annotations

import contextlib
import difflib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from augmenter.app.installing import json_hooks, toml_hooks
from augmenter.app.installing.files import read, rewrite
from augmenter.app.installing.hooks import Hook, is_call_by_others, is_command_of
from augmenter.app.installing.places import FormName, Place, Scope, places_of
from knowledge.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Form:
    """What can be done with hooks in one form of settings document; every function raises SettingsError."""

    find: Callable[[str], list[Hook]]
    add: Callable[[str | None, Iterable[Hook]], str]
    remove: Callable[[str, Callable[[str], bool]], str | None]
    rest: Callable[[str], dict[str, Any]]


FORMS: dict[FormName, Form] = {
    "json": Form(json_hooks.find, json_hooks.add, json_hooks.remove, json_hooks.rest),
    "toml": Form(toml_hooks.find, toml_hooks.add, toml_hooks.remove, toml_hooks.rest),
}


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a settings file, or would.

    Attributes:
        place: which.
        before: its text; None when there was no file.
        after: its text now; None when there is none any more.
    """

    place: Place
    before: str | None
    after: str | None

    @property
    def is_one(self) -> bool:
        """Whether anything changed."""
        return self.before != self.after

    @property
    def diff(self) -> str:
        """The change as a unified diff."""
        old, new = self.before or "", self.after or ""
        path = str(self.place.path)
        lines = difflib.unified_diff(
            old.splitlines(keepends=True),
            new.splitlines(keepends=True),
            "/dev/null" if self.before is None else path,
            "/dev/null" if self.after is None else path,
        )
        return "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
        )


@dataclass(frozen=True, slots=True)
class Installed:
    """What calls Prebrief by a settings file.

    Attributes:
        place: the file.
        hooks: Prebrief's own.
        others: those that somebody has written, and that nobody but them may change.
    """

    place: Place
    hooks: tuple[Hook, ...]
    others: tuple[Hook, ...] = ()


def with_hooks(form: Form, text: str | None, host: str, wanted: Sequence[Hook]) -> str:
    """A document with exactly these hooks of Prebrief's, and all else as it was.

    Raises:
        SettingsError: it cannot be edited safely.
    """
    is_ours = is_command_of(host)
    if text is not None and [hook for hook in form.find(text) if is_ours(hook.command)] == list(wanted):
        return text
    cleared = None if text is None else form.remove(text, is_ours)
    new = form.add(cleared, wanted)
    _check(form, host, text, new, wanted)
    return new


def without_hooks(form: Form, text: str | None, host: str) -> str | None:
    """A document without Prebrief's hooks for a host, and all else as it was; None when nothing is left.

    Raises:
        SettingsError: it cannot be edited safely.
    """
    if text is None:
        return None
    new = form.remove(text, is_command_of(host))
    _check(form, host, text, new, ())
    return new


def _check(form: Form, host: str, old: str | None, new: str | None, wanted: Sequence[Hook]) -> None:
    """Whether an edited document says what it should: a last look before somebody's settings are written."""
    is_ours = is_command_of(host)
    before, after = _told(form, old), _told(form, new)
    others = [[hook for hook in told[0] if not is_ours(hook.command)] for told in (before, after)]
    ours = [hook for hook in after[0] if is_ours(hook.command)]
    key = repr
    if others[0] != others[1] or sorted(map(key, ours)) != sorted(map(key, wanted)) or before[1] != after[1]:
        raise SettingsError(
            "it is written in a way that cannot be edited safely",
            remedy="Edit it by hand: 'prebrief hook install HOST --dry-run --json' names the hooks",
        )


def _told(form: Form, text: str | None) -> tuple[list[Hook], dict[str, Any]]:
    return ([], {}) if text is None else (form.find(text), form.rest(text))


def install(place: Place, hooks: Sequence[Hook], *, dry_run: bool = False) -> Change:
    """Write hooks into a settings file, in the place of those that any Prebrief wrote there for its host.

    Raises:
        SettingsError: it cannot be edited; nothing was changed.
    """
    return _change(place, lambda form, text: with_hooks(form, text, place.host, hooks), dry_run)


def uninstall(place: Place, *, dry_run: bool = False) -> Change:
    """Take Prebrief's hooks out of a settings file; a file of which nothing is left is deleted.

    Its folder stays: nothing tells whether it was made for the file, or was there.

    Raises:
        SettingsError: it cannot be edited; nothing was changed.
    """
    return _change(place, lambda form, text: without_hooks(form, text, place.host), dry_run)


def _change(place: Place, edit: Callable[[Form, str | None], str | None], dry_run: bool) -> Change:
    form = FORMS[place.form]
    with located(place.path):
        return Change(place, *rewrite(place.path, lambda text: edit(form, text), dry_run=dry_run))


_MARK = "hook run"  # is in each of our command lines


def installed(host: str, root: Path) -> Iterator[Installed | SettingsError]:
    """Which settings files of a host have it call Prebrief; an error for one that cannot be read."""
    is_ours, is_others = is_command_of(host), is_call_by_others(host)
    for place in _distinct(places_of(host, root)):
        try:
            with located(place.path):
                text = read(place.path) or ""
                # What does not speak of us is nobody's business here, be it broken.
                hooks = FORMS[place.form].find(text) if _MARK in text else []
        except SettingsError as error:
            yield error
            continue
        ours = tuple(hook for hook in hooks if is_ours(hook.command))
        others = tuple(hook for hook in hooks if is_others(hook.command))
        if ours or others:
            yield Installed(place, ours, others)


def _distinct(places: Iterable[Place]) -> Iterator[Place]:
    """Each file once: a project may be the home, and one file a link to another."""
    seen: set[str] = set()
    for place in places:
        real = os.path.realpath(place.path)
        if real not in seen:
            seen.add(real)
            yield place


def place_for(host: str, scope: Scope, root: Path) -> Place:
    """Where to write the hooks of a host.

    Of several files that a host reads in one scope, that which has hooks already; else the first.

    Raises:
        SettingsError: the host has no such scope, or one of its files cannot be read.
    """
    places = [place for place in places_of(host, root) if place.scope == scope]
    if not places:
        raise SettingsError(
            f"{host} has no settings of the scope '{scope}'", remedy="Leave out the option, or use --user"
        )
    for place in places:
        with located(place.path):
            text = read(place.path)
            if text is not None and FORMS[place.form].find(text):
                return place
    return places[0]


@contextlib.contextmanager
def located(path: Path) -> Iterator[None]:
    """Errors from within name the file."""
    try:
        yield
    except SettingsError as error:
        raise SettingsError(error.what, where=error.where or str(path), remedy=error.remedy) from None
