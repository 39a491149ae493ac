"""Checkouts that are indexed, and environments with stand-ins for the packages that live in them."""

import subprocess
import sys

import pytest
from git_repository import GitRepository

from evals.peers.environments import Environment
from indexer.build import build_index
from knowledge.clock import Clock
from knowledge.project import locate
from knowledge.settings import Settings

STREAM = '''\
class Stream:
    def close(self):
        """Wake the readers."""
        self.zebra = 1
        return self.zebra

    def open(self):
        return zebra_of(self)


def zebra_of(stream):
    def inner():
        return stream.zebra

    return inner
'''
FILES = {
    "src/stream.py": STREAM,
    "src/pool.py": 'def take():\n    """Take one from the pool."""\n    return "common"\n',
    "src/spare.py": 'COMMON = "common"\n\n\ndef give():\n    return COMMON\n',
    "tests/test_stream.py": "def test_zebra():\n    assert zebra_of(None)\n",
}


@pytest.fixture
def checkout(tmp_path):
    repository = GitRepository(tmp_path / "app")
    repository.commit("First.", **FILES)
    build_index(locate(repository.root), Settings(), Clock())
    return repository.root


@pytest.fixture
def environment(tmp_path):
    """Makes an environment of an interpreter and of stand-ins: their sources by module, versions by pin."""

    def make(pins, modules):
        made = Environment("peer", pins, tmp_path / "work")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(made.folder)], check=True)
        packages = next(made.folder.glob("lib/python*/site-packages"))
        for path, source in modules.items():
            (packages / path).parent.mkdir(parents=True, exist_ok=True)
            (packages / path).write_text(source)
        for name, _, version in (pin.partition("==") for pin in pins):
            told = packages / f"{name.replace('-', '_')}-{version}.dist-info"
            told.mkdir()
            (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        (made.folder / "prebrief-ready").touch()
        return made

    return make
