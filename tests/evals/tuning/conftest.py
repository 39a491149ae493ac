"""Projects whose commits prefer one kind of function, and what `prebrief tune` makes of them."""

from __future__ import annotations

import shutil
from itertools import product
from pathlib import Path

import pytest
from git_repository import GitRepository

from augmenter.weights import SHIPPED, read_weights
from evals.tuning.project import MIN_CASES, MIN_TO_FIT, tune
from indexer.build import silent
from knowledge.clock import Clock
from knowledge.project import locate
from knowledge.settings import Settings

PRIVATE = "private"  # the signal by which alone the functions of a topic differ
_WORDS = ["".join(part) for part in product("bdfg", "aou", "lmrt", "aou", "k")]
COUNT = MIN_CASES + 1  # topics: of the last, no commit says anything
TOPICS = [" ".join(_WORDS[first::COUNT][:3]) for first in range(COUNT)]
NAMES, LAST = ("first", "second", "third"), "last"


def source(number, liked, changed):
    """A module whose functions have the same words and lines: the last is of one kind, the rest not."""
    names = [f"{'' if liked else '_'}{name}_{number:02}" for name in NAMES]
    names.append(f"{'_' if liked else ''}{LAST}_{number:02}")
    return "\n\n".join(
        f'def {name}(value):\n    """{TOPICS[number]}."""\n    return value + {1 + (changed in name)}\n'
        for name in names
    )


class Tuned(GitRepository):
    """A project in which every commit changes one function of its own topic."""

    def grow(self, choices):
        """Makes a commit for each choice: whether it changes what the shipped weights put last."""
        liked = read_weights(SHIPPED).weights.get(PRIVATE, 0.0) <= 0
        self.commit("Begin", **{_path(number): source(number, liked, "none") for number in range(COUNT)})
        for number, against in enumerate(choices):
            text = source(number, liked, LAST if against else NAMES[0])
            self.commit(TOPICS[number], **{_path(number): text})
        return self

    def tune(self, limit=MIN_CASES, settings=None, progress=silent):
        return tune(self.project, settings or Settings(), limit, Clock(), progress)

    @property
    def project(self):
        return locate(self.root)

    def weigh(self, text):
        """Gives the project weights of its own."""
        self.project.weights.parent.mkdir(parents=True, exist_ok=True)
        self.project.weights.write_text(text, encoding="utf-8")


def _path(number):
    return f"src/topic_{number:02}.py"


def _grown(folder, choices):
    repository = Tuned(folder).grow(choices)
    return repository, repository.tune()


@pytest.fixture(scope="session")
def consistent(_git_of_nobody, tmp_path_factory):
    """A project whose commits all go against the shipped weights, and how it was tuned."""
    return _grown(tmp_path_factory.mktemp("consistent") / "project", [True] * MIN_CASES)


@pytest.fixture(scope="session")
def fickle(_git_of_nobody, tmp_path_factory):
    """A project of the same older commits, whose newer ones go the other way, and how it was tuned."""
    choices = [number < MIN_TO_FIT for number in range(MIN_CASES)]
    return _grown(tmp_path_factory.mktemp("fickle") / "project", choices)


@pytest.fixture
def task():
    """A task of which no commit says anything."""
    return TOPICS[-1]


@pytest.fixture
def project(consistent, tmp_path):
    """A copy of the consistent project, with all that its tuning has kept."""
    root = shutil.copytree(consistent[0].root, tmp_path / "project", symlinks=True)
    return Tuned(Path(root), git=False)


@pytest.fixture
def new_project(tmp_path):
    return Tuned(tmp_path / "new")
