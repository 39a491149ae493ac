"""Whether a task asks for an explanation, so that documents may fill its brief."""

from __future__ import annotations

import re

from augmenter.task import Intent, Task

_INTENTS = frozenset({Intent.RATIONALE, Intent.POLICY, Intent.HISTORY})
# "Document the cache" and "fix the docs" are about documents; "how do I …" is answered by them.
_ASKED = re.compile(
    r"\b(?:how (?:to|do|does|can|should|is|are)|what (?:is|are|does|happens)|explain\w*|describe[sd]?"
    r"|docs?|document(?:s|ed|ing|ation)?|docstrings?|readme|guides?|manual|tutorials?|runbooks?|changelog)\b",
    re.IGNORECASE,
)


def asks_for_explanation(task: Task) -> bool:
    """Whether a task is about documents, or is a question that documents answer, by intent and title."""
    return task.intent in _INTENTS or bool(_ASKED.search(task.title))
