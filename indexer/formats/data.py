"""Sections of data files, few and of a useful size: large entries by themselves, small ones in groups.

A data file tells little by the hundred: a list of countries must not crowd out code that mentions one. So a
file that fits a section is one card, entries smaller than `GROUP_LINES` go together, and what is larger than
`MAX_DATA_LINES` is a card of its keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from indexer.documents.markdown_parts import is_too_large
from indexer.documents.outline import PATH_SEPARATOR, Heading, Outline
from indexer.formats.lines import Headings, folded
from indexer.formats.tree import Entry, Node
from knowledge.types import Draft

SMALL_LINES = 40  # a file that can be read at a glance needs no sections
GROUP_LINES = 24  # small entries are joined until they are as long: half a screen
MIN_LINES = 4  # less says nothing alone
OWN_LINES = 8  # an entry as long as this is a section, and so is one of `SPLIT`'s
MAX_DATA_LINES = 2_000  # most settings written by hand end far below; lists of data begin there
MAX_DATA_CHARS = 60_000
WRITTEN_SCALE = 4  # by how much larger settings with comments may be: a Helm chart's values reach 6,000 lines
MIN_COMMENTS = 0.05  # of the lines: Helm's values have a third to a half, generated manifests next to none
MAX_SECTIONS = 60  # of one data file
MAX_DOCUMENTS = 200  # in one file; a line of JSON each is data
MAX_GROUP_NAME = 80  # characters of the keys that name a group
MAX_LEVEL = 3  # how deep entries are looked at for sections
# Keys whose entries are what people ask for: a job, a service, a task.
SPLIT = frozenset({"jobs", "services", "resources", "tasks", "stages", "parameters", "repos"})
ASKED_FOR = SPLIT | {"scripts"}  # of package.json; a section however small
DESCRIPTIONS = ("description", "summary", "title", "displayName", "name")
STEPS = ("steps", "script", "cmds", "args")  # of GitHub, Azure; of GitLab; of Task; of what runs a program
MAX_STEPS = 300  # characters
# By which an item of a list is called; the last ones are an Ansible play's and Prometheus'.
NAMES = ("name", "id", "title", "repo", "key", "hosts", "alert", "record", "job_name")
_BOILERPLATE = ("copyright", "spdx-", "license", "yaml-language-server", "yamllint", "$schema")


@dataclass(frozen=True, slots=True)
class Span:
    """A section of a data file before its line is known to be free.

    Attributes:
        level: 1 for the uppermost.
        line: index of its first line, the comment above included.
        text: its key, or those of a group.
        anchor: its path of keys.
        doc: what it is for.
    """

    level: int
    line: int
    text: str
    anchor: str
    doc: str = ""


def data_drafts(lines: Sequence[str], root: Node, title: str = "", abstract: str = "") -> tuple[Draft, ...]:
    """The drafts of a JSON or YAML file.

    Args:
        lines: its text.
        root: its documents.
        title: if it names itself.
        abstract: if it describes itself; else what its first comment says.
    """
    about = abstract or leading_comment(lines)
    if len(lines) <= SMALL_LINES and not is_too_large(lines):
        return outline_of(lines, [], title, about).card()
    scale = WRITTEN_SCALE if _is_explained(lines) else 1
    return spans_drafts(lines, list(_spans(lines, root)), title, about, scale=scale)


def spans_drafts(
    lines: Sequence[str], spans: Sequence[Span], title: str, abstract: str, *, scale: int = 1
) -> tuple[Draft, ...]:
    """Drafts of a file that is cut at given lines; a card alone if there is too much text.

    Args:
        lines: the file.
        spans: its sections.
        title: of the whole.
        abstract: what the whole is about.
        scale: by how much it may be larger than a mere data file.
    """
    headings = headings_of(lines, _fewer(spans, MAX_SECTIONS * scale))
    if len(headings) == 1 and not headings[0].line and not is_too_large(lines):
        (only,) = headings
        return outline_of(lines, [], title or only.text, abstract or only.doc).card()
    outline = outline_of(lines, headings, title, abstract)
    too_much = len(lines) > MAX_DATA_LINES * scale or sum(map(len, lines)) > MAX_DATA_CHARS * scale
    return outline.card() if too_much else outline.drafts()


def outline_of(lines: Sequence[str], headings: Sequence[Heading], title: str, abstract: str) -> Outline:
    """A data file's outline: a section says what the comment above it does."""
    edges = [at for at in range(1, len(lines)) if _indent(lines[at]) <= 2 and lines[at].strip()]

    def said(start: int, stop: int) -> str:
        return leading_comment(lines[start:stop])

    return Outline(lines, headings, said, (edges,), title=title, abstract=abstract)


