"""Real repositories in temporary folders, indexed and compared with an index made from nothing."""

import pytest
from indexed_repository import Repo


@pytest.fixture
def repo(tmp_path):
    return Repo(tmp_path / "repo")


@pytest.fixture
def folder(tmp_path):
    return Repo(tmp_path / "folder", git=False)


@pytest.fixture(scope="session")
def make_repo():
    return Repo
