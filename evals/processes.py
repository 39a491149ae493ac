"""What a whole process and its children take: time, and memory while they run."""

from __future__ import annotations

import subprocess
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from knowledge.clock import Clock
from knowledge.errors import TaskError

INTERVAL = 0.05  # seconds between two looks; a peak that is shorter is of a page or two
_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Run:
    """A process that has ended.

    Attributes:
        seconds: of wall time.
        peak_mib: the most that it and its children held at once, pages they share counted once; 0 where the
            system does not tell.
        output: what it printed.
    """

    seconds: float
    peak_mib: float
    output: str


def watched(command: Sequence[str], clock: Clock) -> Run:
    """Run a command and watch the memory of its whole tree.

    Raises:
        TaskError: it failed; says with what.
    """
    began = clock.tick()
    peak = 0.0
    with subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while process.poll() is None:
            peak = max(peak, tree_mib(process.pid))
            time.sleep(INTERVAL)
        seconds = clock.tick() - began
        output, errors = process.communicate()
    if process.returncode != 0:
        raise TaskError(errors.strip().rpartition("\n")[2], where=command[0], remedy="Run it by itself")
    return Run(seconds, peak, output)


def tree_mib(pid: int) -> float:
    """Memory of a process and all its descendants, proportional where pages are shared."""
    children: dict[int, list[int]] = defaultdict(list)
    for stat in _PROC.glob("[0-9]*/stat"):
        if (parent := _parent(stat)) is not None:
            children[parent].append(int(stat.parent.name))
    total, waiting = 0.0, [pid]
    while waiting:
        one = waiting.pop()
        total += _mib(one)
        waiting += children[one]
    return total


def _parent(stat: Path) -> int | None:
    try:
        return int(stat.read_text().rpartition(")")[2].split()[1])
    except OSError:  # it has ended meanwhile
        return None


def _mib(pid: int) -> float:
    try:
        lines = (_PROC / str(pid) / "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)
