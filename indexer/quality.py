"""Quality: how much a unit or section is worth showing, in named parts that can be explained.

Each part is in [0, 1]; the score is their weighted sum. Only the draft is read, no other file, so a part says
something about the text and nothing about its use. The heuristics are the same for all languages.

Parts of code: ``documented`` (a doc comment that says more than the name), ``sized`` (neither trivial nor
huge), ``named`` (a name of words), ``typed`` (parameters and result annotated), ``simple`` (shallow, few
branches), ``finished`` (no TODO, no stub). Parts of a section: ``explained`` (prose), ``illustrated`` (code,
list or table), ``sized``, ``placed`` (not in a far corner of the outline).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from indexer.quality_types import typed_share
from knowledge.terms import STOP_WORDS, split_identifier
from knowledge.types import Draft, Kind, Quality

# A doc comment helps a reader most, then code that is complete; the rest are weaker hints.
CODE_WEIGHTS: Mapping[str, float] = {
    "documented": 0.30,
    "sized": 0.15,
    "named": 0.15,
    "typed": 0.10,
    "simple": 0.15,
    "finished": 0.15,
}
SECTION_WEIGHTS: Mapping[str, float] = {
    "explained": 0.40,
    "illustrated": 0.20,
    "sized": 0.25,
    "placed": 0.15,
}
NEUTRAL = 0.5  # a part that does not apply to this kind neither helps nor harms

FULL_DOC_WORDS = 12  # words beyond the name's own that make a doc comment substantive: one real sentence
MIN_LINES = 3  # fewer lines are an accessor or a constant
GOOD_LINES = 60  # a screen; the median function of well-kept projects has about ten lines
HUGE_LINES = 300  # nobody reads it whole
GOOD_NAME_WORDS = 2  # a verb and its object
GOOD_NAME_LETTERS = 6
SHALLOW = 2  # levels of nesting that cost nothing
DEEP = 7  # levels at which nothing is left
FEW_BRANCHES = 0.15  # branches per line that cost nothing: one in seven lines
MANY_BRANCHES = 0.5
STUB_SCORE = 0.0  # the body does nothing
MARK_COST = 0.4  # of each TODO or FIXME

FULL_SECTION_WORDS = 40  # two or three sentences
GOOD_SECTION_LINES = 40
HUGE_SECTION_LINES = 200
PLACE = (0.8, 1.0, 1.0, 0.8, 0.6, 0.4)  # by depth of heading, 0 being text before the first

DENSITY_SEGMENT = 100  # words: the usual segment of the mean segmental type-token ratio
DENSITY_DAMPING = 12  # words at which a short text reaches half of its ratio
MIN_WORD = 3  # letters: shorter words are mostly grammar


def code_quality(draft: Draft) -> Quality:
    """Quality of a UNIT, CLASS or MODULE, with the parts of `CODE_WEIGHTS`."""
    lines = draft.body.split("\n")
    name = split_identifier(_simple_name(draft.name))
    parts = {
        "documented": _documented(draft.doc, name),
        "sized": _sized(len(lines), MIN_LINES, GOOD_LINES, HUGE_LINES),
        "named": _named(name) if draft.kind is not Kind.MODULE else NEUTRAL,
        "typed": _typed(draft),
        "simple": _simple(draft.body, lines),
        "finished": _finished(draft.body, len(lines)),
    }
    return _weigh(parts, CODE_WEIGHTS)


def section_quality(draft: Draft) -> Quality:
    """Quality of a SECTION or DOCUMENT, with the parts of `SECTION_WEIGHTS`."""
    lines = draft.body.split("\n")
    prose = _CODE_BLOCK.sub(" ", draft.body)
    words = max(0, len(_WORD.findall(prose)) - len(_WORD.findall(lines[0])))
    depth = draft.name.count("›") + 1 if draft.name else 0
    parts = {
        "explained": min(1.0, words / FULL_SECTION_WORDS),
        "illustrated": 1.0 if _ILLUSTRATION.search(draft.body) else 0.0,
        "sized": _sized(len(lines), MIN_LINES, GOOD_SECTION_LINES, HUGE_SECTION_LINES) if words else 0.0,
        "placed": PLACE[min(depth, len(PLACE) - 1)],
    }
    return _weigh(parts, SECTION_WEIGHTS)


def density(text: str) -> float:
    """Information density in [0, 1]: distinct informative words per word.

    A word is informative unless it is a stop word or shorter than `MIN_WORD` letters. The share of distinct
    words falls with the length of any text: so it is averaged over segments of `DENSITY_SEGMENT` words (the
    mean segmental type-token ratio, Johnson 1944). It is near 1 for a handful of words, which say little: so
    it is damped by ``n / (n + DENSITY_DAMPING)``.
    """
    words = _WORD.findall(text.lower())
    if not words:
        return 0.0
    ratios = [
        _distinct_share(words[at : at + DENSITY_SEGMENT]) for at in range(0, len(words), DENSITY_SEGMENT)
    ]
    sizes = [min(DENSITY_SEGMENT, len(words) - at) for at in range(0, len(words), DENSITY_SEGMENT)]
    mean = sum(ratio * size for ratio, size in zip(ratios, sizes, strict=True)) / len(words)
    return round(mean * len(words) / (len(words) + DENSITY_DAMPING), 6)


_WORD = re.compile(r"[^\W\d_]+")
_CODE_BLOCK = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_ILLUSTRATION = re.compile(r"^\s*(?:```|~~~|[-*+] |\d+[.)] |\|.*\|)|^ {4}\S", re.MULTILINE)


def _weigh(parts: dict[str, float], weights: Mapping[str, float]) -> Quality:
    rounded = {name: round(parts[name], 6) for name in weights}
    return Quality(round(sum(weights[name] * rounded[name] for name in weights), 6), rounded)


def _falling(value: float, full: float, none: float) -> float:
    """1 up to ``full``, 0 from ``none``, linear between."""
    return min(1.0, max(0.0, (none - value) / (none - full)))


def _sized(lines: int, least: int, good: int, huge: int) -> float:
    return lines / least if lines < least else _falling(lines, good, huge)


def _distinct_share(words: list[str]) -> float:
    informative = {word for word in words if len(word) >= MIN_WORD and word not in STOP_WORDS}
    return len(informative) / len(words)


# Documentation and name

_GENERATED_NAME = re.compile(r"<.*>|anonymous|lambda|default", re.IGNORECASE)


def _simple_name(qualified: str) -> str:
    return qualified.rpartition(".")[2] or qualified


def _documented(doc: str, name: tuple[str, ...]) -> float:
    if not doc:
        return 0.0
    beyond = sum(1 for word in _WORD.findall(doc.lower()) if word not in name)
    return min(1.0, beyond / FULL_DOC_WORDS)


def _named(name: tuple[str, ...]) -> float:
    words = [word for word in name if word.isalpha() and len(word) > 1]
    if not words or _GENERATED_NAME.fullmatch("".join(name)):
        return 0.0
    letters = min(1.0, sum(map(len, words)) / GOOD_NAME_LETTERS)
    return (letters + min(1.0, len(words) / GOOD_NAME_WORDS)) / 2


def _typed(draft: Draft) -> float:
    share = typed_share(draft.signature, _simple_name(draft.name)) if draft.kind is Kind.UNIT else None
    return NEUTRAL if share is None else share


# Shape of the body

_BRANCHES = (
    *("if ", "if(", "elif ", "else if", "} else if", "for ", "for(", "while ", "while(", "case ", "match "),
    *("switch ", "switch(", "except", "catch ", "catch(", "} catch"),
)
_MARKS = ("TODO", "FIXME", "XXX", "HACK")
_MARK = re.compile(rf"\b(?:{'|'.join(_MARKS)})\b")
_STUBS = ("NotImplemented", "unimplemented!(", "todo!(", "UnsupportedOperationException", "ot implemented")
_COMMENT = re.compile(r"\"\"\".*?\"\"\"|\'\'\'.*?\'\'\'|/\*.*?\*/|(?:#|//)[^\n]*", re.DOTALL)
STUB_LINES = 6  # a longer body that mentions "not implemented" has a branch that is not, and does the rest
STUB_CHARS = 4_000  # a longer body is no stub, whatever its end looks like


def _simple(body: str, lines: list[str]) -> float:
    indents: set[str] = set()
    branches = body.count("&&") + body.count("||")
    for line in lines:
        code = line.lstrip()
        if code:
            indents.add(line[: -len(code)])
            branches += code.startswith(_BRANCHES)
    levels = len({len(indent.expandtabs(4)) for indent in indents}) - 1
    return (
        _falling(levels, SHALLOW, DEEP) + _falling(branches / len(lines), FEW_BRANCHES, MANY_BRANCHES)
    ) / 2


def _finished(body: str, lines: int) -> float:
    marks = len(_MARK.findall(body)) if any(mark in body for mark in _MARKS) else 0
    stub = any(phrase in body for phrase in _STUBS)
    if (stub and lines <= STUB_LINES) or _is_empty(body):
        return STUB_SCORE
    return max(0.0, 1.0 - MARK_COST * (marks + stub))


def _is_empty(body: str) -> bool:
    """Whether the body has a header and nothing else but comments, ``pass``, ``...`` or an empty block."""
    if len(body) > STUB_CHARS or not body.rstrip().endswith(("pass", "...", "}")):
        return False
    lines = [line for raw in _COMMENT.sub("", body).split("\n") if (line := raw.strip())]
    header = next((at for at, line in enumerate(lines) if line.endswith((":", "{"))), None)
    if header is not None:
        return lines[header + 1 :] in (["pass"], ["..."], ["}"])
    return bool(lines) and lines[-1].endswith((": pass", ": ...", ") {}", ") { }", "=> {}"))
