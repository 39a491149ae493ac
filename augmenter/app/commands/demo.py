"""``prebrief demo``: the whole loop on one project, with all its state in a folder that is thrown away."""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from augmenter.app.augmenter import Augmenter
from augmenter.app.commands.index import describe as describe_index
from augmenter.app.commands.index import show_progress
from augmenter.app.commands.learn import describe as describe_learning
from augmenter.app.commands.outcome import describe as describe_outcome
from augmenter.app.common import print_text
from augmenter.app.describe import explanation, summary
from augmenter.app.options import add_root
from augmenter.app.replaying import replay
from augmenter.brief import Brief
from indexer.build import build_index, silent
from knowledge.clock import Clock
from knowledge.errors import TaskError
from knowledge.project import Project, locate
from knowledge.settings import Settings
from knowledge.settings_loading import load_settings
from learning.nightly import learn
from learning.policy import policy_named
from receipts.records import OfferedRecord
from receipts.verify import verify

HERE = "augmenter/app/commands/demo.py"  # left out of the demo's index: it holds the sample task itself
HOME = "receipts/ledger.py"  # whoever has this file is the project that the sample task is about
SAMPLE_TASK = """\
You are a maintainer of this project.

Fix the ledger: a torn last line must be set aside before the next append

After a crash in the middle of a write the last line of a segment has no line end. `Ledger.append` must not
lose what is there, and `verify` has to report it.
"""
ANY_SUBJECT = "open read write parse close error timeout"  # some of it occurs in nearly every project
EXPLAINED = 2  # items whose factors are shown; the others read alike
WIDTH = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_root(parser)
    parser.add_argument("--task", default="", help="a task of your own")


def run(arguments: argparse.Namespace) -> int:
    """Index, augment, explain, replay, record an outcome, learn, augment again, and break something."""
    with tempfile.TemporaryDirectory(prefix="prebrief-demo-") as folder:
        project = replace(locate(Path(arguments.root)), root=Path(folder), view_id="main")
        print_text(f"The project: {project.view_root}. Nothing is written there: state lies in {folder}.")
        _index(project)
        with Augmenter(project) as augmenter:
            task = arguments.task or _sample(augmenter)
            brief = _brief(augmenter, task)
            _follow(augmenter, brief)
            _complete(augmenter, brief)
            _learn(augmenter, brief, task)
            _break(augmenter, task)
    return 0


def _index(project: Project) -> None:
    _heading("1. Index the project", "prebrief index")
    settings = load_settings(project.view_root)
    progress = show_progress if sys.stderr.isatty() else silent
    print_text(describe_index(build_index(project, _without_demo(settings), Clock(), progress=progress)))


def _without_demo(settings: Settings) -> Settings:
    index = replace(settings.index, exclude=[*settings.index.exclude, HERE])
    return replace(settings, index=index)


def _sample(augmenter: Augmenter) -> str:
    """A task about this project."""
    if (augmenter.project.view_root / HOME).is_file():
        return SAMPLE_TASK
    found = augmenter.rank(ANY_SUBJECT, limit=1, kinds=("unit",))
    if not found:
        raise TaskError("this project has no code to make a task of", remedy="Give one with --task")
    return f"You are a maintainer of this project.\n\nMake `{found[0].name}` say clearly what went wrong\n"


def _brief(augmenter: Augmenter, task: str) -> Brief:
    _heading("2. A task becomes a brief", "prebrief augment TASK")
    brief = augmenter.augment(task, session="demo")
    if brief.degraded or not brief.offered:
        raise TaskError(
            brief.degraded.detail if brief.degraded else "nothing in this project is relevant to the task",
            remedy="Give a task about this project with --task",
        )
    print_text(_indented(brief.prompt))
    took = sum(brief.timings_ms.values())
    print_text(
        f"{brief.tokens} tokens of context, made in {took:.0f} ms; every byte of the task is as it was."
    )
    return brief


def _follow(augmenter: Augmenter, brief: Brief) -> None:
    _heading("3. Why these? Every factor of every item is kept", "prebrief explain last")
    print_text(explanation(augmenter.history(brief.dispatch_id), items=EXPLAINED))
    _heading("4. The same task again gives the same bytes", "prebrief replay last")
    print_text(replay(augmenter, augmenter.history(brief.dispatch_id).receipt).describe())


def _complete(augmenter: Augmenter, brief: Brief) -> None:
    first = brief.offered[0]
    _heading(
        f"5. The agent has finished, and has changed {first.name} (here: a made-up diff)",
        "prebrief outcome last --status success --diff FILE",
    )
    done = augmenter.complete(brief.dispatch_id, status="success", diff=_made_up_change(first))
    print_text(describe_outcome(done))
    _heading("6. The receipt: what was offered, and how far it came", "prebrief receipts show last")
    print_text(summary(augmenter.history(brief.dispatch_id)))
    checked = verify(augmenter.project.receipts)
    verdict = "every hash re-derives" if checked.ok else "damaged"
    print_text(f"\n  $ prebrief receipts verify\n{checked.lines} lines in the ledger; {verdict}.")


def _learn(augmenter: Augmenter, brief: Brief, task: str) -> None:
    _heading("7. The nightly job replays the receipts", "prebrief learn")
    policy = policy_named(augmenter.settings.learning.policy)
    print_text(describe_learning(learn(augmenter.ledger(), augmenter.project.learned, policy, Clock())))
    again = augmenter.augment(task, session="demo-2")
    print_text("\nThe next brief of the same task knows it:")
    before = {item.id: item.factors["confidence"].value for item in brief.offered}
    for item in again.offered:
        then = f"{before[item.id]:.3f}" if item.id in before else "  new"
        print_text(f"  {item.rank}. {item.name}: confidence {then} → {item.factors['confidence'].value:.3f}")


def _break(augmenter: Augmenter, task: str) -> None:
    _heading("8. And when something is wrong, the task goes out as it came", "prebrief augment TASK --json")
    augmenter.project.catalog.write_bytes(b"no index any more")
    with Augmenter(augmenter.project) as fresh:
        brief = fresh.augment(task, session="demo-3")
    unchanged = "true" if brief.prompt == task else "false"
    reason = brief.degraded.reason if brief.degraded else "none"
    remedy = brief.degraded.remedy if brief.degraded else ""
    print_text(f'prompt == TASK: {unchanged}\ndegraded: {{"reason": "{reason}", "remedy": "{remedy}"}}')


def _made_up_change(item: OfferedRecord) -> str:
    """A diff that replaces the last line of an item."""
    return (
        f"--- a/{item.path}\n+++ b/{item.path}\n@@ -{item.end},1 +{item.end},1 @@\n"
        "-    the line as it was\n+    the line as the agent left it\n"
    )


def _indented(text: str) -> str:
    return "\n".join(f"│ {line}".rstrip() for line in text.rstrip("\n").split("\n"))


def _heading(text: str, command: str) -> None:
    print_text(f"\n{'═' * WIDTH}\n{text}\n  $ {command}\n{'─' * WIDTH}")
