"""Jupyter notebooks, as the Markdown that their cells make: text, and code in fences; never an output.

Outputs, attachments and metadata are dropped before anything else looks at the file, so what is searched for
secrets, extracted and stored are the cells' sources alone. nbformat writes each source line as a string on a
line of its own. So line numbers are those of the ``.ipynb`` file, as everywhere: what an agent finds there
is the line, quoted. Where a tool has written a cell's source as one string, all its lines are that line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from indexer.documents.markdown import extract_markdown
from indexer.extract import extract_code
from indexer.formats.json_tree import read_json
from indexer.formats.lines import Extract
from indexer.formats.tree import Node
from indexer.languages import BY_NAME
from knowledge.types import Draft, Kind

FENCE = "~~~~~~~~"  # longer than any that a cell is likely to hold
MAX_VALUES = 1_000_000  # each source line is one
NEVER_READ = frozenset({"outputs", "attachments"})
DEFAULT_LANGUAGE = "python"
_MAGIC = re.compile(r"[ \t]*[%!?]|[^\s#'\"]*\?{1,2}[ \t]*\Z")
_ALIASES = {"c++": "cpp", "c#": "csharp", "ipython": "python", "python3": "python"}


@dataclass(frozen=True, slots=True)
class View:
    """A file as it is read, and where its lines come from.

    Attributes:
        text: what is read.
        lines: of each line of the text the line of the file, from 1, ascending.
        last: the file's last line.
    """

    text: str
    lines: tuple[int, ...]
    last: int


@dataclass(frozen=True, slots=True)
class _Cell:
    kind: str
    first: int
    source: tuple[tuple[int, str], ...]  # line of the file and text of each line


def notebook_view(text: str) -> View:
    """The cells of a notebook as Markdown. Never raises; of broken JSON what can be told of it."""
    root = read_json(text, MAX_VALUES, len(text), NEVER_READ)
    notebook = root.entries[0].node if root.entries else Node(0)
    language = _language(notebook)
    numbered = [line for cell in _cells(notebook) for line in _as_markdown(cell, language)]
    return View(
        "\n".join(line for _, line in numbered),
        tuple(number + 1 for number, _ in numbered),
        text.count("\n") + (not text.endswith("\n")) or 1,
    )


def extract_notebook(view: View) -> Extract:
    """The document, the sections and the functions and classes of a notebook.

    Args:
        view: what `notebook_view` made, after hygiene.
    """
    markdown = extract_markdown(view.text)
    drafts = [_placed(draft, view) for draft in (*markdown.drafts, *_code(view.text))]
    return Extract(tuple(drafts), markdown.declared)


def _placed(draft: Draft, view: View) -> Draft:
    """A draft at the lines of the file."""
    if draft.kind is Kind.DOCUMENT:
        return replace(draft, end=view.last)
    relations = tuple(replace(each, line=view.lines[each.line - 1]) for each in draft.relations)
    start, end = view.lines[draft.start - 1], view.lines[draft.end - 1]
    return replace(draft, start=start, end=end, relations=relations)


def _code(text: str) -> Iterator[Draft]:
    """The functions and classes of the code cells, at the lines of the view."""
    language = DEFAULT_LANGUAGE
    in_code = False
    lines: list[str] = []
    for line in text.split("\n"):
        if line.startswith(FENCE):
            in_code = not in_code
            language = line.removeprefix(FENCE).strip() or language
            lines.append("")
        else:
            lines.append(_without_magic(line) if in_code else "")
    if language in BY_NAME:
        drafts = extract_code(language, "\n".join(lines))
        yield from (draft for draft in drafts if draft.kind is not Kind.MODULE)


def _without_magic(line: str) -> str:
    return "" if _MAGIC.match(line) else line


def _language(notebook: Node) -> str:
    """The language of the kernel, by a name that the code extractor knows if it does."""
    given = (
        notebook.text_at("metadata", "language_info", "name")
        or notebook.text_at("metadata", "kernelspec", "language")
        or DEFAULT_LANGUAGE
    ).lower()
    return re.sub(r"\W", "", _ALIASES.get(given, given))


def _cells(notebook: Node) -> Iterator[_Cell]:
    entries = notebook.entries_at("cells")
    for sheet in notebook.entries_at("worksheets"):  # nbformat 3
        entries = [*entries, *sheet.node.entries_at("cells")]
    for entry in entries:
        source = entry.node.get("source") or entry.node.get("input")
        if source is not None:
            yield _Cell(entry.node.text_at("cell_type"), entry.line, tuple(_source(source)))


def _source(node: Node) -> Iterator[tuple[int, str]]:
    pieces = [entry.node for entry in node.entries] if node.is_list else [node]
    for piece in pieces:
        for line in piece.text.removesuffix("\n").split("\n"):
            yield piece.line, line.removesuffix("\r")


def _as_markdown(cell: _Cell, language: str) -> Iterator[tuple[int, str]]:
    if not any(line.strip() for _, line in cell.source):
        return
    last = cell.source[-1][0]
    if cell.kind == "code":
        is_foreign = cell.source[0][1].startswith("%%")  # another language's, by a magic
        yield cell.first, FENCE if is_foreign else f"{FENCE}{language}"
        yield from cell.source
        yield last, FENCE
    else:
        yield from cell.source
        if fence := _open_fence([line for _, line in cell.source]):
            yield last, fence
    yield last, ""


def _open_fence(lines: Sequence[str]) -> str:
    """The fence that a cell opens and does not close."""
    fence = ""
    for line in lines:
        mark = re.match(r" {0,3}(`{3,}|~{3,})", line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
    return fence
