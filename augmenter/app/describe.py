"""Receipts in words, for operators."""

from __future__ import annotations

from collections.abc import Iterator

from augmenter.brief import spellings
from receipts.ladder import ladder
from receipts.reading import DispatchHistory
from receipts.records import LeftOutReason, LeftOutRecord, OfferedRecord, Receipt, UsedItem

TASK_WIDTH = 72  # of a task's title in one line
SHOWN_TERMS = 12  # of what was understood, so much
SHOWN_LEFT_OUT = 10  # of what was left out, so many; the receipt holds more

_REASONS: dict[LeftOutReason, str] = {
    "budget": "over the budget",
    "limit": "no place left",
    "duplicate": "the same as an offered one",
    "session": "offered before in this session",
    "threshold": "below the threshold",
    "conflict": "contradicts an offered one",
    "role": "not for this role",
}


def headline(receipt: Receipt) -> str:
    """A dispatch in one line."""
    title = receipt.query.title or (receipt.task or "").strip().partition("\n")[0] or "(text not kept)"
    title = title if len(title) <= TASK_WIDTH else f"{title[: TASK_WIDTH - 1]}…"
    return f"{receipt.dispatch_id}  {receipt.time}  {_result(receipt):<24}  {title}"


def summary(history: DispatchHistory) -> str:
    """A dispatch with what became of it."""
    receipt = history.receipt
    lines = [
        headline(receipt),
        f"  view {receipt.view}, index {receipt.index.fingerprint or 'none'}"
        f"{' (stale)' if receipt.index.stale else ''}, as of {receipt.index.as_of}",
        f"  profile {receipt.weights.profile or 'none'}, {receipt.tokens} of {receipt.budget} tokens,"
        f" coverage {receipt.coverage:.2f}, {receipt.below_threshold} below the threshold",
    ]
    if receipt.degraded:
        lines.append(f"  went out unchanged: {receipt.degraded.reason}. {receipt.degraded.remedy}.")
    steps = {item.pattern_hash: item.rungs for item in ladder(history)}
    lines += [_item_line(item, steps.get(item.pattern_hash, ())) for item in receipt.items]
    outcome = history.outcome
    if outcome:
        lines.append(f"  outcome: {outcome.status}{f' ({outcome.error})' if outcome.error else ''}")
    lines += [f"  {used_line(item)}" for use in history.uses for item in use.items]
    return "\n".join(lines)


def used_line(item: UsedItem) -> str:
    """One item that was used, and how that is known."""
    return f"used ({item.how}): {item.id}" + (f" at {', '.join(item.where)}" if item.where else "")


def explanation(history: DispatchHistory, items: int | None = None) -> str:
    """Why a dispatch was offered what it was offered, factor by factor; of the first ``items`` if given."""
    receipt = history.receipt
    lines = [headline(receipt)]
    if receipt.degraded:
        lines.append(f"The task went out unchanged: {receipt.degraded.reason}. {receipt.degraded.remedy}.")
        return "\n".join(lines)
    if receipt.options.off:
        lines.append(f"The role '{receipt.role}' is off: nothing was looked for.")
        return "\n".join(lines)
    lines += _understood(receipt)
    if receipt.abstained:
        lines.append("Nothing was offered: the task went out as it was.")
    for item in receipt.items[:items]:
        lines += ["", *_factors(item)]
    if items is not None and len(receipt.items) > items:
        lines += ["", f"… and {len(receipt.items) - items} more."]
    lines += _named("Left out, best first", receipt.left_out, len(receipt.left_out))
    lines += _named("Below the threshold, the nearest", receipt.nearest_below, receipt.below_threshold)
    return "\n".join(lines)


def _result(receipt: Receipt) -> str:
    if receipt.degraded:
        return f"not briefed: {receipt.degraded.reason}"
    if receipt.options.off:
        return f"off for role {receipt.role}"
    patterns, rules = len(receipt.offered), len(receipt.guidance)
    if not patterns and not rules:
        return "nothing offered"
    return f"{patterns} {_plural('pattern', patterns)}, {rules} {_plural('rule', rules)}"


def _plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"


def _understood(receipt: Receipt) -> Iterator[str]:
    query = receipt.query
    shown = query.terms[:SHOWN_TERMS]
    spelled = spellings(receipt.task or "", shown)
    terms = [spelled.get(term, term) for term in shown]
    yield f"Understood: intent {query.intent}; tags {', '.join(query.tags) or 'none'}."
    yield f"Words that the index knows, most telling first: {', '.join(terms) or 'none'}."
    for kind, names in query.mentions.items():
        yield f"Named in the task ({kind}): {', '.join(names[:SHOWN_TERMS])}."


def _named(title: str, items: tuple[LeftOutRecord, ...], count: int) -> Iterator[str]:
    shown = items[:SHOWN_LEFT_OUT]
    if not shown:
        return
    yield ""
    yield f"{title} ({len(shown)} of {count}):"
    for item in shown:
        why = "" if item.reason == "threshold" else f"  ({_REASONS[item.reason]})"
        yield f"  {item.score:6.3f}  {item.id}{why}"


def _item_line(item: OfferedRecord, rungs: tuple[str, ...]) -> str:
    reached = rungs[-1] if rungs else "offered"
    return (
        f"  {item.rank}. {item.name}  {item.path}:{item.start}-{item.end}  {item.score:.3f}"
        f"  {reached}  {item.pattern_hash}"
    )


def _factors(item: OfferedRecord) -> list[str]:
    channels = ", ".join(f"{name} #{rank}" for name, rank in sorted(item.channels.items()))
    kind = "" if item.name == item.path else f"  ({item.kind})"
    lines = [
        f"{item.rank}. {item.name}{kind}  {item.path}:{item.start}-{item.end}  score {item.score:.3f}",
        f"   {item.why}",
        f"   found by {channels}",
    ]
    counted = sorted(item.factors.items(), key=lambda pair: (-abs(pair[1].contribution), pair[0]))
    lines += [
        f"   {name:<16} {factor.value:6.3f} × {factor.weight:5.2f} = {factor.contribution:7.4f}"
        for name, factor in counted
        if factor.contribution
    ]
    silent = [name for name, factor in counted if not factor.contribution]
    return [*lines, f"   without effect: {', '.join(silent)}"] if silent else lines
