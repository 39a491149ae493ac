"""What lines of tracebacks look like, language by language.

A pattern for a whole line, anchored at its beginning, so that a long text costs one attempt a line. Each form
is linear in the line: what could be given back is atomic or bounded, and what is repeated lazily is followed
by what cannot be tried twice at one place.

The groups of a form are ``<form>_path``, ``<form>_line`` and, where it has one, ``<form>_name``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a traceback says that something happened.

    Attributes:
        path: as the traceback spells it; for Java with the folders that the package's name gives.
        line: in that file.
        name: of the function that the line lies in, dotted, or empty.
        depth: 0 where it went wrong, 1 for the caller of that, 2 …; in each of chained tracebacks anew.
    """

    path: str
    line: int
    name: str
    depth: int = 0


# What logs, quotations, bold type, boxes and pytest put before a line: "web_1  | ", "> ", "**", "│ ", "E   "
_BEFORE = r"^(?:[\w.-]{1,60}+[ \t]++\|)?+[ \t>|│*]*+(?:E[ \t]++)?+(?=\S)"
_DRIVE = r"(?:[A-Za-z]:(?=[\\/]))?+"
# A path without blanks, parentheses or quotes. A longer one is no path but encoded data.
_PATH = rf"{_DRIVE}[^\s:()\"']{{1,300}}"
_NAME = r"[\w.<>]+"
_JVM = r"(?:java|kts?|scala|groovy)"
_C = r"(?:c|cc|cpp|cxx|h|hh|hpp|hxx|inl|m|mm|cu)"
_SOURCE = rf"(?:[cm]?[jt]sx?|vue|svelte|astro|php|rb|py|cs|fs|vb|dart|lua|swift|{_JVM}|{_C})"

