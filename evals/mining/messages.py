"""What a commit's message says: whether it is a task at all, and its text without what gives the answer away.

Removed are references (hashes, issues, links), names of files, trailers, and what tools add. What stays is
what a person who does not know the answer could have written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from evals.mining.reasons import Reason
from evals.mining.vocabulary import (
    AMBIGUOUS_SUFFIXES,
    DOCUMENTATION,
    FORMAT,
    GENERIC,
    LINTERS,
    PREFIXES,
    PRODUCTS,
    REFERRING,
    SMALL_TALK,
    TESTS,
)
from indexer.format_names import FORMATS
from indexer.languages import CODE_LANGUAGES
from knowledge.terms import STOP_WORDS, terms, words

MIN_TERMS = 3  # informative terms; with fewer, as in "Fix the bug", no reader knows what is meant either
MAX_ITEMS = 6  # of a list in the body: a squash merge lists every step that was taken, most of them detours
MAX_READ = 20_000  # characters looked at; whatever is behind them is no message of a person
MAX_NESTED = 2  # brackets around each other that references have left empty
MAX_LENGTH = 2_000  # characters; nobody writes a longer task, and the rest is mostly measurements and logs

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~).*$", re.MULTILINE)
_CONTINUED = re.compile(r"(?:…|\.\.\.)\s*\n\s*(?:…|\.\.\.)")  # where GitHub broke a subject that was too long
_TRAILER = re.compile(
    r"^[ \t>]*"
    r"(?:[A-Za-z-]+-(?:by|ids?|url|link|to|from|on|for|commit|issue|bug|pr)|cc|link|bug|signed off by)"
    r"[ \t]*:[ \t]",
    re.IGNORECASE,
)
_PICKED = re.compile(r"^[ \t]*\(?(?:cherry[- ]picked|backported|imported|ported) from\b", re.IGNORECASE)
_RULE = re.compile(r"^[ \t]*(?:[-=_*]{3,}|#{1,6} .*|[-*] \[[ xX]\] .*)$")
_SHORTCODE = re.compile(r"(?<!\S):[a-z0-9_+-]+:(?!\S)")
_PICTOGRAM = re.compile("[\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\ufe0f\U0001f000-\U0001faff]")
_URL = re.compile(r"<?\b(?:https?|ftp|git|ssh)://[^\s>\"')\]]+[>]?|\bwww\.[^\s>)\]]+")
_HASH = re.compile(r"\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b")
_NUMBERED = re.compile(
    r"\b[\w.-]{1,100}/[\w.-]{1,100}\#\d+\b | (?<![\w&])\#\d+\b"
    r" | \b(?:gh|pr|issue|bug|ticket|pull(?:[ ]request)?)[-\ \#]?\#?\d+\b",
    re.VERBOSE | re.IGNORECASE,
)
_LEAD = re.compile(  # "Fixes #12: what was wrong"
    r"^([ \t]*(?:[*+-][ \t]+)?)\[?(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?)[ \t:]+"
    r"(?:(?:[\w.-]{1,100}/[\w.-]{1,100})?(?:\#|gh-)\d+(?:[ \t,&]|and\b)*)+\]?[ \t:–-]*",
    re.IGNORECASE | re.MULTILINE,
)
_TICKET = re.compile(r"^\W{0,2}(?!(?:UTF|SHA|ISO|RFC|HTTP|MD|CVE|AES)-)[A-Z]{2,10}-\d+\W{0,2}[ \t]+")
_TAG = re.compile(  # of a branch, or what a reference has left
    r"^([ \t]*(?:[*+-][ \t]+)?)"
    r"\[(?:v?\d+(?:\.[\dx]+)*|(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?|refs?|see)?[ \t:,]*)\][ \t:]*",
    re.IGNORECASE | re.MULTILINE,
)
_EMPTY_PAIR = re.compile(  # not that of close() or a[]
    r"(?<![\w`])[\[(](?:fix(?:es|ed)?|close[sd]?|resolve[sd]?|refs?|see)?[\s,;:&]*[\])]", re.IGNORECASE
)
_GAP = "\0"  # where a file was named
_GAP_WITH_LEAD = re.compile(
    r"(?:\b(?:from|in|into|to|of|on|at|by|inside|within|and|or)[ \t]+)?"
    r"(?:`\0`|'\0'|\"\0\"|\0)(?:,(?=[ \t`'\"]*\0))?",
    re.IGNORECASE,
)
_BLANKS = re.compile(r"[ \t\u00a0]+")
_EDGES = re.compile(r"\A[\s:;,–—-]+|[\s:;,–—-]+\Z")
_GAPS = re.compile(r"\n{3,}")
_SPACE_BEFORE_MARK = re.compile(r"[ \t]+([,.;:!?)](?:\s|$))")
_DANGLING = re.compile(r"(?:(?<=\w)[,;:(] *)?\bsee(?: also)?[ .:]*$", re.IGNORECASE)
_PREFIX = re.compile(r"\[?([A-Za-z][\w/-]*)\]?(?:\(([^)\n]*)\))?!?:?[ \t]+")
_ITEM = re.compile(r"^[ \t]{0,3}[*+-][ \t]+")
_WORD = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)*")

_MERGE = re.compile(
    r"merged?\b.*\b(?:branch|pull request|pr|remote|tag|commit|upstream|into)\b", re.IGNORECASE
)
_REVERT = re.compile(
    r"\W*(?:revert(?:s|ed|ing)?|back(?:ed)? out|roll(?:ed)? ?back|un-?revert|reland|reapply)\b", re.IGNORECASE
)
_REVERTS = re.compile(r"\bthis (?:partially )?reverts (?:commit|merge|part|pr)\b", re.IGNORECASE)
_VERSION = r"v?\d+(?:\.(?:\d+|x))*(?:[-.+_]?(?:alpha|beta|rc|dev|snapshot|final|ga|m|pre|post|b|a)[-.]?\d*)?"
_RELEASE = re.compile(
    rf"""
    {_VERSION}(?:\s|$) | (?:\S+\ ){{1,2}}v?\d+\.\d+\.\d+\S*$ | \[?(?:maven-release-plugin|gradle\ release)
    | (?:prepar\w*|mark|start|begin|set|cut|tag|ship)\b.*\b(?:release|version|{_VERSION})\b
    | (?:releas(?:e|es|ing)|version)\b[\s:v]*(?:of\s+)?(?:\d|$|candidate|notes)
    | .*\b(?:bump|update|increase|raise|up|next|change|new)\w*\ (?:the\ )?(?:\w+\ ){{0,2}}version\b
    | version\ bump | .*\brelease\ notes\b
    | (?:bump|upgrad|updat|pin|unpin|downgrad)\w*\b.*\b(?:to|from)\ {_VERSION}\b
    | bump(?:s|ed|ing)?\b
    | (?:bump|upgrad|updat|pin|roll)\w*\b.*\b(?:dependenc(?:y|ies)|deps|lock\s?file)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_TOOL = re.compile(rf"(?<![\w/.-])(?:{'|'.join(sorted(LINTERS))})\b", re.IGNORECASE)
# What a subject is about that says so in a sentence, where it is about other things in the same words.
_CHORES = (
    (
        Reason.DOCUMENTATION,
        r"^document(?:s|ed|ing)?\b|\b(?:typos?|spelling|misspell\w*|misspelt|grammar|grammatical|wording)\b"
        r"|\b(?:copyright|licen[cs]e headers?)\b"
        r"|^(?:add|clarif|correct|expand|fix|improv|remov|updat)\w*\ (?:\S+\ ){0,3}"
        r"(?:documentation|docs?|docstrings?|comments?|javadocs?|kdocs?|readme|changelog)\b",
    ),
    (Reason.TESTS, r"\bflak(?:y|iness)\b|\b(?:in|of|for|from)\ (?:\S+\ ){0,2}tests?$"),
    (Reason.FORMAT, r"\btype ?hint(?:s|ing)?\b|\btypings?$"),
    (Reason.MERGE, r"\b(?:merge|resolv\w+|fix\w*) conflicts?\b"),
)
_TOLD = [(reason, re.compile(pattern, re.IGNORECASE)) for reason, pattern in _CHORES]
_BOT = re.compile(
    r"\[bot\]|\b(?:dependabot|renovate|greenkeeper|pre-commit-ci|github-actions|snyk-bot|pyup-bot"
    r"|allcontributors|imgbot|scala-steward|scala steward|styleci|bors|mergify|codecov|weblate|crowdin)\b"
    r"|-bot\b|\bbot@|^bot\b",
    re.IGNORECASE,
)


def kind_of(message: str, paths: Iterable[str] = ()) -> Reason | None:
    """Why a commit is no task, by what its message says of it; None if it may be one.

    Args:
        message: as written.
        paths: what it touched. A linter that they are named by is what the project is about.
    """
    message, named = message[:MAX_READ], " ".join(paths).lower()
    subject = _SHORTCODE.sub("", _PICTOGRAM.sub("", message.strip().partition("\n")[0])).strip()
    if _MERGE.match(subject):
        return Reason.MERGE
    if _REVERT.match(subject) or _REVERTS.search(message):
        return Reason.REVERT
    prefix = _PREFIX.match(subject)
    if prefix and (":" in prefix[0] or prefix[0].startswith("[")):
        return _kind_by_prefix(prefix) or _kind_by_subject(subject[prefix.end() :], named)
    return _kind_by_subject(subject, named)


def _kind_by_prefix(prefix: re.Match[str]) -> Reason | None:
    """By a subject's ``type(scope):``."""
    scope = (prefix[2] or "").lower()
    return Reason.RELEASE if scope.startswith(("deps", "release")) else PREFIXES.get(prefix[1].lower())


def _kind_by_subject(subject: str, paths: str) -> Reason | None:
    if _RELEASE.match(subject):
        return Reason.RELEASE
    for reason, pattern in _TOLD:
        if pattern.search(subject):
            return reason
    if any(tool.lower() not in paths for tool in _TOOL.findall(subject)):
        return Reason.FORMAT
    return _kind_by_words(subject)


def _kind_by_words(subject: str) -> Reason | None:
    """What a subject is about that is about nothing else."""
    said = {word.lower() for word in _WORD.findall(_without_references(subject))}
    said -= STOP_WORDS | GENERIC
    for vocabulary, reason in (
        (DOCUMENTATION, Reason.DOCUMENTATION),
        (TESTS, Reason.TESTS),
        (FORMAT, Reason.FORMAT),
        (DOCUMENTATION | TESTS | FORMAT, Reason.FORMAT),
    ):
        if said and said <= vocabulary:
            return reason
    return None


def by_bot(author: str) -> bool:
    """Whether a program has written a commit, by its author's name and address."""
    return bool(_BOT.search(author))


def task_of(message: str, paths: Iterable[str]) -> str:
    """The task that a message states, or ``""`` if it says too little.

    Args:
        message: as written.
        paths: what the commit touched; neither they nor their last parts may be named.
    """
    text = _cleaned(message, paths)
    return text if len(informative(text)) >= MIN_TERMS else ""


def informative(text: str) -> set[str]:
    """The terms of a text that tell what it is about."""
    return {term for term in terms(text) if not term.isdigit()} - _generic_terms()


def _cleaned(message: str, paths: Iterable[str]) -> str:
    text = message[:MAX_READ].replace("\r\n", "\n").replace("\r", "\n").replace(_GAP, "")
    text = _FENCE.sub("", _COMMENT.sub("", _CONTINUED.sub("", text)))
    subject, *body = text.strip("\n").split("\n")
    text = "\n".join([subject, *(line for line in body if not _is_added_by_tools(line))])
    text = _TICKET.sub("", _without_references(_LEAD.sub(r"\1", text)))
    text = _without_files(text, paths)
    text = _SHORTCODE.sub("", _PICTOGRAM.sub("", text))
    text = _TAG.sub(r"\1", text)
    for _ in range(MAX_NESTED):
        text = _EMPTY_PAIR.sub("", text)
    lines = (_tidied(line) for line in text.split("\n"))
    text = "\n".join(_bounded([line for line in lines if line is not None]))
    return _EDGES.sub("", _cut(_GAPS.sub("\n\n", text)))


def _is_added_by_tools(line: str) -> bool:
    return bool(_TRAILER.match(line) or _PICKED.match(line) or _RULE.match(line))


def _without_references(text: str) -> str:
    for pattern in (_URL, _NUMBERED, _HASH):
        text = pattern.sub("", text)
    return text


def _without_files(text: str, paths: Iterable[str]) -> str:
    """Without names of files: those that the commit touched, and all that look like one."""
    names = {name for path in paths for name in _names_of(path)}
    for name in sorted(names, key=lambda name: (-len(name), name)):
        if name in text:
            text = re.sub(rf"(?<![\w./-])(?:[\w.-]*/)*{re.escape(name)}(?![\w-])(?::\d+)*", _GAP, text)
    text = _file_pattern().sub(lambda found: found[0] if found[0].lower() in PRODUCTS else _GAP, text)
    return _GAP_WITH_LEAD.sub("", text)


def _names_of(path: str) -> Iterator[str]:
    """What a file can be called: its path, its last part, and the folders that it lies in."""
    folder, _, name = path.rpartition("/")
    yield path
    if "." in name:
        yield name
    while "/" in folder:  # one word alone may mean anything
        yield folder
        folder = folder.rpartition("/")[0]


@lru_cache(maxsize=1)
def _file_pattern() -> re.Pattern[str]:
    suffixes = chain.from_iterable(of.suffixes for of in (*CODE_LANGUAGES, *FORMATS))
    names = sorted({suffix[1:] for suffix in suffixes} - AMBIGUOUS_SUFFIXES)
    alternatives = "|".join(map(re.escape, names))
    return re.compile(
        rf"(?<![\w/.@+-])(?:\.{{0,2}}/)?(?:[\w.@+-]+/)*[\w@+-][\w.@+-]*\.(?:{alternatives})(?![\w(/-]|\.\w)(?::\d+)*",
        re.IGNORECASE,
    )


def _tidied(line: str) -> str | None:
    """A line after its references were taken out; None if it was there for them alone."""
    line = _SPACE_BEFORE_MARK.sub(r"\1", _BLANKS.sub(" ", line)).rstrip()
    line = _DANGLING.sub("", line).rstrip()
    said = _WORD.findall(line)
    if not line.strip():
        return ""
    if all(word.lower() in REFERRING for word in said):
        return None
    if _ITEM.match(line) and {word.lower() for word in said} <= SMALL_TALK | STOP_WORDS:
        return None
    return line


def _bounded(lines: Sequence[str]) -> Iterator[str]:
    """Of a list its first items that are no chores, and none that says what was said above."""
    said: set[tuple[str, ...]] = set()
    kept, skipping = 0, False
    for line in lines:
        mark = _ITEM.match(line)
        item = tuple(terms(line))
        if mark:
            chore = kind_of(line[mark.end() :]) is not None
            skipping = kept >= MAX_ITEMS or item in said or chore
            kept += not skipping
        elif not line.strip() or not line[0].isspace():
            skipping = False
        said.add(item)
        if not skipping:
            yield line


def _cut(text: str) -> str:
    if len(text) <= MAX_LENGTH:
        return text
    head = text[:MAX_LENGTH]
    return head[: max(head.rfind("\n"), head.rfind(" "), MAX_LENGTH // 2)].rstrip()


@lru_cache(maxsize=1)
def _generic_terms() -> frozenset[str]:
    return frozenset(chain.from_iterable(terms(word) for word in words(" ".join(sorted(GENERIC)))))
