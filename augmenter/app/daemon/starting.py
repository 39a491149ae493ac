"""Starting the daemon from a hook, for the next one. Light: the hook has answered, and is about to end."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress

from augmenter.app.daemon.places import lock_in, runtime_folder, why_unsafe

# Whatever keeps a daemon from staying, hooks try again no sooner.
LEAST_SECONDS_BETWEEN_STARTS = 10.0


def program(*words: str, nice: int = 0) -> list[str]:
    """The interpreter's arguments for a command of Prebrief's, in a process with this one's path."""
    lower = f"import os; os.nice({nice}); " if nice else ""
    path = f"import sys; sys.path[:] = {_absolute_path()!r}; "
    code = f"{lower}{path}from augmenter.app.cli import main; sys.exit(main())"
    return ["-P", "-c", code, *words]


def start(root: str, idle_minutes: int) -> bool:
    """Start a daemon that outlives this process and keeps none of its files open; False when none is needed.

    Nothing is waited for, and whatever fails, fails silently.

    Args:
        root: of the project to begin with.
        idle_minutes: it ends when nothing was asked for so long.
    """
    folder = runtime_folder()
    if not sys.executable or not _is_wanted(folder):
        return False
    words = program("serve", "--detached", "--idle", str(idle_minutes), "--root", root)
    files = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
    try:
        os.posix_spawn(sys.executable, [sys.executable, *words], os.environ, file_actions=files)
    except OSError:
        return False
    return True


def _is_wanted(folder: str) -> bool:
    """Whether no daemon lives, or was started just now."""
    if why_unsafe(folder):
        return not os.path.lexists(folder)
    lock = lock_in(folder)
    try:
        handle = os.open(lock, os.O_RDWR)
    except FileNotFoundError:
        return True
    except OSError:  # a sandbox
        return False
    try:
        import fcntl  # noqa: PLC0415 - only here

        if time.time() - os.fstat(handle).st_mtime < LEAST_SECONDS_BETWEEN_STARTS:
            return False
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.utime(lock)  # other hooks that end now need not start one as well
    except OSError:  # a daemon has it
        return False
    finally:
        os.close(handle)
    return True


def detach() -> None:
    """Leave the session, the folder and the files of whoever started this process."""
    with suppress(OSError):  # it leads a session already
        os.setsid()
    sys.path[:] = _absolute_path()
    os.chdir("/")
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))


def _absolute_path() -> list[str]:
    """Where modules are found, wherever a process goes. What are no places are names that finders know."""
    is_place, absolute = os.path.exists, os.path.abspath
    return [absolute(entry) if is_place(entry or ".") else entry for entry in sys.path]
