# ruff: noqa: T201 - a command line
"""Size and speed on corpora of given sizes: indexing, the catalog, dispatches.

    python -m evals.scale --work DIR [--units 36921 --units 250000] [--snapshots DIR]

``--work`` takes the packages (200 MB, fetched once), their sources and the corpora; ``--snapshots`` holds git
directories of the repositories that are measured too, at ``OWNER+NAME/repo``, ``OWNER/NAME.git`` or
``OWNER/NAME``. Prints a table for each matter, then everything as one JSON document; progress on stderr.

Ordinary tasks are sentences from the corpus's own documentation, worded as commit messages; tasks of common
words hold nothing else; tasks of 20 kB are made of documentation, signatures and traceback lines. All are
drawn with a fixed seed, and each is asked once.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from evals.command import carried_out
from evals.corpora import PACKAGES, REPOSITORIES, check_out, choose, download, lay_out, unpack
from evals.processes import watched
from evals.speed import (
    COMMON,
    LONG_TASK_BYTES,
    Latency,
    dispatches,
    index_command,
    largest_source,
    seconds_after_edits,
    seconds_of,
)
from knowledge.catalog.reader import CatalogReader
from knowledge.catalog.schema import Band
from knowledge.clock import Clock
from knowledge.errors import TaskError
from knowledge.jsonable import to_json
from knowledge.project import locate
from knowledge.types import Evidence, Kind

SIZES = (36_921, 250_000)
TASKS = 200
LONG_TASKS = 40
REPEATS = 200
MANY = 3_000  # dispatches after which a process's memory is looked at
SEED = 20_261_130
RUNS = 5  # of which the median counts
MIN_WORDS = 5  # of a sentence that makes a task
MAX_SENTENCE = 200
_VERBS = ("Fix", "Handle", "Improve", "Correct", "Speed up", "Document", "Refactor", "Add a test for")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s|\n\n")


@dataclass(slots=True)
class Figures:
    """What was measured on one corpus.

    Attributes:
        name: of the corpus.
        files: indexed.
        units: functions.
        evidence: everything indexed.
        source_bytes: of the indexed files.
        catalog_bytes: of the catalog.
        full_seconds: of a full index.
        peak_mib: of all its processes together.
        unchanged_seconds: of a run that finds nothing to do.
        edited_seconds: of a run after an edit of a file of median size.
        edited_largest_seconds: likewise, of the largest file.
        latencies: by kind of task.
    """

    name: str
    files: int
    units: int
    evidence: int
    source_bytes: int
    catalog_bytes: int
    full_seconds: float
    peak_mib: float
    unchanged_seconds: float
    edited_seconds: float
    edited_largest_seconds: float
    latencies: dict[str, Latency] = field(default_factory=dict)


def prepare_pool(work: Path, clock: Clock) -> dict[str, int]:
    """Lay out all packages' sources, once, and index them; returns their functions by path."""
    pool, done = work / "pool", work / "pool.done"
    pins = json.dumps([to_json(one) for one in PACKAGES])
    if not done.is_file() or done.read_text(encoding="utf-8") != pins:
        tell("fetching and unpacking packages")
        shutil.rmtree(pool, ignore_errors=True)
        for archive in download(PACKAGES, work / "packages").values():
            unpack(archive, pool)
        done.write_text(pins, encoding="utf-8")
    tell("counting functions: indexing all packages")
    seconds_of(index_command(pool), clock)
    return units_of(pool)


def units_of(root: Path) -> dict[str, int]:
    """Functions by path, 0 for indexed files without any."""
    with CatalogReader(locate(root).catalog) as reader:
        counts = Counter(dict.fromkeys(reader.paths(), 0))
        for row in reader.dump():
            if len(row) > 20 and row[1] == Kind.UNIT.value and row[6] == 0:
                counts[str(row[3])] += 1
    return dict(counts)


