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
from pathlib import Path
from statistics import median, quantiles

from evals.localisation import read_cases
from knowledge.clock import Clock

COMMON = "get the value of the name and set the type of the object in the list of the file when it is new"
LONG_TASK_BYTES = 20_000

# A child with the library as any orchestrator has it: a first call opens the index, then each task once.
_CHILD = """
import json, resource, sys, time
from augmenter import Augmenter
tasks = json.load(sys.stdin)
augmenter = Augmenter.open(sys.argv[1])
augmenter.augment("warm up: open the index, compile the template")
times, degraded = [], []
for task in tasks:
    began = time.perf_counter()
    brief = augmenter.augment(task)
    times.append((time.perf_counter() - began) * 1000)
    degraded.append(bool(brief.degraded))
print(json.dumps({"ms": times, "degraded": sum(degraded),
                  "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""
_COMMAND = "import sys; from augmenter.app.cli import main; sys.exit(main())"


def seconds_of(command: Sequence[str], clock: Clock) -> float:
    """Wall time of a whole process, which must succeed."""
    began = clock.tick()
    subprocess.run(command, check=True, capture_output=True)
    return clock.tick() - began


def in_process(root: Path, tasks: Sequence[str]) -> str:
    """One row: percentiles of `Augmenter.augment`, and the process's peak memory."""
    command = [sys.executable, "-c", _CHILD, str(root)]
    run = subprocess.run(command, input=json.dumps(tasks), text=True, check=True, stdout=subprocess.PIPE)
    answer = json.loads(run.stdout)
    times = sorted(answer["ms"])
    p95 = quantiles(times, n=20, method="inclusive")[-1] if len(times) > 1 else times[0]
    return (
        f"{len(times)} | {median(times):.1f} | {p95:.1f} | {times[-1]:.1f}"
        f" | {answer['degraded']} | {answer['mib']:.0f}"
    )


def index_rows(root: Path, clock: Clock) -> list[str]:
    """Whole-process seconds of a full, an unchanged and a one-file run."""
    index = [sys.executable, "-c", _COMMAND, "index", "--root", str(root), "--json"]
    full = seconds_of([*index, "--full"], clock)
    unchanged = [seconds_of(index, clock) for _ in range(5)]
    edited = seconds_after_edits(root, lambda: seconds_of(index, clock))
    return [
        f"| full | {full:.2f} |",
        f"| unchanged (median of 5) | {median(unchanged):.2f} |",
        f"| one edited file (median of 3) | {median(edited):.2f} |",
    ]


def seconds_after_edits(root: Path, run: Callable[[], float]) -> list[float]:
    """Seconds of a run after an edit of one source file; the file is put back, and indexed again."""
    path = next(iter(sorted(root.rglob("*.py"), key=lambda p: (-p.stat().st_size, p))), None)
    if path is None:
        return [0.0]
    before = path.read_bytes()
    times: list[float] = []
    try:
        for number in range(3):
            path.write_bytes(before + b"\n\ndef prebrief_speed_%d() -> None:\n    pass\n" % number)
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
