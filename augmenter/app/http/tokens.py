"""The token that callers show: a file of the user's own, in the daemon's runtime folder."""

from __future__ import annotations

import os
import re
import secrets
import stat
import tempfile
from contextlib import suppress

from augmenter.app.daemon.listening import make_folder
from knowledge.errors import PrebriefError

_NAME = "http.token"
_BYTES = 32  # of randomness
_FORM = re.compile(r"[A-Za-z0-9._~+/-]{32,512}=*")  # what a bearer token may consist of (RFC 6750)


def token_file(folder: str) -> str:
    """The path of the file with the token."""
    return f"{folder}/{_NAME}"


def token_of(folder: str) -> str:
    """The token, made when there is none.

    Args:
        folder: the runtime folder.

    Raises:
        PrebriefError: the folder or file cannot be used, or others could have read or written it.
    """
    make_folder(folder)
    path = token_file(folder)
    try:
        if not os.path.lexists(path):
            _make(path)
        return _read(path)
    except OSError as error:
        raise PrebriefError.of_system(
            "the token cannot be had", error, path, "Remove it; a new one is made"
        ) from None


def _make(path: str) -> None:
    """Write a new one, whole at once; where another was quicker, that one stays."""
    handle, draft = tempfile.mkstemp(dir=os.path.dirname(path), prefix=f"{_NAME}.")  # noqa: PTH120 - a text
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(f"{secrets.token_urlsafe(_BYTES)}\n")
    try:
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        os.unlink(draft)  # noqa: PTH108 - likewise


def _read(path: str) -> str:
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), encoding="ascii") as file:
        found = os.fstat(file.fileno())
        is_own = found.st_uid == os.geteuid() and not found.st_mode & 0o077
        if not stat.S_ISREG(found.st_mode) or not is_own:
            raise PrebriefError(
                "this file is not the user's alone",
                where=path,
                remedy="Remove it; a new token is made at the next start",
            )
        try:
            text = file.read().strip()
        except UnicodeDecodeError:
            text = ""
    if not _FORM.fullmatch(text):
        raise PrebriefError("this is no token", where=path, remedy="Remove it; a new one is made")
    return text
