"""Which peers there are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evals.peers import aider, semble
from evals.peers.aider import Aider
from evals.peers.answers import Peer
from evals.peers.bm25 import Bm25
from evals.peers.environments import Environment
from evals.peers.ripgrep import Ripgrep
from evals.peers.semble import Semble

FOLDER = "peers"  # below the work folder: environments, and answers that are kept
NAMES = ("bm25s", "ripgrep", "aider", "semble")


def environments(work: Path) -> tuple[Environment, Environment]:
    """Those of aider and semble."""
    folder = work.resolve() / FOLDER
    return Environment("aider", aider.PINS, folder), Environment("semble", semble.PINS, folder)


def all_peers(work: Path, budgets: Sequence[int]) -> dict[str, Peer]:
    """Every peer by its name."""
    for_aider, for_semble = environments(work)
    peers: tuple[Peer, ...] = (Bm25(), Ripgrep(), Aider(for_aider, budgets), Semble(for_semble))
    return {peer.name: peer for peer in peers}
