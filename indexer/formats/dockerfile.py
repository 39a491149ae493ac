"""Dockerfiles by stage: what each builds on, and its instructions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from indexer.documents.outline import text_lines
from indexer.formats.data import Span, leading_comment, spans_drafts, with_comment
from indexer.formats.lines import Extract

MAX_SAID = 200  # characters that tell what a stage does
MAX_COMMAND = 20_000  # characters of an instruction in which here-documents are looked for
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
        _stage(lines, instructions[start:stop]) for start, stop in pairwise([*starts, len(instructions)])
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
    endless: set[str] = set()
    at = 0
    while at < len(lines):
        first = at
        match = _INSTRUCTION.match(lines[at])
        if match is None:
            at += 1
            continue
        at, whole = _continued(lines, at)
        at = _after_heredocs(lines, at, whole, endless)
        yield first, match[1].upper(), whole[len(match[1]) :].strip()


def _continued(lines: Sequence[str], at: int) -> tuple[int, str]:
    """Index of the line after an instruction, and all of it on one line; comments within do not end it."""
    words: list[str] = []
    while at < len(lines):
        line = lines[at].strip()
        at += 1
        if words and line.startswith("#"):
            continue
        words.append(line.removesuffix("\\").strip())
        if not line.endswith("\\"):
            break
    return at, " ".join(words)


def _after_heredocs(lines: Sequence[str], at: int, instruction: str, endless: set[str]) -> int:
    """Index of the line after the here-documents of an instruction; nothing ends the ``endless`` ones."""
    if not instruction.upper().startswith(("RUN ", "COPY ", "ADD ")):
        return at
    for match in _HEREDOC.finditer(instruction, 0, MAX_COMMAND):
        word = match[2]
        rest = range(at, len(lines) if word not in endless else at)
        end = next((i for i in rest if lines[i].strip() == word), None)
        if end is None:
            endless.add(word)
            return at
        at = end + 1
    return at
