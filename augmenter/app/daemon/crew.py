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
    began: float | None = None  # the work it is at


class Crew:
    """The threads. All methods belong to the event loop's thread."""

    def __init__(self, make_shelf: Callable[[], Shelf]) -> None:
        self._make_shelf = make_shelf
        self._workers: list[_Worker] = []
        self._waiting: deque[Job] = deque()
        self._is_closed = False

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
            self._is_held_up(worker, HUNG_SECONDS) for worker in self._workers
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
        free = next((worker for worker in self._workers if worker.began is None), None)
        if free is not None and self._may_help(free):
            self._give(free, self._waiting.popleft())
        elif free is None and len(self._workers) < MOST_THREADS and all(map(self._is_held_up, self._workers)):
            self._give(self._hire(), self._waiting.popleft())

    def _may_help(self, free: _Worker) -> bool:
        """Whether all threads before this one are held up."""
        return all(map(self._is_held_up, self._workers[: self._workers.index(free)]))

    def _is_held_up(self, worker: _Worker, seconds: float = HELD_UP_SECONDS) -> bool:
        return worker.began is not None and time.monotonic() - worker.began >= seconds

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
        asyncio.get_running_loop().call_later(HELD_UP_SECONDS, self._assign)

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
