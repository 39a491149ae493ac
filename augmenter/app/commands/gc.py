"""``prebrief gc``."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from augmenter.app.cache import cache_folder
from augmenter.app.common import answer
from augmenter.app.options import add_json, add_root
from augmenter.app.wording import in_words
from knowledge.clock import Clock
from knowledge.housekeeping import Cleared, Kept, clear_away
from knowledge.project import locate


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_root(parser)
    add_json(parser)
    parser.add_argument("--dry-run", action="store_true", help="only say what would be cleared away")


def run(arguments: argparse.Namespace) -> int:
    """Clear away, and tell what."""
    project = locate(Path(arguments.root))
    done = list(clear_away(project, cache_folder(), Clock().now(), dry_run=arguments.dry_run))
    cleared = [item for item in done if isinstance(item, Cleared)]
    kept = [item for item in done if isinstance(item, Kept)]
    document = {
        "dry_run": arguments.dry_run,
        "bytes": sum(item.bytes for item in cleared),
        "cleared": [asdict(item) for item in cleared],
        "kept": [asdict(item) for item in kept],
    }
    answer(arguments, document, describe(cleared, kept, dry_run=arguments.dry_run))
    return 0


def describe(cleared: list[Cleared], kept: list[Kept], *, dry_run: bool) -> str:
    """What was done, for people."""
    lines = [f"{item.what}: {item.where} ({item.why}), {in_words(item.bytes)}" for item in cleared]
    lines += [f"kept: {item.where} ({item.why})" for item in kept]
    total = in_words(sum(item.bytes for item in cleared))
    if not cleared:
        lines.append("There is nothing to clear away.")
    else:
        lines.append(f"{total} would be freed." if dry_run else f"{total} freed.")
    return "\n".join(lines)
