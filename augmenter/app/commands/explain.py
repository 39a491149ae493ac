"""``prebrief explain``."""

from __future__ import annotations

import argparse

from augmenter.app.common import answer, open_augmenter
from augmenter.app.describe import explanation
from augmenter.app.options import add_dispatch_id
from knowledge.jsonable import to_json
from receipts.ladder import ladder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_dispatch_id(parser)


def run(arguments: argparse.Namespace) -> int:
    """Tell why a dispatch was offered what it was offered, factor by factor."""
    with open_augmenter(arguments) as augmenter:
        history = augmenter.history(arguments.dispatch_id)
    steps = {item.pattern_hash: list(item.rungs) for item in ladder(history)}
    answer(arguments, {"receipt": to_json(history.receipt), "ladder": steps}, explanation(history))
    return 0
