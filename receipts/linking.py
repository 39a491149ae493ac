"""Linking records to a receipt: what is there already is looked up and added to under one lock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from receipts.ladder import Facts, facts_of
from receipts.ledger import Ledger, Writer
from receipts.reading import DispatchHistory, entries_of, history_of
from receipts.records import Delivery


@contextmanager
def linking(ledger: Ledger, dispatch_id: str) -> Iterator[tuple[DispatchHistory, Writer]]:
    """A dispatch as the ledger has it, and a writer, while other writers are kept out.

    Raises:
        UnknownDispatch: there is no such receipt.
        LedgerError: the ledger cannot be written.
    """
    # The long look goes before the lock, so that dispatches never wait for it; under the lock, only
    # what was appended meanwhile is read.
    entries, end = entries_of(ledger.folder, dispatch_id)
    history_of(dispatch_id, entries)
    with ledger.writing() as writer:
        later, _ = entries_of(ledger.folder, dispatch_id, end)
        yield history_of(dispatch_id, entries + later), writer


def record_deliveries(ledger: Ledger, dispatch_id: str, found: Iterable[Delivery]) -> int:
    """Link proofs of delivery to a receipt, without what the ledger has already; returns how many were new.

    Raises:
        UnknownDispatch: there is no such receipt.
        LedgerError: the ledger cannot be written.
    """
    with linking(ledger, dispatch_id) as (history, writer):
        facts = facts_of(history.linked)
        new = [item for item in map(partial(_unknown, facts), found) if item is not None]
        for item in new:
            writer.append(item)
    return len(new)


def _unknown(facts: Facts, found: Delivery) -> Delivery | None:
    """What of a proof is new."""
    if found.rung in facts.whole:
        return None
    known = facts.proven.get(found.rung, ())
    items = tuple(item for item in found.items if item not in known)
    return replace(found, items=items) if items or not found.items else None
