"""Glossaries: what a project's people call things, and what those are called in the code.

They lie in ``glossary/`` of a project's knowledge folder, one Markdown file for all entries or as many as you
like. A heading is an entry::

    ---
    status: current
    expires: 2027-01-31
    ---
    # What we call things

    ## The bouncer
    Turns requests away when there are too many of them.

    - Also: doorman, gate keeper
    - Code: `RateLimiter`, `limits.check`, `src/limits/`
    - Words: rate limit, throttling

=========  ====================================================================================
label      what follows, parted by commas or in a list below
=========  ====================================================================================
Also       what else people call it
Code       names, and files, folders or globs: what has a ``/``, a ``*`` or a known suffix
Words      other words for it, written out
Status     current, draft, deprecated, superseded, expired; default: that of the file
Expires    a date, the last day on which it holds; default: that of the file
=========  ====================================================================================

An entry needs one of the first three. Its first paragraph says what it means; everything else is free text,
and so are the labels Note and See. Any other label is an error: a misspelt ``Code`` would say nothing. A
heading with headings below it is an entry only if it has labels. The front matter (``title``, ``status``,
``expires``) may be left out. A ``README.md`` is no glossary.

A malformed entry costs itself alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from indexer.documents.keys import REMEDY, Keys
from indexer.documents.markdown import MarkdownFile, extract_markdown
from indexer.languages import language_of
from knowledge.errors import SourceError
from knowledge.hygiene import one_line
from knowledge.terms import term_text
from knowledge.types import Draft, GlossaryEntry, Kind, Status

KEYS = ("title", "status", "expires")
LABELS = ("also", "code", "words", "status", "expires")
FREE_LABELS = ("note", "see")
MAX_TERM = 80  # characters of a term, alias or word: what people say, not what they explain
MAX_MEANING = 200  # characters
MAX_ITEMS = 30  # of each kind; what stands for more stands for nothing

_REMEDY = "Correct the entry; the others count"
_ITEM = re.compile(r"(?P<indent>[ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(?P<text>.*)")
_LABEL = re.compile(r"(?P<label>[*_]{0,2}[A-Za-z][A-Za-z ]{0,23}[*_]{0,2})[ \t]*:(?!//)[*_]{0,2}(?P<rest>.*)")
_FENCE = re.compile(r"[ \t]*(?:`{3}|~{3})")
_UNDERLINE = re.compile(r"[ \t]*(?:=+|-+)[ \t]*")
_VALUE = re.compile(r"`+([^`]+)`+|([^,;`]+)")
_JOINT = re.compile(r"::|->|#")
_NAME = re.compile(r"\$?[^\W\d][\w$]*(?:\.[^\W\d][\w$]*)*[!?=]?")


@dataclass(frozen=True, slots=True)
class GlossaryFile:
    """A file of a glossary.

    Attributes:
        entries: in the order of their lines.
        problems: what is wrong with the other entries, one text each with path and line.
    """

    entries: tuple[GlossaryEntry, ...]
    problems: tuple[str, ...]


def parse_glossary(path: str, text: str) -> GlossaryFile:
    """Read one file of a glossary; the format is described above. Never raises for what the text holds."""
    file = extract_markdown(text)
    entries: list[GlossaryEntry] = []
    problems: list[str] = []
    try:
        default = _front_matter(path, file)
    except SourceError as error:
        return GlossaryFile((), (str(error),))
    for draft, said in _sections(file):
        try:
            entries.append(_entry(path, draft, said, default))
        except SourceError as error:
            problems.append(str(error))
    return GlossaryFile(tuple(entries), tuple(problems))


@dataclass(frozen=True, slots=True)
class _Default:
    """What holds for all entries of a file that do not say otherwise."""

    status: Status
    expires: str


def _front_matter(path: str, file: MarkdownFile) -> _Default:
    keys = Keys(f"{path}:1", file.front_matter)
    if file.front_matter_error:
        raise SourceError(file.front_matter_error, where=f"{path}:1", remedy=REMEDY)
    keys.require_known(KEYS)
    return _Default(keys.choice("status", Status.CURRENT), keys.day("expires"))


@dataclass(slots=True)
class _Said:
    """What the lines of an entry say: by label the values and the line of the label."""

    values: dict[str, list[str]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    has_text: bool = False


def _sections(file: MarkdownFile) -> Iterator[tuple[Draft, _Said]]:
    """The sections that should be entries: those with labels, and those with a heading and none below it."""
    sections = [draft for draft in file.drafts if draft.kind is Kind.SECTION and not draft.part]
    parents = {draft.card.parent for draft in sections if draft.card}
    for draft in sections:
        said = _read(draft)
        if draft.anchor and (draft.anchor not in parents or not said.values.keys().isdisjoint(LABELS)):
            yield draft, said


def _entry(path: str, draft: Draft, said: _Said, default: _Default) -> GlossaryEntry:
    _require_known(path, said)
    term = one_line(draft.card.title if draft.card else draft.name, MAX_TERM)
    if not term_text(term):
        raise _error(f"{path}:{draft.start}", f"'{term}' has no word that a task could be searched for")
    names, paths = _code(path, said)
    entry = GlossaryEntry(
        id=f"glossary:{path}#{draft.anchor}",
        term=term,
        aliases=tuple(alias for alias in _values(path, said, "also") if term_text(alias)),
        meaning=one_line(draft.doc, MAX_MEANING) if said.has_text else "",
        names=names,
        paths=paths,
        words=_values(path, said, "words"),
        path=path,
        start=draft.start,
        status=_keys(path, said, "status").choice("status", default.status),
        expires=_keys(path, said, "expires").day("expires") or default.expires,
    )
    if not (entry.aliases or names or paths or entry.words):
        remedy = "Add '- Code: …', '- Words: …' or '- Also: …'"
        raise _error(f"{path}:{draft.start}", f"'{term}' stands for nothing", remedy)
    return entry


def _require_known(path: str, said: _Said) -> None:
    known = {*LABELS, *FREE_LABELS}
    unknown = [label for label in said.lines if label not in known]  # in the order of their lines
    if unknown:
        allowed = ", ".join(label.capitalize() for label in (*LABELS, *FREE_LABELS))
        raise _error(f"{path}:{said.lines[unknown[0]]}", f"unknown label '{unknown[0]}'; allowed: {allowed}")


def _code(path: str, said: _Said) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names and the paths that stand behind the label Code."""
    names: dict[str, None] = {}
    paths: dict[str, None] = {}
    for value in _values(path, said, "code"):
        plain = _plain_code(value)
        if _is_path(plain):
            paths[plain] = None
        elif _NAME.fullmatch(plain):
            names[plain] = None
        else:
            where = f"{path}:{said.lines['code']}"
            raise _error(where, f"'{one_line(value, MAX_TERM)}' is neither a name nor a path")
    return tuple(names), tuple(paths)


