"""Reading tracebacks: functions' names, which lines belong together, and how deep each lies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from augmenter import frame_names
from augmenter.frame_forms import Frame


@dataclass(frozen=True, slots=True)
class _Found:
    """A frame, and where and how it was found."""

    frame: Frame
    form: str
    start: int
    end: int


_FAMILIES = {  # forms that occur in one traceback
    **dict.fromkeys(("py", "ipython", "pdb", "pytest"), "python"),
    **dict.fromkeys(("java", "jvm"), "jvm"),
    **dict.fromkeys(("js", "bare", "vitest", "gecko"), "script"),
    **dict.fromkeys(("php", "phpin"), "php"),
    **dict.fromkeys(("gdb", "san", "grind", "linux", "apple"), "native"),
}
_LONE = frozenset({"build", "ub", "assert", "swift"})  # forms of which each line stands for itself
_MAX_LINE = 1_000  # characters of a line that names a function
_MAX_HEADING = 80  # characters in which a traceback says in which order it is
_MAX_GAP = 4_000  # characters between two frames of one traceback: pytest shows whole functions there
# A line between two frames after which another traceback begins …
_BEGINS_PYTHON = re.compile(
    r"^[ \t|+>-]*+"
    r"(?:Traceback \(most|Exception Group Traceback|During handling|The above exception|_{3,}|={3,})",
    re.MULTILINE,
)
_BEGINS_GO = re.compile(r"^(?:goroutine \d|\f|[ \t]*$)", re.MULTILINE)
# … in other languages: one that is not indented and does not belong to the frames, or one that says so.
_BEGINS = re.compile(
    r"^(?:(?![ \t|>]|$|at |from |\.\.\. |--- End of stack|Stack trace:|stack backtrace:|#?\d+[:. ]|=+\d)"
    r"|[ \t|>]*+(?:\[cause\]|Caused by|Suppressed:|--- End of inner))",
    re.MULTILINE,
)
_INNERMOST_LAST = re.compile(r"most recent call last\)[^\n]*\n[ \t]*$")
# The line above a location: main.run(0xc00), acme/web.(*Context).Next(…), created by main.run in goroutine 1
_ABOVE_GO = re.compile(
    r"[ \t]*+(?:created by )?(?:[^\s()/]*+/)*+"
    r"(?P<name>[\w%-]++\.[\w.%\[\]-]*+(?:\(\*?[\w.\[\]]++\)\.[\w.\[\]-]++)?)"
    r"(?:\([^\n]*\))?(?: in goroutine \d+)?[ \t]*$"
)
_ABOVE_RUST = re.compile(r"[ \t]*+\d+:[ \t]++(?:0x[0-9a-f]++ - )?(?P<name>[^\n]{1,400})")


def read_frames(text: str, matches: Sequence[re.Match[str]]) -> tuple[list[Frame], str]:
    """What `augmenter.frames.find_frames` gives of the matches in a text, of which there must be one."""
    found = [_found(match) for match in matches]
    frames = [frame for group in _groups(text, found) for frame in _with_depths(text, group)]
    places: dict[tuple[str, int], Frame] = {}
    for frame in sorted(frames, key=lambda one: one.depth):
        held = places.setdefault((frame.path, frame.line), frame)
        if frame.name:  # what is written in C has the place of its caller, in Ruby
            places[frame.path, frame.line] = replace(held, name=frame.name)
    return list(places.values()), _without(text, found)


def _found(match: re.Match[str]) -> _Found:
    form = (match.lastgroup or "").partition("_")[0]
    path, line = match[f"{form}_path"], int(match[f"{form}_line"])
    reader = frame_names.READERS.get(form)
    name = _name(match, form)
    if _FAMILIES.get(form) == "jvm":
        path = "/".join([*name.split(".")[:-2], path])
    elif _FAMILIES.get(form) == "script":
        path = _script_path(path)
    return _Found(Frame(path, line, reader(name) if reader else ""), form, *match.span())


def _name(match: re.Match[str], form: str) -> str:
    """The function's name as it stands there: in the line, or in the one above."""
    if form == "go":
        above = _ABOVE_GO.match(_line_above(match))
        return above["name"] if above else ""
    named: str = match.groupdict().get(f"{form}_name") or ""
    if form == "rust":
        above = _ABOVE_RUST.match(_line_above(match))
        return above["name"] if above else named if "::" in named else ""  # a test's thread bears its name
    return named


def _line_above(match: re.Match[str]) -> str:
    text, end = match.string, match.start() - 1
    return text[max(text.rfind("\n", 0, end), end - _MAX_LINE) + 1 : end] if end > 0 else ""


def _script_path(path: str) -> str:
    """Without scheme, host and query: ``webpack:///./src/car.ts?1f`` → /./src/car.ts."""
    plain = path.rpartition(" (")[2]  # at eval (eval at open (/app/car.js
    scheme, joint, rest = plain.rpartition("://")
    if scheme.startswith("http"):
        rest = rest.partition("/")[2]
    return (rest if joint else plain).partition("?")[0]


def _groups(text: str, found: list[_Found]) -> Iterator[list[_Found]]:
    """The frames of one traceback after the other."""
    group = [found[0]]
    for before, one in pairwise(found):
        if not _continues(text, before, one):
            yield group
            group = []
        group.append(one)
    yield group


def _continues(text: str, before: _Found, one: _Found) -> bool:
    """Whether two frames that follow each other are of one traceback."""
    family = _FAMILIES.get(one.form, one.form)
    if family != _FAMILIES.get(before.form, before.form) or one.form in _LONE:
        return False
    if one.start - before.end > _MAX_GAP:
        return False
    begins = _BEGINS_PYTHON if family == "python" else _BEGINS_GO if family == "go" else _BEGINS
    between = text.find("\n", before.end, one.start)  # the rest of a frame's own line does not count
    gap = text[between + 1 : one.start] if between >= 0 else ""
    return not gap or not begins.search(gap.removesuffix("\n"))


def _with_depths(text: str, group: list[_Found]) -> list[Frame]:
    """The frames of one traceback with their depths, in the order of the text."""
    frames = [one.frame for one in group]
    first = group[0]
    nearest = 0
    if _FAMILIES.get(first.form) == "php":  # each line names what was called there, not what it lies in
        callers = [*(frame.name for frame in frames[1:]), ""]
        frames = [replace(frame, name=name) for frame, name in zip(frames, callers, strict=True)]
        nearest = int(first.form == "php")
    is_python = _FAMILIES.get(first.form) == "python"
    before = text[max(0, first.start - _MAX_HEADING) : first.start]
    if is_python or _INNERMOST_LAST.search(before):
        return [replace(frame, depth=len(frames) - 1 - at) for at, frame in enumerate(frames)]
    return [replace(frame, depth=at) for at, frame in enumerate(frames, nearest)]


def _without(text: str, found: list[_Found]) -> str:
    ends = (0, *(one.end for one in found))
    starts = (*(one.start for one in found), len(text))
    return " ".join(text[end:start] for end, start in zip(ends, starts, strict=True))
