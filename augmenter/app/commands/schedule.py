"""``prebrief schedule``."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime

from augmenter.app.common import open_augmenter, print_text
from augmenter.app.nightly import run_cycle
from augmenter.app.options import add_root
from learning.schedule import next_run, run_schedule

DEFAULT_CRON = "17 3 * * *"  # at night, off the full hour, when everybody's jobs start


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_root(parser)
    parser.add_argument("--cron", default=DEFAULT_CRON, help=f"five cron fields (default: '{DEFAULT_CRON}')")
    parser.add_argument("--timezone", default="UTC", help="an IANA name (default: UTC)")
    parser.add_argument("--once", action="store_true", help="run the cycle now and end")


def run(arguments: argparse.Namespace) -> int:
    """Run the nightly cycle, again and again: index, then learn."""
    with open_augmenter(arguments) as augmenter:
        project, settings = augmenter.project, augmenter.settings
    if arguments.once:
        print_text(run_cycle(project, settings))
        return 0
    first = next_run(arguments.cron, arguments.timezone, datetime.now(UTC))
    print_text(f"Next run at {first.isoformat()}; end with Ctrl-C.")
    run_schedule(lambda: print_text(run_cycle(project, settings)), arguments.cron, arguments.timezone)
    return 0
