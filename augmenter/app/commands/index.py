"""``prebrief index``."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from augmenter.app.cache import cache_folder
from augmenter.app.common import answer
from augmenter.app.options import add_json, add_root, count
from augmenter.app.streams import tell
from augmenter.app.wording import printable
from indexer.build import IndexReport, build_index
from indexer.sources.skips import Skipped, list_skipped, suffix_of
from indexer.sources.walk import SkipReason
from knowledge.catalog.inspection import list_files
from knowledge.catalog.reader import CatalogReader
from knowledge.clock import Clock
from knowledge.project import locate
from knowledge.settings_loading import load_settings
from knowledge.types import Kind

PLAIN_STEPS = 4  # lines that progress takes where there is no terminal
SHOWN_PROBLEMS = 20

_Item = TypeVar("_Item")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_root(parser)
    add_json(parser)
    parser.add_argument(
        "--full", action="store_true", help="rebuild everything, whatever state the index is in"
    )
    parser.add_argument(
        "--jobs",
        type=count,
        metavar="N",
        default=0,
        help="parse in at most so many processes (default: one for each processor)",
    )
    parser.add_argument(
        "--skipped",
        action="store_true",
        help="then list every file that is not indexed, and why; trouble first, unknown languages last",
    )


def run(arguments: argparse.Namespace) -> int:
    """Index, and tell what was done."""
    project = locate(Path(arguments.root))
    settings = load_settings(project.view_root, lambda: _notes(project.catalog))
    report = build_index(
        project,
        settings,
        Clock(),
        progress=show_progress,
        full=arguments.full,
        cache=cache_folder(),
        workers=arguments.jobs,
    )
    document, text = as_json(report), describe(report)
    if arguments.skipped:
        rows = list_files(project.catalog).values()
        skipped = list_skipped(rows, project.view_root, settings.index, report.problems)
        document["skipped_files"] = [asdict(item) for item in skipped]
        text = "\n".join([text, *describe_skipped(skipped)])
    answer(arguments, document, text)
    return 0


def _notes(catalog: Path) -> dict[str, str]:
    with CatalogReader(catalog) as reader:
        return reader.meta()


def describe_skipped(skipped: Sequence[Skipped]) -> Iterator[str]:
    """What is not indexed, for people: a line for a file, or for all of an unknown suffix."""
    for item in skipped:
        if item.reason is not SkipReason.UNSUPPORTED:
            detail = f" ({printable(item.detail)})" if item.detail else ""
            yield f"  {item.reason}: {printable(item.path)}{detail}"
    groups = Counter(suffix_of(item.path) for item in skipped if item.reason is SkipReason.UNSUPPORTED)
    for name, files in sorted(groups.items(), key=lambda group: (-group[1], group[0])):
        yield f"  {SkipReason.UNSUPPORTED}: {files} {printable(name)}"


def as_json(report: IndexReport) -> dict[str, Any]:
    """The document that ``prebrief index --json`` prints."""
    rest = asdict(report)
    languages = rest.pop("files")
    return {
        "fingerprint": rest.pop("fingerprint"),
        "files": sum(languages.values()),
        "units": report.kinds.get(Kind.UNIT, 0),
        "languages": languages,
        **rest,
        "seconds": round(report.seconds, 3),
    }


def show_progress(items: Iterable[_Item], total: int, label: str, unit: str = "files") -> Iterable[_Item]:
    """A bar on a terminal, a few plain lines elsewhere, nothing for nothing; always on stderr."""
    if not total:
        return items
    if sys.stderr.isatty():
        from tqdm import tqdm  # noqa: PLC0415 - only where there is a terminal

        tqdm.monitor_interval = 0  # its thread would keep workers from being forked
        return iter(tqdm(items, total=total, desc=label, unit=f" {unit}", file=sys.stderr))
    return _plain(items, total, label, unit)


def _plain(items: Iterable[_Item], total: int, label: str, unit: str) -> Iterable[_Item]:
    step = max(1, total // PLAIN_STEPS)
    for number, item in enumerate(items, start=1):
        yield item
        if number % step == 0 or number == total:
            tell(f"{label}: {number}/{total} {unit}")


def describe(report: IndexReport) -> str:
    """The report, for people."""
    lines = [
        f"{_list(report.files)} files; {_list(_plurals(report.kinds))}." if report.files else "No files.",
        f"{report.changed} parsed, {report.unchanged} unchanged, {report.removed} gone,"
        f" in {report.seconds:.2f} s.",
    ]
    if report.skipped:
        lines.append(f"Not indexed: {_list(report.skipped)}; 'prebrief index --skipped' lists them.")
    if report.events:
        lines.append(f"Removed before indexing: {_list(report.events)}.")
    lines += [f"  {printable(problem)}" for problem in report.problems[:SHOWN_PROBLEMS]]
    if len(report.problems) > SHOWN_PROBLEMS:
        lines.append(f"  … and {len(report.problems) - SHOWN_PROBLEMS} more")
    return "\n".join(lines)


def _plurals(kinds: dict[str, int]) -> dict[str, int]:
    return {kind if count == 1 else _plural(kind): count for kind, count in kinds.items()}


def _plural(kind: str) -> str:
    return f"{kind}es" if kind.endswith("s") else f"{kind}s"


def _list(counts: dict[str, int]) -> str:
    return (
        ", ".join(f"{count} {name}" for name, count in sorted(counts.items(), key=lambda c: (-c[1], c[0])))
        or "no"
    )
