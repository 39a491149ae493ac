"""What has been read of a catalog, for questions that read the same things again and again."""

from __future__ import annotations

from collections.abc import Iterable

from knowledge.catalog.reader import CatalogReader
from knowledge.relation_paths import last_name
from knowledge.types import Evidence, Kind, Relation, RelationKind

MAX_NAMESAKES = 400  # things of one name that are looked at; a name that more bear says nothing
THINGS = (Kind.UNIT, Kind.CLASS)


class Catalogued:
    """What has been read of a catalog, kept as long as the reader holds to one state."""

    def __init__(self, reader: CatalogReader) -> None:
        self.reader = reader
        self._evidence: dict[int, Evidence] = {}
        self._relations: dict[int, tuple[Relation, ...]] = {}
        self._named: dict[str, list[int]] = {}
        self._things: dict[str, dict[int, Evidence]] = {}

    def evidence(self, rowids: Iterable[int]) -> dict[int, Evidence]:
        """Evidence by row id."""
        rowids = list(rowids)
        self._evidence.update(self.reader.evidence([one for one in rowids if one not in self._evidence]))
        return {one: self._evidence[one] for one in rowids if one in self._evidence}

    def relations(self, rowids: Iterable[int]) -> dict[int, tuple[Relation, ...]]:
        """Relations by row id."""
        rowids = list(rowids)
        self._relations.update(
            self.reader.relations_of([one for one in rowids if one not in self._relations])
        )
        return {one: self._relations.get(one, ()) for one in rowids}

    def named(self, name: str) -> list[int]:
        """Row ids of what is known by a name, by (path, start, id); none if too many are."""
        alias = name.lower()
        if alias not in self._named:
            found = self.evidence(self.reader.named(alias, MAX_NAMESAKES + 1))
            ordered = sorted(found, key=lambda rowid: found[rowid].sort_key)
            self._named[alias] = ordered if len(ordered) <= MAX_NAMESAKES else []
        return self._named[alias]

    def things(self, alias: str, name: str) -> dict[int, Evidence]:
        """Functions and classes known by an alias that are called so, the first of each file's namesakes."""
        if alias not in self._things:
            found: dict[tuple[str, str], int] = {}
            evidence = self.evidence(self.named(alias))
            for rowid, of in evidence.items():
                if of.kind in THINGS and last_name(of.name) == name:
                    found.setdefault((of.path, of.name), rowid)
            self._things[alias] = {rowid: evidence[rowid] for rowid in found.values()}
        return self._things[alias]

    def thing(self, path: str, name: str) -> int | None:
        """The row id of a function or class by its file and qualified name, the first of several."""
        found = self.evidence(self.named(name))
        there = (one for one, of in found.items() if of.path == path and of.name == name)
        return next((one for one in there if found[one].kind in THINGS), None)

    def module(self, path: str) -> int | None:
        """The row id of a file's module card."""
        found = self.evidence(self.named(path))
        return next((one for one, of in found.items() if of.kind is Kind.MODULE and of.path == path), None)

    def imports(self, path: str) -> list[str]:
        """What a file imports."""
        module = self.module(path)
        said = self.relations([module])[module] if module is not None else ()
        return [one.target for one in said if one.kind is RelationKind.IMPORTS]
