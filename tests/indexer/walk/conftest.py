"""Real repositories in temporary folders."""

import pytest
from git_repository import GitRepository


class Repo(GitRepository):
    """A git repository that tracks even what it ignores."""

    add_options = ("--all", "--force")


@pytest.fixture
def repo(tmp_path):
    return Repo(tmp_path / "repo")


@pytest.fixture(scope="session")
def make_repo():
    return Repo
