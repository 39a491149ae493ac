"""What a dispatch asks for, beside its task: how it differs from the settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from augmenter.augment import Request
from augmenter.candidates import EVERYTHING, Filters
from augmenter.pack import Limits
from augmenter.record import NOBODY, Sender, filters_of
from augmenter.seen import NOTHING_SEEN
from knowledge.settings import Settings
from receipts.records import Receipt

SEPARATOR = ":"  # between host and session in the name of a context window


@dataclass(frozen=True, slots=True)
class Ask:
    """How a dispatch differs from the settings; None takes the setting.

    Attributes:
        sender: who dispatches.
        preamble: what is to stand on top; None looks for it in the task.
        patterns: at most so many.
        rules: at most so many.
        budget: tokens of the context block.
        format: of the brief.
        filters: hard filters.
        record: whether a receipt is kept.
        context: which context window the brief goes to, where that is not just the sender's session: what it
            was given before is not offered again, unless it has changed.
        keys: by what names later events will speak of this dispatch.
        max_tokens: of the context block, whatever the budget is; 0 is no bound.
        max_bytes: likewise, of its UTF-8.
        templates: folder of templates, in place of the settings' own; ``""`` takes those.
        tags: of the taxonomy, which count as the task's own.
        off: the task goes out as it is.
    """

    sender: Sender = NOBODY
    preamble: str | None = None
    patterns: int | None = None
    rules: int | None = None
    budget: int | None = None
    format: str | None = None
    filters: Filters = EVERYTHING
    record: bool = True
    context: str = ""
    keys: tuple[str, ...] = ()
    max_tokens: int = 0
    max_bytes: int = 0
    templates: str = ""
    tags: tuple[str, ...] = ()
    off: bool = False

    @property
    def window(self) -> str:
        """The context window; ``""`` when none is told: then nothing is known of what the agent has seen."""
        sender = self.sender
        if self.context or not sender.session:
            return self.context
        return SEPARATOR.join(filter(None, (sender.host, sender.session)))


def request_of(task: str, receipt: Receipt) -> Request:
    """The question that a receipt answers."""
    options = receipt.options
    return Request(
        task=task,
        preamble=options.preamble,
        filters=filters_of(options.filters),
        limits=Limits(options.patterns, options.rules, options.budget, bytes=options.bytes),
        format=options.format,
        seen=receipt.seen,
        tags=options.tags,
        templates=options.templates,
    )


def request_for(task: str, ask: Ask, settings: Settings, seen: Mapping[str, str] = NOTHING_SEEN) -> Request:
    """The question that a dispatch asks.

    Args:
        task: its text.
        ask: what differs from the settings.
        settings: the project's.
        seen: what the agent's context window holds: content hash by evidence id.
    """
    brief = settings.brief
    budget = brief.budget if ask.budget is None else ask.budget
    limits = Limits(
        patterns=brief.patterns if ask.patterns is None else ask.patterns,
        rules=brief.rules if ask.rules is None else ask.rules,
        budget=min(budget, ask.max_tokens) if ask.max_tokens else budget,
        bytes=ask.max_bytes,
    )
    return Request(
        task, ask.preamble, ask.filters, limits, ask.format or brief.format, seen, ask.tags, ask.templates
    )
