"""Receipts in words, for operators."""

from __future__ import annotations

from receipts.ladder import ladder
from receipts.reading import DispatchHistory
from receipts.records import OfferedRecord, Receipt

TASK_WIDTH = 72  # of a task's title in one line


def headline(receipt: Receipt) -> str:
    """A dispatch in one line."""
    title = receipt.query.title or (receipt.task or "").strip().partition("\n")[0] or "(text not kept)"
    title = title if len(title) <= TASK_WIDTH else f"{title[: TASK_WIDTH - 1]}…"
    offered = f"{len(receipt.offered)} patterns, {len(receipt.guidance)} rules"
    state = f"not briefed: {receipt.degraded.reason}" if receipt.degraded else offered
    return f"{receipt.dispatch_id}  {receipt.time}  {state:<24}  {title}"


def summary(history: DispatchHistory) -> str:
    """A dispatch with what became of it."""
    receipt = history.receipt
    lines = [
        headline(receipt),
        f"  view {receipt.view}, index {receipt.index.fingerprint or 'none'}"
        f"{' (stale)' if receipt.index.stale else ''}, as of {receipt.index.as_of}",
        f"  profile {receipt.weights.profile or 'none'}, budget {receipt.budget}, {receipt.tokens} tokens,"
        f" coverage {receipt.coverage:.2f}, {receipt.below_threshold} below the threshold",
    ]
    if receipt.degraded:
        lines.append(f"  degraded: {receipt.degraded.reason}. {receipt.degraded.remedy}")
    steps = {item.pattern_hash: item.rungs for item in ladder(history)}
    lines += [_item_line(item, steps.get(item.pattern_hash, ())) for item in receipt.items]
    outcome = history.outcome
    if outcome:
        lines.append(f"  outcome: {outcome.status}{f' ({outcome.error})' if outcome.error else ''}")
    lines += [
        f"  used ({item.how}): {item.id} at {', '.join(item.where) or 'no place told'}"
        for use in history.uses
        for item in use.items
    ]
    return "\n".join(lines)


def explanation(history: DispatchHistory) -> str:
    """Why a dispatch was offered what it was offered, factor by factor."""
    receipt = history.receipt
    query = receipt.query
    lines = [
        headline(receipt),
        f"Understood: intent {query.intent or 'none'}; tags {', '.join(query.tags) or 'none'};"
        f" terms {', '.join(query.terms[:12]) or 'none'}",
    ]
    lines += [f"Mentioned as {kind}: {', '.join(names[:8])}" for kind, names in query.mentions.items()]
    for item in receipt.items:
        lines += ["", *_factors(item)]
    if receipt.left_out:
        lines += ["", "Left out:"]
        lines += [f"  {item.id}  score {item.score:.3f}  ({item.reason})" for item in receipt.left_out]
    if receipt.below_threshold:
        lines += ["", f"Below the threshold: {receipt.below_threshold}, the nearest:"]
        lines += [f"  {item.id}  score {item.score:.3f}" for item in receipt.nearest_below]
    if receipt.degraded:
        lines += ["", f"Degraded: {receipt.degraded.reason}. {receipt.degraded.remedy}"]
    return "\n".join(lines)


def _item_line(item: OfferedRecord, rungs: tuple[str, ...]) -> str:
    reached = rungs[-1] if rungs else "offered"
    return (
        f"  {item.rank}. {item.name}  {item.path}:{item.start}-{item.end}  {item.score:.3f}"
        f"  {reached}  {item.pattern_hash}"
    )


def _factors(item: OfferedRecord) -> list[str]:
    channels = ", ".join(f"{name} #{rank}" for name, rank in sorted(item.channels.items()))
    lines = [
        f"{item.rank}. {item.name}  {item.path}:{item.start}-{item.end}  score {item.score:.3f}",
        f"   {item.why}",
        f"   found by {channels}",
    ]
    lines += [
        f"   {name:<16} {factor.value:6.3f} × {factor.weight:5.2f} = {factor.contribution:7.4f}"
        for name, factor in item.factors.items()
        if factor.weight
    ]
    return lines
