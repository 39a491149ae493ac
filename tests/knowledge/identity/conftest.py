"""Real git, in temporary folders."""

import pytest
from git_repository import GitRepository


@pytest.fixture
def run_git():
    """Runs git in a folder."""

    def run(folder, *arguments):
        return GitRepository(folder, git=False).git("-c", "protocol.file.allow=always", *arguments)

    return run


@pytest.fixture
def new_repository():
    """Makes a repository with one commit."""

    def make(folder):
        GitRepository(folder).commit(**{"a.py": "1\n"})
        return folder.resolve()

    return make
