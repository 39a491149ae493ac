"""Where the daemon is found: a folder of the user's own, with a socket and a lock.

Light, as all that the hook's client imports: nothing but ``os`` here, texts in place of paths.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False  # as `typing` has it, which takes longer to import than the client has
if TYPE_CHECKING:
    from collections.abc import Mapping

VARIABLE = "PREBRIEF_RUNTIME"
SWITCH = "PREBRIEF_DAEMON"  # "off": no daemon is asked, and none started
_NAME = "prebrief"
# Not TMPDIR: hosts and sandboxes change it, and there is one daemon for all of a user's hooks.
_TEMPORARY = "/tmp"  # noqa: S108 - the folder in it is the user's own, or is not used
_SOCKET, _LOCK = "daemon.sock", "daemon.lock"
LONGEST_PATH = 103  # bytes of a socket's path that every system takes: macOS has 104 with the NUL, Linux 108
_OTHERS = 0o077  # permissions of group and others


def is_off(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the environment forbids the daemon."""
    return environment.get(SWITCH, "") == "off"


def runtime_folder(environment: Mapping[str, str] = os.environ) -> str:
    """The folder of this user's daemon, which may not exist yet.

    ``PREBRIEF_RUNTIME`` names it. Else it lies in ``XDG_RUNTIME_DIR``, if that is an absolute path, or in the
    temporary folder, with the user's number in its name.
    """
    chosen = environment.get(VARIABLE, "")
    if chosen:
        return os.path.abspath(chosen)  # noqa: PTH100 - see the module
    base = environment.get("XDG_RUNTIME_DIR", "")
    if base.startswith("/"):
        return f"{base.rstrip('/')}/{_NAME}"
    return f"{_TEMPORARY}/{_NAME}-{os.geteuid()}"


def socket_in(folder: str) -> str:
    """The path of the socket."""
    return f"{folder}/{_SOCKET}"


def lock_in(folder: str) -> str:
    """The path of the lock, which a daemon holds for as long as it lives."""
    return f"{folder}/{_LOCK}"


def why_unsafe(folder: str) -> str:
    """What keeps a folder from being trusted: whoever can write to it can answer for the daemon.

    ``""`` when nothing does. A symbolic link is not followed: it would be another's choice.
    """
    try:
        found = os.lstat(folder)
    except OSError as error:
        return f"it cannot be looked at: {error.strerror}"
    if found.st_mode & 0o170000 != 0o040000:  # S_IFMT, S_IFDIR: the module `stat` is not imported for it
        return "it is no folder"
    if found.st_uid != os.geteuid():
        return f"it is the user's with number {found.st_uid}"
    if found.st_mode & _OTHERS:
        return f"others may use it (mode {found.st_mode & 0o777:o})"
    if len(os.fsencode(socket_in(folder))) > LONGEST_PATH:
        return f"a socket's path may have at most {LONGEST_PATH} bytes"
    return ""
