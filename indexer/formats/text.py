"""Plain text: its blocks; of word lists, data, requirements and licences a card alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from indexer.documents.markdown_parts import is_too_large
from indexer.documents.outline import Outline, text_lines
from indexer.formats.lines import Extract, edges_of, folded, paragraph_reader

SAMPLE_LINES = 400  # lines by which prose is told from lists and data
MIN_WORDS = 4  # words of a line that may be part of a sentence
MIN_SHARE = 0.4  # of the lines that may be: word lists and tables have none, READMEs with listings half
LICENCE_HEAD = 4_000  # characters in which a licence says that it is one
MARKDOWN_HEAD = 20_000  # characters by which Markdown is told from mere text
MAX_CHARS = 400_000  # a longer text is a book or a dump, nothing that describes this repository

_WORD = re.compile(r"(?<!\S)[(\"'*]?[^\W\d_]{2,}(?=[\s.,;:!?)\"'*]|\Z)")
_HEADING = re.compile(r"^#{1,4} \w", re.MULTILINE)
_LINK_OR_FENCE = re.compile(r"^```|\[[^\]\n]{1,200}\]\([^)\s]{1,500}\)", re.MULTILINE)
_LICENCE = re.compile(
    r"permission is hereby granted|licensed under the apache|gnu (?:lesser |affero )?general public"
    r"|redistribution and use in source|mozilla public license|apache license\s+version",
    re.IGNORECASE,
)


def extract_text(text: str) -> Extract:
    """Read one text file. Never raises."""
    lines = text_lines(text)
    paragraph = paragraph_reader(lines, _read)
    title, abstract = _title(lines), paragraph(0, len(lines))
    outline = Outline(lines, (), paragraph, edges_of(lines), title=title, abstract=abstract)
    is_bare = len(text) > MAX_CHARS or not is_prose(lines) or _LICENCE.search(text, 0, LICENCE_HEAD)
    return Extract(outline.card() if is_bare or not is_too_large(lines) else outline.drafts())


def looks_like_markdown(text: str) -> bool:
    """Whether a README without a suffix is Markdown: it has headings, and links or fences."""
    head = text[:MARKDOWN_HEAD]
    return len(_HEADING.findall(head)) > 1 and _LINK_OR_FENCE.search(head) is not None


def is_prose(lines: Sequence[str]) -> bool:
    """Whether a text has sentences: of its first lines many have several words."""
    sample = [line for line in lines[:SAMPLE_LINES] if line.strip()]
    wordy = sum(len(_WORD.findall(line, 0, 400)) >= MIN_WORDS for line in sample)
    return bool(sample) and wordy >= MIN_SHARE * len(sample)


def _title(lines: Sequence[str]) -> str:
    """The first line, if it stands alone or is underlined as titles are."""
    at = next((at for at, line in enumerate(lines) if line.strip()), None)
    if at is None:
        return ""
    below = lines[at + 1].strip() if at + 1 < len(lines) else ""
    is_ruled = len(below) > 2 and len(set(below)) == 1 and not below[0].isalnum()
    return lines[at].strip() if (not below or is_ruled) and len(lines[at]) <= 120 else ""


def _read(block: Sequence[str]) -> str:
    text = folded([line for line in block if any(map(str.isalnum, line))])
    return text if len(_WORD.findall(text)) >= MIN_WORDS else ""
