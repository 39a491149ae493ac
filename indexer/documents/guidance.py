"""Guidance: reviewed rules, antipatterns and reports, one Markdown file each.

They lie in ``rules/``, ``antipatterns/`` and ``reports/`` of a project's knowledge folder::

    ---
    title: Close streams on every path
    statement: Close event streams in a finally block, or the pool runs dry.
    scope: [src/net/**, "*.py"]
    tags: [component:networking, issue:memory-problem]
    terms: [EventStream, close]
    evidence: [https://tracker/1234, https://tracker/1240]
    severity: high-priority
    ---
    Why, with examples. Free text.

===========  ==========================================================  =================================
key          value                                                       default
===========  ==========================================================  =================================
id           letters, digits, ``.``, ``_``, ``-``                        the file's name without its suffix
title        one line                                                    first heading, else the id
statement    one sentence, rendered as it is                             the text's first sentence
scope        a path glob, or a list of them                              everywhere
tags         a ``facet:value``, or a list of them                        none
terms        a word or identifier that calls for it, or a list of them   none
evidence     in how many cases it was seen, or a list of links           0
severity     a value of the taxonomy's facet ``severity``                none
status       current, draft, deprecated, superseded, expired             current
authority    policy, accepted-decision, implementation, procedure,       rule: policy;
             reviewed-note, generated, untrusted                         others: reviewed-note
created      a date, as 2026-01-31                                       unknown
expires      a date: the last day on which it holds                      never
===========  ==========================================================  =================================

The front matter may be empty but must be there: a README beside the rules is no rule. Keys that begin with
``x-`` are left to other tools; any other unknown key is an error, because a misspelt ``scope`` would apply
everywhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from pathlib import PurePosixPath
from typing import TypeVar

from indexer.documents.markdown import MarkdownFile, extract_markdown
from knowledge.errors import SourceError
from knowledge.hygiene import one_line
from knowledge.types import Authority, Draft, Guidance, Kind, Status

KEYS = (
    *("id", "title", "statement", "scope", "tags", "terms", "evidence", "severity", "status", "authority"),
    *("created", "expires"),
)
MAX_STATEMENT = 400  # characters: the longest sentence that a brief of 550 tokens can bear three of
MAX_TITLE = 160
MAX_SHOWN = 80  # characters of a bad value in an error

_E = TypeVar("_E", bound=StrEnum)
_REMEDY = "Correct the front matter"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
_TAG = re.compile(r"[a-z0-9][a-z0-9-]*:[a-z0-9][a-z0-9-]*")
_SENTENCE = re.compile(r".+?(?:[.!?]+[\"')\]]*(?=\s+[^a-z\s])|[。！？]|\Z)", re.DOTALL)
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|cf|vs|etc|approx|resp|no|fig|sec|dr|mr|ms)|\b[A-Z])\.\Z", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class GuidanceFile:
    """One rule, antipattern or report.

    Attributes:
        guidance: what it says and where it applies; its id is ``rule:<id>``, ``antipattern:<id>`` or
            ``report:<id>``.
        draft: the whole file: name is the title, doc the statement, body the text after the front matter.
        status: whether it still holds, as its author says.
        authority: how much it binds.
        expires: the last day on which it holds, ``YYYY-MM-DD``, or ``""``.
        created: the day it was written, or ``""``.
    """

    guidance: Guidance
    draft: Draft
    status: Status
    authority: Authority
    expires: str
    created: str = ""


def parse_guidance(path: str, text: str, kind: Kind) -> GuidanceFile:
    """Read one file of guidance; the format is described above.

    Args:
        path: the file, as it is named in errors; its stem is the default id.
        text: its text.
        kind: RULE, ANTIPATTERN or REPORT.

    Raises:
        SourceError: names the file, the key, and what is allowed there.
    """
    file = extract_markdown(text)
    keys = _Keys(path, file.front_matter)
    _check(path, file)
    name = keys.matching("id", _ID, "letters, digits, '.', '_' and '-'") or PurePosixPath(path).stem
    title = one_line(keys.text("title") or file.title or name, MAX_TITLE)
    statement = one_line(keys.text("statement") or first_sentence(file.abstract), MAX_STATEMENT)
    if not statement:
        raise keys.error("statement", "is missing, and there is no text to take it from", "one sentence")
    guidance = Guidance(
        id=f"{kind.value}:{name}",
        statement=statement,
        scope=keys.texts("scope", "a path glob, or a list of them"),
        tags=keys.tags(),
        terms=keys.texts("terms", "a word, or a list of them"),
        evidence_count=keys.count("evidence"),
        severity=keys.matching("severity", _NAME, "a severity of the taxonomy, such as high-priority"),
    )
    default = Authority.POLICY if kind is Kind.RULE else Authority.REVIEWED_NOTE
    return GuidanceFile(
        guidance=guidance,
        draft=_draft(kind, title, statement, file),
        status=keys.choice("status", Status.CURRENT),
        authority=keys.choice("authority", default),
        expires=keys.day("expires"),
        created=keys.day("created"),
    )


def first_sentence(text: str) -> str:
    """The first sentence of a paragraph: up to a full stop that ends no abbreviation."""
    end = 0
    while match := _SENTENCE.match(text, end):
        end = match.end()
        if not _ABBREVIATION.search(text[max(0, end - 12) : end]):
            break
    return text[:end].strip()


def _check(path: str, file: MarkdownFile) -> None:
    if file.front_matter_error:
        raise SourceError(file.front_matter_error, where=path, remedy=_REMEDY)
    if file.content_start == 1:
        raise SourceError(
            "has no front matter",
            where=path,
            remedy="Begin the file with '---', keys such as 'title', and '---'",
        )
    unknown = sorted(key for key in file.front_matter if key not in KEYS and not key.startswith("x-"))
    if unknown:
        raise SourceError(
            f"unknown key '{unknown[0]}'; allowed: {', '.join(sorted(KEYS))}", where=path, remedy=_REMEDY
        )


def _draft(kind: Kind, title: str, statement: str, file: MarkdownFile) -> Draft:
    sections = [draft for draft in file.drafts if draft.kind is Kind.SECTION and draft.part == 0]
    return Draft(
        kind=kind,
        name=title,
        start=1,
        end=file.drafts[0].end,
        signature="",
        doc=statement,
        body="\n".join(section.body for section in sections).strip("\n"),
    )


class _Keys:
    """Reads keys of one front matter; every error names file, key and what is allowed."""

    def __init__(self, path: str, table: dict[str, object]) -> None:
        self._path = path
        self._table = table

    def error(self, key: str, problem: str, allowed: str) -> SourceError:
        """The error for one key."""
        return SourceError(f"'{key}' {problem}; allowed: {allowed}", where=self._path, remedy=_REMEDY)

    def text(self, key: str) -> str:
        """A text; numbers and dates, which YAML reads where a text was meant, count as theirs."""
        value = self._table.get(key)
        if value is None:
            return ""
        if isinstance(value, (list, dict, bool)):
            raise self.error(key, f"is {_shown(value)}", "a text")
        return str(value).strip()

    def texts(self, key: str, allowed: str) -> tuple[str, ...]:
        """A text or a list of texts, without repetition, in order."""
        value = self._table.get(key)
        items = value if isinstance(value, list) else [] if value is None else [value]
        if not all(isinstance(item, (str, int, float)) and str(item).strip() for item in items):
            raise self.error(key, f"is {_shown(value)}", allowed)
        return tuple(dict.fromkeys(str(item).strip() for item in items))

    def tags(self) -> tuple[str, ...]:
        """The tags, sorted."""
        allowed = "facet:value, or a list of them, such as component:api"
        tags = self.texts("tags", allowed)
        for tag in tags:
            if not _TAG.fullmatch(tag):
                raise self.error("tags", f"has {_shown(tag)}", allowed)
        return tuple(sorted(tags))

    def matching(self, key: str, pattern: re.Pattern[str], allowed: str) -> str:
        """A text of a given form, or ``""``."""
        value = self.text(key)
        if value and not pattern.fullmatch(value):
            raise self.error(key, f"is {_shown(value)}", allowed)
        return value

    def count(self, key: str) -> int:
        """A count, or the length of a list of links."""
        value = self._table.get(key, 0)
        if isinstance(value, list) and all(isinstance(item, (str, int)) for item in value):
            return len({str(item) for item in value})
        if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
            return value or 0
        raise self.error(key, f"is {_shown(value)}", "a count from 0, or a list of links")

    def choice(self, key: str, default: _E) -> _E:
        """One of the values of ``default``'s enumeration."""
        values = type(default)
        value = self.text(key) or default.value
        try:
            return values(value)
        except ValueError:
            raise self.error(key, f"is {_shown(value)}", ", ".join(item.value for item in values)) from None

    def day(self, key: str) -> str:
        """A date as ``YYYY-MM-DD``, or ``""``."""
        value = self._table.get(key)
        if isinstance(value, datetime):
            return value.date().isoformat()
        try:
            return date.fromisoformat(self.text(key)).isoformat() if value is not None else ""
        except ValueError:
            raise self.error(key, f"is {_shown(value)}", "a date such as 2026-01-31") from None


def _shown(value: object) -> str:
    """A value as an error shows it; not what is in a list or mapping, which aliases can make endless."""
    if isinstance(value, list):
        return "a list that holds something else"
    return "a mapping" if isinstance(value, dict) else one_line(repr(value), MAX_SHOWN)
