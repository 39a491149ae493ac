"""`AsyncAugmenter`: the library's face for programs with an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeVar

from augmenter.app.ask import Ask
from augmenter.app.augmenter import Augmenter
from augmenter.app.logs import Log
from augmenter.app.scope import DispatchScope
from augmenter.brief import Brief
from knowledge.clock import Clock
from knowledge.project import Project
from receipts.records import OfferedRecord

if TYPE_CHECKING:
    from augmenter.app.completion import Completed

_P = ParamSpec("_P")
_R = TypeVar("_R")


class AsyncAugmenter:
    """An `Augmenter` in a thread of its own; any number of tasks of one event loop may share it.

    They are served one after the other, in the order in which they ask. Whoever stops waiting is not told the
    answer; the work itself goes on to its end.
    """

    def __init__(self, augmenter: Augmenter) -> None:
        self._augmenter = augmenter
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="prebrief")
        self._is_closed = False

    @classmethod
    def open(cls, root: str | Path = ".", *, clock: Clock | None = None, log: Log | None = None) -> Self:
        """As `Augmenter.open`. Raises ProjectError."""
        return cls(Augmenter.open(root, clock=clock, log=log))

    @property
    def project(self) -> Project:
        """Which project and view."""
        return self._augmenter.project

    async def augment(self, task: str, *, session: str = "", ask: Ask | None = None) -> Brief:
        """As `Augmenter.augment`: the task always comes out."""
        return await self._do(self._augmenter.augment, task, session=session, ask=ask)

    async def rank(self, task: str, *, limit: int = 50, kinds: Collection[str] = ()) -> list[OfferedRecord]:
        """As `Augmenter.rank`. Raises PrebriefError."""
        return await self._do(self._augmenter.rank, task, limit=limit, kinds=kinds)

    async def complete(self, dispatch_id: str, **how: Any) -> Completed:
        """As `Augmenter.complete`, with its arguments. Raises PrebriefError."""
        return await self._do(partial(self._augmenter.complete, dispatch_id, **how))

    @asynccontextmanager
    async def dispatch(
        self, task: str, *, session: str = "", ask: Ask | None = None
    ) -> AsyncIterator[DispatchScope]:
        """As `Augmenter.dispatch`, for ``async with``."""
        scope = self._augmenter.dispatch(task, session=session, ask=ask)
        try:
            await self._do(scope.__enter__)
        except BaseException as error:
            # It may be under way all the same: its end comes right behind it, and nobody waits for that.
            self._thread.submit(scope.__exit__, type(error), error, error.__traceback__)
            raise
        try:
            yield scope
        except BaseException as error:
            await self._to_its_end(partial(scope.__exit__, type(error), error, error.__traceback__))
            raise
        await self._to_its_end(partial(scope.__exit__, None, None, None))

    async def aclose(self) -> None:
        """Let go of files and of the thread; a second time does nothing."""
        if not self._is_closed:
            self._is_closed = True
            await self._to_its_end(self._augmenter.close)
            self._thread.shutdown(wait=False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _do(self, work: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, partial(work, *args, **kwargs))

    async def _to_its_end(self, work: Callable[[], object]) -> None:
        """What is to be done even while the task is being cancelled."""
        await asyncio.shield(self._do(work))