def headings_of(lines: Sequence[str], spans: Sequence[Span]) -> list[Heading]:
    """Headings at lines that strictly ascend, as a section has at least one line; anchors are unique."""
    made = Headings()
    headings: list[Heading] = []
    for span in _without_slips(spans):
        if headings and span.line <= headings[-1].line:
            continue  # on the same line as the one before: part of it
        line = span.line
        if not headings and not any(map(_is_content, lines[:line])):
            line = 0  # a brace, "---", a comment: no section of their own
        headings.append(made.at(line, span.level, span.text or '""', span.anchor, span.doc))
    return headings


def _fewer(spans: Sequence[Span], most: int) -> Sequence[Span]:
    """Neighbours together, as many as it takes for there to be no more than ``most``."""
    step = -(-len(spans) // most)
    if step <= 1:
        return spans
    groups = [spans[at : at + step] for at in range(0, len(spans), step)]
    return [replace(group[0], text=group_name([span.text for span in group])) for group in groups]


def _without_slips(spans: Sequence[Span]) -> list[Span]:
    """Spans of a few lines together with the one that follows, both being of the uppermost level."""
    result: list[Span] = []
    for span in spans:
        before = result[-1] if result else None
        is_slip = before is not None and 0 < span.line - before.line < MIN_LINES
        is_free = before is not None and ASKED_FOR.isdisjoint((before.text, span.text))
        if before is not None and is_slip and is_free and "/" not in before.anchor + span.anchor:
            doc = sentences(before.doc, span.doc)
            result[-1] = replace(before, text=group_name([before.text, span.text]), doc=doc)
        else:
            result.append(span)
    return result


def leading_comment(lines: Sequence[str], marks: str = "#;/") -> str:
    """The text of the comment that lines begin with; of a licence or linter's remark nothing."""
    said: list[str] = []
    for line in lines:
        text = line.strip()
        if text and text[0] in marks and not text.startswith("#!"):
            said.append(text.lstrip("#;/* !").strip())
        elif text or said:
            break
    text = folded(said)
    lowered = text[:300].lower()
    return "" if any(word in lowered for word in _BOILERPLATE) else text


def with_comment(lines: Sequence[str], at: int, least: int = 0) -> int:
    """Index of the first line of the comment directly above a line, or the line's own."""
    while at > least and lines[at - 1].lstrip()[:1] in ("#", ";"):
        at -= 1
    return at


def group_name(keys: Sequence[str]) -> str:
    """The name of entries that share a section."""
    name = ", ".join(keys)
    if len(name) <= MAX_GROUP_NAME:
        return name
    cut = name[: MAX_GROUP_NAME - 2]
    whole = cut.rpartition(", ")[0]
    return f"{whole}, …" if whole else f"{cut.rstrip()} …"


def purpose(node: Node) -> str:
    """What a value says of itself: its description or name, and the steps it consists of."""
    said = next(filter(None, (node.text_at(key) for key in DESCRIPTIONS)), "")
    steps = [step for key in STEPS for step in map(_step, node.entries_at(key)) if step]
    listed = f"Steps: {'; '.join(steps)}"[:MAX_STEPS] if steps else ""
    return sentences(said, listed)


def _step(entry: Entry) -> str:
    node = entry.node
    if not node.entries:
        return node.text.strip().partition("\n")[0]
    return (
        next(filter(None, map(node.text_at, ("name", "uses", "task", "id"))), "")
        or (node.text_at("run")[:MAX_GROUP_NAME])
    )


def sentences(*parts: str) -> str:
    """Parts that say something, each a sentence; the last as it is."""
    *before, last = [part for part in parts if part] or [""]
    return " ".join([*(f"{part.rstrip('.')}." for part in before), last])


def named(entries: Sequence[Entry]) -> list[Entry]:
    """Items of a list by what they call themselves."""
    return [
        Entry(next(filter(None, map(entry.node.text_at, NAMES)), entry.key), entry.line, entry.node)
        for entry in entries
    ]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in the tree entries are looked at.

    Attributes:
        level: of their headings.
        path: of keys above, as an anchor's beginning.
        name: of those above that have no section of their own, as a heading's beginning.
        start: index of the line to which the first entry's section reaches up, or -1.
    """

    level: int = 1
    path: str = ""
    name: str = ""
    start: int = -1


def _spans(lines: Sequence[str], root: Node) -> Iterator[Span]:
    documents = [entry for entry in root.entries if entry.line < len(lines)]  # none after a last "---"
    if len(documents) > MAX_DOCUMENTS:
        return
    if len(documents) == 1:
        yield from _entries(lines, documents[0].node, len(lines), _Place())
        return
    for at, document in enumerate(documents):
        stop = documents[at + 1].line if at + 1 < len(documents) else len(lines)
        name = _document_name(document.node) or f"document {at + 1}"
        path = name.replace(" ", "/")
        yield Span(1, with_comment(lines, document.line), name, path, purpose(document.node))
        if is_too_large(lines[document.line : stop]):
            yield from _entries(lines, document.node, stop, _Place(2, f"{path}/"))


def _document_name(node: Node) -> str:
    """Of a Kubernetes resource its kind and name: ``Deployment web``."""
    kind, name = node.text_at("kind"), node.text_at("metadata", "name") or node.text_at("name")
    return " ".join(filter(None, (kind, name)))


def _entries(lines: Sequence[str], node: Node, stop: int, place: _Place) -> Iterator[Span]:
    """Sections of a value's entries, which end before the line ``stop``."""
    entries = named(node.entries) if node.is_list else node.entries
    group: list[Entry] = []
    for at, entry in enumerate(entries):
        end = entries[at + 1].line if at + 1 < len(entries) else stop
        is_said = entry.key in DESCRIPTIONS and not entry.node.entries  # of what stands around it
        is_own = end - entry.line >= OWN_LINES and not is_said
        is_own = is_own or bool(entry.key in ASKED_FOR and entry.node.entries)
        if group and (is_own or entry.line - group[0].line >= GROUP_LINES):
            yield _group(lines, group, place)
            group, place = [], replace(place, start=-1)
        if is_own:
            yield from _own(lines, entry, end, place)
            place = replace(place, start=-1)
        else:
            group.append(entry)
    if group:
        yield _group(lines, group, place)


def _group(lines: Sequence[str], group: Sequence[Entry], place: _Place) -> Span:
    start = place.start if place.start >= 0 else with_comment(lines, group[0].line)
    name = group_name([entry.key for entry in group])
    doc = purpose(group[0].node) if len(group) == 1 else ""
    return Span(place.level, start, place.name + name, place.path + group[0].key, doc)


def _own(lines: Sequence[str], entry: Entry, stop: int, place: _Place) -> Iterator[Span]:
    """The section of a large entry, and those within if it is too large to be read as one.

    Where those within begin at once, the entry has nothing of its own, and is a part of their names.
    """
    start = place.start if place.start >= 0 else with_comment(lines, entry.line)
    name, path = place.name + entry.key, place.path + entry.key
    is_split = place.level <= MAX_LEVEL and _is_split(lines, entry, stop)
    if not is_split:
        yield Span(place.level, start, name, path, purpose(entry.node))
        return
    first = with_comment(lines, entry.node.entries[0].line, entry.line + 1)
    if first <= entry.line + 1:
        inner = _Place(place.level, f"{path}/", f"{name}{PATH_SEPARATOR}", start)
    else:
        yield Span(place.level, start, name, path, purpose(entry.node))
        inner = _Place(place.level + 1, f"{path}/")
    yield from _entries(lines, entry.node, stop, inner)


def _is_split(lines: Sequence[str], entry: Entry, stop: int) -> bool:
    node = entry.node
    if not node.entries or (node.is_list and not _has_names(node)):
        return False
    return entry.key in SPLIT or is_too_large(lines[entry.line : stop])


def _has_names(node: Node) -> bool:
    return any(any(map(entry.node.text_at, NAMES)) for entry in node.entries[:3])


def _is_explained(lines: Sequence[str]) -> bool:
    """Whether people write a file, and say what its entries are for."""
    return sum(line.lstrip().startswith("#") for line in lines) >= MIN_COMMENTS * len(lines)


def _is_content(line: str) -> bool:
    return any(map(str.isalnum, line)) and line.lstrip()[:1] not in ("#", ";", "/", "%")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
