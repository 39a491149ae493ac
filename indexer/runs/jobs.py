"""What goes into parsing and what comes out of it, file by file."""

from __future__ import annotations

from dataclasses import dataclass, field

from indexer.sources.walk import SkipReason
from knowledge.catalog.rows import FileRow


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a file gives no evidence.

    Attributes:
        reason: what it is counted under.
        problem: for people; empty where there is nothing to correct.
    """

    reason: SkipReason
    problem: str = ""


Answer = bytes | Refusal  # a packed file (see `knowledge.catalog.packed`), or why there is none
NOTHING: Answer = b""  # instead of a packed file: there is nothing to store


@dataclass(slots=True)
class Job:
    """One file on its way into the catalog.

    Attributes:
        row: the file.
        data: its bytes, until they are parsed.
        answer: what it gives; None until that is known.
        is_parsed: whether parsing found the answer, which was not known before.
        attempts: how many workers were killed at it.
        size: bytes that it takes while it waits.
    """

    row: FileRow
    data: bytes = b""
    answer: Answer | None = None
    is_parsed: bool = False
    attempts: int = 0
    size: int = field(init=False)

    def __post_init__(self) -> None:
        self.size = len(self.answer if isinstance(self.answer, bytes) else self.data)

    def settle(self, answer: Answer) -> None:
        """Note what parsing gave, and let go of the bytes."""
        self.answer, self.data, self.is_parsed = answer, b"", True
