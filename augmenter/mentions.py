"""Mentions: what a task names exactly, by traceback line, path or symbol."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class MentionKind(StrEnum):
    """How a task mentions something, most telling first."""

    FRAME = "frame"  # a line of a traceback
    PATH = "path"
    QUOTED = "backticked"
    DOTTED = "dotted"
    CALL = "call"
    BARE = "identifier"  # an identifier that no prose word looks like


@dataclass(frozen=True, slots=True)
class Mention:
    """One thing that a task names.

    Attributes:
        kind: how it is named.
        name: symbol, dotted or not; empty for a path.
        path: file, as the task spells it; empty if none.
        line: in that file, or 0.
        in_code: whether it stands in a code block, where names are incidental more often.
        order: 0 for the first mention in the text, 1 for the next …
    """

    kind: MentionKind
    name: str = ""
    path: str = ""
    line: int = 0
    in_code: bool = False
    order: int = 0


FRAME = re.compile(
    r"""
      ^\s*File\ "(?P<py_path>[^"\n]+)",\ line\ (?P<py_line>\d+)(?:,\ in\ (?P<py_name>[\w.<>]+))?
    | ^\s*at\ (?P<java_name>[\w$.]+(?:\.<init>)?)
      \((?P<java_path>[\w$]+\.(?:java|kt|scala|groovy)):(?P<java_line>\d+)\)
    | ^\s*at\ (?:async\ )?(?:(?P<js_name>[\w$.<>]+)(?:\ \[as\ [\w$]+\])?\ \()?
      (?P<js_path>[^\s():]+\.\w+):(?P<js_line>\d+)(?::\d+)?\)?
    | ^\s*(?P<go_path>[^\s:]+\.go):(?P<go_line>\d+)
    | ^\s*(?:-->\s|at\s)?(?P<rs_path>[^\s:]+\.rs):(?P<rs_line>\d+):\d+
    """,
    re.VERBOSE | re.MULTILINE,
)
_PATH = re.compile(
    r"(?<![\w/.@-])(?:[\w@.+-]{1,100}/){0,20}[\w@+.-]{1,100}\.[A-Za-z]\w{0,9}(?::(\d{1,7}))?(?![\w/(])"
)
_TICKED = re.compile(r"(?<!`)`([^`\n]{1,200})`(?!`)")
_NAME = r"[A-Za-z_$][\w$]*"
_DOTTED = re.compile(rf"(?<![\w.$/@-]){_NAME}(?:(?:\.|::|\#){_NAME})+")
_CALL = re.compile(rf"(?<![\w.$]){_NAME}(?=\()")
_BARE = re.compile(
    r"(?<![\w.$])(?:_+[A-Za-z]\w*|[A-Za-z]\w*_\w+|[a-z]+[A-Z]\w*|[A-Z]+[a-z0-9]+[A-Z]\w*|[A-Z]{2,}[a-z]\w+)(?![\w.$])"
)
_SYMBOL = re.compile(rf"^{_NAME}(?:(?:\.|::|\#){_NAME})*$")
_SUFFIXES = frozenset(
    "py pyi js jsx mjs cjs ts tsx mts cts go java kt scala rs c h cc cpp hpp cs rb php swift lua sh sql"  # noqa: SIM905
    " md mdx rst txt toml yaml yml json ini cfg html css vue svelte proto ipynb xml gradle adoc".split()
)


def find_mentions(prose: str, code: str) -> tuple[Mention, ...]:
    """Everything that prose and code blocks name, each thing once, in order."""
    found: list[Mention] = []
    for text, in_code in ((prose, False), (code, True)):
        found += _frames(text, in_code=in_code)
        found += _paths(text, in_code=in_code)
        if not in_code:
            found += _ticked(text)
        for pattern, kind in (
            (_DOTTED, MentionKind.DOTTED),
            (_CALL, MentionKind.CALL),
            (_BARE, MentionKind.BARE),
        ):
            found += [
                Mention(kind, name=_canonical(match[0]), in_code=in_code)
                for match in pattern.finditer(text)
                if not _is_file_name(match[0])
            ]
    return _once(found)


def _frames(text: str, *, in_code: bool) -> list[Mention]:
    frames: list[Mention] = []
    for match in FRAME.finditer(text):
        groups = {key.split("_")[1]: value for key, value in match.groupdict().items() if value}
        name = groups.get("name", "").replace(".<init>", "").strip("<>")
        frames.append(
            Mention(MentionKind.FRAME, _canonical(name), groups["path"], int(groups["line"]), in_code=in_code)
        )
    return frames


def _paths(text: str, *, in_code: bool) -> list[Mention]:
    return [
        Mention(
            MentionKind.PATH,
            path=match[0].split(":")[0].removeprefix("./"),
            line=int(match[1] or 0),
            in_code=in_code,
        )
        for match in _PATH.finditer(text)
        if _is_file_name(match[0].split(":")[0])
    ]


def _ticked(text: str) -> list[Mention]:
    ticked: list[Mention] = []
    for match in _TICKED.finditer(text):
        inner = match[1].strip().split("(")[0].strip()
        if _SYMBOL.match(inner) and not _is_file_name(inner):
            ticked.append(Mention(MentionKind.QUOTED, name=_canonical(inner)))
    return ticked


def _is_file_name(text: str) -> bool:
    return text.rpartition(".")[2].lower() in _SUFFIXES and "." in text.strip(".")


def _canonical(name: str) -> str:
    return name.replace("::", ".").replace("#", ".")


def _once(mentions: list[Mention]) -> tuple[Mention, ...]:
    """Each thing once, in its most telling form, numbered in order."""
    rank = {kind: number for number, kind in enumerate(MentionKind)}
    best: dict[tuple[str, str, int], Mention] = {}
    for mention in mentions:
        key = (mention.name.lower(), mention.path, mention.line)
        held = best.get(key)
        if held is None or (mention.in_code, rank[mention.kind]) < (held.in_code, rank[held.kind]):
            best[key] = mention
    return tuple(
        Mention(m.kind, m.name, m.path, m.line, m.in_code, number) for number, m in enumerate(best.values())
    )
