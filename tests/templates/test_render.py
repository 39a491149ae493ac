"""What a brief looks like, in each format."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from knowledge.errors import TemplateError
from templates.context import BlockContext, GuidanceLine
from templates.render import FORMATS, Renderer

EMPTY = BlockContext(left_out=2, below_threshold=7, stale=True, coverage=0.1, low_coverage=True)


def test_markdown_brief_reads_line_by_line(context):
    assert Renderer("markdown").block(context) == (
        "## Context from this repository\n"
        "\n"
        "### Code patterns\n"
        "- `EventStream.close`: Close the stream and its reader. `src/sse.py:12-40` (relevance 0.82)\n"
        "- `Streaming › Timeouts` `docs/sse.md:3-9` (relevance 0.50)\n"
        "\n"
        "### Prevention rules\n"
        "- Every stream has an explicit timeout. (seen in 3 cases)\n"
        "\n"
        "### Warnings\n"
        "- A reader hung when the socket closed early. (seen in 1 case) `knowledge/reports/r.md:2-5`\n"
        "\n"
        "---\n"
    )


def test_plain_brief_reads_line_by_line(context):
    assert Renderer("plain").block(context) == (
        "CONTEXT FROM THIS REPOSITORY\n"
        "\n"
        "Code patterns:\n"
        "  EventStream.close: Close the stream and its reader. [src/sse.py:12-40] (relevance 0.82)\n"
        "  Streaming › Timeouts [docs/sse.md:3-9] (relevance 0.50)\n"
        "\n"
        "Prevention rules:\n"
        "  Every stream has an explicit timeout. (seen in 3 cases)\n"
        "\n"
        "Warnings:\n"
        "  A reader hung when the socket closed early. (seen in 1 case) [knowledge/reports/r.md:2-5]\n"
        "\n"
        "END OF CONTEXT\n"
    )


def test_xml_brief_carries_the_fields(context):
    root = ET.fromstring(Renderer("xml").block(context))
    first = root.find("patterns/pattern")
    assert root.tag == "context"
    assert first.text == "Close the stream and its reader."
    assert first.attrib == {
        "name": "EventStream.close",
        "kind": "unit",
        "path": "src/sse.py",
        "lines": "12-40",
        "relevance": "0.82",
    }
    assert root.find("rules/rule").attrib == {"seen": "3", "severity": "high-priority"}
    assert root.find("warnings/warning").attrib["kind"] == "report"
    assert root.find("note") is None


def test_json_block_is_the_context_object_in_a_stable_key_order(context):
    block = Renderer("json").block(context)
    value = json.loads(block)
    assert list(value) == [
        *("patterns", "rules", "warnings"),
        *("left_out", "below_threshold", "stale", "low_coverage", "coverage"),
    ]
    assert value["patterns"][0] == {
        "name": "EventStream.close",
        "kind": "unit",
        "path": "src/sse.py",
        "start": 12,
        "end": 40,
        "description": "Close the stream and its reader.",
        "relevance": 0.82,
    }
    assert value["rules"][0]["evidence_count"] == 3
    assert block.endswith("}\n")
    assert block.count("\n") == 1


def test_json_prompt_is_one_object(context):
    renderer = Renderer("json")
    block = renderer.block(context)
    value = json.loads(renderer.prompt("You are a worker.\n", block, "Fix\n\tit"))
    assert list(value) == ["preamble", "context", "task"]
    assert value == {"preamble": "You are a worker.\n", "context": json.loads(block), "task": "Fix\n\tit"}


def test_json_prompt_without_a_block_has_a_null_context():
    assert json.loads(Renderer("json").prompt("Top", "", "Fix it")) == {
        "preamble": "Top",
        "context": None,
        "task": "Fix it",
    }


def test_json_prompt_can_be_encoded_whatever_the_task_holds():
    prompt = Renderer("json").prompt("x", "", "lone \ud800 surrogate")
    assert json.loads(prompt.encode())["task"] == "lone \ud800 surrogate"


@pytest.mark.parametrize("format_", FORMATS)
def test_nothing_to_say_renders_nothing(format_):
    renderer = Renderer(format_)
    assert renderer.block(EMPTY) == ""
    assert renderer.prompt("", "", "task \r\n") == "task \r\n"


@pytest.mark.parametrize("format_", ["markdown", "xml", "plain"])
def test_prompt_puts_preamble_then_block_then_the_task(format_, context):
    renderer = Renderer(format_)
    block = renderer.block(context)
    assert renderer.prompt("/fix now\n", block, "  Fix it\n") == f"/fix now\n\n{block}\n  Fix it\n"
    assert renderer.prompt("/fix now", block, "Fix it") == f"/fix now\n\n{block}\nFix it"
    assert renderer.prompt("", block, "Fix it") == f"{block}\nFix it"


@pytest.mark.parametrize("cut", ["You are x.\n", "You are x.\n\n\n", "/go\r\n"])
def test_preamble_cut_from_the_task_is_joined_again_as_it_was(cut):
    assert Renderer("markdown").prompt(cut, "", "Fix it") == f"{cut}Fix it"


def test_preamble_given_apart_stands_on_its_own_paragraph():
    assert Renderer("markdown").prompt("You are x.", "", "Fix it") == "You are x.\n\nFix it"


@pytest.mark.parametrize(
    ("changes", "note"),
    [
        ({"left_out": 1}, "1 more item was left out for length."),
        ({"left_out": 2}, "2 more items were left out for length."),
        ({"stale": True}, "The index is older than the working tree."),
        (
            {"low_coverage": True, "coverage": 0.314},
            "These items cover little of the task (coverage 0.31).",
        ),
        (
            {"low_coverage": True, "below_threshold": 1},
            "1 candidate stayed below the relevance threshold.",
        ),
    ],
)
def test_brief_says_what_is_missing_from_it(context, changes, note):
    marked = replace(context, **changes)
    assert f"\n{note}\n" in Renderer("markdown").block(marked)
    assert f"\n{note}\n" in Renderer("plain").block(marked)
    assert note in [element.text for element in ET.fromstring(Renderer("xml").block(marked)).iter("note")]
    assert note not in Renderer("markdown").block(context)


def test_candidates_below_the_threshold_are_no_news_while_coverage_is_good(context):
    assert "threshold" not in Renderer("markdown").block(replace(context, below_threshold=9))


def test_scores_leave_the_text_before_them_untouched(context):
    first, second = context.patterns
    rescored = replace(context, patterns=(first, replace(second, relevance=0.11)))
    before, after = (Renderer("markdown").block(each) for each in (context, rescored))
    assert before.partition("(relevance 0.50)")[0] == after.partition("(relevance 0.11)")[0]


def test_rule_that_nobody_counted_shows_no_count():
    block = Renderer("markdown").block(
        BlockContext(guidance=(GuidanceLine("rule", "A.", 0, "", "r.md", 1, 1),))
    )
    assert "- A.\n" in block


@pytest.mark.parametrize("format_", FORMATS)
def test_same_context_gives_the_same_bytes_under_any_hash_seed(format_, context, tmp_path):
    script = tmp_path / "render.py"
    script.write_text(
        "import pickle, sys\n"
        "from templates.render import Renderer\n"
        "context = pickle.loads(bytes.fromhex(sys.argv[2]))\n"
        "sys.stdout.buffer.write(Renderer(sys.argv[1]).block(context).encode())\n"
    )
    data = pickle.dumps(context).hex()
    outputs = {
        subprocess.run(
            [sys.executable, str(script), format_, data],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[2])},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert outputs == {Renderer(format_).block(context).encode()}


def test_unknown_format_names_the_allowed_ones():
    with pytest.raises(TemplateError, match=r"unknown format 'yaml'.*markdown, xml, plain, json"):
        Renderer("yaml")


def test_jinja_is_not_imported_before_there_is_something_to_render():
    script = (
        "import sys; from templates.render import Renderer; from templates.context import BlockContext;"
        "Renderer('markdown').prompt('', Renderer('markdown').block(BlockContext()), 'x');"
        "sys.exit('jinja2' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).parents[2], check=False)
    assert done.returncode == 0