_PYTHON = (
    # File "x.py", line 12, in f (faulthandler has no comma before "in")
    rf'File\ "(?P<py_path>[^"\n]+)",\ line\ (?P<py_line>\d+)(?:,?\ in\ (?P<py_name>{_NAME}))?',
    # IPython: File ~/app/x.py:12, in f(x)
    rf"File\ (?P<ipython_path>{_PATH}\.pyx?):(?P<ipython_line>\d+)(?:,\ in\ (?P<ipython_name>{_NAME}))?",
    # pdb: > /app/x.py(12)f()
    rf"(?P<pdb_path>{_PATH}\.py)\((?P<pdb_line>\d+)\)(?P<pdb_name>{_NAME})",
    # pytest, rich and warnings: x.py:12: in f, x.py:12 in f, x.py:12: ValueError, x.py:12: SomeWarning: text
    rf"""(?P<pytest_path>{_PATH}\.pyx?):(?P<pytest_line>\d+)
      (?: :?\ in\ (?P<pytest_name>{_NAME}) | :\ ?(?:[^\W\d][\w.]*+)?(?:[ \t│|]*$|(?<=Warning):) )""",
)
_MANAGED = (
    # at app//com.acme.Car$Door.lambda$open$0(Car.java:12), com.acme.Car.open(Car.kt:12), at … (Car.kt:12)
    rf"""(?:at\ (?:[\w.@-]*+/)*+(?P<java_name>[^\n():]{{1,400}}+)
      \((?P<java_path>[^\s():]{{1,200}}\.{_JVM}):(?P<java_line>\d+)\))""",
    rf"(?P<jvm_name>[\w$.-]{{1,400}}+)\((?P<jvm_path>[^\s():]{{1,200}}\.{_JVM}):(?P<jvm_line>\d+)\)",
    # .NET and Mono: at Acme.Car.Open(String key) in C:\app\Car.cs:line 1, at Acme.Car.Open () [0x0] in a.cs:1
    r"""at\ (?P<net_name>[^\n(]{1,400}+)(?>\([^\n]*?\)(?:\ \[0x\w++\])?\ in\ )
      (?P<net_path>[^\n]{1,300}?):(?:line\ )?(?P<net_line>\d+)\b""",
    # Unity and React: Acme.Car:Open(Key) (at Assets/Car.cs:12), in App (at index.js:12)
    r"""(?:in\ )?(?P<unity_name>[\w.$:<>`+/]{1,300}+)\ ?(?:\([^()\n]*+\)\ )?
      \(at\ (?P<unity_path>[^\n():]{1,300}\.\w+):(?P<unity_line>\d+)\)""",
    # tsc, MSBuild: src/x.ts(12,5): error TS2322: …
    rf"(?P<build_path>{_PATH}\.\w+)\((?P<build_line>\d+),\d+\):\ (?:error|warning)",
)
_GO_RUST = (
    # Below the function's name: \t/home/ada/main.go:12 +0x1d; of testify: Error Trace:\tmain_test.go:12
    rf"(?:Error\ Trace:[ \t]*+)?(?P<go_path>{_PATH}\.go):(?P<go_line>\d+)",
    # panicked at src/x.rs:1:2, panicked at 'text', src/x.rs:1:2, --> x.rs:1, at ./src/x.rs:1, [src/x.rs:1:2]
    rf"""(?: -->\ | :::\ | at\ | \[ | right:\ [^\n]*'(?:,\ )
        | thread\ '(?P<rust_name>[^'\n]*)'[\ ()\d]*panicked\ at\ (?:'[^\n]*',\ )? )?
      (?P<rust_path>{_PATH}\.rs):(?P<rust_line>\d+)(?::\d+)?""",
)
_SCRIPTS = (
    # V8: at async Car.open [as run] (file:///app/car.js:12:5); the path may hold blanks and parentheses
    r"""at\ (?:async\ )?(?:new\ )?(?P<js_name>[^\s()]{1,200}+(?:\ [\w$\#]{1,100}+)?)
      (?:\ \[as\ [^\]\n]{1,100}+\])?\ \(
      (?P<js_path>[^\n]{1,400}?\.\w+(?:\?[^\s:]*+)?):(?P<js_line>\d+):\d+\)""",
    # … without a name, or without a column
    rf"""at\ (?:async\ )?(?:[^\s()]{{1,200}}+\ \()?
      (?P<bare_path>(?:[\w-]++:/++)*+{_DRIVE}[^\s:]{{1,300}}\.{_SOURCE}(?:\?[^\s:]*+)?):
      (?P<bare_line>\d+)(?::\d+)?\)?""",
    # Vitest:  ❯ Car.open src/car.ts:12:5
    rf"❯\ (?:(?P<vitest_name>[\w$.<>\#]{{1,200}}+)\ )?(?P<vitest_path>{_PATH}\.\w+):(?P<vitest_line>\d+):\d+",
    # Firefox and Safari: open@http://localhost/car.js:12:5
    r"""(?P<gecko_name>[^\s@()]{0,200}+)@(?P<gecko_path>(?:[\w-]++:/++|/)[^\s]{1,300}):
      (?P<gecko_line>\d+):\d+$""",
    # Ruby: app/car.rb:12:in 'Car#open': text (KeyError), from car.rb:12:in `open', # ./spec/x.rb:12:in …
    rf"""(?:\#\ )?(?:\d+:\ )?(?:from\ )?(?P<ruby_path>{_PATH}):(?P<ruby_line>\d+)
      :in\ [`'](?P<ruby_name>[^`'\n]{{1,300}}+)'""",
    # PHP: #0 /app/Car.php(12): Acme\Car->open()
    r"\#\d++\ (?P<php_path>[^\n()]{1,300}+)\((?P<php_line>\d+)\):\ (?P<php_name>[^\n(]{1,300}+)",
)
_NATIVE = (
    # gdb: #3  0x0f in open_car (key=1) at car.c:12; lldb: frame #0: 0x0f app`open_car(key=1) at car.c:12:5
    rf"""(?:\#\d++\ ++(?:0x[0-9a-f]++\ in\ )? | (?:\*\ )?frame\ \#\d++:\ 0x[0-9a-f]++\ [^`\n]{{1,200}}+`)
      (?P<gdb_name>(?>[^\n]{{1,2000}}?\ at\ (?={_PATH}:\d)))(?P<gdb_path>{_PATH}):(?P<gdb_line>\d+)""",
    # Sanitizers: #3 0x4f in acme::Car::open(int) /app/car.cpp:12:5
    rf"""\#\d++\ 0x[0-9a-f]++\ in\ (?P<san_name>(?>[^\n]{{1,2000}}?\ (?={_DRIVE}[^\s:]++:\d)))
      (?P<san_path>{_PATH}):(?P<san_line>\d+)""",
    # Valgrind: ==7==    by 0x4C: open_car (car.c:12)
    r"""==\d++==\ ++(?:at|by)\ 0x[0-9A-F]++:\ (?P<grind_name>[^\n]{1,300}?)
      \ \((?P<grind_path>[^\s():]{1,300}+):(?P<grind_line>\d+)\)""",
    # UBSan: car.c:12:5: runtime error: …; assert: app: car.c:12: open_car: Assertion `x' failed.
    rf"(?P<ub_path>{_PATH}\.{_C}):(?P<ub_line>\d+)(?::\d+)?:\ runtime\ error:",
    rf"""(?:[^\s:]{{1,200}}+:\ )?(?P<assert_path>{_PATH}\.{_C}):(?P<assert_line>\d+):
      \ (?P<assert_name>[^\n]{{1,300}}?):\ Assertion\ [`']""",
    # Swift: Car.swift:12: Fatal error: …; 3 [ra] 0x1f Car.open() + 12 in App at /app/Car.swift:12:5
    rf"""(?P<swift_path>{_PATH}\.swift):(?P<swift_line>\d+)(?::\d+)?
      :\ (?:Fatal\ error|Precondition\ failed|Assertion\ failed|error):""",
    rf"""\d++\ ++(?:\[[\w\ ]++\]\ ){{0,2}}(?:0x[0-9a-f]++\ )
      (?P<linux_name>(?>[^\n]{{1,2000}}?\ in\ [^\s]{{1,200}}+\ at\ ))
      (?P<linux_path>{_PATH}):(?P<linux_line>\d+)""",
    # Apple's crash reports: 3   App   0x0001 Car.open() + 12 (Car.swift:12)
    r"""\d++[ \t]++\S++[ \t]++0x[0-9a-f]++\ (?P<apple_name>[^\n]{1,2000}?)\ \+\ \d++
      \ \((?P<apple_path>[^\s():]{1,200}+):(?P<apple_line>\d+)\)""",
)
# Within a line: PHP Fatal error: … in /app/car.php:12, … in /app/car.php on line 12
_INLINE = re.compile(
    r" in (?P<phpin_path>[^\s:]{1,300}\.(?:php\d?|phtml|inc|module))(?::|(?: on)? line )(?P<phpin_line>\d+)"
)
_SIGN = re.compile(r"[\w)>]:\d|line \d|\(\d+[,)]")


@cache  # most tasks hold no traceback, and the pattern takes milliseconds to compile
def _line() -> re.Pattern[str]:
    forms = "|".join((*_PYTHON, *_MANAGED, *_GO_RUST, *_SCRIPTS, *_NATIVE))
    return re.compile(f"{_BEFORE}(?:{forms})", re.VERBOSE | re.MULTILINE)


def match_frame(line: str) -> re.Match[str] | None:
    """The frame that a line begins with, if it begins with one."""
    return _line().match(line) if _SIGN.search(line) else None


def match_frames(text: str) -> list[re.Match[str]]:
    """All frames of a text, in order; none overlap."""
    if not _SIGN.search(text):
        return []
    found: list[re.Match[str]] = []
    for match in sorted((*_line().finditer(text), *_INLINE.finditer(text)), key=_place):
        if not found or match.start() >= found[-1].end():
            found.append(match)
    return found


def _place(match: re.Match[str]) -> tuple[int, int]:
    return (match.start(), -match.end())
