"""The functions of one file's version, and which of them differ between two versions.

A function's text is compared without what does not make it do anything else: white space, comments,
docstrings, the kind of quotes, a trailing comma. That is read off the text and not the syntax, by the same
rule on both sides: where it takes a string for a comment, it does so twice.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest

from indexer.cards import evidence_id, make_evidence, unique_ids
from indexer.code.source import encode
from indexer.extract import extract_code
from indexer.languages import BY_NAME
from indexer.recipe import ParseContext, language_in
from indexer.sources.classify import source_kind
from indexer.sources.decode import decode
from knowledge.catalog.packed import PackedItem, from_bytes
from knowledge.catalog.record import Row, lines_of
from knowledge.catalog.rows import FileRow, Indexed, ParsedFile, SearchText
from knowledge.errors import SourceError
from knowledge.hashing import text_hash
from knowledge.hygiene import purify
from knowledge.types import Authority, Draft, Evidence, Kind, Quality, SourceKind, Status

MIN_INNER_LINES = 5  # shorter functions within another are read with it, and count as its text
HEAD = 2_000  # characters by which a file's kind is judged, as by the indexer

_NO_TEXT = SearchText("", "", "", "", "")
_NO_QUALITY = Quality(0.0, {})
# Languages that have functions without a body beside their definitions: prototypes, abstract and overloaded
# signatures. What they declare is changed elsewhere.
_BRACED = frozenset({"c", "cpp", "csharp", "go", "java", "php", "rust", "tsx", "typescript"})
_BODY = re.compile(r"\{|=>|\A\s*#")  # the last of C's macros
_RUST_TEST = re.compile(r"#\[(?:\w+::)*(?:test\b|cfg\(test\))")
_RUST_TEST_MODULES = frozenset({"test", "tests"})

_TRIPLE_QUOTED = re.compile(r"^[ \t]*[rRbBuU]{0,2}(\"{3}|'{3}).*?\1[ \t]*;?[ \t]*$", re.DOTALL | re.MULTILINE)
_BLOCK_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_LONG_COMMENT = re.compile(r"--\[(=*)\[.*?\]\1\]", re.DOTALL)
_SPACE = re.compile(r"\s+")
_TRAILING_COMMA = re.compile(r",(?=[)\]}])")


@dataclass(frozen=True, slots=True)
class Function:
    """A function of one version of a file.

    Attributes:
        id: its stable id.
        name: its qualified name.
        start: its first line.
        end: its last line.
        signature: its declaration on one line.
        text: hash of what it does, in its own lines: those of functions within it are theirs.
    """

    id: str
    name: str
    start: int
    end: int
    signature: str
    text: str


@dataclass(frozen=True, slots=True)
class Version:
    """What one version of a file does.

    Attributes:
        text: hash of all that it does, functions and the rest.
        functions: its functions, in its order.
    """

    text: str
    functions: tuple[Function, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """What became of one file's functions.

    Attributes:
        changed: those that exist in both versions and differ, as they were before.
        added: how many only the newer version has.
        removed: how many only the older version has.
    """

    changed: tuple[Function, ...]
    added: int
    removed: int


def parse_version(row: FileRow, data: bytes, context: ParseContext) -> ParsedFile:
    """A file and its functions as evidence whose content hash is of what they do; for workers.

    Raises:
        SourceError: the file cannot be decoded or parsed, or is no code.
    """
    raw = decode(data, row.path).text
    language = language_in(row.path, data) or ""
    if language not in BY_NAME:
        raise SourceError("no program code", where=row.path, remedy="Name it in index.exclude")
    text = purify(raw).text
    kind = source_kind(row.path, text[:HEAD], context.settings.index)
    complete = replace(row, language=language, source_kind=kind)
    if kind is not SourceKind.IMPLEMENTATION:
        raise SourceError(f"no implementation: {kind}", where=row.path, remedy="Change the index settings")
    drafts = extract_code(language, text)
    ids = unique_ids([evidence_id(row.path, draft) for draft in drafts])
    lines = encode(text).decode().split("\n")
    named = list(zip(drafts, ids, strict=True))
    units = [(draft, unique) for draft, unique in named if _counts(draft, language)]
    texts = [text, *_own_texts([draft for draft, _ in units], lines)]
    whole = next((draft, unique) for draft, unique in named if draft.kind is Kind.MODULE)
    items = (
        _item(complete, draft, unique, significant(text, language))
        for (draft, unique), text in zip([whole, *units], texts, strict=True)
        if text is not None
    )
    return ParsedFile(complete, tuple(items))


def version_of(answer: bytes, row: FileRow) -> Version:
    """What a worker's answer says of a file."""
    packed = from_bytes(answer, row)
    whole, *units = (_evidence(item, packed.row) for item in packed.items)
    return Version(whole.content_hash, tuple(map(_function, units)))


