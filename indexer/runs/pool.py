"""A pool of workers: files go in, what they give comes out in the same order, whatever happens to a worker.

Single-threaded, so that it may fork. Each worker has at most one batch, sent when it waits for one: neither
side ever writes to a pipe that the other does not read. How much is under way is bounded in files and bytes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from selectors import EVENT_READ, DefaultSelector

from indexer.recipe import ParseContext
from indexer.runs.jobs import Job, Refusal
from indexer.runs.processes import Process, start
from indexer.runs.worker import LAST, OVERTIME, Parse, decode_answer, failure
from indexer.sources.walk import SkipReason
from knowledge.closing import Closing
from knowledge.errors import PrebriefError, SourceError
from knowledge.settings import MEBIBYTE

BATCH_BYTES = 64 * 1024  # some 50 ms of work: more messages would cost more and spread it no better
BATCH_FILES = 32
# Under way at most, waiting or answered: enough that all workers go on while one is at a large file.
WINDOW_BYTES = 8 * MEBIBYTE
WINDOW_FILES = 1024
STALLED_SECONDS = 300.0  # when no worker is heard of for so long, one is stuck and takes no processor time
ATTEMPTS = 2  # at a file where a worker was killed: the kill may have been meant for another process
FAILED_STARTS = 3  # in a row, before it is no accident


@dataclass(slots=True)
class _Worker:
    """A process, and the jobs of its batch that it has not answered yet."""

    process: Process
    jobs: deque[Job] = field(default_factory=deque)
    is_up: bool = False


class Pool(Closing):
    """Workers, started when there is work for them.

    Args:
        context: what parsing depends on.
        parse: what parses a file: a function of a module, which another process can find.
        size: at most so many workers, at least 1.
    """

    def __init__(self, context: ParseContext, parse: Parse, size: int) -> None:
        self._setup = (parse, context)
        self._size = size
        self._workers: list[_Worker] = []
        self._selector = DefaultSelector()
        self._waiting: deque[Job] = deque()
        self._failed_starts = 0

    def close(self) -> None:
        """End all workers, whatever they are at."""
        self._selector.close()
        for worker in self._workers:
            worker.process.end()
        self._workers.clear()

    def run(self, jobs: Iterable[Job]) -> Iterator[Job]:
        """The same jobs in the same order, answered; taken in as there is room for them.

        Raises:
            PrebriefError: no worker can be started.
        """
        window: deque[Job] = deque()
        source, taken = iter(jobs), 0
        while True:
            while taken < WINDOW_BYTES and len(window) < WINDOW_FILES and (job := next(source, None)):
                taken += job.size
                window.append(job)
                if job.answer is None:
                    self._waiting.append(job)
            if not window:
                return
            self._hand_out()
            while window[0].answer is None:
                self._collect(STALLED_SECONDS)
                self._hand_out()
            done = window.popleft()
            taken -= done.size
            yield done
            self._collect(0)

    def _hand_out(self) -> None:
        while self._waiting and (worker := self._idle()):
            worker.jobs.extend(self._batch())
            self._send(worker, [(job.row, job.data) for job in worker.jobs])

    def _idle(self) -> _Worker | None:
        """A worker that waits for work: one of ours, or a new one."""
        for worker in self._workers:
            if not worker.jobs:
                return worker
        return self._start() if len(self._workers) < self._size else None

    def _start(self) -> _Worker:
        worker = _Worker(start())
        self._workers.append(worker)
        self._selector.register(worker.process.connection, EVENT_READ, worker)
        self._send(worker, self._setup)
        return worker

    def _send(self, worker: _Worker, message: object) -> None:
        with suppress(OSError):  # it has died: the next look at what it answered will show
            worker.process.connection.send(message)

    def _batch(self) -> Iterator[Job]:
        """The next few jobs; one at which a worker was killed goes alone."""
        size = count = 0
        while self._waiting and size < BATCH_BYTES and count < BATCH_FILES:
            if count and self._waiting[0].attempts:
                return
            job = self._waiting.popleft()
            yield job
            size, count = size + (BATCH_BYTES if job.attempts else job.size), count + 1

    def _collect(self, timeout: float) -> None:
        """Take what workers have answered, if need be after a while, and bury those that have died."""
        if not self._workers:
            return
        ready = self._selector.select(timeout)
        for key, _ in ready:
            self._receive(key.data)
        if timeout and not ready:
            stuck = next(worker for worker in self._workers if worker.jobs)
            job = stuck.jobs.popleft()
            job.settle(_overtime(job.row.path))
            self._bury(stuck, is_guilty=False)

    def _receive(self, worker: _Worker) -> None:
        try:
            message = worker.process.connection.recv_bytes()
        except (EOFError, OSError):
            self._bury(worker, is_guilty=True)
            return
        worker.is_up = True
        self._failed_starts = 0
        if message:
            worker.jobs.popleft().settle(decode_answer(message))
        if message.startswith(LAST):
            self._bury(worker, is_guilty=False)

    def _bury(self, worker: _Worker, *, is_guilty: bool) -> None:
        """End a worker and hand its files to the next; the first is guilty if the worker died of it."""
        self._workers.remove(worker)
        self._selector.unregister(worker.process.connection)
        status = worker.process.end()
        if not worker.is_up:
            self._note_failed_start(status)
        elif is_guilty and worker.jobs and _blame(worker.jobs[0], status):
            worker.jobs.popleft()
        self._waiting.extendleft(reversed(worker.jobs))

    def _note_failed_start(self, status: int) -> None:
        self._failed_starts += 1
        if self._failed_starts >= FAILED_STARTS:
            raise PrebriefError(
                f"processes for parsing end at their start, with status {status}",
                remedy="Check that this Python can import 'indexer' when it is started anew",
            )


def _blame(job: Job, status: int) -> bool:
    """Settle the job at which a worker ended, unless another worker shall try; whether that was done."""
    job.attempts += 1
    path = job.row.path
    if status == -OVERTIME:
        job.settle(_overtime(path))
        return True
    if status < 0 and job.attempts < ATTEMPTS:
        return False
    what = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
    job.settle(Refusal(SkipReason.PARSE_FAILURE, failure(path, f"the parser {what}")))
    return True


def _overtime(path: str) -> Refusal:
    error = SourceError(
        "parsing it takes too long", where=path, remedy="Correct the file, or name it in index.exclude"
    )
    return Refusal(SkipReason.PARSE_TIMEOUT, str(error))
