"""The nightly job: read the ledger, replay it, replace what was learned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from knowledge.clock import Clock
from knowledge.errors import CatalogCorrupt
from knowledge.learned import LearnedState, read_learned, write_learned
from learning.policy import START, Policy
from learning.replay import teach
from receipts.ledger import Ledger
from receipts.reading import Damage
from receipts.records import NewerRecord, Outcome, Receipt, Record


@dataclass(frozen=True, slots=True)
class LearnReport:
    """What one run of the job did.

    Attributes:
        policy: name of the learning policy.
        ledger_head: hash of the last line read, or empty.
        dispatches: receipts in the ledger.
        outcomes: dispatches by the status that counts, in order of status.
        items: items of which something is known now.
        lessons: successful dispatches of which it is known what they used.
        raised: items whose confidence is higher than after the run before (or than at the start).
        lowered: items whose confidence is lower.
        damaged: lines that could not be read, as ``segment:line``; they taught nothing.
        newer: lines that a newer version wrote; they taught nothing.
        seconds: how long it took.
    """

    policy: str
    ledger_head: str
    dispatches: int
    outcomes: dict[str, int]
    items: int
    lessons: int
    raised: int
    lowered: int
    damaged: tuple[str, ...]
    newer: int
    seconds: float


def learn(ledger: Ledger, learned: Path, policy: Policy, clock: Clock) -> LearnReport:
    """Replace what was learned by what the ledger teaches now. Running it again changes nothing.

    Args:
        ledger: the receipts.
        learned: the projection's file.
        policy: how confidence follows.
        clock: for the duration alone; the result does not depend on it.

    Raises:
        LedgerError: the ledger cannot be read.
        CatalogError: the projection cannot be written.
    """
    started = clock.tick()
    reading = _Reading()
    taught = teach(reading.records(ledger), policy)
    states = taught.states
    raised, lowered = _moved(_before(learned, states), states)
    write_learned(learned, states, reading.head, policy.name, taught.dispatches)
    return LearnReport(
        policy=policy.name,
        ledger_head=reading.head,
        dispatches=reading.dispatches,
        outcomes=reading.outcomes(),
        items=len(states),
        lessons=len(taught.dispatches),
        raised=raised,
        lowered=lowered,
        damaged=tuple(reading.damaged),
        newer=reading.newer,
        seconds=round(clock.tick() - started, 3),
    )


@dataclass(slots=True)
class _Reading:
    """Counts what passes from the ledger into the replay."""

    head: str = ""
    dispatches: int = 0
    newer: int = 0
    damaged: list[str] = field(default_factory=list)
    status: dict[str, str] = field(default_factory=dict)

    def records(self, ledger: Ledger) -> Iterator[Record]:
        for entry in ledger.records():
            self.head = entry.hash
            if isinstance(entry, Damage):
                self.damaged.append(f"{entry.segment}:{entry.line}")
            elif isinstance(entry.record, NewerRecord):
                self.newer += 1
            else:
                self._count(entry.record)
                yield entry.record

    def _count(self, record: Record) -> None:
        if isinstance(record, Receipt):
            self.dispatches += 1
        elif isinstance(record, Outcome):
            self.status[record.dispatch_id] = record.status

    def outcomes(self) -> dict[str, int]:
        """How many dispatches ended in which way."""
        counts: dict[str, int] = {}
        for status in sorted(self.status.values()):
            counts[status] = counts.get(status, 0) + 1
        return counts


def _before(learned: Path, states: Mapping[str, LearnedState]) -> dict[str, LearnedState]:
    try:
        return read_learned(learned, states)
    except CatalogCorrupt:  # it is about to be replaced: to rebuild it is what the remedy says
        return {}


def _moved(before: Mapping[str, LearnedState], after: Mapping[str, LearnedState]) -> tuple[int, int]:
    """How many items rose, and how many fell."""
    raised = lowered = 0
    for evidence_id, state in after.items():
        known = before.get(evidence_id)
        was = known.confidence if known else START
        raised += state.confidence > was
        lowered += state.confidence < was
    return raised, lowered