def compare(before: Version, after: Version) -> Difference:
    """Which functions differ between two versions of a file."""
    old, new = _by_name(before.functions), _by_name(after.functions)
    changed: list[Function] = []
    added = removed = 0
    for name in dict.fromkeys((*old, *new)):
        for one, other in _pairs(old.get(name, []), new.get(name, [])):
            if one is None:
                added += 1
            elif other is None:
                removed += 1
            else:
                changed.append(one)
    return Difference(tuple(sorted(changed, key=lambda one: (one.start, one.id))), added, removed)


def significant(text: str, language: str) -> str:
    """A text without what does not change what it does."""
    marks = BY_NAME[language].comment_marks
    if language == "python":
        text = _TRIPLE_QUOTED.sub("", text)
    if "/*" in marks:
        text = _BLOCK_COMMENT.sub("", text)
    if language == "lua":
        text = _LONG_COMMENT.sub("", text)
    text = _line_comments(tuple(mark for mark in marks if mark in ("//", "#", "--"))).sub("", text)
    text = _SPACE.sub("", text).replace("'", '"')
    return _TRAILING_COMMA.sub("", text)


@lru_cache(maxsize=16)
def _line_comments(marks: tuple[str, ...]) -> re.Pattern[str]:
    """Comments on lines of their own, and those behind code that no quote follows."""
    mark = "|".join(map(re.escape, marks))
    return re.compile(rf"^[ \t]*(?:{mark}).*$|[ \t](?:{mark})[^\n\"'`]*$", re.MULTILINE)


def _counts(draft: Draft, language: str) -> bool:
    """Whether a draft is a function that does something, and no test."""
    if draft.kind is not Kind.UNIT or draft.part:
        return False
    if language in _BRACED and not _BODY.search(draft.body):
        return False
    if language != "rust":
        return True
    return _RUST_TEST_MODULES.isdisjoint(draft.name.split(".")) and not _RUST_TEST.search(draft.body)


def _own_texts(drafts: Sequence[Draft], lines: Sequence[str]) -> Iterator[str | None]:
    """The text of each function without the functions within it; None for those that count as another's."""
    inner: dict[int, list[Draft]] = defaultdict(list)
    small: set[int] = set()
    stack: list[tuple[int, Draft]] = []
    for number, draft in enumerate(drafts):  # by (start, -end)
        while stack and stack[-1][1].end < draft.start:
            stack.pop()
        if stack and draft.end <= stack[-1][1].end:
            if draft.end - draft.start + 1 < MIN_INNER_LINES:
                small.add(number)
                continue
            inner[stack[-1][0]].append(draft)
        stack.append((number, draft))
    for number, draft in enumerate(drafts):
        yield None if number in small else _without(draft, inner[number], lines)


def _without(draft: Draft, inner: Iterable[Draft], lines: Sequence[str]) -> str:
    kept: list[str] = []
    position = draft.start
    for one in inner:
        kept += lines[position - 1 : one.start - 1]
        position = max(position, one.end + 1)
    return "\n".join([*kept, *lines[position - 1 : draft.end]])


def _item(row: FileRow, draft: Draft, unique: str, text: str) -> Indexed:
    evidence = make_evidence(
        row,
        draft,
        unique,
        authority=Authority.IMPLEMENTATION,
        status=Status.CURRENT,
        tags=(),
        quality=_NO_QUALITY,
    )
    return Indexed(replace(evidence, doc="", content_hash=text_hash(text)), _NO_TEXT)


def _evidence(item: PackedItem, row: FileRow) -> Evidence:
    place = (0, item.kind, row.path, item.start, item.end, item.part)
    columns = (*place, row.language, row.source_kind, "", 0, item.record)
    return Row(columns, lines_of(item.record)).ranked()


def _function(evidence: Evidence) -> Function:
    return Function(
        evidence.id,
        evidence.name,
        evidence.start,
        evidence.end,
        evidence.signature,
        evidence.content_hash,
    )


def _by_name(functions: Iterable[Function]) -> dict[str, list[Function]]:
    groups: dict[str, list[Function]] = defaultdict(list)
    for function in functions:
        groups[function.name].append(function)
    return groups


def _pairs(
    old: Sequence[Function], new: Sequence[Function]
) -> Iterator[tuple[Function | None, Function | None]]:
    """Namesakes of two versions that differ, each with what it became; those that stayed are left out.

    Whoever has the same text is the same, then whoever has the same signature, then whoever comes next.
    """
    _, old, new = _matched(old, new, lambda one: one.text)
    alike, old, new = _matched(old, new, lambda one: one.signature)
    yield from alike
    yield from zip_longest(old, new)


def _matched(
    old: Iterable[Function], new: Iterable[Function], key: Callable[[Function], str]
) -> tuple[list[tuple[Function, Function]], list[Function], list[Function]]:
    """Pairs that agree in a key, and what is left of both sides."""
    waiting: dict[str, list[Function]] = defaultdict(list)
    for one in new:
        waiting[key(one)].append(one)
    pairs, left = [], []
    for one in old:
        same = waiting[key(one)]
        if same:
            pairs.append((one, same.pop(0)))
        else:
            left.append(one)
    return pairs, left, [one for one in new if one in waiting[key(one)]]
