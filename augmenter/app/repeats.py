"""Answers to the last tasks, for orchestrators that ask the same again: a retry, a second worker, a queue.

An answer holds only for the very same question asked of the very same state; what the state is, the session
tells. The dispatch gets an id and a receipt of its own all the same.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace

from augmenter.brief import Brief
from knowledge.catalog.rows import FileRow
from receipts.records import Receipt

MAX_ANSWERS = 64  # tasks that are likely to come again soon
MAX_PROMPT = 100_000  # characters of a prompt that is kept: with all answers at most 20 MB, usually 0.3


@dataclass(frozen=True, slots=True)
class Answer:
    """A brief and its receipt, both without what is one dispatch's own.

    Attributes:
        brief: the brief.
        receipt: its receipt, or None when none is kept.
        files: those whose change makes the index older than the tree.
    """

    brief: Brief
    receipt: Receipt | None
    files: Mapping[str, FileRow]

    def again(self, dispatch_id: str, milliseconds: float) -> tuple[Brief, Receipt | None]:
        """The brief and receipt of another dispatch.

        Args:
            dispatch_id: its id.
            milliseconds: how long it took to find out that nothing has changed.
        """
        timings = {"repeated": round(milliseconds, 3)}
        if self.receipt is None:
            return replace(self.brief, timings_ms=timings), None
        return (
            replace(self.brief, dispatch_id=dispatch_id, timings_ms=timings),
            replace(self.receipt, dispatch_id=dispatch_id, timings_ms=timings),
        )


class Repeats:
    """The last answers, by question and state."""

    def __init__(self) -> None:
        self._answers: OrderedDict[Hashable, Answer] = OrderedDict()

    def find(self, key: Hashable, is_stale: Callable[[Mapping[str, FileRow]], bool]) -> Answer | None:
        """The answer to a question, unless files have changed since.

        Args:
            key: the question, and all that its answer depends on but for the tree.
            is_stale: whether the tree has moved on since these files were indexed.
        """
        answer = self._answers.get(key)
        if answer is None or is_stale(answer.files) != answer.brief.stale:
            return None
        self._answers.move_to_end(key)
        return answer

    def keep(self, key: Hashable, answer: Answer) -> None:
        """Hold an answer, in place of the one that was not asked for the longest."""
        if len(answer.brief.prompt) > MAX_PROMPT:
            return
        self._answers[key] = answer
        self._answers.move_to_end(key)
        if len(self._answers) > MAX_ANSWERS:
            self._answers.popitem(last=False)
