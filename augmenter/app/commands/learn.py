"""``prebrief learn``."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from augmenter.app.common import answer, open_augmenter
from augmenter.app.options import add_json, add_root
from knowledge.clock import Clock
from learning.nightly import LearnReport, learn
from learning.policy import policy_named


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_root(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Replay the ledger and replace what was learned."""
    with open_augmenter(arguments) as augmenter:
        policy = policy_named(augmenter.settings.learning.policy)
        report = learn(augmenter.ledger(), augmenter.project.learned, policy, Clock())
    answer(arguments, asdict(report), describe(report))
    return 0


def describe(report: LearnReport) -> str:
    """The report, for people."""
    outcomes = ", ".join(f"{count} {status}" for status, count in report.outcomes.items()) or "none yet"
    dispatches = "1 dispatch" if report.dispatches == 1 else f"{report.dispatches} dispatches"
    lines = [
        f"{dispatches}; outcomes: {outcomes}.",
        f"{report.items} items known; since the last run confidence rose for {report.raised} and fell for"
        f" {report.lowered} (policy '{report.policy}', {report.seconds:.2f} s).",
    ]
    lines += [f"  damaged, taught nothing: {where}" for where in report.damaged]
    return "\n".join(lines)
