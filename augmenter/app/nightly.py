"""The nightly cycle: bring the index up to date, then apply outcomes."""

from __future__ import annotations

from augmenter.app.cache import cache_folder
from augmenter.app.commands.index import describe as describe_index
from augmenter.app.commands.learn import describe as describe_learning
from indexer.build import build_index
from knowledge.clock import Clock
from knowledge.project import Project
from knowledge.settings import Settings
from learning.nightly import learn
from learning.policy import policy_named
from receipts.ledger import Ledger


def run_cycle(project: Project, settings: Settings) -> str:
    """Run it once; returns what was done, in words."""
    clock = Clock()
    indexed = build_index(project, settings, clock, cache=cache_folder())
    ledger = Ledger(project.receipts, clock)
    learned = learn(ledger, project.learned, policy_named(settings.learning.policy), clock)
    return f"{describe_index(indexed)}\n{describe_learning(learned)}"
