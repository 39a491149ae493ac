"""Real repositories in temporary folders, indexed and compared with an index made from nothing."""

import os
import pickle
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest

from indexer.build import build_index
from knowledge.catalog.reader import CatalogReader
from knowledge.clock import Clock
from knowledge.project import locate
from knowledge.settings import Settings, parse_settings
from knowledge.staleness import is_stale

EPOCH = 1_700_000_000
NOBODY = 65534
# Files are written and indexed within milliseconds here; ten seconds later nothing is "just written".
LATER = Clock(now=lambda: time.time() + 10)


class Repo:
    """A git repository (or, with git=False, a mere folder) and its catalog."""

    def __init__(self, root: Path, *, git: bool = True):
        self.root = root
        self.commits = 0
        self.rebuilds = 0
        self.settings = Settings()
        root.mkdir(parents=True, exist_ok=True)
        if git:
            self.git("init", "--quiet", "--initial-branch=main")

    @property
    def project(self):
        return locate(self.root)

    @property
    def catalog(self):
        return self.project.catalog

    def git(self, *arguments, check=True):
        done = subprocess.run(
            ["git", "-C", str(self.root), *arguments],
            capture_output=True,
            env={**os.environ, **self._dates()},
            check=False,
        )
        assert done.returncode == 0 or not check, done.stderr
        return os.fsdecode(done.stdout).strip()

    def _dates(self):
        stamp = f"{EPOCH + 60 * self.commits} +0000"
        return {"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp}

    def write(self, path, content="def f():\n    return 1\n"):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return target

    def commit(self, *arguments, check=True, **files):
        for path, content in files.items():
            self.write(path, content)
        self.commits += 1
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message=change", *arguments, check=check)
        return self.git("rev-parse", "HEAD", check=check)

    def set(self, **table):
        """Other settings from now on."""
        self.settings = parse_settings(table, "test")

    def index(self, clock=LATER, **options):
        return build_index(self.project, self.settings, clock, **options)

    def reader(self):
        return CatalogReader(self.catalog)

    def stale(self, *paths):
        with self.reader() as reader:
            return is_stale(self.project, reader.meta(), reader.files(paths))

    def dump(self):
        return dump(self.catalog)

    def rebuilt(self):
        """The dump and fingerprint of a catalog of the same tree, made from nothing, in another place."""
        self.rebuilds += 1
        home = self.root.parent / f"{self.root.name}-rebuilt-{self.rebuilds}"
        home.mkdir()
        project = replace(self.project, root=home, view_id="main")
        report = build_index(project, self.settings, LATER)
        return dump(project.catalog), report.fingerprint

    def names(self):
        """Qualified names of everything indexed, sorted."""
        with self.reader() as reader:
            return sorted(row[2] for row in reader.dump() if len(row) > 20)

    def index_and_compare(self):
        """Indexes; asserts that the catalog is the one a rebuild gives."""
        report = self.index()
        fresh, fingerprint = self.rebuilt()
        assert self.dump() == fresh
        assert report.fingerprint == fingerprint
        return report


def dump(catalog):
    with CatalogReader(catalog) as reader:
        return list(reader.dump())


@pytest.fixture(autouse=True)
def _plain_git(monkeypatch, tmp_path_factory):
    """Git as it comes: no user's or machine's configuration."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "ada@example.org")


@pytest.fixture
def repo(tmp_path):
    return Repo(tmp_path / "repo")


@pytest.fixture
def folder(tmp_path):
    return Repo(tmp_path / "folder", git=False)


@pytest.fixture(scope="session")
def make_repo():
    return Repo


@pytest.fixture
def unprivileged():
    """Runs a function in a child process that permissions apply to, which they don't to root."""

    def run(function, *, owns=()):
        if os.getuid() != 0:
            return function()
        for place in owns:
            _give_away(place)
        receiver, sender = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(receiver)
            with os.fdopen(sender, "wb") as pipe:
                pickle.dump(_attempt_as_nobody(function), pipe)
            os._exit(0)
        os.close(sender)
        with os.fdopen(receiver, "rb") as pipe:
            worked, result = pickle.load(pipe)
        os.waitpid(child, 0)
        if not worked:
            kind, text = result
            raise kind(text)
        return result

    return run


def _attempt_as_nobody(function):
    try:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        return True, function()
    except Exception as error:  # noqa: BLE001 (re-raised by the parent)
        return False, (type(error), str(error))


def _give_away(place):
    for parent in place.parents:
        if parent.stat().st_uid == 0 and len(parent.parts) > 2:
            parent.chmod(parent.stat().st_mode | 0o011)
    for top, folders, files in os.walk(place):
        os.chown(top, NOBODY, NOBODY)
        for name in (*folders, *files):
            os.chown(Path(top, name), NOBODY, NOBODY, follow_symlinks=False)
