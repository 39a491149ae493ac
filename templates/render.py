"""Rendering: from chosen evidence to the text an agent reads.

The same context gives the same bytes. Jinja2 is imported, and a template compiled, only when there is
something to render and only for the format that is asked for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from knowledge.errors import TemplateError
from knowledge.hygiene import KEPT_TEXTS
from templates import framing
from templates.context import BlockContext, GuidanceLine, PatternLine

if TYPE_CHECKING:
    import jinja2

FORMATS = ("markdown", "xml", "plain", "json")
_NO_TEXT = (
    "?"  # an empty name would leave an empty code span, which Markdown reads as the start of a longer one
)
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")

_kept = lru_cache(maxsize=KEPT_TEXTS)  # a packer renders each text again and again
_FRAMING: dict[str, Callable[[str], str]] = {
    "markdown": _kept(framing.markdown),
    "xml": _kept(framing.fold),
    "plain": _kept(framing.plain),
    "json": _kept(framing.fold),
}


class Renderer:
    """Renders context blocks and prompts in one format.

    Args:
        format: ``markdown``, ``xml``, ``plain`` or ``json``.
        overrides: a folder whose ``brief.FORMAT.j2`` wins over the shipped one; docs/templates.md
            describes what such a template may use.

    Raises:
        TemplateError: the format is unknown, or the folder does not exist.
    """

    def __init__(self, format: str, overrides: Path | None = None) -> None:  # noqa: A002 - the setting's name
        if format not in FORMATS:
            raise TemplateError(
                f"unknown format {format!r}", where="brief.format", remedy=f"Use one of {', '.join(FORMATS)}"
            )
        if overrides is not None and not overrides.is_dir():
            raise TemplateError(
                "no such folder",
                where=str(overrides),
                remedy="Create it, or remove the setting brief.templates",
            )
        self.format = format
        self._overrides = overrides
        self._environment: jinja2.Environment | None = None

    def block(self, context: BlockContext) -> str:
        """The context block alone, ending in a newline; ``""`` when there is no item to show.

        Raises:
            TemplateError: a template is missing, invalid or fails; names its file and line.
        """
        if context.is_empty:
            return ""
        from templates.environment import make_environment, render  # noqa: PLC0415 - see the module's text

        if self._environment is None:
            self._environment = make_environment(self.format, self._overrides)
        name = f"brief.{self.format}.j2"
        text, file = render(self._environment, name, variables(context, _FRAMING[self.format]))
        return f"{_as_object(text, file)}\n" if self.format == "json" else text

    def prompt(self, preamble: str, block: str, task: str) -> str:
        """Preamble, context block and task, in this order; the task is never changed.

        With neither preamble nor block the prompt is the task itself, in every format. In ``json`` it is
        else one object with the keys ``preamble``, ``context`` (null without a block) and ``task``.

        Args:
            preamble: what stays on top (a skill activation, a role); ``""`` for none. One that ends in a
                newline was cut from the top of the task: without a block the two are joined again as
                they were.
            block: what `block` returned.
            task: the task's text.
        """
        if not preamble and not block:
            return task
        if self.format == "json":
            context = json.loads(block) if block else None
            return _json({"preamble": preamble, "context": context, "task": task})
        if not block:
            return f"{preamble}{task}" if preamble.endswith("\n") else f"{preamble}\n\n{task}"
        return f"{_spaced(preamble)}{_spaced(block)}{task}"


def variables(context: BlockContext, safe: Callable[[str], str]) -> dict[str, object]:
    """What a template may use (docs/templates.md describes each), every text made inert by ``safe``."""
    guidance = [_safe_guidance(item, safe) for item in context.guidance]
    return {
        "patterns": tuple(_safe_pattern(item, safe) for item in context.patterns),
        "rules": tuple(item for item in guidance if item.kind == "rule"),
        "warnings": tuple(item for item in guidance if item.kind != "rule"),
        "notes": _notes(context),
        "left_out": context.left_out,
        "given": context.given,
        "below_threshold": context.below_threshold,
        "stale": context.stale,
        "coverage": context.coverage,
        "low_coverage": context.low_coverage,
    }


def _safe_pattern(item: PatternLine, safe: Callable[[str], str]) -> PatternLine:
    return replace(
        item,
        name=safe(item.name) or _NO_TEXT,
        kind=safe(item.kind),
        description=safe(item.description),
        path=safe(item.path) or _NO_TEXT,
    )


def _safe_guidance(item: GuidanceLine, safe: Callable[[str], str]) -> GuidanceLine:
    return replace(
        item,
        statement=safe(item.statement) or _NO_TEXT,
        severity=safe(item.severity),
        path=safe(item.path) or _NO_TEXT,
    )


def _notes(context: BlockContext) -> tuple[str, ...]:
    """What the reader should know about the block itself, one sentence each."""
    notes = []
    if context.left_out:
        were = "more item was" if context.left_out == 1 else "more items were"
        notes.append(f"{context.left_out} {were} left out for length.")
    if context.given:
        were = "more item that fits was" if context.given == 1 else "more items that fit were"
        notes.append(f"{context.given} {were} given earlier in this session.")
    if context.low_coverage:
        notes.append(f"These items cover little of the task (coverage {context.coverage:.2f}).")
    if context.low_coverage and context.below_threshold:
        candidates = "candidate" if context.below_threshold == 1 else "candidates"
        notes.append(f"{context.below_threshold} {candidates} stayed below the relevance threshold.")
    if context.stale:
        notes.append("The index is older than the working tree.")
    return tuple(notes)


def _spaced(text: str) -> str:
    """``text`` followed by one blank line at least; nothing stays nothing."""
    if not text or text.endswith("\n\n"):
        return text
    return f"{text}\n" if text.endswith("\n") else f"{text}\n\n"


def _as_object(text: str, file: str) -> str:
    """The JSON object in ``text``, on one line with its keys as they come."""
    try:
        value = json.loads(text)
    except ValueError as error:
        value, problem = None, f"renders no JSON: {error}"
    else:
        problem = "renders JSON that is no object"
    if not isinstance(value, dict):
        raise TemplateError(problem, where=file, remedy="Correct the template, or remove it")
    return _json(value)


def _json(value: object) -> str:
    """JSON in the order of the keys; a lone surrogate is escaped, since UTF-8 cannot carry it."""
    text = json.dumps(value, ensure_ascii=False)
    return _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
