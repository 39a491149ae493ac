"""Lines of tracebacks: Python, Java, JavaScript, Go and Rust.

A pattern for a whole line, anchored at its beginning, so that a long text costs one attempt a line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a traceback says that something happened.

    Attributes:
        path: as the traceback spells it; for Java with the folders that the package's name gives.
        line: in that file.
        name: of the function, dotted, or empty.
    """

    path: str
    line: int
    name: str


FRAME = re.compile(
    r"""
    ^[ \t]*+ (?:
      File\ "(?P<py_path>[^"\n]+)",\ line\ (?P<py_line>\d+)(?:,\ in\ (?P<py_name>[\w.<>]+))?
    | at\ (?:[\w.@-]*+/)*+(?P<java_name>[\w$.]+(?:\.<init>)?)
      \((?P<java_path>[\w$]+\.(?:java|kt|scala|groovy)):(?P<java_line>\d+)\)
    | (?P<go_path>[^\s:]+\.go):(?P<go_line>\d+)
    | (?:-->\ |at\ |thread\ '[^'\n]*'[ ()\d]*panicked\ at\ (?:'[^\n]*',\ )?)?
      (?P<rs_path>[^\s:]+\.rs):(?P<rs_line>\d+):\d+
    | at\ (?:async\ )?(?:new\ )?(?:(?P<js_name>[\w$.<>\#]+)(?:\ \[as\ [\w$.]+\])?\ \()?
      (?:[\w-]++://)?(?P<js_path>(?:[A-Za-z]:(?=[\\/]))?[^\s():]+\.\w+):(?P<js_line>\d+)(?::\d+)?\)?
    )
    """,
    re.VERBOSE | re.MULTILINE,
)
# The line above a location, in Go and Rust: main.run(0xc00), pkg.(*Type).Method(…), 3: app::parse
_ABOVE = re.compile(
    r"[ \t]*(?:\d+:\ |created\ by\ )?(?:[^\s()/]*+/)*+(?P<name>[\w.:]+(?:\(\*?\w+\)\.[\w.]+)?)", re.VERBOSE
)
_CLOSURE = re.compile(r"(?:\.func\d+|\.\d+)+$")
_LAMBDA = re.compile(r"lambda\$(\w+?)\$\d+$")
_LOCATION = re.compile(r"\t[^\s:]+\.go:\d+|[ \t]+at [^\s:]+\.rs:\d+")


def read_frame(match: re.Match[str]) -> Frame:
    """The frame in a match of `FRAME`."""
    language = (match.lastgroup or "").partition("_")[0]
    path, line = match[f"{language}_path"], int(match[f"{language}_line"])
    if language == "java":
        return _java(match["java_name"], path, line)
    if language in ("go", "rs"):
        return Frame(path, line, _name_above(match))
    return Frame(path, line, _plain(match[f"{language}_name"] or ""))


def is_location_of(line: str) -> bool:
    """Whether a line is the second of a frame in Go or Rust: the one above it names the function."""
    return _LOCATION.match(line) is not None


def _plain(name: str) -> str:
    """Without ``<module>``, ``<anonymous>``, ``<locals>``, and whose they are where nothing else is said."""
    kept = [part for part in name.split(".") if part and "<" not in part and ">" not in part]
    return "" if kept == ["Object"] else ".".join(kept)


def _java(name: str, path: str, line: int) -> Frame:
    """``com.acme.Car$Door.lambda$open$0`` in ``Car.java`` → ``com/acme/Car.java``, com.acme.Car.Door.open."""
    package = name.split(".")[:-2]
    plain = _LAMBDA.sub(r"\1", name.removesuffix(".<init>"))
    return Frame("/".join([*package, path]), line, plain.replace("$", "."))


def _name_above(match: re.Match[str]) -> str:
    text, end = match.string, match.start() - 1
    if end < 0:
        return ""
    above = _ABOVE.match(text, text.rfind("\n", 0, end) + 1, end)
    if above is None:
        return ""
    name = above["name"].replace("(*", "").replace("(", "").replace(")", "").replace("::", ".")
    return _CLOSURE.sub("", name.strip(".:"))
