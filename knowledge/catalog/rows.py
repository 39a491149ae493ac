"""What the catalog takes in and gives out, and how it is laid out in rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from knowledge.catalog.schema import Band
from knowledge.types import Card, Evidence, GlossaryEntry, Guidance, HygieneEvent, Kind, Relation, SourceKind

FIELDS = ("name", "path", "signature", "doc", "body")


@dataclass(frozen=True, slots=True)
class SearchText:
    """The terms of one evidence, field by field, each a text of terms joined by single spaces."""

    name: str
    path: str
    signature: str
    doc: str
    body: str

    @property
    def fields(self) -> tuple[str, str, str, str, str]:
        """The fields in the order of `FIELDS`."""
        return (self.name, self.path, self.signature, self.doc, self.body)


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file that the last run saw.

    Attributes:
        path: relative to the view's root.
        blob: git's object name of its content; ``""`` when it was skipped unread.
        size: bytes.
        mtime_ns: modification time; 0 asks the next run to look at the content again.
        language: ``""`` when skipped.
        source_kind: implementation, test …
        skip: why it was skipped, or ``""``.
        last_commit: the last commit that touched it, or ``""``.
        last_commit_time: its committer time, or 0.
        inode: number in the file system; a file that was moved over another brings its own.
    """

    path: str
    blob: str
    size: int
    mtime_ns: int
    language: str
    source_kind: SourceKind
    skip: str = ""
    last_commit: str = ""
    last_commit_time: int = 0
    inode: int = 0


@dataclass(frozen=True, slots=True)
class Indexed:
    """One evidence as the indexer hands it over.

    Attributes:
        evidence: what is kept.
        text: what is searched.
        aliases: lower-case names by which it can be mentioned.
        guidance: set for rules, antipatterns and reports.
        relations: what it says of others.
        card: set for documents and sections.
    """

    evidence: Evidence
    text: SearchText
    aliases: tuple[str, ...] = ()
    guidance: Guidance | None = None
    relations: tuple[Relation, ...] = ()
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """All that one file gave.

    Attributes:
        row: the file.
        items: its evidence.
        events: what hygiene removed.
        glossary: entries of the project's glossary.
        problems: what is wrong with parts of it, which cost those parts alone; one text each.
    """

    row: FileRow
    items: tuple[Indexed, ...] = ()
    events: tuple[HygieneEvent, ...] = ()
    glossary: tuple[GlossaryEntry, ...] = ()
    problems: tuple[str, ...] = ()


# In the order of the fields of `FileRow`.
FILE_COLUMNS = "path, blob, size, mtime_ns, language, source_kind, skip, last_commit, last_commit_time, inode"

COUNTS = {
    "languages": "SELECT language, count(*) FROM files WHERE skip = '' GROUP BY 1 ORDER BY 1",
    "skipped": "SELECT skip, count(*) FROM files WHERE skip != '' GROUP BY 1 ORDER BY 1",
    "kinds": "SELECT kind, count(*) FROM evidence WHERE part = 0 GROUP BY 1 ORDER BY 1",
    "events": "SELECT kind, sum(count) FROM events GROUP BY 1 ORDER BY 1",
    "history": "SELECT 'commits', count(*) FROM past_commits UNION ALL"
    " SELECT 'searched', count(*) FROM past_commits WHERE terms > 0",
}


def file_of(row: tuple[Any, ...]) -> FileRow:
    """The file in a row of `FILE_COLUMNS`."""
    path, blob, size, mtime_ns, language, source_kind, *others = row
    return FileRow(path, blob, size, mtime_ns, language, SourceKind(source_kind), *others)


def band_of(evidence: Evidence) -> Band:
    """The band of row ids that an evidence belongs to."""
    if evidence.kind.is_guidance:
        return Band.GUIDANCE
    unit = evidence.kind is Kind.UNIT
    if evidence.source_kind is SourceKind.IMPLEMENTATION:
        return Band.UNITS if unit else Band.CARDS
    return Band.OTHER_UNITS if unit else Band.OTHER_CARDS