def measure(name: str, root: Path, clock: Clock) -> Figures:
    """All figures of one corpus."""
    index = index_command(root)
    tell(f"{name}: full index")
    full = watched([*index, "--full"], clock)
    report = json.loads(full.output)
    catalog = locate(root).catalog
    catalog_bytes = sum(path.stat().st_size for path in catalog.parent.glob(f"{catalog.name}*"))
    with CatalogReader(catalog) as reader:
        sizes = sorted((row.size, path) for path, row in reader.files(reader.paths()).items())
    middle = root / sizes[len(sizes) // 2][1]
    tell(f"{name}: unchanged and edited")
    figures = Figures(
        name=name,
        files=len(sizes),
        units=report["kinds"].get(Kind.UNIT.value, 0),
        evidence=sum(report["kinds"].values()),
        source_bytes=sum(size for size, _ in sizes),
        catalog_bytes=catalog_bytes,
        full_seconds=full.seconds,
        peak_mib=full.peak_mib,
        unchanged_seconds=median(seconds_of(index, clock) for _ in range(RUNS)),
        edited_seconds=median(seconds_after_edits(middle, lambda: seconds_of(index, clock))),
        edited_largest_seconds=median(
            seconds_after_edits(largest_source(root), lambda: seconds_of(index, clock))
        ),
    )
    figures.latencies = latencies_of(name, root)
    return figures


def latencies_of(name: str, root: Path) -> dict[str, Latency]:
    """How long dispatches take, by kind of task."""
    tasks = make_tasks(root)
    ordinary = tasks["ordinary"]
    many = [f"{task} ({number})" for number in range(MANY // len(ordinary) + 1) for task in ordinary]
    runs = {
        **tasks,
        "ordinary, receipt not synced": ordinary,
        "the same task again": [ordinary[0]] * REPEATS,
        "the same task again, receipt not synced": [ordinary[0]] * REPEATS,
        f"{MANY} ordinary tasks": many[:MANY],
    }
    latencies: dict[str, Latency] = {}
    for kind, asked in runs.items():
        tell(f"{name}: {kind}")
        latencies[kind] = dispatches(root, asked, sync="not synced" not in kind)
    return latencies


def make_tasks(root: Path) -> dict[str, list[str]]:
    """Tasks by kind, the same for the same catalog."""
    chance = random.Random(SEED)  # noqa: S311 - to be the same every time is the point
    known = documented(root, chance)
    sentences = [text for one in known if (text := sentence_of(one))]
    if not sentences:
        raise TaskError("no function is documented", where=str(root), remedy="Measure another repository")
    return {
        "ordinary": [f"{chance.choice(_VERBS)}: {chance.choice(sentences)}" for _ in range(TASKS)],
        "common words": [f"{COMMON} {number}" for number in range(TASKS // 5)],
        "20 kB": [long_task(known, chance) for _ in range(LONG_TASKS)],
    }


def documented(root: Path, chance: random.Random) -> list[Evidence]:
    """Functions with documentation, drawn from all over a catalog."""
    with CatalogReader(locate(root).catalog) as reader:
        count = reader.statistics().count
        drawn = chance.sample(range(count), min(count, TASKS * 40))
        found = reader.evidence([Band.UNITS.first + number for number in drawn])
    return [one for _, one in sorted(found.items()) if one.doc]


def sentence_of(evidence: Evidence) -> str:
    """The first sentence of a function's documentation, if it is one that a task could be."""
    first = " ".join(_SENTENCE_END.split(evidence.doc.strip(), maxsplit=1)[0].split())
    return first[:MAX_SENTENCE].rstrip(".") if len(first.split()) >= MIN_WORDS else ""


def long_task(known: Sequence[Evidence], chance: random.Random) -> str:
    """An issue of 20 kB: what happens, code, a traceback, again and again."""
    parts: list[str] = []
    size = 0
    while size < LONG_TASK_BYTES:
        one = chance.choice(known)
        frame = f'  File "{one.path}", line {one.start}, in {one.name}'
        parts.append(f"{one.doc}\n\n```python\n{one.signature}\n```\n\n{frame}\n")
        size += len(parts[-1])
    return "\n".join(parts)[:LONG_TASK_BYTES]


def tables(measured: Sequence[Figures]) -> str:
    """The figures as a reader wants them."""
    lines = [
        "| corpus | files | functions | evidence | source MB | catalog MB | ratio |",
        "|---|---|---|---|---|---|---|",
        *(_size_row(one) for one in measured),
        "",
        "| index | full s | peak MiB | unchanged s | one file s | largest file s |",
        "|---|---|---|---|---|---|",
        *(_index_row(one) for one in measured),
        "",
        "| corpus | tasks | n | p50 ms | p95 ms | p99 ms | max ms | degraded | MiB |",
        "|---|---|---|---|---|---|---|---|---|",
        *(_latency_row(one.name, kind, took) for one in measured for kind, took in one.latencies.items()),
    ]
    return "\n".join(lines)


def _size_row(one: Figures) -> str:
    megabytes = (one.source_bytes / 1e6, one.catalog_bytes / 1e6)
    ratio = one.catalog_bytes / one.source_bytes
    return (
        f"| {one.name} | {one.files} | {one.units} | {one.evidence}"
        f" | {megabytes[0]:.1f} | {megabytes[1]:.1f} | {ratio:.2f} |"
    )


def _index_row(one: Figures) -> str:
    return (
        f"| {one.name} | {one.full_seconds:.1f} | {one.peak_mib:.0f} | {one.unchanged_seconds:.2f}"
        f" | {one.edited_seconds:.2f} | {one.edited_largest_seconds:.2f} |"
    )


def _latency_row(name: str, kind: str, took: Latency) -> str:
    times = " | ".join(f"{value:.1f}" for value in (took.p50, took.p95, took.p99, took.most))
    return f"| {name} | {kind} | {took.count} | {times} | {took.degraded} | {took.mib:.0f} |"


def tell(text: str) -> None:
    """Say on standard error how far it is."""
    print(text, file=sys.stderr, flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m evals.scale", description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder for packages and corpora")
    parser.add_argument(
        "--units", type=int, action="append", default=[], help="functions of a corpus, 0 for none"
    )
    parser.add_argument("--snapshots", type=Path, help="folder of git directories")
    arguments = parser.parse_args(argv)
    return carried_out(lambda: _print_all(arguments))


def _print_all(arguments: argparse.Namespace) -> None:
    measured = _measure_all(arguments.work, arguments.units or SIZES, arguments.snapshots)
    print(tables(measured))
    document: dict[str, Any] = {"seed": SEED, "corpora": [to_json(one) for one in measured]}
    print(json.dumps(document, indent=2))


def _measure_all(work: Path, sizes: Sequence[int], snapshots: Path | None) -> list[Figures]:
    clock = Clock()
    work.mkdir(parents=True, exist_ok=True)
    measured: list[Figures] = []
    for size in filter(None, sizes):
        root = work / f"units-{size}"
        if not root.is_dir():
            lay_out(work / "pool", choose(prepare_pool(work, clock), size), root)
        measured.append(measure(f"{size} functions", root, clock))
    if snapshots is None:
        return measured
    for repository in REPOSITORIES:
        root = work / repository.name.replace("/", "+")
        if not root.is_dir():
            check_out(repository, snapshots, root)
        measured.append(measure(repository.name, root, clock))
    return measured


if __name__ == "__main__":
    sys.exit(main())
