"""Threads that do one piece of work after the other, each with warm Augmenters of its own.

Python runs one thread at a time: a second one for the same work makes nothing quicker (measured on Django:
61 ms a dispatch by one thread, 58 by two, 61 by three), and opens every project once more. So one thread does
it all, and another helps only while that one is held up: by a file system that does not answer, a huge
repository, a transcript of megabytes.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import SimpleQueue

from augmenter.app.daemon.shelf import Shelf

HELD_UP_SECONDS = 0.4  # of one piece of work, ten times the usual: from then on another thread helps
LOOKS = 4  # within that time, at whether it has come
MOST_THREADS = 4  # each may hang for good; with all of them, the daemon is of no use any more
HUNG_SECONDS = 30.0  # of one piece of work

Work = Callable[[Shelf], object]


@dataclass(slots=True)
class Job:
    """A piece of work, and who waits for it.

    Attributes:
        work: what to do.
        outcome: where the result goes; done already when nobody waits any more.
    """

    work: Work
    outcome: asyncio.Future[object]


@dataclass(slots=True, eq=False)
class _Worker:
    """One thread."""

    shelf: Shelf
    jobs: SimpleQueue[Job | None] = field(default_factory=SimpleQueue)
    began: float | None = None  # when it began what it is at

    def is_at_it_for(self, seconds: float) -> bool:
        """Whether it has been at one piece of work for so long."""
        return self.began is not None and time.monotonic() - self.began >= seconds


class Crew:
    """The threads. All methods belong to the event loop's thread."""

    def __init__(self, make_shelf: Callable[[], Shelf]) -> None:
        self._make_shelf = make_shelf
        self._workers: list[_Worker] = []
        self._waiting: deque[Job] = deque()
        self._is_closed = False
        self._again: asyncio.TimerHandle | None = None

    @property
    def waiting(self) -> int:
        """How many pieces of work no thread has begun."""
        return sum(not job.outcome.done() for job in self._waiting)

    @property
    def running(self) -> int:
        """How many are being done, by as many threads."""
        return sum(worker.began is not None for worker in self._workers)

    @property
    def is_hung(self) -> bool:
        """Whether all threads there can be have been at one piece of work for far too long."""
        return len(self._workers) == MOST_THREADS and all(
            worker.is_at_it_for(HUNG_SECONDS) for worker in self._workers
        )

    def shelves(self) -> list[Shelf]:
        """What the threads hold: only to be looked at."""
        return [worker.shelf for worker in self._workers]

    def submit(self, work: Work) -> asyncio.Future[object]:
        """Have something done by a thread; whoever cancels the future is not waited for."""
        job = Job(work, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        self._assign()
        return job.outcome

    def everywhere(self, work: Callable[[Shelf], object]) -> None:
        """Have every thread that has nothing to do do something."""
        for worker in self._workers:
            if worker.began is None:
                self._give(worker, Job(work, asyncio.get_running_loop().create_future()))

    def close(self) -> None:
        """Let threads end when they are done with what they are at; what nobody has begun is cancelled."""
        self._is_closed = True
        for job in self._waiting:
            job.outcome.cancel()
        self._waiting.clear()
        for worker in self._workers:
            worker.jobs.put(None)

    def _assign(self) -> None:
        """Hand out what waits, in its order: to the first thread that is free, so that one stays warm."""
        while self._waiting and self._waiting[0].outcome.done():
            self._waiting.popleft()
        if not self._waiting or self._is_closed:
            return
        if (worker := self._next_worker()) is not None:
            self._give(worker, self._waiting.popleft())
        elif self._again is None:  # whoever is held up does not call
            loop = asyncio.get_running_loop()
            self._again = loop.call_later(HELD_UP_SECONDS / LOOKS, self._look_again)

    def _look_again(self) -> None:
        self._again = None
        self._assign()

    def _next_worker(self) -> _Worker | None:
        """The first thread that is free, if those before it are held up; None when nobody is to begin now."""
        for worker in self._workers:
            if worker.began is None:
                return worker
            if not worker.is_at_it_for(HELD_UP_SECONDS):
                return None
        return self._hire() if len(self._workers) < MOST_THREADS else None

    def _hire(self) -> _Worker:
        worker = _Worker(self._make_shelf())
        self._workers.append(worker)
        loop = asyncio.get_running_loop()
        # Not waited for at the end of the process: what hangs in one is not to keep the others.
        threading.Thread(target=self._work, args=(worker, loop), name="dispatches", daemon=True).start()
        return worker

    def _give(self, worker: _Worker, job: Job) -> None:
        worker.began = time.monotonic()
        worker.jobs.put(job)

    def _done(self, worker: _Worker, job: Job, result: object, error: BaseException | None) -> None:
        worker.began = None
        if not job.outcome.done():
            if error is None:
                job.outcome.set_result(result)
            else:
                job.outcome.set_exception(error)
        self._assign()

    def _work(self, worker: _Worker, loop: asyncio.AbstractEventLoop) -> None:
        """A thread's life."""
        while (job := worker.jobs.get()) is not None:
            result: object = None
            error: BaseException | None = None
            try:
                if not job.outcome.done():
                    result = job.work(worker.shelf)
            except Exception as failure:  # noqa: BLE001 - whoever waits for it is told
                error = failure
            try:
                loop.call_soon_threadsafe(self._done, worker, job, result, error)
            except RuntimeError:  # the loop has ended meanwhile
                break
        worker.shelf.close()
