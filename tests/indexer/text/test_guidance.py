"""Rules, antipatterns and reports as files."""

from __future__ import annotations

import pytest
from cases import rows
from hypothesis import given
from hypothesis import strategies as st

from indexer.documents.guidance import first_sentence, parse_guidance
from knowledge.errors import SourceError
from knowledge.types import Authority, Guidance, Kind, Status

FULL = """\
---
id: close-streams
title: Close streams on every path
statement: Close event streams in a finally block,
  or the pool runs dry.
scope: [src/net/**, "*.py"]
tags: [issue:memory-problem, component:networking]
terms: [EventStream, close, 429]
evidence: [https://tracker/1, https://tracker/2, https://tracker/1]
severity: high-priority
status: deprecated
authority: accepted-decision
created: 2026-01-31
expires: 2027-01-31
x-owner: net-team
---
# Why

It leaked.
"""


def rule(front, body="Close it. Always.", kind=Kind.RULE, path="knowledge/rules/close.md"):
    return parse_guidance(path, f"---\n{front}\n---\n{body}\n", kind)


def test_every_key_is_read():
    file = parse_guidance("knowledge/rules/a.md", FULL, Kind.RULE)
    assert file.guidance == Guidance(
        id="rule:close-streams",
        statement="Close event streams in a finally block, or the pool runs dry.",
        scope=("src/net/**", "*.py"),
        tags=("component:networking", "issue:memory-problem"),
        terms=("EventStream", "close", "429"),
        evidence_count=2,
        severity="high-priority",
    )
    assert (file.status, file.authority) == (Status.DEPRECATED, Authority.ACCEPTED_DECISION)
    assert (file.created, file.expires) == ("2026-01-31", "2027-01-31")
    draft = file.draft
    assert (draft.kind, draft.name, draft.start, draft.end) == (
        Kind.RULE,
        "Close streams on every path",
        1,
        19,
    )
    assert draft.doc == file.guidance.statement
    assert draft.body == "# Why\n\nIt leaked."


def test_defaults_come_from_the_file():
    file = rule("", "# Close streams\n\nClose **streams** in `finally`, e.g. in a with block. It leaked.")
    assert file.guidance == Guidance("rule:close", "Close streams in finally, e.g. in a with block.")
    assert file.draft.name == "Close streams"
    assert (file.status, file.expires, file.created) == (Status.CURRENT, "", "")


@pytest.mark.parametrize(
    ("kind", "authority"),
    [
        (Kind.RULE, Authority.POLICY),
        (Kind.ANTIPATTERN, Authority.REVIEWED_NOTE),
        (Kind.REPORT, Authority.REVIEWED_NOTE),
    ],
)
def test_id_and_authority_follow_the_kind(kind, authority):
    file = rule("title: x", kind=kind)
    assert file.authority is authority
    assert file.guidance.id == f"{kind.value}:close"
    assert file.draft.kind is kind


def test_single_text_stands_for_a_list_and_a_number_for_a_count():
    guidance = rule("scope: src/**\ntags: issue:crash\nterms: close\nevidence: 7").guidance
    assert (guidance.scope, guidance.tags, guidance.terms) == (("src/**",), ("issue:crash",), ("close",))
    assert guidance.evidence_count == 7


def test_statement_alone_needs_no_text():
    assert rule("statement: Close it.", body="").guidance.statement == "Close it."


def test_hidden_characters_never_reach_the_statement():
    assert rule("statement: Cl\u200bose \u202eit.").guidance.statement == "Close it."


@pytest.mark.parametrize(
    ("front", "key", "allowed"),
    rows("""
        scopes: x            scopes     scope
        id: a b              id         letters
        title: [a]           title      a text
        statement: {a: b}    statement  a text
        scope: {a: b}        scope      glob
        scope: [[a]]         scope      glob
        scope: [""]          scope      glob
        tags: [networking]   tags       facet:value
        tags: [a:b:c]        tags       facet:value
        terms: [true, {}]    terms      a word
        evidence: -1         evidence   a count
        evidence: yes        evidence   a count
        evidence: many       evidence   a count
        evidence: [{a: b}]   evidence   a count
        severity: Very High  severity   high-priority
        status: done         status     current, draft, deprecated
        authority: law       authority  policy, accepted-decision
        expires: soon        expires    2026-01-31
        created: 31.1.2026   created    2026-01-31
    """),
)
def test_error_names_file_key_and_what_is_allowed(front, key, allowed):
    with pytest.raises(SourceError) as caught:
        rule(front)
    message = str(caught.value)
    assert caught.value.where == "knowledge/rules/close.md"
    assert f"'{key}'" in message
    assert allowed in message
    assert caught.value.remedy


def test_list_that_aliases_make_huge_costs_nothing():
    levels = [f"x-{i}: &x{i} [{', '.join([f'*x{i - 1}'] * 9)}]" for i in range(1, 30)]
    with pytest.raises(SourceError, match="a list"):
        rule("x-0: &x0 [a]\n" + "\n".join(levels) + "\nscope: *x29")


@pytest.mark.parametrize(
    ("complaint", "text"),
    rows(r"""
        no front matter         # Rules\n\nThis folder holds rules.\n
        no front matter         ---\ntitle: x\nnever closed\n
        not valid YAML          ---\na: [\n---\ntext\n
        'statement' is missing  ---\ntitle: x\n---\n
        no front matter         ""
    """),
)
def test_file_that_is_no_guidance_is_refused(text, complaint):
    with pytest.raises(SourceError, match=complaint):
        parse_guidance("knowledge/rules/README.md", text, Kind.RULE)


@pytest.mark.parametrize(
    ("text", "sentence"),
    rows("""
        One. Two.                             One.
        Use it, e.g. for streams. Then stop.  Use it, e.g. for streams.
        See Fig. 3 and Dr. Who. Then stop.    See Fig. 3 and Dr. Who.
        Version 2.0 is out! Really.           Version 2.0 is out!
        Call close(). Then wait.              Call close().
        He said "stop." Then left.            He said "stop."
        no full stop                          no full stop
        先关闭流。然后等待。                            先关闭流。
        ""                                    ""
    """),
)
def test_first_sentence(text, sentence):
    assert first_sentence(text) == sentence


@given(st.text())
def test_first_sentence_begins_its_text(text):
    assert text.strip().startswith(first_sentence(text))


@given(st.text())
def test_any_text_is_read_or_refused_as_a_source(text):
    try:
        file = rule("title: x", body=text)
    except SourceError:
        return
    assert file.guidance.statement
    assert "\n" not in file.guidance.statement
