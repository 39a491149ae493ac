"""Who is at the other end of a socket. Light: the client imports it, too."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket

# From <sys/socket.h> and <sys/un.h>; the module `socket` names only the first.
_LINUX_SOL_SOCKET, _LINUX_PEERCRED = 1, 17
_BSD_SOL_LOCAL, _BSD_PEERCRED, _BSD_SIZE = 0, 1, 76
_INT = 4  # bytes
_PLATFORM: str = sys.platform  # a name of its own: mypy looks at the code for all of them


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
