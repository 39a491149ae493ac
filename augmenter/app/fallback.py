"""What the hook does by itself where no daemon answers: the work, in what is left of its second."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from augmenter.app.daemon.starting import start
from augmenter.app.desk import IN_PROCESS
from augmenter.app.hooks import answer_event, pass_through
from augmenter.hosts.registry import NAMES
from knowledge.errors import DeadlineExceeded, PrebriefError

if TYPE_CHECKING:
    from augmenter.app.augmenter import Augmenter
    from augmenter.hosts.events import Answer

SECOND = 1.0  # that a dispatch has, with what has passed of it before
# Below, no time was lost on a daemon: the settings alone say how much there is.
NOTHING_LOST = 0.05


@dataclass(slots=True)
class _Desk:
    """`augmenter.app.desk.IN_PROCESS`, with less time; remembers whether the project wants a daemon.

    Attributes:
        began: when the second began, by `time.perf_counter`.
        root: of the project that wants a daemon; ``""`` when none does.
        idle_minutes: after which that daemon is to end.
    """

    began: float
    root: str = ""
    idle_minutes: int = 0

    @contextmanager
    def open(self, root: Path) -> Iterator[Augmenter]:
        """As `Desk.open`."""
        with IN_PROCESS.open(root) as augmenter:
            lost = time.perf_counter() - self.began
            if lost > NOTHING_LOST:
                augmenter.hurry(SECOND - lost)
            yield augmenter
            self._note(augmenter)

    def _note(self, augmenter: Augmenter) -> None:
        try:
            serve = augmenter.settings.serve
        except PrebriefError:  # the answer says so
            return
        if serve.autostart and augmenter.project.is_in_use:
            self.root, self.idle_minutes = str(augmenter.project.view_root), serve.idle_minutes

    def start_daemon(self) -> None:
        """Start one for the next time, if that is wanted."""
        if self.root:
            start(self.root, self.idle_minutes)


def answer_alone(
    host: str, root: str, event: bytes, began: float, latest: float
) -> tuple[Answer, Callable[[], None]] | None:
    """The answer to an event, and what is to be done when it has been given; None for an unknown host.

    Args:
        host: its name.
        root: a folder of the project, ``""`` for the event's.
        event: as it came.
        began: when its second began, by `time.perf_counter`.
        latest: seconds after that, from which the work is not begun any more.
    """
    if host not in NAMES:
        return None
    desk = _Desk(began)
    if time.perf_counter() - began > latest:
        late = DeadlineExceeded("the daemon has not answered in time", remedy="Run 'prebrief serve --status'")
        return pass_through(host, event, late), desk.start_daemon
    return answer_event(host, event, root, desk), desk.start_daemon
