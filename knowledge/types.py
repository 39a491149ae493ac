"""The vocabulary: the frozen types that every room speaks.

Lines count from 1, both ends included. Paths are relative to the view's root, with ``/``.
Times are whole seconds since the epoch (UTC) unless a name says otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    """What an indexed thing is."""

    UNIT = "unit"  # a function or method
    CLASS = "class"  # a class, interface, struct, enum … with its members' names
    MODULE = "module"  # a source file's module-level code
    SECTION = "section"  # a document's section under one heading
    DOCUMENT = "document"  # a whole document
    RULE = "rule"  # a reviewed prevention rule
    ANTIPATTERN = "antipattern"  # offered as a warning
    REPORT = "report"  # an incident or review report, offered as a warning

    @property
    def is_guidance(self) -> bool:
        """Whether it is offered beside the patterns (rules and warnings) and not among them."""
        return self in (Kind.RULE, Kind.ANTIPATTERN, Kind.REPORT)


class SourceKind(StrEnum):
    """What kind of source a file is; everything but implementation is demoted unless asked for."""

    IMPLEMENTATION = "implementation"
    TEST = "test"
    EXAMPLE = "example"
    GENERATED = "generated"
    VENDORED = "vendored"
    CHANGELOG = "changelog"


class Authority(StrEnum):
    """How much a statement binds, strongest first."""

    POLICY = "policy"
    ACCEPTED_DECISION = "accepted-decision"
    IMPLEMENTATION = "implementation"
    PROCEDURE = "procedure"
    REVIEWED_NOTE = "reviewed-note"
    GENERATED = "generated"
    UNTRUSTED = "untrusted"


class Status(StrEnum):
    """Whether a statement still holds."""

    CURRENT = "current"
    DRAFT = "draft"
    DEPRECATED = "deprecated"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"


STANDING = frozenset({Status.CURRENT, Status.DRAFT})  # what still holds, or is about to


class RelationKind(StrEnum):
    """How one indexed thing stands to another."""

    CALLS = "calls"  # a unit, what it calls
    IMPORTS = "imports"  # a module, what it imports
    INHERITS = "inherits"  # a class, what it extends or implements
    TESTS = "tests"  # a test, or a file of tests, what it tests


@dataclass(frozen=True, slots=True)
class Relation:
    """What an indexed thing says of another, which it only names: who that is, is found when it is asked.

    Attributes:
        kind: how they stand to each other.
        target: the other's name as it is written there, white space and type arguments removed
            (``self.stream.close``, ``httpx._client``, ``../lib/util``); of TESTS a name or a path.
        line: the first line where it is named.
    """

    kind: RelationKind
    target: str
    line: int


@dataclass(frozen=True, slots=True)
class Card:
    """What a document or one of its sections tells about itself, beyond its evidence.

    Attributes:
        title: the document's title, or the section's own heading.
        scope: path globs that the document says it is about.
        topics: what it says it is about, in words (front matter's tags and keywords); of a document.
        entities: identifiers, paths and commands that it names, in order of appearance.
        parent: id of the section or document that it belongs to, or ``""``.
    """

    title: str
    scope: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    parent: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a parser found in one file, before identity, tags and quality are given.

    Attributes:
        kind: UNIT, CLASS, MODULE, SECTION or DOCUMENT.
        name: qualified name (``EventStream.close``); a section's heading path joined by `` › ``;
            empty for a module or document.
        start: first line, decorators and attached doc comment's decorators included.
        end: last line.
        signature: the declaration on one line, white space folded; empty for documents.
        doc: doc comment or docstring without its comment marks; for a section its first paragraph.
        body: the source text of the lines ``start`` to ``end``.
        part: 0 for the whole thing; 1, 2, … for the pieces of one that was too large.
        anchor: a section's slug path (``install/from-source``), unique in its file; else empty.
        relations: what it calls, imports, inherits, tests; sorted by (line, kind, target), none twice.
        card: of a document or section; its ``parent`` is an anchor here, and becomes an id.
    """

    kind: Kind
    name: str
    start: int
    end: int
    signature: str
    doc: str
    body: str
    part: int = 0
    anchor: str = ""
    relations: tuple[Relation, ...] = ()
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Quality:
    """A quality score in [0, 1] and the parts it is the weighted sum of."""

    score: float
    parts: dict[str, float]


@dataclass(frozen=True, slots=True)
class Evidence:
    """One indexed thing, as the catalog keeps it (without its search text).

    Attributes:
        id: stable id (``symbol:src/stream.py::EventStream.close``, ``section:docs/sse.md#retry``).
        kind: what it is.
        name: qualified name, heading path, or the path for modules and documents.
        path: file, relative to the view's root.
        start: first line.
        end: last line.
        part: 0 for the whole thing, else the number of the piece.
        language: ``python``, ``markdown`` …
        signature: declaration on one line.
        doc: doc comment, first paragraph, or a rule's statement.
        content_hash: ``blake2b:…`` of the normalised text.
        source_kind: implementation, test …
        authority: how much it binds.
        status: whether it still holds.
        tags: taxonomy tags, ``facet:value``, sorted.
        quality: score and parts.
        density: information density in [0, 1] (distinct informative words per word); 0 for code.
        last_commit: the last commit that touched the file, or ``""``.
        last_commit_time: its committer time, or 0.
    """

    id: str
    kind: Kind
    name: str
    path: str
    start: int
    end: int
    part: int
    language: str
    signature: str
    doc: str
    content_hash: str
    source_kind: SourceKind
    authority: Authority
    status: Status
    tags: tuple[str, ...]
    quality: Quality
    density: float
    last_commit: str
    last_commit_time: int

    @property
    def sort_key(self) -> tuple[str, int, str]:
        """The total order in which every tie ends."""
        return (self.path, self.start, self.id)


@dataclass(frozen=True, slots=True)
class Guidance:
    """What a rule, antipattern or report carries beyond its evidence.

    Attributes:
        id: the evidence id.
        statement: one sentence, as rendered.
        scope: path globs it applies to; empty means everywhere.
        tags: taxonomy tags it applies to.
        terms: words or identifiers that call for it.
        evidence_count: in how many cases it was seen.
        severity: a ``severity`` value of the taxonomy, or ``""``.
        expires: the ISO date after which it no longer holds, or ``""``.
    """

    id: str
    statement: str
    scope: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    evidence_count: int = 0
    severity: str = ""
    expires: str = ""


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """What a project's people call something, and what that is in the code.

    Attributes:
        id: ``glossary:knowledge/glossary/terms.md#the-bouncer``.
        term: what they call it.
        aliases: what else they call it.
        meaning: what it is, in one line, or ``""``.
        names: what it is called in the code, parts joined by dots (``RateLimiter.check``).
        paths: files, folders (ending in ``/``) and globs where it lies.
        words: other words for it, written out.
        path: the file that says so.
        start: the line of its heading.
        status: whether it still holds, as its author says.
        expires: the ISO date after which it no longer holds, or ``""``.
    """

    id: str
    term: str
    aliases: tuple[str, ...]
    meaning: str
    names: tuple[str, ...]
    paths: tuple[str, ...]
    words: tuple[str, ...]
    path: str
    start: int
    status: Status = Status.CURRENT
    expires: str = ""


@dataclass(frozen=True, slots=True)
class HygieneEvent:
    """Something removed from text before it was stored or rendered; never the value itself.

    Attributes:
        line: line in the text.
        kind: ``secret:aws-access-key``, ``unicode:bidi`` …
        count: how many on that line.
    """

    line: int
    kind: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Clean:
    """Text after hygiene, and what was removed from it."""

    text: str
    events: tuple[HygieneEvent, ...] = field(default=())
