"""A context to render."""

from __future__ import annotations

import pytest

from templates.context import BlockContext, GuidanceLine, PatternLine


@pytest.fixture
def context() -> BlockContext:
    return BlockContext(
        patterns=(
            PatternLine(
                "EventStream.close", "unit", 0.8249, "Close the stream and its reader.", "src/sse.py", 12, 40
            ),
            PatternLine("Streaming › Timeouts", "section", 0.5, "", "docs/sse.md", 3, 9),
        ),
        guidance=(
            GuidanceLine(
                "rule",
                "Every stream has an explicit timeout.",
                3,
                "high-priority",
                "knowledge/rules/t.md",
                1,
                9,
            ),
            GuidanceLine(
                "report", "A reader hung when the socket closed early.", 1, "", "knowledge/reports/r.md", 2, 5
            ),
        ),
    )
