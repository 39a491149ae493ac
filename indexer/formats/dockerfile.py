"""Dockerfiles by stage: what each builds on, and its instructions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from indexer.formats.data import Span, leading_comment, spans_drafts, with_comment
from indexer.formats.lines import Extract
from indexer.outline import text_lines

MAX_SAID = 200  # characters that tell what a stage does
SAID = ("ENTRYPOINT", "CMD", "EXPOSE", "WORKDIR", "USER", "HEALTHCHECK")
_INSTRUCTION = re.compile(r"\s*([A-Za-z]+)\s+(\S.*)\Z")
_FROM = re.compile(r"((?:--\S+\s+)*)(\S+)(?:\s+as\s+(\S+))?", re.IGNORECASE)
_HEREDOC = re.compile(r"<<-?([\"']?)(\w+)\1")


def extract_dockerfile(text: str) -> Extract:
    """Read one Dockerfile: a section for each stage, named as it is or after its image."""
    lines = text_lines(text)
    instructions = list(_instructions(lines))
    starts = [at for at, (_, name, _) in enumerate(instructions) if name == "FROM"]
    spans = [
        _stage(lines, instructions[start:stop])
        for start, stop in zip(starts, [*starts[1:], len(instructions)], strict=True)
    ]
    images = ", ".join(dict.fromkeys(span.doc.partition(". ")[0].removeprefix("From ") for span in spans))
    about = leading_comment(lines) or (f"Image from {images}" if images else "")
    return Extract(spans_drafts(lines, spans, "", about))


def _stage(lines: Sequence[str], instructions: Sequence[tuple[int, str, str]]) -> Span:
    line, _, arguments = instructions[0]
    match = _FROM.match(arguments)
    image, alias = (match[2], match[3]) if match else (arguments, None)
    said = [f"{name} {value}" for _, name, value in instructions if name in SAID]
    doc = f"From {image}. {'; '.join(said)}"[:MAX_SAID].strip()
    name = alias or image
    return Span(1, with_comment(lines, line), name, name, doc)


def _instructions(lines: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """Line, name and arguments of each instruction, which holds continued lines and here-documents."""
    at = 0
    while at < len(lines):
        first = at
        match = _INSTRUCTION.match(lines[at])
        if match is None or lines[at].lstrip().startswith("#"):
            at += 1
            continue
        words = []
        while at < len(lines):
            line = lines[at].strip()
            at += 1
            if line.startswith("#") and at - 1 > first:
                continue
            words.append(line.removesuffix("\\").strip())
            if not line.endswith("\\"):
                break
        whole = " ".join(words)
        at = _after_heredocs(lines, at, whole)
        yield first, match[1].upper(), whole[len(match[1]) :].strip()


def _after_heredocs(lines: Sequence[str], at: int, instruction: str) -> int:
    if instruction[:3].upper() not in ("RUN", "COP", "ADD"):
        return at
    for match in _HEREDOC.finditer(instruction):
        end = next((i for i in range(at, len(lines)) if lines[i].strip() == match[2]), None)
        if end is None:  # nothing ends it: not what it looks like
            return at
        at = end + 1
    return at
