"""Repositories that are indexed, and whose index is compared with one made from nothing."""

import time
from dataclasses import replace

from git_repository import GitRepository

from indexer.build import build_index
from knowledge.catalog.reader import CatalogReader
from knowledge.clock import Clock
from knowledge.project import locate
from knowledge.settings import Settings
from knowledge.settings_file import parse_settings
from knowledge.staleness import is_stale

# Files are written and indexed within milliseconds here; ten seconds later nothing is "just written".
LATER = Clock(now=lambda: time.time() + 10)


class Repo(GitRepository):
    """A git repository (or, with git=False, a mere folder) and its catalog."""

    def __init__(self, root, *, git=True):
        super().__init__(root, git=git)
        self.rebuilds = 0
        self.settings = Settings()

    @property
    def project(self):
        return locate(self.root)

    @property
    def catalog(self):
        return self.project.catalog

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