def _error(where: str, what: str, remedy: str = _REMEDY) -> SourceError:
    return SourceError(what, where=where, remedy=remedy)


def _keys(path: str, said: _Said, label: str) -> Keys:
    given = " ".join(said.values.get(label, ())).strip(" `")
    return Keys(f"{path}:{said.lines.get(label, 0)}", {label: given} if given else {}, _REMEDY)


def _read(draft: Draft) -> _Said:
    said = _Said()
    label, in_fence = "", False
    for number, line in _below_heading(draft):
        if _FENCE.match(line):
            in_fence = not in_fence
        elif in_fence or not line.strip():
            continue
        elif item := _ITEM.match(line):
            label = _take_item(said, item, label, number)
        elif label and line[0] in " \t":
            said.values[label][-1] += f" {line.strip()}"
        else:
            label, said.has_text = "", True
    return said


def _take_item(said: _Said, item: re.Match[str], label: str, number: int) -> str:
    """Take in a list item; the label that what is below it belongs to."""
    if label and item["indent"]:
        said.values[label].append(item["text"])
        return label
    match = _LABEL.match(item["text"])
    if match is None:
        return ""
    label = match["label"].strip("*_ ").lower()
    said.lines.setdefault(label, number)
    said.values.setdefault(label, []).append(match["rest"])
    return label


def _below_heading(draft: Draft) -> Iterator[tuple[int, str]]:
    """The lines of a section behind its heading, with their numbers in the file."""
    lines = draft.body.split("\n")
    first = 1
    if not lines[0].lstrip().startswith(("#", "<")):  # a heading that is underlined
        first = next((at for at, line in enumerate(lines) if at and _UNDERLINE.fullmatch(line)), 0) + 1
    return ((draft.start + at, line) for at, line in enumerate(lines[first:], first))


def _values(path: str, said: _Said, label: str) -> tuple[str, ...]:
    """The values behind a label, without repetition, in order."""
    found = (match for text in said.values.get(label, ()) for match in _VALUE.finditer(text))
    texts = ((match[1] or match[2]).strip().rstrip(".").strip('"') for match in found)
    values = dict.fromkeys(filter(None, texts))
    where = f"{path}:{said.lines.get(label, 0)}"
    if len(values) > MAX_ITEMS:
        raise _error(where, f"{len(values)} values of '{label}'; allowed: {MAX_ITEMS}")
    long = next((value for value in values if len(value) > MAX_TERM), None)
    if long is not None and label != "code":
        raise _error(where, f"'{one_line(long, MAX_TERM)}' is longer than {MAX_TERM} characters")
    return tuple(values)


def _plain_code(value: str) -> str:
    """A name with dots between its parts, without what is called or typed; or a path with ``/``."""
    if "/" in value or "\\" in value:
        return value.replace("\\", "/").removeprefix("./")
    plain = _without_arguments(value)
    return _JOINT.sub(".", plain).removeprefix("@")


def _without_arguments(name: str) -> str:
    """``Map<K, V>`` → Map; ``check(key)`` → check."""
    return re.split(r"[<(\[]", name, maxsplit=1)[0]


def _is_path(value: str) -> bool:
    return not set(value).isdisjoint("/*") or (language_of(value) is not None and " " not in value)
