"""Who hands out the `Augmenter` of a project: a process that makes it anew, or a daemon that has it warm."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from augmenter.app.logs import Log

if TYPE_CHECKING:
    from augmenter.app.augmenter import Augmenter


class Desk(Protocol):
    """Where an `Augmenter` is had for the length of a ``with`` block, by one thread at a time."""

    def open(self, root: Path) -> AbstractContextManager[Augmenter]:
        """The `Augmenter` of the project that a folder belongs to. Raises ProjectError."""


@dataclass(frozen=True, slots=True)
class InProcess:
    """A fresh `Augmenter` for each dispatch.

    Attributes:
        log: where its events go.
    """

    log: Log = field(default_factory=lambda: Log("silent"))

    def open(self, root: Path) -> AbstractContextManager[Augmenter]:
        """As `Desk.open`."""
        from augmenter.app.augmenter import Augmenter  # noqa: PLC0415 - an event that is nothing to us is not to pay

        return Augmenter.open(root, log=self.log)


IN_PROCESS: Desk = InProcess()
