"""The daemon's life: from the lock to the last answer."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from augmenter.app.daemon.listening import identity, listening, only_daemon
from augmenter.app.daemon.own_code import OwnCode
from augmenter.app.daemon.places import socket_in
from augmenter.app.daemon.protocol import PROTOCOL
from augmenter.app.daemon.server import Server
from augmenter.app.daemon.upkeep import Upkeep
from augmenter.app.daemon.workroom import Workroom
from augmenter.app.logs import Log
from knowledge.errors import PrebriefError
from knowledge.version import VERSION

LOOK_SECONDS = 5.0  # between two looks at whether to stay
TIDY_SECONDS = 30.0  # between two looks at what is warm and not used
DRAIN_SECONDS = 2.0  # what was begun is done by then: dispatches have a second
WARM_SECONDS = 10.0  # for opening the first project
MOST_FILES = 4096  # open at once: connections, catalogs, what is watched
# The event loop waits for its turn this long when a thread is busy, several times for each answer; Python's
# own 5 ms would add up. With much less, switching costs more than it saves.
SWITCH_SECONDS = 0.002

Companion = Callable[[Workroom, asyncio.Event, Callable[[], list[dict[str, Any]]]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Plan:
    """How a daemon is to live.

    Attributes:
        folder: its runtime folder.
        log: where events go.
        root: a folder of a project to begin with; None for none.
        idle_seconds: it ends when nothing was asked for so long; infinity for never.
        watch: whether trees are watched and indexed.
        companions: what else is served from the same loop, until the event is set; each is told how to learn
            which trees are looked after.
    """

    folder: str
    log: Log
    root: Path | None = None
    idle_seconds: float = float("inf")
    watch: bool = True
    companions: tuple[Companion, ...] = ()


def run_daemon(plan: Plan) -> None:
    """Serve until there is a reason to end.

    Raises:
        Occupied: there is another daemon.
        PrebriefError: the folder or the socket cannot be used, or a companion cannot begin.
    """
    with only_daemon(plan.folder), listening(plan.folder) as listener:
        _allow_files()
        sys.setswitchinterval(SWITCH_SECONDS)
        asyncio.run(_Daemon(plan).live(listener))


def _allow_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


@dataclass(slots=True)
class _Daemon:
    plan: Plan
    began: float = field(default_factory=time.monotonic)
    upkeep: Upkeep = field(init=False)
    workroom: Workroom = field(init=False)
    server: Server = field(init=False)
    ending: asyncio.Event = field(default_factory=asyncio.Event)
    code: OwnCode = field(default_factory=OwnCode)
    tidied: float = 0.0

    def __post_init__(self) -> None:
        self.upkeep = Upkeep(self.plan.log, is_on=self.plan.watch)
        self.workroom = Workroom(self.plan.log, self.upkeep.used)
        self.server = Server(self.workroom, self.plan.log, self.status, self.leave)

    async def live(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(number, self.leave, f"of {signal.Signals(number).name}")
        companions = [
            loop.create_task(_life_of(one(self.workroom, self.ending, self.upkeep.as_json)))
            for one in self.plan.companions
        ]
        self.server.start(listener)
        self.plan.log.info("serving", socket=socket_in(self.plan.folder), version=VERSION, pid=os.getpid())
        looking = loop.create_task(self._look_around())
        warming = loop.create_task(self._warm())
        try:
            await self._until_the_end(companions)
        finally:
            looking.cancel()
            warming.cancel()
            self.ending.set()
            await self.server.drain(listener, DRAIN_SECONDS)
            await self.upkeep.close()
            self.workroom.close()
            await asyncio.gather(looking, warming, *companions, return_exceptions=True)
            self.plan.log.info("ended")

    def leave(self, reason: str) -> None:
        """End, when what was begun is done."""
        if not self.ending.is_set():
            # From now on clients find nobody, and help themselves; the lock is held until the end.
            self.server.is_leaving = True
            self.ending.set()
            self.plan.log.info("leaving", reason=reason)

    def status(self) -> bytes:
        """How the daemon is, as JSON."""
        document = {
            "version": VERSION,
            "protocol": PROTOCOL,
            "pid": os.getpid(),
            "socket": socket_in(self.plan.folder),
            "seconds": round(time.monotonic() - self.began, 1),
            "connections": {"now": self.server.connections, **asdict(self.server.counts)},
            "work": self.workroom.stats().as_json(),
            "trees": self.upkeep.as_json(),
            **memory(),
        }
        return json.dumps(document).encode("ascii")

    async def _warm(self) -> None:
        """Open what the first project needs, before somebody waits for it."""
        if self.plan.root is not None:
            with suppress(PrebriefError, TimeoutError):
                await self.workroom.warm(self.plan.root, time.monotonic() + WARM_SECONDS)

    async def _until_the_end(self, companions: list[asyncio.Task[None]]) -> None:
        """Wait for a reason to leave. Raises what a companion has failed with."""
        ending = asyncio.get_running_loop().create_task(self.ending.wait())
        done, _ = await asyncio.wait((ending, *companions), return_when=asyncio.FIRST_COMPLETED)
        ending.cancel()
        for task in done:
            task.result()

    async def _look_around(self) -> None:
        mine = identity(socket_in(self.plan.folder))
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if time.monotonic() - self.tidied >= TIDY_SECONDS:
                self.workroom.tidy()
                self.upkeep.keep(self.workroom.projects())
                self.tidied = time.monotonic()
            if identity(socket_in(self.plan.folder)) != mine:
                self.leave("its socket has gone")
            elif self.workroom.stats().seconds >= self.plan.idle_seconds:
                self.leave("nothing was asked for long")
            elif self.workroom.is_hung:
                self.leave("nothing gets done any more")
            elif self.code.has_changed():
                self.leave("its own code was replaced")


async def _life_of(companion: Awaitable[None]) -> None:
    await companion


def memory() -> dict[str, Any]:
    """Mebibytes that this process holds, and its share of them where others have the same pages."""
    try:
        lines = Path("/proc/self/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:  # not on Linux: the most that it has held
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return {"rss_mib": round(peak / (1024 * 1024 if sys.platform == "darwin" else 1024), 1)}
    found = {line.partition(":")[0]: line.split()[1] for line in lines if line.startswith(("Rss:", "Pss:"))}
    return {f"{name.lower()}_mib": round(int(found[name]) / 1024, 1) for name in ("Rss", "Pss")}
