"""How a dispatch ended, recorded once: looked up and appended under one lock."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import replace as replace_fields

from knowledge.errors import OutcomeConflict
from knowledge.hygiene import purify
from receipts.ledger import Ledger
from receipts.linking import linking
from receipts.reading import DispatchHistory
from receipts.records import Outcome, Use


@dataclass(frozen=True, slots=True)
class Recorded:
    """What `record_outcome` did.

    Attributes:
        outcome: whether the outcome was appended; False when the ledger had the very same.
        use: whether a record of use was appended.
        replaced: whether the outcome takes the place of a different one.
    """

    outcome: bool
    use: bool
    replaced: bool


def record_outcome(
    ledger: Ledger, outcome: Outcome, use: Use | None = None, *, replace: bool = False
) -> Recorded:
    """Link an outcome, and what was used, to a receipt. Doing it again with the same changes nothing.

    Secrets in the error's text are redacted first: a ledger keeps what it is given for good.

    Args:
        ledger: where the receipt is.
        outcome: how it ended.
        use: what was used; None when nobody looked, which takes nothing back. When the outcome replaces
            another, the use replaces the earlier records of use.
        replace: whether a different outcome may be superseded; it stays in the ledger.

    Raises:
        UnknownDispatch: there is no such receipt.
        OutcomeConflict: there is a different outcome, and ``replace`` is not set.
        LedgerError: the ledger cannot be written.
    """
    dispatch_id = outcome.dispatch_id
    outcome = replace_fields(outcome, error=purify(outcome.error).text)
    with linking(ledger, dispatch_id) as (history, writer):
        is_new, replaces = _compare(history, outcome, replace)
        if is_new:
            writer.append(outcome)
        use_is_new = use is not None and _is_new_use(history, use)
        if use is not None and use_is_new:
            writer.append(replace_fields(use, replaces=use.replaces or replaces))
    return Recorded(outcome=is_new, use=use_is_new, replaced=replaces)


def _compare(history: DispatchHistory, outcome: Outcome, replace: bool) -> tuple[bool, bool]:
    """Whether the outcome is new, and whether it replaces another."""
    known = history.outcome
    if known is None:
        return True, False
    if _content(known) == _content(outcome):
        return False, False
    if not replace:
        raise OutcomeConflict(
            f"this dispatch already has the outcome '{known.status}' of {known.time}, which differs",
            where=outcome.dispatch_id,
            remedy="Give --replace to supersede it",
        )
    return True, True


def _content(outcome: Outcome) -> tuple[str, ...]:
    """What two outcomes have in common when they say the same, whoever says it and when."""
    return (outcome.status, outcome.base, outcome.head, outcome.error, outcome.error_class)


def _is_new_use(history: DispatchHistory, use: Use) -> bool:
    return all(known.items != use.items for known in history.uses)
