"""What an index of another version, or a foreign one, may hold is taken out once more when it is shown."""

from __future__ import annotations

from dataclasses import replace

import pytest
from secret_samples import SAMPLES

from evals.secrets import leftovers
from templates.context import BlockContext, GuidanceLine, PatternLine
from templates.render import FORMATS, Renderer

TOKEN = SAMPLES["stripe-key"][0]
HIDDEN = "\u202e\u200b\U000e0041\x1b[31m"
PATTERN = PatternLine("connect", "unit", 0.8, "Open it.", "src/a.py", 1, 9)
RULE = GuidanceLine("rule", "Close what you open.", 3, "high-priority", "knowledge/rules/t.md", 1, 9)


@pytest.mark.parametrize("style", FORMATS)
@pytest.mark.parametrize("field", ["name", "description", "path"])
def test_pattern_shows_neither_secret_nor_hidden_character(style, field):
    item = replace(PATTERN, **{field: f"a{HIDDEN} {TOKEN[:9]}\u200b{TOKEN[9:]}"})
    block = Renderer(style).block(BlockContext(patterns=(item,)))
    assert leftovers(TOKEN, block) == []
    assert not any(char in block for char in HIDDEN if char != "[" and not char.isalnum())
    assert "redacted:stripe-key" in block


@pytest.mark.parametrize("style", FORMATS)
def test_rule_shows_no_secret(style):
    block = Renderer(style).block(BlockContext(guidance=(replace(RULE, statement=f"Use {TOKEN}"),)))
    assert leftovers(TOKEN, block) == []
