"""Replay: what the ledger teaches, as a pure function of its records.

Dispatches are taken in the order of ``(time, dispatch id)`` of their receipts, whatever the order in
which their lines came into the ledger; within one dispatch, the linked records count in the order of
their lines. So the result does not depend on how writers interleaved, and a second replay gives the
same, to the last bit.

An item is known by its evidence id. When its content changes it keeps what was learned, for now; the
state says which content that was, so that a later policy can discount it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from knowledge.clock import parse_time
from knowledge.learned import LearnedState, TaughtDispatch
from learning.lessons import Window
from learning.policy import Observation, Policy
from receipts.ladder import Facts
from receipts.records import GuidanceRecord, OfferedRecord, OutcomeStatus, Receipt, Record

SECONDS_PER_DAY = 86_400
# Infrastructure failures and cancellations say nothing about what was offered.
_TEACHING: tuple[OutcomeStatus, ...] = ("success", "failure")


@dataclass(frozen=True, slots=True)
class Taught:
    """What a ledger teaches.

    Attributes:
        states: what is known of every item that was ever offered, by evidence id, in order of id.
        dispatches: the newest that ended in success and used something of what they were offered (rules and
            warnings apart: they are not chosen by what a task says), oldest first.
    """

    states: dict[str, LearnedState]
    dispatches: tuple[TaughtDispatch, ...]


@dataclass(frozen=True, slots=True)
class _Item:
    """What a replay needs of an offered item: receipts themselves are too large to keep by the thousand."""

    id: str
    pattern_hash: str
    content_hash: str
    is_guidance: bool


@dataclass(slots=True)
class _Trip:
    """One dispatch, as far as it has been read."""

    time: int = 0
    rendered: bool = False
    items: tuple[_Item, ...] | None = None  # None until its receipt has been read
    facts: Facts = field(default_factory=Facts)


@dataclass(frozen=True, slots=True)
class _Offer:
    """One item in one dispatch, and what became of it there."""

    item: _Item
    trip: _Trip
    status: OutcomeStatus | None
    delivered: bool
    used: bool


def replay(records: Iterable[Record], policy: Policy) -> dict[str, LearnedState]:
    """What is known of every item; see `teach`."""
    return teach(records, policy).states


def teach(records: Iterable[Record], policy: Policy) -> Taught:
    """What the ledger teaches.

    Args:
        records: the ledger's records in the order of its lines. Of several receipts with one dispatch
            id the first counts; a record whose receipt is missing counts for nothing.
        policy: how confidence follows.
    """
    window = Window()
    trips = _trips(records, window)
    offers: dict[str, list[_Offer]] = {}
    used: dict[str, tuple[str, ...]] = {}
    for dispatch_id in sorted(trips, key=lambda key: (trips[key].time, key)):
        trip = trips[dispatch_id]
        there = [_offer(item, trip) for item in trip.items or ()]
        for offer in there:
            offers.setdefault(offer.item.id, []).append(offer)
        used[dispatch_id] = tuple(offer.item.id for offer in there if _is_lesson(offer))
    states = {evidence_id: _state(offers[evidence_id], policy) for evidence_id in sorted(offers)}
    return Taught(states, window.lessons(used))


def _trips(records: Iterable[Record], window: Window) -> dict[str, _Trip]:
    trips: dict[str, _Trip] = {}
    for record in records:
        if not record.dispatch_id:
            continue
        trip = trips.setdefault(record.dispatch_id, _Trip())
        if not isinstance(record, Receipt):
            trip.facts.take(record)
        elif trip.items is None:
            trip.time = int(parse_time(record.time))
            trip.rendered = record.rendered
            trip.items = _items(record)
            window.take(record, trip.time)
    return trips


def _is_lesson(offer: _Offer) -> bool:
    return offer.used and offer.status == "success" and not offer.item.is_guidance


def _items(receipt: Receipt) -> tuple[_Item, ...]:
    """The offered items, each id once: pieces of one large unit carry ids of their own."""
    return tuple({item.id: _item(item) for item in receipt.items}.values())


def _item(item: OfferedRecord) -> _Item:
    return _Item(item.id, item.pattern_hash, item.content_hash, isinstance(item, GuidanceRecord))


def _offer(item: _Item, trip: _Trip) -> _Offer:
    facts = trip.facts
    status = facts.outcome.status if facts.outcome else None
    delivered = facts.is_delivered(item.pattern_hash, rendered=trip.rendered)
    # Use of what never reached the agent is its own idea, and no credit to the item.
    return _Offer(item, trip, status, delivered, used=delivered and item.pattern_hash in facts.used)


def _state(offers: list[_Offer], policy: Policy) -> LearnedState:
    """What the dispatches that offered an item come to; they are given in their order."""
    used = [offer for offer in offers if offer.used]
    teaching = [offer for offer in offers if offer.delivered and offer.status in _TEACHING]
    return LearnedState(
        confidence=policy.confidence([_observation(offer) for offer in teaching]),
        offers=len(offers),
        deliveries=sum(offer.delivered for offer in offers),
        uses=len(used),
        successes=sum(offer.status == "success" for offer in used),
        failures=sum(offer.status == "failure" for offer in used),
        last_offered_time=offers[-1].trip.time,
        last_used_time=used[-1].trip.time if used else 0,
        content_hash=offers[-1].item.content_hash,
    )


def _observation(offer: _Offer) -> Observation:
    return Observation(
        time=offer.trip.time,
        day=offer.trip.time // SECONDS_PER_DAY,
        succeeded=offer.status == "success",
        used=offer.used,
        use_known=offer.trip.facts.use_known,
        is_guidance=offer.item.is_guidance,
    )
