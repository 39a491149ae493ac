"""The preamble: what has to stay on top of a prompt, above the context block."""

from __future__ import annotations

import re

SEARCHED = 4_000  # characters at the top of a task in which a preamble is looked for


def split_preamble(task: str, given: str | None, pattern: str) -> tuple[str, str]:
    """Part a task from its preamble.

    Args:
        task: the task's text.
        given: a preamble that the caller wants on top; the task then stays whole.
        pattern: what to look for at the very beginning of the task when none is given; ``""`` for nothing.

    Returns:
        The preamble, with the blank lines after it, and the task without it.
    """
    if given is not None:
        return given, task
    match = re.match(pattern, task[:SEARCHED]) if pattern else None
    if match is None or match.end() >= len(task):
        return "", task
    return task[: match.end()], task[match.end() :]
