"""A small project with a history, and what is asked of it."""

from pathlib import Path

import pytest
from git_repository import GitRepository

from evals.mining.history import mine
from evals.mining.provider import Checkouts
from indexer.build import silent
from knowledge.clock import Clock
from knowledge.project import ensure_state, locate
from knowledge.settings import Settings

POOL = """\
def take(pool):
    sock = pool.pop()
    return sock


def give(pool, sock):
    pool.append(sock)


def size(pool):
    return len(pool)
"""
CHANGED = POOL.replace("sock = pool.pop()", "sock = pool.pop() if pool else connect()")
TASK = "Open another socket when none is idle"


class History:
    """A project in which commits are made and mined."""

    def __init__(self, root: Path):
        self.repository = GitRepository(root)
        self.commit = self.repository.commit

    @property
    def root(self):
        return self.repository.root

    def state(self, root=None):
        project = locate(root or self.root)
        ensure_state(project)
        folder = project.state / "evaluations"
        folder.mkdir(exist_ok=True)
        return folder

    def mine(self, limit=50, *, root=None, settings=None, progress=silent):
        project = locate(root or self.root)
        return mine(project, settings or Settings(), limit, self.state(root), progress=progress)

    def checkouts(self, root=None):
        return Checkouts(locate(root or self.root), Settings(), Clock(), self.state(root))


@pytest.fixture
def history(tmp_path):
    """A project with two commits, of which the second makes a case."""
    history = History(tmp_path / "project")
    history.commit("First.", **{"src/pool.py": POOL})
    history.commit(TASK, **{"src/pool.py": CHANGED})
    return history


@pytest.fixture(scope="session")
def make_history():
    """Makes a project without commits in a folder."""
    return History


@pytest.fixture
def new_history(tmp_path):
    """A project without commits."""
    return History(tmp_path / "new")
