"""Makefiles by target: what makes it, what it needs, and the comment that tells what it is for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from indexer.documents.outline import text_lines
from indexer.formats.data import MAX_SECTIONS, Span, leading_comment, sentences, spans_drafts, with_comment
from indexer.formats.lines import Extract

MAX_SAID = 200  # characters
_RULE = re.compile(
    r"(?P<targets>[^\s#:=][^#:=\t]*?)[ \t]*(?:&?::?)(?![:=])(?P<needs>[^#=]*)(?:#+(?P<said>.*))?\Z"
)
_DEFINE = re.compile(r"[ ]*(?:override[ ]+|export[ ]+)?define[ \t]")
_ENDEF = re.compile(r"[ ]*endef\b")
_SPECIAL = re.compile(r"\.[A-Z_]+\Z")  # .PHONY, .SUFFIXES …


def extract_makefile(text: str) -> Extract:
    """Read one Makefile: a section for each target with a recipe, a comment or needs.

    What stands above the first target (its variables, mostly) is the text before the first heading.
    """
    lines = text_lines(text)
    spans = list(_targets(lines))
    if len(spans) > MAX_SECTIONS:  # rules for files, by the dozen: those are kept that somebody has explained
        spans = [span for span in spans if span.doc] or spans
    return Extract(spans_drafts(lines, spans, "", leading_comment(lines)))


def _targets(lines: Sequence[str]) -> Iterator[Span]:
    in_define = is_continued = False
    for at, line in enumerate(lines):
        if in_define or is_continued or line.startswith("\t"):
            in_define = in_define and not _ENDEF.match(line)
        elif _DEFINE.match(line):
            in_define = True
        elif (match := _RULE.match(line)) and not _SPECIAL.match(match["targets"]):
            yield _target(lines, at, match)
        is_continued = line.endswith("\\")


def _target(lines: Sequence[str], at: int, match: re.Match[str]) -> Span:
    start = with_comment(lines, at)
    said = (match["said"] or "").strip() or leading_comment(lines[start:at])
    needs = " ".join((match["needs"] or "").split())
    recipe = lines[at + 1].strip() if at + 1 < len(lines) and lines[at + 1].startswith("\t") else ""
    doc = sentences(said, needs and f"Needs {needs}", recipe)[:MAX_SAID]
    return Span(1, start, match["targets"], match["targets"], doc)
