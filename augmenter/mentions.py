"""Mentions: what a task names exactly, by traceback line, path or symbol.

Every pattern is linear in the text's length: none has two open repetitions that can share characters, and
what must not be given back is atomic. What a pattern cannot say is decided on the piece it found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from augmenter.frame_forms import Frame
from augmenter.frames import find_frames
from knowledge.terms import blank_unspaced


class MentionKind(StrEnum):
    """How a task mentions something, most telling first."""

    FRAME = "frame"  # a line of a traceback
    PATH = "path"
    QUOTED = "backticked"
    DOTTED = "dotted"
    CALL = "call"
    BARE = "identifier"  # an identifier that no prose word looks like
    ALIAS = "alias"  # not named by the task: what a nickname in it stands for (see `augmenter.glossary`)


@dataclass(frozen=True, slots=True)
class Mention:
    """One thing that a task names.

    Attributes:
        kind: how it is named.
        name: symbol, dotted or not; empty for a path.
        path: file, as the task spells it but with ``/`` between its parts; empty if none.
        line: in that file, or 0.
        in_code: whether it stands in a code block, where names are incidental more often.
        order: 0 for the first mention, 1 for the next …: prose before code, in each the most telling kind
            first, within a kind as in the text, but of frames the innermost first.
        depth: of a frame: 0 where it went wrong, 1 for the caller of that, 2 …; else 0.
        reason: why it is meant, where the task does not name it itself.
    """

    kind: MentionKind
    name: str = ""
    path: str = ""
    line: int = 0
    in_code: bool = False
    order: int = 0
    depth: int = 0
    reason: str = ""


MIN_WORD = 3  # letters that one part of an unquoted dotted name has; abbreviations have one or two
MAX_PATH = 300  # longer runs are no paths but encoded data

_NAME = r"(?:(?!\d)\w|\$)[\w$]*+"
_JOINT = r"(?:\.|::|\#)"
_ALONE = r"(?![@/]\w)"  # no part of an address or a path

_PATH_RUN = re.compile(r"[\w@+~./\\-]+")
_PATH_SIGNS = ".-+/\\~"  # end a sentence or a folder, not a file
_PATH_END = re.compile(
    rf"""
      (?: :(?P<colon>\d{{1,7}}) | \#L(?P<mark>\d{{1,7}}) | ["'`]?,?\ lines?\ (?P<word>\d{{1,7}}) )?
      (?: ::(?P<names>{_NAME}(?:::{_NAME})*) )?
    """,
    re.VERBOSE,
)
_TICKED = re.compile(r"(?<!`)(``?)(?!`)([^`\n]{1,200})\1(?!`)")
_DECLARES = re.compile(
    r"(?:(?:async|await|class|const|def|fn|func|function|interface|new|return|struct|type)[ ]+)*[.@&*]*"
)
_SYMBOL = re.compile(rf"(?![\d.])[\w$]+(?:{_JOINT}(?!\d)[\w$]+)*")
_DOTTED = re.compile(rf"(?<![\w.$/\\-])(?<!\w@)(?>{_NAME}(?:{_JOINT}{_NAME})+){_ALONE}")
_CALL = re.compile(rf"(?:(?<![\w.$])(?<!::)|(?<=[)\]]\.)){_NAME}(?=\((?!e?s\)))")  # not "file(s)"
_BARE = re.compile(
    rf"""(?<![\w.$])(?<!::)(?>
      _+[^\W\d_]\w* | (?!\d)\w+?_(?=[^\W_])\w+
    | [a-z]+[A-Z]\w* | [A-Z]+[a-z0-9]+[A-Z]\w* | [A-Z]{{2,}}[a-z]\w+
    )(?!\$|\.\w|::){_ALONE}""",
    re.VERBOSE,
)
_SUFFIXES = frozenset(
    "py pyi js jsx mjs cjs ts tsx mts cts go java kt scala rs c h cc cpp hpp cs rb php swift lua sh sql"  # noqa: SIM905
    " md mdx rst txt toml yaml yml json ini cfg html css vue svelte proto ipynb xml gradle adoc".split()
)
_PRODUCTS = frozenset(  # names of software that look like names of files
    "alpine.js angular.js backbone.js chart.js d3.js deno.js discord.js ember.js express.js moment.js nest.js"  # noqa: SIM905
    " next.js node.js nuxt.js p5.js react.js solid.js three.js vue.js".split()
)
_DOMAINS = frozenset({"com", "edu", "gov", "org"})  # other endings of domains are names in code as well
_RECEIVERS = ("cls.", "self.", "super.", "this.")  # say "of this class", which the name does not bear
_KEYWORDS = frozenset({"catch", "elif", "else", "except", "for", "func", "function", "if", "return"}) | {
    *("assert", "await", "in", "not", "and", "or", "switch", "while", "with", "yield", "lambda")
}


def find_mentions(prose: str, code: str) -> tuple[Mention, ...]:
    """Everything that prose and code blocks name, each thing once; for the order see `Mention`."""
    found: list[Mention] = []
    for text, in_code in ((prose, False), (code, True)):
        spaced = blank_unspaced(text)  # Chinese prose touches the identifiers it names
        frames, rest = find_frames(text)
        found += _frames(frames, in_code=in_code)
        found += _paths(rest, in_code=in_code)
        if not in_code:
            found += _ticked(text)
        for pattern, kind in (
            (_DOTTED, MentionKind.DOTTED),
            (_CALL, MentionKind.CALL),
            (_BARE, MentionKind.BARE),
        ):
            names = dict.fromkeys(pattern.findall(spaced))
            found += [_named(kind, name, in_code=in_code) for name in names if _is_telling(name)]
    return _once(found)


def _frames(frames: list[Frame], *, in_code: bool) -> list[Mention]:
    return [
        Mention(
            MentionKind.FRAME,
            _canonical(frame.name),
            _plain_path(frame.path),
            frame.line,
            in_code=in_code,
            depth=frame.depth,
        )
        for frame in frames
        if not frame.path.startswith("<")  # <stdin>, <string>, <frozen importlib._bootstrap>
    ]


def _paths(text: str, *, in_code: bool) -> list[Mention]:
    found: list[Mention] = []
    for start, run in _path_runs(text):
        path = run.rstrip(_PATH_SIGNS)
        if len(path) > MAX_PATH or not _is_file_name(path):
            continue
        end = _PATH_END.match(text, start + len(path))
        if end is None or text.startswith("(", end.end()):  # `shell.go(` is a call
            continue
        line = int(end["colon"] or end["mark"] or end["word"] or 0)
        if line or path.lower() not in _PRODUCTS:
            plain = _plain_path(path.lstrip("-+"))
            found.append(Mention(MentionKind.PATH, path=plain, line=line, in_code=in_code))
        if end["names"]:  # as pytest names a test: tests/test_x.py::TestX::test_y
            found.append(Mention(MentionKind.DOTTED, _canonical(end["names"]), in_code=in_code))
    return found


def _plain_path(path: str) -> str:
    """A path with ``/`` between its parts, without a leading ``./``."""
    return path.replace("\\", "/").removeprefix("./")


def _path_runs(text: str) -> Iterator[tuple[int, str]]:
    """Runs of path characters; within prose of a script without spaces, the runs of other scripts."""
    for match in _PATH_RUN.finditer(text):
        if "." not in match[0]:
            continue  # most words: a file that can be told from a word has a suffix
        if match[0].isascii() or _is_file_name(match[0].rstrip(_PATH_SIGNS)):
            yield match.start(), match[0]
        else:
            for inner in _PATH_RUN.finditer(blank_unspaced(match[0])):
                yield match.start() + inner.start(), inner[0]


def _ticked(text: str) -> list[Mention]:
    ticked: list[Mention] = []
    for quoted in dict.fromkeys(match[2] for match in _TICKED.finditer(text)):
        inner = re.split(r"[(<\[{]", quoted.strip().replace("->", "."), maxsplit=1)[0].strip()
        inner = inner[_lead(inner) :]
        if _SYMBOL.fullmatch(inner) and _is_symbol(inner):
            ticked.append(Mention(MentionKind.QUOTED, name=_canonical(inner)))
    return ticked


def _lead(inner: str) -> int:
    """Where a name begins after what declares it or points at it."""
    match = _DECLARES.match(inner)
    return match.end() if match else 0


def _named(kind: MentionKind, name: str, *, in_code: bool) -> Mention:
    plain = _canonical(name)
    if kind is MentionKind.DOTTED and "." not in plain:
        kind = MentionKind.BARE  # ``self.name`` says no more than ``name``
    return Mention(kind, plain, in_code=in_code)


def _is_telling(name: str) -> bool:
    """Whether an unquoted name is worth a look: no keyword, abbreviation (``i.e.``), version (``v1.x``)."""
    if name.isidentifier():  # most names, and none that has a joint
        return name not in _KEYWORDS
    parts = re.split(_JOINT, name)
    if len(parts) == 1:
        return name not in _KEYWORDS
    return max(map(len, parts)) >= MIN_WORD and _is_symbol(name)


def _is_symbol(name: str) -> bool:
    """Whether a dotted name is one of code: no file, no domain."""
    if name.startswith(_RECEIVERS):
        return True
    is_domain = name.rpartition(".")[2].lower() in _DOMAINS or name.startswith("www.")
    return not (is_domain or _is_file_name(name))


def _is_file_name(text: str) -> bool:
    stem, _, suffix = text.rpartition(".")
    return suffix.lower() in _SUFFIXES and stem.rstrip(".") != "" and stem[-1] not in "/\\"


def _canonical(name: str) -> str:
    name = name.replace("::", ".").replace("#", ".")
    if "." in name:
        for receiver in _RECEIVERS:
            name = name.removeprefix(receiver)
    return name


def _once(mentions: list[Mention]) -> tuple[Mention, ...]:
    """Each thing once, in its most telling form, numbered in order."""
    rank = {kind: number for number, kind in enumerate(MentionKind)}
    best: dict[tuple[str, str, int], Mention] = {}
    for mention in mentions:
        key = (mention.name.lower(), mention.path, mention.line)
        held = best.get(key)
        if held is None or (mention.in_code, rank[mention.kind]) < (held.in_code, rank[held.kind]):
            best[key] = mention
    return tuple(replace(mention, order=number) for number, mention in enumerate(best.values()))
