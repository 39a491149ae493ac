"""What a piece of a document names: identifiers, paths and commands, in the order of their appearance."""

from __future__ import annotations

import re

MAX_ENTITIES = 24  # of one section; a longer list is an index and not what the section is about
MAX_ENTITY = 80  # characters; what is longer is a line of code
MAX_READ = 20_000  # characters of a section that are searched

_ENTITY = re.compile(
    r"""
    (?P<ticks>`{1,2})(?P<quoted>[^`\n]{1,120})(?P=ticks)_{0,2}           # `x`, ``x``, :role:`x`
    | ^[ \t]*(?:\$|%|>)[ ](?P<command>[a-z][\w./-]*(?:[ ][^\n]*)?)       # $ pip install x
    | ^[ \t]*\.\.[ ](?:_(?P<label>[^:`\n]+):|(?:[a-z]+:)?(?:auto)?(?:   # .. _label:, .. class:: Stream(x)
        module|class|method|function|attribute|data|exception|property|decorator|option|envvar|setting
        |confval|django-admin|templatetag|templatefilter|fieldlookup|currentmodule
      )::[ ]+(?P<described>[\w.:-]+))
    | (?<![\w`/.:@-])(?P<path>
        (?:\.{0,2}/)?(?:[\w.@-]+/)+[\w@-]*(?:\.\w+)+                     # src/stream.py
      | (?:[A-Za-z]\w*(?:\.|::))+[A-Za-z_]\w*\(\)                        # a.b.close()
      | [a-z]\w*_\w+(?:\(\))? | _+[a-z]\w+                               # snake_case
      | [A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+ | [a-z]+(?:[A-Z][a-z0-9]+)+    # CamelCase, camelCase
      | [A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+ | [A-Za-z]\w+\(\)                  # SETTING_NAME, close()
    )(?![\w/])
    """,
    re.VERBOSE | re.MULTILINE,
)
_GROUPS = ("quoted", "command", "label", "described", "path")
_TARGET = re.compile(r"(.*?)\s*<([^<>]*)>\Z")
_URL = re.compile(r"[a-z][a-z0-9+.-]*://|mailto:", re.IGNORECASE)


def entities_of(text: str) -> tuple[str, ...]:
    """Identifiers, paths and commands that a text names: quoted as code, or shaped as such; none twice."""
    found: dict[str, None] = {}
    for match in _ENTITY.finditer(text, 0, MAX_READ):
        name = _entity(next(filter(None, match.group(*_GROUPS))))
        if name:
            found.setdefault(name)
            if len(found) == MAX_ENTITIES:
                break
    return tuple(found)


def _entity(written: str) -> str:
    """An entity as it is named, without what a role or link wraps around it; ``""`` if it is none."""
    name = " ".join(written.split())
    if link := _TARGET.match(name):  # :func:`title <module.name>`
        name = link[1] if _URL.match(link[2]) else link[2]
    name = name.removeprefix("~").removeprefix("!")
    if len(name) > MAX_ENTITY or _URL.match(name) or not any(map(str.isalnum, name)):
        return ""
    return name
