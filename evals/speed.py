# ruff: noqa: T201 - a command line
"""Speed, as a user has it: whole processes and the public library, on one repository.

    python -m evals.speed --root CHECKOUT --tasks GOLD.jsonl [--runs 15]

Prints: the index (full, unchanged, one edited file), in-process `Augmenter.augment` with rendering and a
receipt (every task once, so none is repeated; common words and a 20 kB task beside ordinary ones), and
the cold command beside the bare interpreter, in turn, in one run.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from evals.localisation import read_cases
from knowledge.clock import Clock

COMMON = "get the value of the name and set the type of the object in the list of the file when it is new"
LONG_TASK_BYTES = 20_000

# A child with the library as any orchestrator has it: a first call opens the index, then each task in turn.
_CHILD = """
import json, os, resource, sys, time
from augmenter import Augmenter
asked = json.load(sys.stdin)
if not asked["sync"]:
    os.fsync = lambda _handle: None
augmenter = Augmenter.open(sys.argv[1])
augmenter.augment("warm up: open the index, compile the template")
times, degraded = [], []
for task in asked["tasks"]:
    began = time.perf_counter()
    brief = augmenter.augment(task)
    times.append((time.perf_counter() - began) * 1000)
    degraded.append(bool(brief.degraded))
print(json.dumps({"ms": times, "degraded": sum(degraded),
                  "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""
_COMMAND = "import sys; from augmenter.app.cli import main; sys.exit(main())"
# An edit adds a function, by the language's suffix.
_ADDED = {
    ".py": b"\n\ndef prebrief_speed_%d() -> None:\n    pass\n",
    ".go": b"\n\nfunc prebriefSpeed%d() {\n}\n",
    ".ts": b"\n\nexport function prebriefSpeed%d(): void {\n}\n",
}


def seconds_of(command: Sequence[str], clock: Clock) -> float:
    """Wall time of a whole process, which must succeed."""
    began = clock.tick()
    subprocess.run(command, check=True, capture_output=True)
    return clock.tick() - began


@dataclass(frozen=True, slots=True)
class Latency:
    """How long dispatches took.

    Attributes:
        count: of dispatches.
        p50: milliseconds, of the median.
        p95: likewise.
        p99: likewise.
        most: likewise.
        degraded: how many went out unchanged because something failed.
        mib: the process's peak memory.
    """

    count: int
    p50: float
    p95: float
    p99: float
    most: float
    degraded: int
    mib: float


def dispatches(root: Path, tasks: Sequence[str], *, sync: bool = True) -> Latency:
    """`Augmenter.augment` of each task, in a process of its own.

    Args:
        root: an indexed checkout.
        tasks: in their order; one that is given again is asked again.
        sync: whether receipts are forced to the disk, as they are unless something is to be measured.
    """
    command = [sys.executable, "-c", _CHILD, str(root)]
    asked = json.dumps({"tasks": tasks, "sync": sync})
    run = subprocess.run(command, input=asked, text=True, check=True, stdout=subprocess.PIPE)
    answer = json.loads(run.stdout)
    times = sorted(answer["ms"])
    cuts = quantiles(times, n=100, method="inclusive") if len(times) > 1 else times * 99
    return Latency(
        len(times), median(times), cuts[94], cuts[98], times[-1], answer["degraded"], answer["mib"]
    )


def in_process(root: Path, tasks: Sequence[str]) -> str:
    """One row: percentiles of `Augmenter.augment`, and the process's peak memory."""
    took = dispatches(root, tasks)
    return (
        f"{took.count} | {took.p50:.1f} | {took.p95:.1f} | {took.most:.1f} | {took.degraded} | {took.mib:.0f}"
    )


def index_command(root: Path) -> list[str]:
    """The command that indexes a checkout."""
    return [sys.executable, "-c", _COMMAND, "index", "--root", str(root), "--json"]


def index_rows(root: Path, clock: Clock) -> list[str]:
    """Whole-process seconds of a full, an unchanged and a one-file run."""
    index = index_command(root)
    full = seconds_of([*index, "--full"], clock)
    unchanged = [seconds_of(index, clock) for _ in range(5)]
    edited = seconds_after_edits(largest_source(root), lambda: seconds_of(index, clock))
    return [
        f"| full | {full:.2f} |",
        f"| unchanged (median of 5) | {median(unchanged):.2f} |",
        f"| one edited file (median of 3) | {median(edited):.2f} |",
    ]


def largest_source(root: Path) -> Path | None:
    """The largest source file of a checkout in a language of `_ADDED`, or None when it has none."""
    files = (path for path in root.rglob("*") if path.suffix in _ADDED and path.is_file())
    return next(iter(sorted(files, key=lambda p: (-p.stat().st_size, p))), None)


def seconds_after_edits(path: Path | None, run: Callable[[], float]) -> list[float]:
    """Seconds of a run after an edit of one source file; the file is put back, and indexed again."""
    if path is None:
        return [0.0]
    before = path.read_bytes()
    times: list[float] = []
    try:
        for number in range(3):
            path.write_bytes(before + _ADDED.get(path.suffix, b"\n\nAn edit, number %d.\n") % number)
            times.append(run())
    finally:
        path.write_bytes(before)
        run()
    return times


def cold_rows(root: Path, task: str, runs: int, clock: Clock) -> list[str]:
    """The cold command beside the bare interpreter, in turn."""
    bare = [sys.executable, "-c", "pass"]
    cold = [sys.executable, "-c", _COMMAND, "augment", "--root", str(root), task]
    pairs = [(seconds_of(bare, clock), seconds_of(cold, clock)) for _ in range(runs)]
    ratio = median(theirs / ours for ours, theirs in pairs)
    return [
        f"| bare interpreter | {median(p[0] for p in pairs) * 1000:.0f} |",
        f"| prebrief augment | {median(p[1] for p in pairs) * 1000:.0f} |",
        f"| ratio (median of {runs} pairs) | {ratio:.1f} |",
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m evals.speed", description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help="a checkout that may be indexed")
    parser.add_argument("--tasks", type=Path, required=True, help="a gold file; all its tasks are asked")
    parser.add_argument("--repo", default="", help="only this repository's tasks")
    parser.add_argument("--runs", type=int, default=15, help="pairs of cold runs")
    arguments = parser.parse_args(argv)
    clock = Clock()
    tasks = [case.text for case in read_cases(arguments.tasks) if arguments.repo in ("", case.repo)]
    long_task = "\n\n".join(tasks)[:LONG_TASK_BYTES]
    print("| index | seconds |\n|---|---|")
    print("\n".join(index_rows(arguments.root, clock)))
    print("\n| augment, in process | n | p50 ms | p95 ms | max ms | degraded | MiB |")
    print("|---|---|---|---|---|---|---|")
    print(f"| ordinary tasks | {in_process(arguments.root, tasks)} |")
    common = [f"{COMMON} {number}" for number in range(20)]
    print(f"| tasks of common words | {in_process(arguments.root, common)} |")
    print(f"| 20 kB tasks | {in_process(arguments.root, [long_task[n:] for n in range(20)])} |")
    print("\n| cold | ms |\n|---|---|")
    print("\n".join(cold_rows(arguments.root, tasks[0], arguments.runs, clock)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
