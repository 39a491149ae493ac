"""One file, from bytes to evidence. A pure function of the bytes, the path and the context.

What reads one kind of file only is imported when there is one: a run for one edited file needs little.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from indexer.cards import FileCard, make_cards, make_evidence
from indexer.extract import extract_code
from indexer.format_names import DATA
from indexer.formats.lines import Extract
from indexer.formats.table import EXTRACTORS, NOTEBOOK, refined
from indexer.recipe import ParseContext, language_in
from indexer.sources.classified import excluding_level
from indexer.sources.classify import source_kind
from indexer.sources.decode import SkippedSource, decode
from indexer.sources.walk import SkipReason
from knowledge.catalog.rows import FileRow, Indexed, ParsedFile, SearchText
from knowledge.errors import SourceError
from knowledge.hygiene import clean_text, purify
from knowledge.taxonomy import Taxonomy
from knowledge.terms import term_text
from knowledge.types import Draft, GlossaryEntry, Kind, Quality, SourceKind

if TYPE_CHECKING:
    from indexer.formats.notebook import View

GUIDANCE_FOLDERS = {"rules": Kind.RULE, "antipatterns": Kind.ANTIPATTERN, "reports": Kind.REPORT}
GLOSSARY_FOLDER = "glossary"
# Fixtures, lock files and other people's settings: that they are there, and what they hold, is enough.
CARD_ALONE = frozenset({SourceKind.TEST, SourceKind.GENERATED, SourceKind.VENDORED})
MAX_COUNT = 2**63 - 1  # what SQLite can keep
REVIEWED_QUALITY = Quality(1.0, {"reviewed": 1.0})  # guidance is canonical: a person has approved it


def parse_file(row: FileRow, data: bytes, context: ParseContext) -> ParsedFile:
    """Everything that a file gives: its row completed, its evidence, what hygiene removed.

    Raises:
        SourceError: the file cannot be decoded or parsed.
    """
    text = decode(data, row.path).text
    language = refined(language_in(row.path, data) or "", text)
    view = _notebook_view(text) if language == NOTEBOOK else None
    pure = purify(view.text if view else text)
    text, events = pure.text, pure.events
    kind = source_kind(row.path, text[:2000], context.settings.index)
    complete = replace(row, language=language, source_kind=kind)
    if kind is SourceKind.GENERATED and len(data) > context.settings.index.max_generated_bytes:
        raise SkippedSource(SkipReason.GENERATED, f"generated, of {len(data)} bytes", where=row.path)
    level = excluding_level(language, text, context.settings.index.exclude_classification)
    if level is not None:
        raise SkippedSource(SkipReason.CLASSIFIED, f"classified as {level}", where=row.path)
    guidance_kind = guidance_kind_of(row.path, context.settings.knowledge_folder)
    if guidance_kind is not None:
        return ParsedFile(complete, (_guidance(complete, text, guidance_kind, context.taxonomy),), events)
    if view is not None:
        found = _extract_notebook(replace(view, text=text))
        events = tuple(replace(event, line=view.lines[event.line - 1]) for event in events)
    else:
        found = _extract(language, text, kind)
    card = FileCard(complete, found.declared)
    cards = make_cards(card, found.drafts, context.taxonomy)
    if not is_glossary(row.path, context.settings.knowledge_folder):
        return ParsedFile(complete, cards, events)
    entries, problems = _glossary(row.path, text)
    return ParsedFile(complete, cards, events, entries, problems)


def guidance_kind_of(path: str, knowledge_folder: str) -> Kind | None:
    """Which guidance a file holds by where it lies, or None."""
    return GUIDANCE_FOLDERS.get(_shelf(path, knowledge_folder))


def is_glossary(path: str, knowledge_folder: str) -> bool:
    """Whether a file holds entries of the glossary, by where it lies."""
    is_there = _shelf(path, knowledge_folder) == GLOSSARY_FOLDER
    return is_there and PurePosixPath(path).stem.lower() != "readme"


def _shelf(path: str, knowledge_folder: str) -> str:
    """The folder of the knowledge folder in which a Markdown file lies, or ``""``."""
    parts = PurePosixPath(path).parts
    home = PurePosixPath(knowledge_folder).parts
    if len(parts) < len(home) + 2 or parts[: len(home)] != home or not path.endswith(".md"):
        return ""
    return parts[len(home)]


def _extract(language: str, text: str, kind: SourceKind) -> Extract:
    extractor = EXTRACTORS.get(language)
    if extractor is None:
        return Extract(extract_code(language, text))
    found = extractor(text)
    drafts = found.drafts[:1] if kind in CARD_ALONE and language in DATA else found.drafts
    return replace(found, drafts=tuple(map(_unescaped, drafts)))


def _glossary(path: str, text: str) -> tuple[tuple[GlossaryEntry, ...], tuple[str, ...]]:
    from indexer.documents.glossary import parse_glossary  # noqa: PLC0415 - see the module's text

    found = parse_glossary(path, text)
    return found.entries, found.problems


def _notebook_view(text: str) -> View:
    from indexer.formats.notebook import notebook_view  # noqa: PLC0415 - see the module's text

    return notebook_view(text)


def _extract_notebook(view: View) -> Extract:
    from indexer.formats.notebook import extract_notebook  # noqa: PLC0415 - see the module's text

    return extract_notebook(view)


def _unescaped(draft: Draft) -> Draft:
    """Without what escapes of YAML or JSON spelt, where hygiene of the file's text could not see it."""
    name, signature, doc = _visible((draft.name, draft.signature, draft.doc))
    card = draft.card
    if card is not None:
        (title,) = _visible((card.title,))
        card = replace(card, title=title, scope=_visible(card.scope), topics=_visible(card.topics))
    return replace(draft, name=name, signature=signature, doc=doc, card=card)


def _guidance(row: FileRow, text: str, kind: Kind, taxonomy: Taxonomy) -> Indexed:
    from indexer.documents.guidance import parse_guidance  # noqa: PLC0415 - see the module's text

    parsed = parse_guidance(row.path, text, kind)
    if parsed.guidance.evidence_count > MAX_COUNT:
        raise SourceError(
            f"'evidence' is too large; allowed: up to {MAX_COUNT}", where=row.path, remedy="Correct the count"
        )
    guidance = replace(
        parsed.guidance,
        scope=_visible(parsed.guidance.scope),
        terms=_visible(parsed.guidance.terms),
        expires=parsed.expires,
    )
    draft = parsed.draft
    words = " ".join((draft.name, guidance.statement, *guidance.terms))
    evidence = make_evidence(
        row,
        draft,
        guidance.id,
        authority=parsed.authority,
        status=parsed.status,
        tags=tuple(sorted({*guidance.tags, *taxonomy.tags_of(words)})),
        quality=REVIEWED_QUALITY,
    )
    search = SearchText(
        name=term_text(draft.name),
        path="",
        signature=term_text(" ".join(guidance.terms)),
        doc=term_text(guidance.statement),
        body=term_text(draft.body),
    )
    return Indexed(evidence, search, (), guidance)


def _visible(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Texts from front matter, cleaned once more: YAML has escapes for hidden characters."""
    return tuple(clean_text(text).text for text in texts)
