"""Which folders may be asked about: the roots of this user's projects that are in use, and nothing else.

What else there is on this machine is none of the callers' business: a folder that does not exist, one that is
nobody's project, another user's and one within a project are all answered alike.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from augmenter.app.http.replies import RETRY, UNAVAILABLE, Refusal
from knowledge.errors import DeadlineExceeded, PrebriefError
from knowledge.project import Project, locate
from knowledge.settings import FILE_NAME

MOST_LOOKS = 64  # at once: each takes a thread, for good where a file system does not answer


class NoProject(Refusal):
    """No project may be asked about under this path."""

    def __init__(self, root: str) -> None:
        super().__init__(
            404,
            "project-error",
            "there is no project in use",
            where=root,
            remedy="Name the root of one in which 'prebrief init' or 'prebrief index' was run",
        )


@dataclass(slots=True)
class Finder:
    """Looks at folders, each in a thread that nobody has to wait for. Belongs to the event loop's thread.

    Not in the loop: a network's file system may not answer. Not in the workroom: its shelf would open what is
    nobody's project, and close what is somebody's for it.

    Attributes:
        looks: how many there are at the moment.
    """

    looks: int = 0

    async def check(self, root: str, deadline: float) -> None:
        """Let only a project's root pass.

        Args:
            root: an absolute path.
            deadline: when to give up, on the clock of `time.monotonic`.

        Raises:
            NoProject: it is none.
            DeadlineExceeded: the file system does not answer in time.
            Refusal: it has not answered many others either.
        """
        if self.looks >= MOST_LOOKS:
            raise Refusal(UNAVAILABLE, "busy", "file systems do not answer", where=root, headers=RETRY)
        loop = asyncio.get_running_loop()
        found: asyncio.Future[bool] = loop.create_future()

        def told(verdict: bool) -> None:
            self.looks -= 1
            if not found.done():
                found.set_result(verdict)

        def look() -> None:
            verdict = is_askable(root)
            with suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(told, verdict)

        self.looks += 1
        threading.Thread(target=look, name="look", daemon=True).start()
        try:
            async with asyncio.timeout(deadline - time.monotonic()):
                is_there = await found
        except TimeoutError:
            raise DeadlineExceeded(
                "the file system has not answered in time", where=root, remedy="Ask again later"
            ) from None
        if not is_there:
            raise NoProject(root)


def is_askable(root: str) -> bool:
    """Whether a path is the root of a view of a project in use, and this user's."""
    folder = Path(root)
    if not folder.is_absolute() or os.path.normpath(root) != str(
        folder
    ):  # 'src/..' would tell whether there is a 'src'
        return False
    try:
        project = locate(folder)
        return project.view_root == folder.resolve() and _is_own(project)
    except (PrebriefError, OSError, ValueError):
        return False


def _is_own(project: Project) -> bool:
    """Whether this user has set Prebrief up there."""
    if not project.is_in_use:
        return False
    for marker in (project.state, project.view_root / FILE_NAME):
        with suppress(FileNotFoundError):
            if marker.stat().st_uid == os.geteuid():
                return True
    return False
