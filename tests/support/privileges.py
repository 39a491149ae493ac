"""Doing without root's privileges, which no permission binds."""

from __future__ import annotations

import builtins
import os
import pickle
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

NOBODY = 65534

_T = TypeVar("_T")
_import = builtins.__import__


def as_nobody(function: Callable[[], _T], *, owns: Iterable[Path] = ()) -> _T:
    """Calls a function where permissions apply: in a child process, if this one is root's.

    Args:
        function: what to call. What it returns, or the type and text of what it raises, comes back.
        owns: folders that are given away for it, for good.
    """
    if os.getuid() != 0:
        return function()
    for place in owns:
        give_away(place)
    receiver, sender = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(receiver)
            with os.fdopen(sender, "wb") as pipe:
                pickle.dump(_attempt(function), pipe)
        finally:
            os._exit(0)  # whatever happens: the rest of the run is the parent's
    os.close(sender)
    with os.fdopen(receiver, "rb") as pipe:
        worked, result = pickle.load(pipe)
    os.waitpid(child, 0)
    if not worked:
        kind, text = result
        raise kind(text)
    return result


def _attempt(function: Callable[[], Any]) -> tuple[bool, Any]:
    try:
        os.setgroups([])
        os.setgid(NOBODY)
        _become(NOBODY)
        builtins.__import__ = _import_as_root
        return True, function()
    except BaseException as error:  # noqa: BLE001 (raised again by the parent)
        return False, (type(error), str(error))


def _become(user: int) -> None:
    os.setresuid(user, user, 0)  # with a way back, which a program that is started from here does not inherit


def _import_as_root(*arguments: Any, **options: Any) -> Any:
    """Imports what nobody may read: the interpreter can be installed in root's own folder."""
    user = os.getuid()
    _become(0)
    try:
        return _import(*arguments, **options)
    finally:
        _become(user)


def give_away(place: Path) -> None:
    """Makes nobody the owner of a folder and all in it, and lets everybody pass to it."""
    let_pass(place)
    for top, folders, files in os.walk(place):
        os.chown(top, NOBODY, NOBODY)
        for name in (*folders, *files):
            os.chown(Path(top, name), NOBODY, NOBODY, follow_symlinks=False)


def let_pass(place: Path) -> None:
    """Lets everybody pass through the folders above a place, as far as they are this user's own."""
    for parent in place.parents:
        if parent.stat().st_uid == os.getuid() and len(parent.parts) > 2:
            parent.chmod(parent.stat().st_mode | 0o011)
