from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from indexer.extract import extract_code
from indexer.parse import ParseContext, parse_file
from knowledge.catalog.reader import CatalogReader
from knowledge.catalog.rows import FileRow
from knowledge.catalog.writer import CatalogWriter
from knowledge.relations import MAX_SOURCES, Relations
from knowledge.settings import Settings
from knowledge.taxonomy import load_taxonomy
from knowledge.types import RelationKind, SourceKind


@pytest.fixture
def relations_in() -> Callable[[str, str], dict[str, list[str]]]:
    """Of a text in a language: what each definition (the module is ``""``) says, as ``kind target``."""

    def extract(language: str, text: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for draft in extract_code(language, text):
            if draft.relations:
                told = found.setdefault(draft.name, [])
                told += [f"{one.kind} {one.target}" for one in draft.relations]
        return found

    return extract


class Answers:
    """Questions to a catalog of some files, by ``path::name``; answers alike, a file's module by its path."""

    def __init__(self, reader: CatalogReader) -> None:
        self._reader = reader
        self._relations = Relations(reader)
        rowids = [rowid for path in reader.paths() for rowid in reader.in_file(path, 1, 1 << 30, 1_000)]
        self._evidence = reader.evidence(rowids)
        self._rowids = {self._label(rowid): rowid for rowid in reversed(rowids)}

    def _label(self, rowid: int) -> str:
        return self._evidence[rowid].id.partition(":")[2]

    def says(self, label: str, *kinds: RelationKind) -> list[str]:
        """What it says of others, in the order of lines."""
        links = self._relations.outgoing(self._rowids[label], kinds or tuple(RelationKind))
        return [self._label(link.target) for link in links]

    def how(self, label: str) -> list[str]:
        """How the targets of its calls were found."""
        return [link.how for link in self._relations.outgoing(self._rowids[label], (RelationKind.CALLS,))]

    def named_by(self, label: str, *kinds: RelationKind, limit: int = MAX_SOURCES) -> list[str]:
        """Who says something of it."""
        links = self._relations.incoming(self._rowids[label], kinds or tuple(RelationKind), limit)
        return [self._label(link.source) for link in links]

    def tested_by(self, label: str) -> list[str]:
        """The tests that cover it."""
        return [self._label(link.source) for link in self._relations.tested_by(self._rowids[label])]

    def tests(self, label: str) -> list[str]:
        """What a test tests."""
        return [self._label(link.target) for link in self._relations.tests(self._rowids[label])]


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[Callable[[dict[str, str]], Answers]]:
    """Answers about files that are given by path and text."""
    readers = []

    def index(files: dict[str, str]) -> Answers:
        context = ParseContext(Settings(), load_taxonomy({}))
        catalog = tmp_path / "catalog.sqlite"
        with CatalogWriter(catalog) as writer:
            for path, text in files.items():
                row = FileRow(path, "", len(text), 0, "", SourceKind.IMPLEMENTATION)
                writer.replace(parse_file(row, text.encode(), context))
            writer.set_meta({"fingerprint": "made", "recipe": "made"})
        readers.append(CatalogReader(catalog))
        return Answers(readers[-1])

    yield index
    for reader in readers:
        reader.close()
