"""What a commit's message says: without what tools and conventions add, and without what says nothing.

A merge stands for all that it merged. GitHub puts the pull request's title below ``Merge pull request #12``;
elsewhere the merged commits' subjects have to do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.hygiene import one_line, purify
from knowledge.terms import terms

MAX_SUBJECT = 120  # characters that are kept to be shown
MAX_TEXT = 4_000  # characters that are searched, of which the terms are kept …
MAX_TERMS = 63  # … up to so many: a message of more tells a story

_MERGE = re.compile(
    r"^(?:Merge|Merged) (?:pull request|branch(?:es)?|remote-tracking branch|tag|commit|PR|in) .*$", re.I
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|^[ \t]*[-*] \[[ xX]\] .*?$", re.DOTALL | re.M)  # and check lists
_TRAILER = re.compile(
    r"^[ \t]*(?:signed-off|co-authored|co-developed|reviewed|acked|tested|reported|suggested|approved|helped)"
    r"-by ?:[^\n]*$"
    r"|^[ \t]*(?:change-id|reviewed-on|differential revision|cc|pr-url|git-svn-id|conflicts)"
    r" ?:[^\n]*$|^[ \t]*see merge request [^\n]*$"
    r"|^[ \t]*\(cherry picked from commit [^\n]*$|^[ \t]*Backport of [^\n]*$",
    re.I | re.M,
)
_MARKS = re.compile(
    r"https?://\S+"
    r"|\(?(?:GH-|(?<![\w.-])[\w.-]{1,39}/[\w.-]{1,100})?#\d+\)?"
    r"|\b(?=[a-f]*\d)[0-9a-f]{7,64}\b"
    r"|\[skip ci\]|\[ci skip\]",
    re.I,
)
# What follows a number of an issue at the top, as in django: "Fixed #123 -- Added …".
_LEADING = re.compile(r"^(?:(?:fixe[sd]|refs?|closes?|resolves?|bug|issue)[\s,:-]*)+(?:--\s*)", re.I)
# What is left of "Closes #12, see also #13".
_ONLY_REFERS = re.compile(
    r"^(?:(?:fix(?:e[sd])?|close[sd]?|refs?|resolve[sd]?|see|also|part of|related to|issue|bug|and)\b"
    r"|[\W_])*$",
    re.I,
)
_SAYS_NOTHING = re.compile(
    r"^(?:"
    r"bump(?:ed|s|ing)?\b.*(?:\bto\b|version|release|\bfrom\b).*"
    r"|(?:chore|build|ci|fix)\(deps(?:-dev)?\).*"
    r"|(?:update|upgrade) (?:dependency|dependencies|submodules?)\b.*|.*pre-commit (?:auto)?update.*"
    r"|(?:chore:? )?(?:pre-?)?(?:release|version)s?:?(?: of| for| version)? ?v?\d[\w.+-]*"
    r"|v?\d+\.\d+[\w.+-]*"
    r"|(?:prepare|preparing|post|start|back to|begin)\b.* (?:release|development)\b.*"
    r"|initial (?:commit|import)|wip|fixup!.*|squash!.*|\.+|-+"
    r")$",
    re.I,
)
_BOT = re.compile(r"\[bot\]$|^(?:dependabot|renovate|greenkeeper|pre-commit-ci|github-actions)\b", re.I)


@dataclass(frozen=True, slots=True)
class Message:
    """What a commit says.

    Attributes:
        subject: its first line, purified.
        terms: of all that it says; none when it says nothing.
    """

    subject: str = ""
    terms: tuple[str, ...] = ()


def read_message(message: str, author: str = "", merged: Sequence[str] = ()) -> Message:
    """What a commit's message says.

    Args:
        message: as written.
        author: who wrote it; what robots write says nothing.
        merged: subjects of the commits that it merged.
    """
    if _BOT.search(author):
        return Message()
    text = _COMMENT.sub("", purify(message).text[:MAX_TEXT])
    lines = _TRAILER.sub("", text).split("\n")
    lines += purify("\n".join(merged)).text.split("\n")
    said = [line for line in dict.fromkeys(map(_cleaned, lines)) if line]  # a merge repeats what it merged
    if not said or _SAYS_NOTHING.match(said[0]):
        return Message()
    return Message(one_line(said[0], MAX_SUBJECT), tuple(terms("\n".join(said))[:MAX_TERMS]))


def _cleaned(line: str) -> str:
    if _MERGE.match(line):
        return ""
    left = _LEADING.sub("", " ".join(_MARKS.sub(" ", line).split())).strip()
    return "" if _ONLY_REFERS.match(left) else left
