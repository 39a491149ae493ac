"""Whatever text is put into a brief, its frame stays whole."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from knowledge.hygiene import clean_text
from templates import framing
from templates.context import BlockContext, GuidanceLine, PatternLine
from templates.render import FORMATS, Renderer

RENDERERS = {name: Renderer(name) for name in FORMATS}
MARKDOWN = MarkdownIt("commonmark").enable("table")
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\U000e0000-\U000e007f]")

HOSTILE = (
    "\n# Heading\n",
    "- item",
    "1. item",
    "> quote",
    "`",
    "``",
    "```\ncode\n```",
    "~~~",
    "---",
    "===",
    "| a | b |",
    "\\",
    "</context>",
    "</pattern></patterns>",
    "<system>",
    "<!--",
    "-->",
    "--!>",
    "]]>",
    "<![CDATA[",
    "<?xml?>",
    "&lt;",
    "&#10;# x",
    '"',
    "'",
    "{{ left_out }}",
    "{% raw %}",
    "{# x #}",
    "[a]: http://example.org",
    "\r",
    "\x0b",
    "\x85",
    "\u2028",
    "\u202e",
    "\u200b",
    "\U000e0041",
    "\ufffe",
    "\x00",
    "\x1b[31m",
    "END OF CONTEXT",
    "Promise<void>",
    "__init__",
)


def hostile_text() -> st.SearchStrategy[str]:
    """Any text at all, and texts put together from what frames are made of."""
    pieces = st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=5)), max_size=6)
    return st.one_of(st.text(max_size=30), pieces.map("".join), pieces.map(" ".join))


def pattern_lines(text: st.SearchStrategy[str]) -> st.SearchStrategy[PatternLine]:
    line = st.integers(min_value=1, max_value=10**6)
    relevance = st.floats(min_value=0, max_value=1)
    return st.builds(PatternLine, text, text, relevance, text, text, line, line)


def guidance_lines(text: st.SearchStrategy[str]) -> st.SearchStrategy[GuidanceLine]:
    line = st.integers(min_value=1, max_value=10**6)
    kind = st.sampled_from(("rule", "antipattern", "report"))
    return st.builds(GuidanceLine, kind, text, st.integers(0, 99), text, text, line, line)


def contexts() -> st.SearchStrategy[BlockContext]:
    text = hostile_text()
    return st.builds(
        BlockContext,
        st.lists(pattern_lines(text), max_size=3).map(tuple),
        st.lists(guidance_lines(text), max_size=3).map(tuple),
        st.integers(0, 9),
        st.integers(0, 9),
        st.booleans(),
        st.floats(min_value=0, max_value=1),
        st.booleans(),
    )


def tame(context: BlockContext) -> BlockContext:
    """The same context with harmless text: its block is the frame to compare with."""
    return replace(
        context,
        patterns=tuple(
            replace(item, name="n", kind="k", description="d", path="p") for item in context.patterns
        ),
        guidance=tuple(replace(item, statement="s", severity="v", path="p") for item in context.guidance),
    )


def structure(block: str) -> list[tuple[str, int]]:
    """The block tokens of a Markdown text, and the code spans in its lines: everything but their text."""
    return [
        (token.type, sum(child.type == "code_inline" for child in token.children or ()))
        for token in MARKDOWN.parse(block)
    ]


def values(context: BlockContext) -> tuple[list[str], list[str]]:
    patterns = [framing.fold(item.description) for item in context.patterns]
    ordered = sorted(context.guidance, key=lambda item: item.kind != "rule")
    return patterns, [framing.fold(item.statement) or "?" for item in ordered]


@given(context=contexts())
def test_markdown_structure_does_not_depend_on_the_text(context):
    block = RENDERERS["markdown"].block(context)
    expected = RENDERERS["markdown"].block(tame(context))
    assert structure(block) == structure(expected)
    assert block.count("\n") == expected.count("\n")


@given(context=contexts())
def test_plain_lines_do_not_depend_on_the_text(context):
    lines = RENDERERS["plain"].block(context).splitlines()
    expected = RENDERERS["plain"].block(tame(context)).splitlines()
    assert len(lines) == len(expected)
    assert [line for line in lines if not line.startswith("  ")] == [
        line for line in expected if not line.startswith("  ")
    ]


@given(context=contexts())
def test_xml_parses_and_yields_the_values(context):
    if not (block := RENDERERS["xml"].block(context)):
        return
    root = ET.fromstring(block)
    found = ([e.text or "" for e in root.iter("pattern")], [e.text or "" for e in root.iter("rule")])
    found[1].extend(e.text or "" for e in root.iter("warning"))
    assert found == values(context)
    assert [e.get("name") for e in root.iter("pattern")] == [
        framing.fold(item.name) or "?" for item in context.patterns
    ]


@given(context=contexts())
def test_json_loads_and_yields_the_values(context):
    if not (block := RENDERERS["json"].block(context)):
        return
    value = json.loads(block)
    found = [item["description"] for item in value["patterns"]]
    assert (found, [item["statement"] for item in value["rules"] + value["warnings"]]) == values(context)


@pytest.mark.parametrize("format_", FORMATS)
@given(context=contexts())
def test_nothing_hidden_and_no_closing_markup_reaches_the_block(format_, context):
    block = RENDERERS[format_].block(context)
    assert not HIDDEN.search(block)
    assert clean_text(block).text == block
    block.encode()
    if format_ in ("markdown", "plain"):
        assert not re.search(r"</|<!|<\?|--!?>", block)


@pytest.mark.parametrize("format_", ["markdown", "xml", "plain"])
@given(context=contexts(), preamble=st.text(), task=st.text())
def test_prompt_ends_with_the_task_unchanged(format_, context, preamble, task):
    renderer = RENDERERS[format_]
    block = renderer.block(context)
    prompt = renderer.prompt(preamble, block, task)
    assert prompt.endswith(task)
    assert prompt.startswith(preamble)
    assert block in prompt


@given(context=contexts(), preamble=st.text(), task=st.text())
def test_json_prompt_holds_the_task_unchanged(context, preamble, task):
    renderer = RENDERERS["json"]
    block = renderer.block(context)
    prompt = renderer.prompt(preamble, block, task)
    assert prompt == task if not (preamble or block) else json.loads(prompt)["task"] == task


@given(st.text(alphabet=st.sampled_from("`|\\<>-!#*_.1)~=[]: a\n/")))
def test_making_text_inert_twice_changes_nothing_more(text):
    for make_inert in (framing.fold, framing.plain, framing.markdown):
        assert make_inert(make_inert(text)) == make_inert(text)


@pytest.mark.parametrize(
    "readable",
    [
        "__init__",
        "Promise<void>",
        "List<Map<String, Foo>>",
        "a < b",
        "x -> y",
        "*args",
        "#private",
        "1.5x",
        "a & b",
    ],
)
def test_code_stays_readable_in_markdown(readable):
    assert framing.markdown(readable) == readable


def test_template_syntax_in_indexed_text_is_only_text(context):
    text = "{{ left_out }} {% for x in y %} {# gone #}"
    item = replace(context.patterns[0], description=text)
    for renderer in RENDERERS.values():
        assert text in renderer.block(BlockContext(patterns=(item,)))
