"""A dispatch as a block of code: briefed at its beginning, its receipt completed at its end."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, replace
from types import TracebackType
from typing import TYPE_CHECKING, Self, get_args

from augmenter.brief import Brief
from knowledge.errors import DiffError, GitError, TaskError
from knowledge.githead import read_head
from receipts.records import OutcomeStatus

if TYPE_CHECKING:
    from augmenter.app.ask import Ask
    from augmenter.app.augmenter import Augmenter

CANCELLED = (KeyboardInterrupt, asyncio.CancelledError, GeneratorExit)
MAX_ERROR = 2000  # characters of an exception's text; what follows is mostly what it was called with


@dataclass(frozen=True, slots=True)
class Told:
    """What is to be recorded of how a dispatch ended; the fields are those of `Augmenter.complete`."""

    status: OutcomeStatus
    error: str = ""
    used: tuple[str, ...] = ()
    diff: str | None = None
    head: str = ""


class DispatchScope:
    """Briefs a task on entering, and completes the receipt on leaving.

    Without a word of the caller's a normal end is a success, an exception a failure, and an interruption a
    cancellation. What was used is found in what the work tree has changed since the commit that was checked
    out at the beginning. An exception of the caller's always goes on; what goes wrong with the receipt is
    logged and never raised.

    Attributes:
        brief: what to hand to the agent; before the block, the task alone.
        error: why the receipt could not be completed, or only without what was used; else None.
    """

    def __init__(self, augmenter: Augmenter, task: str, ask: Ask | None, session: str) -> None:
        self._augmenter = augmenter
        self._task, self._ask, self._session = task, ask, session
        self._base = ""
        self._told: Told | None = None
        self.brief = Brief(prompt=task)
        self.error: Exception | None = None

    def outcome(
        self,
        status: OutcomeStatus,
        *,
        error: str = "",
        used: Collection[str] = (),
        diff: str | None = None,
        head: str = "",
    ) -> None:
        """Say how it ended, whatever the end of the block would say; the last word counts.

        Args:
            status: success, failure, infra or cancelled.
            error: what went wrong, in words.
            used: pattern hashes that the agent says it used.
            diff: what it changed, instead of the difference of the work tree.
            head: the commit after the work, instead of the work tree.

        Raises:
            TaskError: there is no such status.
        """
        if status not in get_args(OutcomeStatus):
            allowed = ", ".join(get_args(OutcomeStatus))
            raise TaskError(f"there is no status {status!r}", remedy=f"Allowed: {allowed}")
        self._told = Told(status, error, tuple(used), diff, head)

    def __enter__(self) -> Self:
        self._base = read_head(self._augmenter.project)
        self.brief = self._augmenter.augment(self._task, session=self._session, ask=self._ask)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self.brief.dispatch_id:  # nothing was recorded that could be completed
            return
        told = self._told or _told_by(error)
        try:
            self._complete(told)
        except Exception as failure:  # noqa: BLE001 - whatever it is, it must not take the place of the caller's
            self.error = failure
            self._augmenter.report("the receipt is not completed", failure, self.brief.dispatch_id)

    def _complete(self, told: Told) -> None:
        """Record how it ended; where the work cannot be compared, without what was used."""
        base = "" if told.diff is not None else self._base
        try:
            self._record(told, base)
        except (GitError, DiffError) as failure:
            self.error = failure
            self._augmenter.report("what was used is not known", failure, self.brief.dispatch_id)
            self._record(replace(told, diff=None, head=""), "")

    def _record(self, told: Told, base: str) -> None:
        self._augmenter.complete(
            self.brief.dispatch_id,
            status=told.status,
            base=base,
            head=told.head,
            diff=told.diff,
            used=told.used,
            error=told.error,
        )


def _told_by(error: BaseException | None) -> Told:
    """What the end of a block says by itself."""
    if error is None:
        return Told("success")
    status: OutcomeStatus = "cancelled" if isinstance(error, CANCELLED) else "failure"
    return Told(status, f"{type(error).__name__}: {_text_of(error)}"[:MAX_ERROR])


def _text_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - an exception of anybody's, and whatever its text is made by
        return ""
