"""Lessons: the newest dispatches that went well, by what their tasks said and which evidence they used.

The words come from the task alone, never from the prompt that was made of it; and a task that is itself such
a prompt (a host that dispatched our own text once more) is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from heapq import heappush, heappushpop

from knowledge.learned import TaughtDispatch
from knowledge.terms import terms
from receipts.records import Receipt

MAX_LESSONS = 5_000  # a search among them takes a millisecond; older ones are of code that has changed since
WINDOW = 2 * MAX_LESSONS  # newest receipts of which the task is held while the ledger is read: 40 MB at most
MAX_CHARACTERS = 4_000  # of a task, from its beginning; behind that come logs and whole files
MAX_TERMS = 300  # of a task

_REDACTED = re.compile(r"\[redacted:[\w-]+\]")


@dataclass(frozen=True, slots=True)
class _Held:
    """What is held of a receipt."""

    task_hash: str
    said: str | tuple[str, ...]  # the beginning of the task or, where it was not kept, its query's terms


@dataclass(slots=True)
class Window:
    """The newest receipts, by (time, dispatch id), whatever the order in which they come."""

    _held: list[tuple[int, str, _Held]] = field(default_factory=list)
    _prompts: set[str] = field(default_factory=set)

    def take(self, receipt: Receipt, time: int) -> None:
        """Take in a receipt; the oldest one leaves when there are too many. No dispatch may come twice."""
        said = receipt.query.terms if receipt.task is None else receipt.task[:MAX_CHARACTERS]
        entry = (time, receipt.dispatch_id, _Held(receipt.task_hash, said))
        if len(self._held) < WINDOW:
            heappush(self._held, entry)
        else:
            heappushpop(self._held, entry)
        if receipt.rendered:
            self._prompts.add(receipt.prompt_hash)

    def lessons(self, used: Mapping[str, tuple[str, ...]]) -> tuple[TaughtDispatch, ...]:
        """The newest lessons, in the order of (time, dispatch id).

        Args:
            used: ids of the evidence that was used, by dispatches that ended in success.
        """
        found: list[TaughtDispatch] = []
        for time, dispatch_id, held in sorted(self._held, reverse=True):
            evidence = used.get(dispatch_id, ())
            words = _terms(held) if evidence and held.task_hash not in self._prompts else ()
            if words:
                found.append(TaughtDispatch(dispatch_id, time, words, evidence))
            if len(found) == MAX_LESSONS:
                break
        return tuple(reversed(found))


def _terms(held: _Held) -> tuple[str, ...]:
    if isinstance(held.said, tuple):
        return held.said[:MAX_TERMS]
    return tuple(terms(_REDACTED.sub(" ", held.said))[:MAX_TERMS])
