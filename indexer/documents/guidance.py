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
from pathlib import PurePosixPath

from indexer.documents.keys import REMEDY, Keys
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

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
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
    keys = Keys(path, file.front_matter)
    _check(path, file, keys)
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


def _check(path: str, file: MarkdownFile, keys: Keys) -> None:
    if file.front_matter_error:
        raise SourceError(file.front_matter_error, where=path, remedy=REMEDY)
    if file.content_start == 1:
        raise SourceError(
            "has no front matter",
            where=path,
            remedy="Begin the file with '---', keys such as 'title', and '---'",
        )
    keys.require_known(KEYS)


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
