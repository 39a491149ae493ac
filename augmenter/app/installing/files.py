"""Settings files of others, read and replaced: at once, through links, with their permissions."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from knowledge.errors import SettingsError

ATTEMPTS = 5  # how often to begin anew when somebody else has written the file meanwhile
_NEW_MODE = 0o666  # less the umask, as any program makes a file

Edit = Callable[[str | None], str | None]


def read(path: Path) -> str | None:
    """A settings file's text, with its byte-order mark and line ends; None without a file.

    Raises:
        SettingsError: it cannot be read, is no file, or no UTF-8.
    """
    data = _bytes(path)
    if data is None:
        return None
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise SettingsError(
            f"it is no UTF-8 (byte {error.start})", where=str(path), remedy="Save it as UTF-8, then try again"
        ) from None


def rewrite(path: Path, edit: Edit, *, dry_run: bool = False) -> tuple[str | None, str | None]:
    """Change a settings file; returns its text before and after, None standing for no file.

    A symbolic link is written through. The file is replaced as a whole, and only as it was read: when another
    program has written it meanwhile, the edit is made anew.

    Args:
        path: the file.
        edit: from the text to the new one; what it raises is raised.
        dry_run: only tell.

    Raises:
        SettingsError: it cannot be read or written.
    """
    for _ in range(ATTEMPTS):
        before = read(path)
        after = edit(before)
        if dry_run or after == before or _replace(path, before, after):
            return before, after
    raise SettingsError(
        "another program writes it all the time", where=str(path), remedy="Close the other program"
    )


def _bytes(path: Path) -> bytes | None:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise SettingsError("it is no file", where=str(path), remedy="Move away what lies in its place")
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SettingsError.of_system("cannot be read", error, path, "Make it readable") from None


def _replace(path: Path, before: str | None, after: str | None) -> bool:
    """Put a text in a file's place; False when the file is no longer as it was."""
    old = None if before is None else before.encode()
    target = Path(os.path.realpath(path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with _alone_in(target.parent):
            if _bytes(target) != old:
                return False
            if after is None:
                target.unlink()
            else:
                _put(target, after.encode())
    except OSError as error:
        raise SettingsError.of_system(
            "cannot be written", error, path, "Make the file and its folder writable"
        ) from None
    return True


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keep other processes of Prebrief out of a folder; others know nothing of this lock."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _put(target: Path, data: bytes) -> None:
    """Write a file beside another one, with its permissions, and put it in the other's place."""
    new = target.with_name(f".{target.name}.prebrief-{os.getpid()}")
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _NEW_MODE)
    try:
        with os.fdopen(handle, "wb") as file:
            with contextlib.suppress(FileNotFoundError):
                _take_after(target, handle)
            file.write(data)
            file.flush()
            os.fsync(handle)
        new.replace(target)
    except OSError:
        new.unlink(missing_ok=True)
        raise


def _take_after(target: Path, handle: int) -> None:
    status = target.stat()
    mine = os.fstat(handle)
    if (mine.st_uid, mine.st_gid) != (status.st_uid, status.st_gid):
        with contextlib.suppress(PermissionError):  # not root: it then is this user's, as after any editor
            os.fchown(handle, status.st_uid, status.st_gid)
    os.fchmod(handle, stat.S_IMODE(status.st_mode))
