"""The ladder of a dispatch: offered → rendered → delivered → opened → cited → used.

Each rung is derived from the records, item by item. Without proof from a host, a rendered brief counts
as delivered when its outcome arrives: the task went out with it and came back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from receipts.reading import DispatchHistory
from receipts.records import Delivery, Linked, Outcome, Use

RUNGS = ("offered", "rendered", "delivered", "opened", "cited", "used")
_PROVEN = ("delivered", "opened", "cited")


@dataclass(slots=True)
class Facts:
    """What the linked records of one dispatch say, taken in one after the other, in ledger order.

    Attributes:
        outcome: the outcome that counts: the last one.
        use_known: whether anybody looked for use.
        used: pattern hashes of the items that were used.
        proven: by rung, the pattern hashes a host vouches for.
        whole: the rungs a host vouches for, for all that was offered.
    """

    outcome: Outcome | None = None
    use_known: bool = False
    used: set[str] = field(default_factory=set)
    proven: dict[str, set[str]] = field(default_factory=dict)
    whole: set[str] = field(default_factory=set)

    def take(self, record: Linked) -> None:
        """Take in the next record."""
        if isinstance(record, Outcome):
            self.outcome = record
        elif isinstance(record, Use):
            if record.replaces:
                self.used.clear()
            self.use_known = True
            self.used.update(item.pattern_hash for item in record.items)
        elif isinstance(record, Delivery):
            if record.items:
                self.proven.setdefault(record.rung, set()).update(record.items)
            else:
                self.whole.add(record.rung)

    def is_delivered(self, pattern_hash: str, *, rendered: bool) -> bool:
        """Whether an item reached the agent; who opened or cited it had it delivered."""
        return (rendered and self.outcome is not None) or any(
            self._proves(rung, pattern_hash) for rung in _PROVEN
        )

    def reaches(self, rung: str, pattern_hash: str, *, rendered: bool) -> bool:
        """Whether an item reached one rung of `RUNGS`."""
        if rung == "offered":
            return True
        if rung == "rendered":
            return rendered
        if rung == "delivered":
            return self.is_delivered(pattern_hash, rendered=rendered)
        if rung == "used":
            return pattern_hash in self.used
        return self._proves(rung, pattern_hash)

    def _proves(self, rung: str, pattern_hash: str) -> bool:
        return rung in self.whole or pattern_hash in self.proven.get(rung, ())


@dataclass(frozen=True, slots=True)
class ItemLadder:
    """The rungs that one offered item reached, lowest first. Rungs may be missing in between."""

    id: str
    pattern_hash: str
    rungs: tuple[str, ...]


def facts_of(linked: Iterable[Linked]) -> Facts:
    """Fold the linked records of one dispatch."""
    facts = Facts()
    for record in linked:
        facts.take(record)
    return facts


def ladder(history: DispatchHistory) -> tuple[ItemLadder, ...]:
    """The ladder of everything that one dispatch offered, patterns first, in the order of the brief."""
    facts = facts_of(history.linked)
    rendered = history.receipt.rendered
    return tuple(
        ItemLadder(
            item.id,
            item.pattern_hash,
            tuple(r for r in RUNGS if facts.reaches(r, item.pattern_hash, rendered=rendered)),
        )
        for item in history.receipt.items
    )
