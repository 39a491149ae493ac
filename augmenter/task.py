"""Understanding a task: its title, prose and code, and everything it mentions by name.

All patterns are linear in the text's length, so that a task of any size is understood in bounded time.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from enum import StrEnum

from augmenter.environment_dump import without_environment
from augmenter.frames import CUT, is_location_of, is_of_traceback
from augmenter.mentions import Mention, MentionKind, find_mentions
from knowledge.hygiene import purified_task

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


_REDACTED = re.compile(r"\[redacted:[\w-]+\]")
_URL = re.compile(r"\bhttps?://[^\s)>\]\"']+")
# A link to a line of a file on a forge (GitHub, GitLab, Gitea …) names the file.
_FILE_LINK = re.compile(
    r"https?://[^/]+/.+?/(?:blob|blame|raw|src)/(?:branch/|commit/)?[^/]+/(?P<path>[^?#\s]+)(?P<line>#L\d+)?"
)
# A place in a file that a development server serves, as browsers' tracebacks have it.
_SERVED = re.compile(r"https?://[^/]+(?P<path>/[^?#\s]*\.\w+)(?:\?[^:\s]*+)?(?P<place>:\d+:\d+)$")
_FENCE = re.compile(r"^[ \t]{0,3}(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})(?P<end>[ \t]*$)?", re.MULTILINE)
_COMMENT_MARK = re.compile(f"<!--|-->|{_FENCE.pattern}", re.MULTILINE)
_CODE_LINE = re.compile(r"^(?: {4,}|\t|>>> |\.\.\. )")
_INTENT_SIGNS: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    (
        Intent.TROUBLESHOOTING,
        re.compile(
            r"\b(traceback|exception|error|errors|fail(?:s|ed|ing|ure)?|bug|crash\w*|broken|regression|wrong|"
            r"incorrect\w*|unexpected\w*|doesn['’]t|does not|fix(?:es|ed|ing)?|"
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
    pure = _REDACTED.sub(" ", purified_task(_bounded(text, limit)).text)  # a secret is nothing to search for
    clean = pure.replace("\r\n", "\n").replace("\r", "\n")
    prose, code = _separate(textwrap.dedent(without_environment(_uncommented(clean))))
    prose, code = _URL.sub(_linked_file, prose), _URL.sub(_linked_file, code)
    mentions = find_mentions(prose, code)
    title, _, rest = prose.strip().partition("\n")
    return Task(title.strip(" #*\t"), rest, code, mentions, _intent(title, rest, mentions))


def _bounded(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    head = int(limit * HEAD_SHARE)
    return f"{text[:head]}\n{text[-(limit - head) :]}"


def _uncommented(text: str) -> str:
    """A text without its HTML comments (issue templates are full of them), but for those in fenced code."""
    kept: list[str] = []
    done, fence, opened = 0, "", -1
    for mark in _COMMENT_MARK.finditer(text):
        if opened >= 0:
            if mark[0] == "-->":
                kept += (text[done:opened], " ")
                done, opened = mark.end(), -1
        elif fence:
            fence = "" if _closes(mark, fence) else fence
        elif mark["fence"]:
            fence = mark["fence"]
        elif mark[0] == "<!--":
            opened = mark.start()
    return "".join((*kept, text[done:]))  # a comment that never ends is text


def _closes(mark: re.Match[str], fence: str) -> bool:
    """Whether a mark ends a fence: as long at least, of the same sign, with nothing behind (CommonMark)."""
    return mark["end"] is not None and mark["fence"].startswith(fence)


def _linked_file(link: re.Match[str]) -> str:
    """What of a link is worth reading: the file and line on a forge or a server, else nothing."""
    served = _SERVED.match(link[0])
    if served:
        return served["path"] + served["place"]
    file = _FILE_LINK.match(link[0])
    return f" {file['path']}{file['line'] or ''} " if file else " "


def _separate(text: str) -> tuple[str, str]:
    """Prose and code: fenced blocks, prompts, indented lines and tracebacks are code."""
    prose: list[str] = []
    code: list[str] = []
    fence = ""
    cut = False  # whether something was left out of the code after its last line
    lines = text.split("\n")
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        mark = _FENCE.match(line)
        if fence and mark and _closes(mark, fence):
            fence = ""
        elif mark and not fence:
            fence = mark["fence"]
        elif fence or _is_code(line, following):
            code += [CUT, line] if cut and code else [line]
            cut = False
            continue
        else:
            prose.append(line)
        cut = True
    return "\n".join(prose), "\n".join(code)


def _is_code(line: str, following: str) -> bool:
    return bool(_CODE_LINE.match(line)) or is_location_of(following) or is_of_traceback(line)


def _intent(title: str, rest: str, mentions: tuple[Mention, ...]) -> Intent:
    for text in (title, rest):
        for intent, sign in _INTENT_SIGNS:
            if sign.search(text):
                return intent
    if any(mention.kind is MentionKind.FRAME for mention in mentions):
        return Intent.TROUBLESHOOTING
    return Intent.SYNTHESIS
