"""YAML with lines, from the parser's events: no tag is constructed and no alias expanded.

A text that YAML cannot read (a template, a merge conflict) still gives its uppermost keys from there on.
"""

from __future__ import annotations

import re

import yaml

from indexer.formats.tree import Node, TreeBuilder

# libyaml is ten times as fast; a Python without it has PyYAML's own parser, which gives the same events.
_LOADER: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TOP_KEY = re.compile(r"([\"']?)([A-Za-z_][^:#\n\"']{0,80})\1:(?:[ \t]|\Z)")


def read_yaml(text: str) -> Node:
    r"""The tree of a YAML text; its root is the list of its documents.

    Args:
        text: with ``\n`` line ends. Never raises.
    """
    reader = _Reader()
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            reader.take(event)
    except (yaml.YAMLError, ValueError, RecursionError):  # ValueError: an escape of no character
        reader.take_keys(text.split("\n"))
    return reader.builder.root


class _Reader:
    """Tells keys from values, which come alike."""

    def __init__(self) -> None:
        self.builder = TreeBuilder()
        self._is_key: list[bool | None] = []  # of each open mapping whether a key is next; None: a sequence
        self._reached = -1

    def take(self, event: yaml.Event) -> None:
        """One event of the parser."""
        line = self._reached = _line(event)
        if isinstance(event, yaml.ScalarEvent | yaml.AliasEvent):
            text = event.value if isinstance(event, yaml.ScalarEvent) else f"*{event.anchor}"
            if self._begins_key():
                self.builder.key(str(text), line)
            else:
                self.builder.scalar(str(text), line)
        elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            self._begins_key()  # a mapping as a key: its value gets none
            is_list = isinstance(event, yaml.SequenceStartEvent)
            self.builder.open(line, is_list=is_list)
            self._is_key.append(None if is_list else True)
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            self.builder.close()
            self._is_key.pop()

    def _begins_key(self) -> bool:
        """Whether what comes is a key; the next is not, then."""
        if not self._is_key or self._is_key[-1] is None:
            return False
        self._is_key[-1] = not self._is_key[-1]
        return not self._is_key[-1]

    def take_keys(self, lines: list[str]) -> None:
        """The uppermost keys of the lines that the parser did not reach."""
        while len(self._is_key) > 1:
            self.builder.close()
            self._is_key.pop()
        if not self._is_key:
            self.builder.open(max(0, self._reached), is_list=False)
        for at, line in enumerate(lines[self._reached + 1 :], self._reached + 1):
            if match := _TOP_KEY.match(line):
                self.builder.key(match[2], at)
                self.builder.scalar("", at)


def _line(event: yaml.Event) -> int:
    mark = event.start_mark
    return mark.line if mark else 0
