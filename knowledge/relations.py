"""Relations between the evidence of one catalog: who calls, imports, derives from and tests whom."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from knowledge.catalog.catalogued import Catalogued
from knowledge.catalog.reader import CatalogReader
from knowledge.relation_files import imported_files, tested_files
from knowledge.relation_paths import last_name
from knowledge.relation_targets import Found, How, Targets
from knowledge.types import Evidence, Kind, Relation, RelationKind, SourceKind

MAX_SOURCES = 400  # a name that more say, is nobody's in particular
_ALL = tuple(RelationKind)
_FOLDER_FILES = ("__init__", "index", "mod", "init")


@dataclass(frozen=True, slots=True)
class Link:
    """That one evidence says something of another.

    Attributes:
        kind: of relation.
        source: row id of who says it.
        target: row id of whom.
        line: where it is said first.
        how: how the target was found.
    """

    kind: RelationKind
    source: int
    target: int
    line: int
    how: How


class Relations:
    """Resolves relations when they are asked for.

    What has been read is kept: use one for as long as its reader holds to one state of the catalog.
    """

    def __init__(self, reader: CatalogReader) -> None:
        self._reader = reader
        self._catalog = Catalogued(reader)

    def outgoing(self, rowid: int, kinds: Collection[RelationKind] = _ALL) -> list[Link]:
        """What an evidence says of others that the catalog knows, in the order of its lines."""
        return self._said_by(
            rowid, [one for one in self._catalog.relations([rowid])[rowid] if one.kind in kinds]
        )

    def incoming(
        self, rowid: int, kinds: Collection[RelationKind] = _ALL, limit: int = MAX_SOURCES
    ) -> list[Link]:
        """Who says something of an evidence, by kind, then (path, start, id).

        Args:
            rowid: of the evidence.
            kinds: of relations.
            limit: nobody is looked at where more than so many say something of the name; each that is looked
                at costs about a millisecond.
        """
        target = self._catalog.evidence([rowid])[rowid]
        name = _name_of(target)
        links = []
        for kind in RelationKind:
            sources = self._reader.related(kind, name, limit + 1) if kind in kinds else []
            if len(sources) > limit:
                continue
            links += [link for link in self._naming(kind, name, sources) if link.target == rowid]
        return self._ordered(links)

    def tested_by(self, rowid: int) -> list[Link]:
        """Which tests cover a thing: those that are called after it, and those that call it."""
        links = self.incoming(rowid, (RelationKind.TESTS, RelationKind.CALLS))
        sources = self._catalog.evidence(link.source for link in links)
        by_source: dict[int, Link] = {}
        for link in sorted(links, key=lambda link: link.kind is not RelationKind.TESTS):
            if sources[link.source].source_kind is SourceKind.TEST:
                by_source.setdefault(link.source, link)
        return list(by_source.values())

    def tests(self, rowid: int) -> list[Link]:
        """What a test tests: what it is called after, then what it calls that is no test itself."""
        links = self.outgoing(rowid, (RelationKind.TESTS, RelationKind.CALLS))
        targets = self._catalog.evidence(link.target for link in links)
        by_target: dict[int, Link] = {}
        for link in sorted(links, key=lambda link: link.kind is not RelationKind.TESTS):
            if targets[link.target].source_kind is not SourceKind.TEST:
                by_target.setdefault(link.target, link)
        return list(by_target.values())

    def _naming(self, kind: RelationKind, name: str, sources: Iterable[int]) -> list[Link]:
        """What sources say in a way of what is called so."""
        links = []
        self._catalog.evidence(sources)  # at once
        for source, said in self._catalog.relations(sources).items():
            wanted = [one for one in said if one.kind is kind and _may_mean(one.target, name)]
            links += self._said_by(source, wanted)
        return links

    def _said_by(self, rowid: int, said: Iterable[Relation]) -> list[Link]:
        source = self._catalog.evidence([rowid])[rowid]
        targets = Targets(self._catalog, source)
        links = []
        for one in said:
            how, found = self._found(targets, source, one)
            links += [Link(one.kind, rowid, target, one.line, how) for target in found]
        return links

    def _found(self, targets: Targets, source: Evidence, one: Relation) -> Found:
        if one.kind is RelationKind.TESTS and "/" in one.target:
            return How.FILE, tested_files(self._catalog, source, one.target)
        if one.kind is RelationKind.IMPORTS:
            files = imported_files(self._catalog, source, one.target)
            return (How.IMPORT, files) if files else targets.imported(one.target)
        return targets.of(one.kind, one.target)

    def _ordered(self, links: list[Link]) -> list[Link]:
        sources = self._catalog.evidence(link.source for link in links)
        return sorted(links, key=lambda link: (link.kind, sources[link.source].sort_key))


def _name_of(evidence: Evidence) -> str:
    """The name by which others say something of an evidence."""
    if evidence.kind is not Kind.MODULE:
        return last_name(evidence.name)
    folder, _, name = evidence.path.rpartition("/")
    stem = name.partition(".")[0]
    return last_name(f"./{folder}") if stem in _FOLDER_FILES and folder else stem


def _may_mean(target: str, name: str) -> bool:
    last = last_name(target)
    return last == name or last.partition(".")[0] == name or last.lower() == name.lower()
