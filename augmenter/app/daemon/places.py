"""Where the daemon is found, a folder of the user's own with a socket and a lock, and whom to trust there.

Light, as all that the hook's client imports: nothing but ``os`` here, texts in place of paths.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # as `typing` has it, which takes longer to import than the client has
if TYPE_CHECKING:
    from _socket import socket
    from collections.abc import Mapping

VARIABLE = "PREBRIEF_RUNTIME"
SWITCH = "PREBRIEF_DAEMON"  # "off": no daemon is asked, and none started
_NAME = "prebrief"
# Not TMPDIR: hosts and sandboxes change it, and there is one daemon for all of a user's hooks.
_TEMPORARY = "/tmp"  # noqa: S108 - the folder in it is the user's own, or is not used
_SOCKET, _LOCK = "daemon.sock", "daemon.lock"
LONGEST_PATH = 103  # bytes of a socket's path that every system takes: macOS has 104 with the NUL, Linux 108
_OTHERS = 0o077  # permissions of group and others
# From <sys/socket.h> and <sys/un.h>; the module `socket` names only the first.
_LINUX_SOL_SOCKET, _LINUX_PEERCRED = 1, 17
_BSD_SOL_LOCAL, _BSD_PEERCRED, _BSD_SIZE = 0, 1, 76
_INT = 4  # bytes
_PLATFORM: str = sys.platform  # a name of its own: mypy looks at the code for all of them


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


def why_stranger(connection: socket) -> str:
    """What keeps the process at the other end from being trusted; ``""`` when nothing does.

    It must be this user's. On Linux it must also see the same files as this one: in a container or a sandbox
    with mounts of its own the same path may be another folder.
    """
    try:
        if _PLATFORM == "linux":
            words = connection.getsockopt(_LINUX_SOL_SOCKET, _LINUX_PEERCRED, 3 * _INT)
            pid, user = _number(words, 0), _number(words, _INT)
            return _why_other_user(user) or _why_elsewhere(pid)
        words = connection.getsockopt(_BSD_SOL_LOCAL, _BSD_PEERCRED, _BSD_SIZE)  # version, user, groups
        return _why_other_user(_number(words, _INT))
    except OSError as error:
        return f"it cannot be told who it is: {error.strerror}"


def _why_other_user(user: int) -> str:
    return "" if user == os.geteuid() else f"it is the user's with number {user}"


def _why_elsewhere(pid: int) -> str:
    if pid == 0:
        return "it cannot be seen from here"
    try:
        theirs, ours = (os.readlink(f"/proc/{one}/ns/mnt") for one in (pid, "self"))  # noqa: PTH115
    except OSError:  # it has ended, or /proc is not there, or hides it: the user is the same
        return ""
    return "" if theirs == ours else "it sees other files"


def _number(words: bytes, start: int) -> int:
    return int.from_bytes(words[start : start + _INT], sys.byteorder)
