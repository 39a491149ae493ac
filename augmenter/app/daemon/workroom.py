"""The warm Augmenters of all projects, for whoever asks within the daemon: sockets, HTTP."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

from augmenter.app.ask import Ask
from augmenter.app.augmenter import Augmenter
from augmenter.app.daemon.crew import Crew
from augmenter.app.daemon.protocol import MOST_READ_HERE
from augmenter.app.daemon.shelf import Opened, Shelf
from augmenter.app.daemon.tally import Figures, Noting, Tally
from augmenter.app.hooks import answer_event, pass_through
from augmenter.app.logs import Log
from augmenter.hosts.events import Answer
from knowledge.errors import DeadlineExceeded, PrebriefError
from knowledge.project import Project, locate

# Kept of the time for the way back, and for an event loop that waits for its turn among threads.
MARGIN_SECONDS = 0.03
# What may well lie with this process alone: a sandbox it was started in, a folder it cannot see.
OWN_REASONS = frozenset({"ledger-error", "project-error"})
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class HookCall:
    """A hook's event, as it came.

    Attributes:
        host: one of `augmenter.hosts.registry.NAMES`.
        data: the event.
        root: a folder of the project; ``""`` takes the event's, or ``here``.
        here: the working directory of whoever asks.
    """

    host: str
    data: bytes
    root: str = ""
    here: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a hook's event.

    Attributes:
        answer: what to print.
        other_may: whether another process might do better: for a reason that can lie with this one, the task
            would go out unchanged, and that is not in the ledger; or what is late is too large to be passed
            through here.
        notes: what is to be done once the answer has arrived; see `Workroom.delivered`.
    """

    answer: Answer
    other_may: bool = False
    notes: tuple[Callable[[], None], ...] = ()


@dataclass(frozen=True, slots=True)
class Stats:
    """What a workroom is like now.

    Attributes:
        projects: folders of the warm projects' views, sorted.
        running: pieces of work that threads are at.
        waiting: pieces of work that no thread has begun.
        seconds: since the last work was asked for.
        figures: numbers since the start.
    """

    projects: tuple[str, ...]
    running: int
    waiting: int
    seconds: float
    figures: Figures

    def as_json(self) -> dict[str, Any]:
        """As a JSON object."""
        return {
            "projects": list(self.projects),
            "running": self.running,
            "waiting": self.waiting,
            "idle_seconds": round(self.seconds, 1),
            **asdict(self.figures),
        }


@dataclass(frozen=True, slots=True)
class _ShelfDesk:
    """`augmenter.app.desk.Desk` for one piece of work."""

    shelf: Shelf
    until: float
    notes: list[Callable[[], None]] = field(default_factory=list)

    def open(self, root: Path) -> AbstractContextManager[Augmenter]:
        return self._opened(root)

    @contextmanager
    def _opened(self, root: Path) -> Iterator[Augmenter]:
        try:
            with self.shelf.open(root, self.until, self.notes.append) as augmenter:
                yield augmenter
        except PrebriefError as error:
            self.shelf.log.reasons.append(error.reason)
            raise


def _nobody(_project: Project, _is_stale: bool) -> None:
    """Nobody wants to know which projects are used."""


