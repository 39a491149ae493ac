"""Which tasks documents answer."""

from __future__ import annotations

import pytest

from augmenter.explanation import asks_for_explanation
from augmenter.task import understand

ASKING = """
How do I add a management command?
Why does the pool keep idle connections?
Document the retry settings
Update the README for the new release
What is the convention for naming migrations?
"""
DOING = """
Fix the SSE streaming timeout
Add support for HTTP/2 trailers
DocumentList.close raises AttributeError
QuerySet.values() drops the GROUP BY
"""


@pytest.mark.parametrize("text", ASKING.strip().splitlines())
def test_questions_and_work_on_documents_ask(text):
    assert asks_for_explanation(understand(text, 10_000))


@pytest.mark.parametrize("text", DOING.strip().splitlines())
def test_work_on_code_does_not(text):
    assert not asks_for_explanation(understand(text, 10_000))
