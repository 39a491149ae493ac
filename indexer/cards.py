"""From what a parser found to what the catalog keeps: identity, search text, names, tags, quality."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from indexer.quality import code_quality, density, section_quality
from knowledge.catalog.rows import FileRow, Indexed, SearchText
from knowledge.hashing import content_hash
from knowledge.taxonomy import Taxonomy
from knowledge.terms import term_text
from knowledge.types import Authority, Draft, Evidence, Kind, SourceKind, Status

MAX_BODY_TERMS = 2_000  # of a larger body the parts carry the rest; bounds what ranking reads per candidate
MAX_DOC = 600  # characters of documentation kept for display; the search text has all of it
DECISION_FOLDERS = frozenset({"adr", "adrs", "decision", "decisions"})

_PREFIX = {
    Kind.UNIT: "symbol",
    Kind.CLASS: "symbol",
    Kind.MODULE: "module",
    Kind.SECTION: "section",
    Kind.DOCUMENT: "document",
}
_DOCUMENT_KINDS = (Kind.SECTION, Kind.DOCUMENT)


@dataclass(frozen=True, slots=True)
class FileCard:
    """What all evidence of one file shares.

    Attributes:
        row: the file.
        status: from a document's front matter.
        path_terms: search text of the path.
    """

    row: FileRow
    status: Status = Status.CURRENT

    @property
    def authority(self) -> Authority:
        """How much the file's statements bind, by what it is and where it lies."""
        if self.row.source_kind is SourceKind.GENERATED:
            return Authority.GENERATED
        if self.row.source_kind is SourceKind.VENDORED:
            return Authority.UNTRUSTED
        if self.row.language != "markdown":
            return Authority.IMPLEMENTATION
        folders = set(PurePosixPath(self.row.path.lower()).parts[:-1])
        return Authority.ACCEPTED_DECISION if folders & DECISION_FOLDERS else Authority.PROCEDURE


def make_cards(card: FileCard, drafts: tuple[Draft, ...], taxonomy: Taxonomy) -> tuple[Indexed, ...]:
    """Evidence of one file, each with an id that no other has."""
    path_terms = term_text(str(PurePosixPath(card.row.path).with_suffix("")))
    ids = unique_ids([evidence_id(card.row.path, draft) for draft in drafts])
    return tuple(
        _make(card, draft, unique, path_terms, taxonomy) for draft, unique in zip(drafts, ids, strict=True)
    )


def unique_ids(bases: Sequence[str]) -> list[str]:
    """The same ids, but the second of two namesakes ends in ``~2``, and so on, and none occurs twice.

    A name that looks like that already (JavaScript takes any text for a method's) keeps it.
    """
    taken = set(bases)
    seen: Counter[str] = Counter()
    unique: list[str] = []
    for base in bases:
        seen[base] += 1
        name = base
        while seen[base] > 1 and name in taken:
            name = f"{base}~{seen[base]}"
            seen[base] += name in taken
        taken.add(name)
        unique.append(name)
    return unique


def evidence_id(path: str, draft: Draft) -> str:
    """The stable id of a draft, before namesakes in the same file are told apart."""
    base = f"{_PREFIX[draft.kind]}:{path}"
    if draft.kind in (Kind.UNIT, Kind.CLASS):
        base = f"{base}::{draft.name}"
    elif draft.kind is Kind.SECTION:
        base = f"{base}#{draft.anchor}"
    return f"{base}@{draft.part}" if draft.part else base


def aliases_of(path: str, draft: Draft) -> tuple[str, ...]:
    """The lower-case names by which a task can mention a thing.

    Of a function or class every dotted suffix of its name, of a file every tail of its path.
    """
    if draft.part or draft.kind is Kind.SECTION:
        return ()
    if draft.kind in (Kind.MODULE, Kind.DOCUMENT):
        return _suffixes(path.lower(), "/")
    return _suffixes(draft.name.lower(), ".")


def _suffixes(text: str, separator: str) -> tuple[str, ...]:
    parts = text.split(separator)
    return tuple(sorted({separator.join(parts[i:]) for i in range(len(parts))}))


def _make(card: FileCard, draft: Draft, unique: str, path_terms: str, taxonomy: Taxonomy) -> Indexed:
    row = card.row
    name = draft.name or row.path
    is_document = draft.kind in _DOCUMENT_KINDS
    text = SearchText(
        name=term_text(draft.name or PurePosixPath(row.path).stem),
        path=path_terms,
        signature=term_text(draft.signature),
        doc=term_text(draft.doc),
        body=_bounded(term_text(draft.body)),
    )
    evidence = Evidence(
        id=unique,
        kind=draft.kind,
        name=name,
        path=row.path,
        start=draft.start,
        end=draft.end,
        part=draft.part,
        language=row.language,
        signature=draft.signature,
        doc=draft.doc[:MAX_DOC],
        content_hash=content_hash(draft.body),
        source_kind=row.source_kind,
        authority=card.authority,
        status=card.status,
        tags=taxonomy.tags_of(" ".join((name, row.path, draft.signature, draft.doc[:MAX_DOC]))),
        quality=section_quality(draft) if is_document else code_quality(draft),
        density=density(draft.body) if is_document else 0.0,
        last_commit=row.last_commit,
        last_commit_time=row.last_commit_time,
    )
    return Indexed(evidence, text, aliases_of(row.path, draft))


def _bounded(terms: str) -> str:
    parts = terms.split(" ", MAX_BODY_TERMS)
    return " ".join(parts[:MAX_BODY_TERMS])
