"""``prebrief demo``: the whole loop on one project, with all its state in a folder that is thrown away."""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path

from augmenter.app.augmenter import Augmenter
from augmenter.app.commands.index import describe as describe_index
from augmenter.app.commands.index import show_progress
from augmenter.app.commands.learn import describe as describe_learning
from augmenter.app.common import add_root, print_text
from augmenter.app.describe import explanation, summary
from augmenter.app.replaying import replay
from augmenter.brief import Brief
from indexer.build import build_index
from knowledge.clock import Clock
from knowledge.errors import TaskError
from knowledge.project import Project, locate
from knowledge.settings import load_settings
from learning.nightly import learn
from learning.policy import policy_named
from receipts.records import OfferedRecord
from receipts.verify import verify

SAMPLE_TASK = """\
You are a maintainer of this project.

Fix the ledger: a torn last line must be set aside before the next append

After a crash in the middle of a write the last line of a segment has no line end. `Ledger.append` must not
lose what is there, and `verify` has to report it.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_root(parser)
    parser.add_argument("--task", default=SAMPLE_TASK, help="a task of your own")


def run(arguments: argparse.Namespace) -> int:
    """Index, augment, explain, replay, record an outcome, learn, augment again."""
    with tempfile.TemporaryDirectory(prefix="prebrief-demo-") as folder:
        project = replace(locate(Path(arguments.root)), root=Path(folder), view_id="main")
        _index(project)
        with Augmenter(project) as augmenter:
            brief = _brief(augmenter, arguments.task)
            _follow(augmenter, brief)
            _learn(augmenter, brief, arguments.task)
    return 0


def _index(project: Project) -> None:
    _heading("1. Index", "prebrief index")
    report = build_index(project, load_settings(project.view_root), Clock(), progress=show_progress)
    print_text(describe_index(report))


def _brief(augmenter: Augmenter, task: str) -> Brief:
    _heading("2. The augmented prompt", "prebrief augment TASK")
    brief = augmenter.augment(task, session="demo")
    print_text(brief.prompt)
    if brief.degraded or not brief.offered:
        raise TaskError(
            brief.degraded.detail if brief.degraded else "nothing in this project is relevant to the task",
            remedy="Give a task about this project with --task",
        )
    return brief


def _follow(augmenter: Augmenter, brief: Brief) -> None:
    _heading("3. Why: every factor of every item", "prebrief explain last")
    print_text(explanation(augmenter.history(brief.dispatch_id)))
    _heading("4. The same task again: the same bytes", "prebrief replay last")
    print_text(replay(augmenter, augmenter.history(brief.dispatch_id).receipt).describe())


def _learn(augmenter: Augmenter, brief: Brief, task: str) -> None:
    first = brief.offered[0]
    _heading(
        f"5. The outcome, with a pretended change to {first.name}",
        "prebrief outcome last --status success --diff FILE",
    )
    augmenter.complete(brief.dispatch_id, status="success", diff=_pretended_change(first))
    _heading("6. The receipt", "prebrief receipts show last; prebrief receipts verify")
    print_text(summary(augmenter.history(brief.dispatch_id)))
    checked = verify(augmenter.project.receipts)
    print_text(f"{checked.lines} lines; {'everything re-derives' if checked.ok else 'damaged'}.")
    _heading("7. Learning: the nightly job replays the ledger", "prebrief learn")
    policy = policy_named(augmenter.settings.learning.policy)
    print_text(describe_learning(learn(augmenter.ledger(), augmenter.project.learned, policy, Clock())))
    again = augmenter.augment(task, session="demo-2")
    for item in again.offered:
        before = next((old for old in brief.offered if old.id == item.id), None)
        then = f"{before.factors['confidence'].value:.3f}" if before else "  new"
        print_text(f"  {item.name:<40} confidence {then} → {item.factors['confidence'].value:.3f}")


def _pretended_change(item: OfferedRecord) -> str:
    """A diff that replaces the last line of an item."""
    return (
        f"--- a/{item.path}\n+++ b/{item.path}\n@@ -{item.end},1 +{item.end},1 @@\n"
        "-    the line as it was\n+    the line as the agent left it\n"
    )


def _heading(text: str, command: str) -> None:
    print_text(f"\n{'═' * 100}\n{text}\n  $ {command}\n{'─' * 100}")
