"""Completing a receipt: the outcome of a dispatch, and what of its brief was used."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from knowledge.project import Project
from learning.diff import Diff, parse_diff
from learning.gitdiff import diff_between, resolve_commit
from learning.use import detect_use, stated_use
from receipts.ledger import Ledger
from receipts.outcomes import record_outcome
from receipts.records import Outcome, OutcomeStatus, Receipt, Use, UsedItem

_ERROR_CLASS = re.compile(r"\b[A-Za-z_]\w*(?:Error|Exception|Timeout|Panic|Failure)\b")


@dataclass(frozen=True, slots=True)
class Completed:
    """What completing a receipt did.

    Attributes:
        dispatch_id: whose.
        status: how it ended.
        recorded: False when the ledger had the very same outcome already.
        replaced: whether another outcome was superseded.
        looked: whether use was looked for at all.
        used: what was found to be used.
    """

    dispatch_id: str
    status: OutcomeStatus
    recorded: bool
    replaced: bool
    looked: bool
    used: tuple[UsedItem, ...]


def complete(  # noqa: PLR0913 - the fields of an outcome
    ledger: Ledger,
    project: Project,
    dispatch_id: str,
    *,
    status: OutcomeStatus,
    base: str,
    head: str,
    diff: str | None,
    used: Collection[str],
    error: str,
    replace: bool,
) -> Completed:
    """Link an outcome, and the use that can be shown, to a receipt; see `Augmenter.complete`."""
    receipt = ledger.find(dispatch_id).receipt
    base, head = (resolve_commit(project.view_root, name) if name else "" for name in (base, head))
    change = _change(project, base, head, diff)
    found = _found_use(receipt, change, used)
    outcome = Outcome(
        dispatch_id=dispatch_id,
        status=status,
        base=base,
        head=head,
        error=error,
        error_class=_error_class(error),
        source="orchestrator",
    )
    use = (
        None
        if found is None
        else Use(dispatch_id=dispatch_id, items=found, source="diff" if change else "stated")
    )
    recorded = record_outcome(ledger, outcome, use, replace=replace)
    return Completed(
        dispatch_id, status, recorded.outcome, recorded.replaced, found is not None, found if found else ()
    )


def _change(project: Project, base: str, head: str, diff: str | None) -> Diff | None:
    if diff is not None:
        return parse_diff(diff)
    return diff_between(project.view_root, base, head or None) if base else None


def _found_use(receipt: Receipt, change: Diff | None, used: Collection[str]) -> tuple[UsedItem, ...] | None:
    """What was used; None when there was nothing to look at."""
    if change is None and not used:
        return None
    detected = detect_use(receipt.items, change, known_words(receipt)) if change is not None else ()
    return (*detected, *stated_use(receipt, used))


def known_words(receipt: Receipt) -> str:
    """The task's text; where it was not kept, what it was understood to name."""
    if receipt.task is not None:
        return receipt.task
    mentioned = (name for names in receipt.query.mentions.values() for name in names)
    return " ".join((*mentioned, *receipt.query.terms))


def _error_class(error: str) -> str:
    match = _ERROR_CLASS.search(error)
    return match[0] if match else ""
