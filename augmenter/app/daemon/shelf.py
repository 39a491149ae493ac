"""Warm Augmenters within one thread: an `Augmenter` is used, and closed, by the thread that opened it."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import call
from pathlib import Path

from augmenter.app.augmenter import Augmenter, Later
from augmenter.app.daemon.tally import Noting
from knowledge.project import Project, locate

Opened = Callable[[Project, bool], None]

MOST_WARM = 6  # projects that a user works in at a time; each takes some 10 MB, of large repositories 40
BROKEN = ("catalog-", "internal-")  # how the reasons begin after which nothing is kept open
IDLE_SECONDS = 600.0  # as long as a person may be away from one of several projects


@dataclass(slots=True)
class _Warm:
    augmenter: Augmenter
    used: float


@dataclass(slots=True)
class Shelf:
    """The Augmenters of one thread, those used last at the end.

    Attributes:
        log: where their events go.
        on_use: is told, within the thread, which project was used, and whether its index is known to be older
            than its tree.
        most: how many stay open.
    """

    log: Noting
    on_use: Opened
    most: int = MOST_WARM
    _warm: OrderedDict[Project, _Warm] = field(default_factory=OrderedDict)

    @contextmanager
    def open(self, root: Path, until: float, when_delivered: Later = call) -> Iterator[Augmenter]:
        """The Augmenter of the project that a folder belongs to, for one piece of work.

        Args:
            root: the folder.
            until: when the work must have ended, on the monotonic clock.
            when_delivered: as for `Augmenter.hurry`.

        Raises:
            ProjectError: there is no such folder.
        """
        project = locate(root)
        warm = self._warm.pop(project, None) or _Warm(Augmenter(project, log=self.log), 0.0)
        self._warm[project] = warm
        warm.augmenter.refresh()
        warm.augmenter.hurry(until - time.monotonic(), when_delivered)
        try:
            yield warm.augmenter
        finally:
            warm.used = time.monotonic()
            self._drop([project] if self._has_broken() else self._beyond())
            self.on_use(project, warm.augmenter.seen_stale())

    def tidy(self, idle: float = IDLE_SECONDS) -> None:
        """Close what has not been used for so many seconds, and what is no more."""
        now = time.monotonic()
        self._drop(
            [
                project
                for project, warm in self._warm.items()
                if now - warm.used >= idle or not project.view_root.is_dir()
            ]
        )

    def projects(self) -> list[Project]:
        """Which are warm, those used last at the end."""
        return list(self._warm)

    def close(self) -> None:
        """Let go of all."""
        self._drop(list(self._warm))

    def _has_broken(self) -> bool:
        """Whether what went wrong in this piece of work may be with what is open: it is opened anew."""
        return any(reason.startswith(BROKEN) for reason in self.log.reasons)

    def _beyond(self) -> list[Project]:
        return list(self._warm)[: max(0, len(self._warm) - self.most)]

    def _drop(self, projects: list[Project]) -> None:
        for project in projects:
            self._warm.pop(project).augmenter.close()
