"""From what a parser found to what the catalog keeps: identity, search text, names, tags, quality."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from pathlib import PurePosixPath

from indexer.documents.authority import authority_in, status_in
from indexer.documents.declared import Declared
from indexer.quality import code_quality, density, section_quality
from indexer.relations.tested import with_test_links
from knowledge.catalog.rows import FileRow, Indexed, SearchText
from knowledge.hashing import content_hash
from knowledge.taxonomy import Taxonomy
from knowledge.terms import term_text
from knowledge.types import Authority, Card, Draft, Evidence, Kind, Quality, Status

MAX_BODY_TERMS = 2_000  # of a larger body the parts carry the rest; bounds what ranking reads per candidate
MAX_DOC = 600  # characters of documentation kept for display; the search text has all of it
MAX_DEFINED = 140  # characters that tell what a file defines; a line of a brief has no room for more

_PREFIX = {
    Kind.UNIT: "symbol",
    Kind.CLASS: "symbol",
    Kind.MODULE: "module",
    Kind.SECTION: "section",
    Kind.DOCUMENT: "document",
}
_MORE = " …"
_DOCUMENT_KINDS = (Kind.SECTION, Kind.DOCUMENT)
_WHOLE_KINDS = (Kind.MODULE, Kind.CLASS, Kind.DOCUMENT)  # never cut into parts, however large


@dataclass(frozen=True, slots=True)
class FileCard:
    """What all evidence of one file shares.

    Attributes:
        row: the file.
        declared: what a document says of itself.
    """

    row: FileRow
    declared: Declared = field(default=Declared())


def make_cards(card: FileCard, drafts: tuple[Draft, ...], taxonomy: Taxonomy) -> tuple[Indexed, ...]:
    """Evidence of one file, each with an id that no other has."""
    drafts = with_test_links(card.row, drafts)
    path_terms = term_text(str(PurePosixPath(card.row.path).with_suffix("")))
    ids = unique_ids([evidence_id(card.row.path, draft) for draft in drafts])
    defined = defines(drafts)
    return tuple(
        _make(card, draft, unique, path_terms, defined, taxonomy)
        for draft, unique in zip(drafts, ids, strict=True)
    )


def make_evidence(
    row: FileRow,
    draft: Draft,
    evidence_id: str,
    *,
    authority: Authority,
    status: Status,
    tags: tuple[str, ...],
    quality: Quality,
) -> Evidence:
    """What the catalog keeps of a draft: where it lies and what it says, and how it is judged."""
    return Evidence(
        id=evidence_id,
        kind=draft.kind,
        name=draft.name or row.path,
        path=row.path,
        start=draft.start,
        end=draft.end,
        part=draft.part,
        language=row.language,
        signature=draft.signature,
        doc=draft.doc[:MAX_DOC],
        content_hash=content_hash(draft.body),
        source_kind=row.source_kind,
        authority=authority,
        status=status,
        tags=tags,
        quality=quality,
        density=density(draft.body) if draft.kind in _DOCUMENT_KINDS else 0.0,
        last_commit=row.last_commit,
        last_commit_time=row.last_commit_time,
    )


def defines(drafts: Sequence[Draft]) -> str:
    """What a file defines at its top level, in at most `MAX_DEFINED` characters; ``""`` if nothing.

    Public names come first, since the bound cuts off the last ones; each part in the file's order.
    """
    names = dict.fromkeys(draft.name for draft in drafts if draft.kind in (Kind.UNIT, Kind.CLASS))
    # A dotted name is an inner one only beside its owner: Foo.bar = function … defines Foo.bar.
    outer = [name for name in names if not any(owner in names for owner in _owners(name))]
    outer.sort(key=lambda name: name.startswith("_"))
    text = ""
    for name in outer:
        longer = f"{text}, {name}" if text else f"defines {name}"
        if len(longer) > MAX_DEFINED - len(_MORE):
            return f"{text}{_MORE}" if text else ""
        text = longer
    return text


def _owners(name: str) -> Iterator[str]:
    """Of ``a.b.c``: ``a``, ``a.b``."""
    return accumulate(name.split(".")[:-1], "{}.{}".format)


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


def _make(
    card: FileCard, draft: Draft, unique: str, path_terms: str, defined: str, taxonomy: Taxonomy
) -> Indexed:
    path = card.row.path
    text = SearchText(
        name=term_text(draft.name or PurePosixPath(path).stem),
        path=path_terms,
        signature=term_text(draft.signature),
        doc=term_text(draft.doc),
        body=_bounded(term_text(draft.body), has_parts=draft.kind not in _WHOLE_KINDS),
    )
    evidence = make_evidence(
        card.row,
        draft,
        unique,
        authority=authority_in(card.row, draft.kind, card.declared),
        status=status_in(card.row, card.declared),
        tags=taxonomy.tags_of(" ".join((draft.name or path, path, draft.signature, draft.doc[:MAX_DOC]))),
        quality=section_quality(draft) if draft.kind in _DOCUMENT_KINDS else code_quality(draft),
    )
    if draft.kind is Kind.MODULE and not draft.signature:
        # To be read alone: what it defines is found as itself, and is in the module's body.
        evidence = replace(evidence, signature=defined)
    aliases = aliases_of(path, draft)
    return Indexed(evidence, text, aliases, relations=draft.relations, card=_card(path, draft))


def _card(path: str, draft: Draft) -> Card | None:
    """The card of a document or section, its parent named by id."""
    card = draft.card
    if card is None or draft.kind is not Kind.SECTION:
        return card
    parent = f"section:{path}#{card.parent}" if card.parent else f"document:{path}"
    return replace(card, parent=parent)


def _bounded(terms: str, *, has_parts: bool) -> str:
    """The first terms of a body; of one that comes without parts each once, so that its end is found too."""
    if terms.count(" ") < MAX_BODY_TERMS:
        return terms
    parts = terms.split(" ", MAX_BODY_TERMS if has_parts else -1)
    return " ".join((parts if has_parts else list(dict.fromkeys(parts)))[:MAX_BODY_TERMS])
