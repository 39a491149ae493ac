"""The daemon's place: its folder, the lock that makes it the only one, its socket."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from augmenter.app.daemon.places import lock_in, socket_in, why_unsafe
from knowledge.errors import PrebriefError
from knowledge.locks import file_lock

BACKLOG = 1024  # clients that wait to be let in; the system may allow fewer
PRIVATE = 0o700


class Occupied(PrebriefError):
    """Another daemon has the place."""


def make_folder(folder: str) -> None:
    """Make the runtime folder, which only its user may enter.

    Raises:
        PrebriefError: it cannot be made, or is there and cannot be trusted.
    """
    try:
        Path(folder).parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            os.mkdir(folder, PRIVATE)  # noqa: PTH102 - Path.mkdir has no answer for what is there already
    except OSError as error:
        raise PrebriefError.of_system(
            "cannot be made", error, folder, "Name another folder in PREBRIEF_RUNTIME"
        ) from None
    if problem := why_unsafe(folder):
        raise PrebriefError(
            f"this folder is no safe place for the daemon: {problem}",
            where=folder,
            remedy="Remove it, or name another one in PREBRIEF_RUNTIME",
        )


@contextmanager
def only_daemon(folder: str, timeout: float = 0) -> Iterator[None]:
    """Be the only daemon of a folder, for the length of a ``with`` block.

    Args:
        folder: the runtime folder.
        timeout: seconds to wait for another's end.

    Raises:
        Occupied: there is another.
        PrebriefError: the folder cannot be used.
    """
    make_folder(folder)
    with file_lock(Path(lock_in(folder)), timeout, error=Occupied):
        os.utime(lock_in(folder))  # by which clients know when one was started
        yield


@contextmanager
def listening(folder: str) -> Iterator[socket.socket]:
    """Listen on the socket of a folder whose `only_daemon` this is, in place of whatever was left there.

    Raises:
        PrebriefError: the socket cannot be made.
    """
    path = socket_in(folder)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        try:
            with suppress(FileNotFoundError):
                os.unlink(path)  # noqa: PTH108 - a text
            before = os.umask(0o177)
            try:
                listener.bind(path)
            finally:
                os.umask(before)
            listener.listen(BACKLOG)
        except OSError as error:
            raise PrebriefError.of_system(
                "the socket cannot be made", error, path, "Name another folder in PREBRIEF_RUNTIME"
            ) from None
        listener.setblocking(False)
        mine = identity(path)
        try:
            yield listener
        finally:
            if identity(path) == mine:
                with suppress(OSError):
                    os.unlink(path)  # noqa: PTH108


def identity(path: str) -> tuple[int, int] | None:
    """What tells a file from one that is put in its place; None without one."""
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return (found.st_dev, found.st_ino)
