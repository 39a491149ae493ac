"""Understanding a task: its title, prose and code, and everything it mentions by name.

All patterns are linear in the text's length, so that a task of any size is understood in bounded time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from augmenter.mentions import FRAME, Mention, find_mentions
from knowledge.hygiene import clean_text

HEAD_SHARE = 0.75  # of a task that is too long, this share of the limit is its beginning, the rest its end


class Intent(StrEnum):
    """What a task wants."""

    EXACT_LOOKUP = "exact-lookup"
    PROCEDURE = "procedure"
    TROUBLESHOOTING = "troubleshooting"
    RATIONALE = "architecture-rationale"
    POLICY = "policy"
    HISTORY = "history"
    SYNTHESIS = "synthesis"


@dataclass(frozen=True, slots=True)
class Task:
    """A task's text, taken apart.

    Attributes:
        title: its first line of prose.
        prose: the rest of the prose.
        code: code blocks and tracebacks.
        mentions: what it names, in order, each once.
        intent: what it wants.
    """

    title: str
    prose: str
    code: str
    mentions: tuple[Mention, ...]
    intent: Intent


_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_URL = re.compile(r"\bhttps?://[^\s)>\]\"']+")
_FENCE = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})")
_CODE_LINE = re.compile(r"^(?: {4,}|\t|>>> |\.\.\. )")
_INTENT_SIGNS: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    (
        Intent.TROUBLESHOOTING,
        re.compile(
            r"\b(traceback|exception|error|errors|fail(?:s|ed|ing|ure)?|bug|crash\w*|broken|regression|wrong|"
            r"incorrect\w*|unexpected\w*|doesn't|does not|fix(?:es|ed|ing)?|"
            r"hang(?:s|ing)?|leak\w*|timeouts?)\b",
            re.I,
        ),
    ),
    (
        Intent.RATIONALE,
        re.compile(r"\b(why|rationale|decision|trade-?offs?|design choice|architecture)\b", re.I),
    ),
    (
        Intent.HISTORY,
        re.compile(r"\b(when was|who changed|history of|since which|changelog|release notes)\b", re.I),
    ),
    (
        Intent.POLICY,
        re.compile(r"\b(policy|policies|must we|are we allowed|guidelines?|conventions?)\b", re.I),
    ),
    (
        Intent.EXACT_LOOKUP,
        re.compile(r"\b(where is|find the (?:definition|function|class)|locate|look ?up)\b", re.I),
    ),
    (
        Intent.PROCEDURE,
        re.compile(
            r"\b(how (?:to|do)|add|implement|create|support|write|migrate|upgrade|set ?up|install)\b", re.I
        ),
    ),
)


def understand(text: str, limit: int) -> Task:
    """Take a task apart.

    Args:
        text: the task as it came.
        limit: of a longer text only so many characters are read: its beginning and its end.
    """
    clean = _COMMENT.sub(" ", clean_text(_bounded(text, limit)).text.replace("\r\n", "\n"))
    prose_lines, code_lines = _separate(clean)
    prose, code = "\n".join(prose_lines), "\n".join(code_lines)
    mentions = find_mentions(_URL.sub(" ", prose), _URL.sub(" ", code))
    prose = _URL.sub(" ", prose)
    title, _, rest = prose.strip().partition("\n")
    return Task(title.strip(" #*\t"), rest, code, mentions, _intent(title, rest))


def _bounded(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    head = int(limit * HEAD_SHARE)
    return f"{text[:head]}\n{text[-(limit - head) :]}"


def _separate(text: str) -> tuple[list[str], list[str]]:
    """Prose lines and code lines: fenced blocks, prompts, indented lines and tracebacks are code."""
    prose: list[str] = []
    code: list[str] = []
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence):
                fence = ""
            else:
                code.append(line)
        elif mark:
            fence = mark[1]
        elif _CODE_LINE.match(line) or (line[:1] in " \tF" and FRAME.match(line)):
            code.append(line)
        else:
            prose.append(line)
    return prose, code


def _intent(title: str, rest: str) -> Intent:
    for text in (title, rest):
        for intent, sign in _INTENT_SIGNS:
            if sign.search(text):
                return intent
    return Intent.SYNTHESIS