@dataclass(slots=True)
class Workroom:
    """Does work with warm Augmenters, in its own threads.

    All methods belong to the thread of the event loop; ``work`` runs in another.

    Attributes:
        log: where events go.
        on_use: is told, in the event loop's thread, which project was used, and whether its index is known to
            be older than its tree.
    """

    log: Log = field(default_factory=lambda: Log("silent"))
    on_use: Opened = _nobody
    _tally: Tally = field(default_factory=Tally)
    _crew: Crew = field(init=False)
    _asked: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self._crew = Crew(self._shelf)

    async def run(self, root: Path, work: Callable[[Augmenter], T], deadline: float) -> T:
        """Do something with the warm Augmenter of the project that a folder belongs to.

        Dispatches within ``work`` end in time by themselves. Work that is not done at the deadline is given
        up: what it still does and gives is lost.

        Args:
            root: the folder.
            work: what to do; it must not keep the Augmenter.
            deadline: when to give up, on the clock of `time.monotonic`.

        Raises:
            ProjectError: there is no such folder.
            DeadlineExceeded: the time was up.
            Exception: whatever ``work`` raises.
        """

        def in_thread(shelf: Shelf) -> tuple[T, tuple[str, ...]]:
            shelf.log.reasons.clear()
            with shelf.open(root, deadline - MARGIN_SECONDS) as augmenter:
                result = work(augmenter)
            return result, tuple(shelf.log.reasons)

        return (await self._do(in_thread, deadline))[0]

    async def answer(self, call: HookCall, deadline: float) -> Outcome:
        """What comes of a hook's event, at the deadline at the latest; never raises.

        Args:
            call: the event.
            deadline: as for `run`.
        """

        def in_thread(shelf: Shelf) -> tuple[Outcome, tuple[str, ...]]:
            shelf.log.reasons.clear()
            desk = _ShelfDesk(shelf, deadline - MARGIN_SECONDS)
            answer = answer_event(call.host, call.data, call.root, desk, call.here)
            other_may = not OWN_REASONS.isdisjoint(shelf.log.reasons)
            return Outcome(answer, other_may, tuple(desk.notes)), tuple(shelf.log.reasons)

        try:
            return (await self._do(in_thread, deadline))[0]
        except Exception as error:  # noqa: BLE001 - fail open: late, or a defect
            if len(call.data) > MOST_READ_HERE:  # all others would have to wait until it has been read
                return Outcome(Answer(b"", 0), other_may=True)
            return Outcome(pass_through(call.host, call.data, error))

    def delivered(self, outcome: Outcome) -> None:
        """Note what an agent was given, now that it has it; before anything that is asked for later."""
        if outcome.notes:
            self._crew.submit(lambda _shelf: [note() for note in outcome.notes])

    async def warm(self, root: Path, deadline: float) -> None:
        """Open what the first dispatch in a folder will need, if anybody has set Prebrief up there.

        Nothing is recorded or counted.

        Raises:
            ProjectError: there is no such folder.
            TimeoutError: the time was up.
        """

        def in_thread(shelf: Shelf) -> None:
            if locate(root).is_in_use:
                with shelf.open(root, deadline) as augmenter:
                    augmenter.augment("warm up", ask=Ask(record=False))

        async with asyncio.timeout(deadline - time.monotonic()):
            await self._crew.submit(in_thread)

    def stats(self) -> Stats:
        """What it is like now."""
        idle = 0.0 if self._crew.running else time.monotonic() - self._asked
        return Stats(
            projects=tuple(sorted(str(project.view_root) for project in self.projects())),
            running=self._crew.running,
            waiting=self._crew.waiting,
            seconds=idle,
            figures=self._tally.figures(),
        )

    @property
    def is_hung(self) -> bool:
        """Whether nothing can be done here any more."""
        return self._crew.is_hung

    def projects(self) -> set[Project]:
        """Which are warm."""
        return {project for shelf in self._crew.shelves() for project in shelf.projects()}

    def tidy(self) -> None:
        """Close what has not been used for long; to be called now and then."""
        self._crew.everywhere(Shelf.tidy)

    def close(self) -> None:
        """Let threads end when they are done with what they are at."""
        self._crew.close()

    async def _do(
        self, work: Callable[[Shelf], tuple[T, tuple[str, ...]]], deadline: float
    ) -> tuple[T, tuple[str, ...]]:
        began = self._asked = time.monotonic()
        outcome = self._crew.submit(work)
        try:
            async with asyncio.timeout(deadline - began):
                done = cast("tuple[T, tuple[str, ...]]", await outcome)
        except TimeoutError:
            self._tally.late((time.monotonic() - began) * 1000)
            raise late() from None
        self._tally.done((time.monotonic() - began) * 1000, done[1])
        return done

    def _shelf(self) -> Shelf:
        loop = asyncio.get_running_loop()

        def used(project: Project, is_stale: bool) -> None:
            loop.call_soon_threadsafe(self.on_use, project, is_stale)

        return Shelf(Noting(self.log.level, dict(self.log.bound)), used)


def late() -> DeadlineExceeded:
    """The error for what was not done in time."""
    return DeadlineExceeded(
        "the deadline has passed", remedy="See 'prebrief serve --status' for what the daemon is at"
    )
