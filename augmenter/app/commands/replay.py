"""``prebrief replay``."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from augmenter.app.common import answer, open_augmenter
from augmenter.app.options import add_dispatch_id
from augmenter.app.replaying import replay


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_dispatch_id(parser)


def run(arguments: argparse.Namespace) -> int:
    """Brief a recorded task again: 0 when prompt and offers are identical, else 1."""
    with open_augmenter(arguments) as augmenter:
        result = replay(augmenter, augmenter.history(arguments.dispatch_id).receipt)
    answer(arguments, {**asdict(result), "identical": result.identical}, result.describe())
    return 0 if result.identical else 1
