"""Verification: everything in a ledger that can be derived again is derived again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from knowledge.hashing import pattern_hash, text_hash
from receipts.reading import Damage, Entry, parse_line
from receipts.records import GENESIS, NewerRecord, Receipt
from receipts.segments import (
    HEAD_NAME,
    TORN_NAME,
    Head,
    Line,
    list_segments,
    read_head,
    read_segment,
    segment_path,
    torn_parts,
)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: the segment's (or other) file name, the line in it from 1, and what."""

    segment: str
    line: int
    what: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What `verify` found.

    Attributes:
        segments: how many files.
        lines: how many complete lines.
        receipts: how many of them are receipts.
        newer: how many were written by a newer version; of these only the chain is checked.
        torn: lines that were cut short while being written: set aside, or still at the end, where a
            writer may be at work. No damage to what was written before.
        problems: what is wrong, in order of file and line.
    """

    segments: int
    lines: int
    receipts: int
    newer: int
    torn: tuple[str, ...]
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def verify(folder: Path) -> Verification:
    """Check a ledger against itself.

    Derived again: the chain of hashes and numbers, the schema of every line, the pattern hashes from id
    and content hash, the task's hash from its text, and the end of the ledger from ``head.json``. Found:
    lines that were edited, deleted, inserted or moved, a dispatch id given twice, records linked to a
    receipt that is missing.

    The limits: nothing here is secret. Whoever rewrites every line from the edited one on, and the head
    with them, leaves no trace; nor does cutting off the last lines together with the head's update (or,
    down to a single line, its loss). Keep an export elsewhere to compare with. Of two neighbours that no
    longer fit, the chain does not prove which one was changed: the likelier one is named. Writers may go
    on meanwhile.

    Raises:
        LedgerError: the folder cannot be read.
    """
    head = read_head(folder)  # before the lines: the head is never ahead of what is read after it
    walk = _Walk(head.lines if head else 0)
    segments = list_segments(folder)
    last = segments[-1][0] if segments else 0
    torn = [f"{TORN_NAME}/{path.name}" for path in torn_parts(folder)]
    for number, path in segments:
        *lines, rest = read_segment(path).split(b"\n")
        for line_number, data in enumerate(lines, 1):
            walk.step(Line(path.name, line_number, data))
        if rest and number == last:
            torn.append(f"{path.name}:{len(lines) + 1}")
        elif rest:
            walk.report(path.name, len(lines) + 1, "the segment ends within a line")
    walk.check_links()
    if head is not None:
        walk.check_head(head)
    elif walk.lines > 1 and read_head(folder) is None:  # a first line alone may still await its head
        walk.report(HEAD_NAME, 0, "missing or unreadable: lines may have been cut off the end unseen")
    problems = tuple(sorted(walk.problems, key=lambda p: (p.segment, p.line, p.what)))
    return Verification(len(segments), walk.lines, len(walk.receipts), walk.newer, tuple(torn), problems)


@dataclass(frozen=True, slots=True)
class _Link:
    """One line's place in the chain. Of a line that is no record, ``seq`` is inferred and ``prev`` empty."""

    segment: str
    line: int
    hash: str
    prev: str
    seq: int
    is_known: bool


_START = _Link("", 0, GENESIS, "", 0, is_known=True)


@dataclass(slots=True)
class _Walk:
    """One pass over the lines, in order."""

    head_lines: int
    problems: list[Problem] = field(default_factory=list)
    lines: int = 0
    newer: int = 0
    receipts: dict[str, str] = field(default_factory=dict)
    linked: list[tuple[str, str, int]] = field(default_factory=list)
    before: _Link = _START
    at_head: _Link = _START

    def report(self, segment: str, line: int, what: str) -> None:
        self.problems.append(Problem(segment, line, what))

    def step(self, line: Line) -> None:
        self.lines += 1
        parsed = parse_line(line)
        link = _link(line, parsed, self.before.seq + 1)
        self._check_chain(link)
        if isinstance(parsed, Damage):
            self.report(line.segment, line.number, parsed.what)
        elif isinstance(parsed.record, NewerRecord):
            self._note_newer(parsed, parsed.record)
        elif isinstance(parsed.record, Receipt):
            self._check_receipt(parsed, parsed.record)
        elif parsed.record.dispatch_id:
            self.linked.append((parsed.record.dispatch_id, line.segment, line.number))
        self.before = link
        if link.seq == self.head_lines:
            self.at_head = link

    def _check_chain(self, link: _Link) -> None:
        before = self.before
        missing = link.seq - before.seq - 1
        if not link.is_known:
            return  # reported as damage; the line after it will not fit either, and is not to blame
        if link.prev == before.hash:
            if missing:
                self.report(link.segment, link.line, f"numbered {link.seq}, expected {before.seq + 1}")
        elif missing > 0:
            self.report(link.segment, link.line, f"{missing} line(s) before it are missing")
        elif missing < 0 or before is _START:
            self.report(link.segment, link.line, "inserted or moved: it does not follow the line before it")
        elif before.is_known:
            self.report(before.segment, before.line, "edited: the line after it carries another hash of it")

    def _note_newer(self, entry: Entry, record: NewerRecord) -> None:
        self.newer += 1
        if record.type == "receipt":
            self.receipts.setdefault(record.dispatch_id, f"{entry.segment}:{entry.line}")

    def _check_receipt(self, entry: Entry, receipt: Receipt) -> None:
        first = self.receipts.setdefault(receipt.dispatch_id, f"{entry.segment}:{entry.line}")
        if first != f"{entry.segment}:{entry.line}":
            self.report(entry.segment, entry.line, f"the dispatch id is that of {first}")
        for what in _wrong_hashes(receipt):
            self.report(entry.segment, entry.line, what)

    def check_links(self) -> None:
        """Every linked record needs its receipt, wherever that stands."""
        for dispatch_id, segment, line in self.linked:
            if dispatch_id not in self.receipts:
                self.report(segment, line, f"linked to {dispatch_id}, of which there is no receipt")

    def check_head(self, head: Head) -> None:
        """The line the head speaks of must be there as it was; more may have come since."""
        last, at_head = self.before, self.at_head
        if last.seq < head.lines:
            missing = f"{head.lines - last.seq} line(s) are missing at the end"
            self.report(last.segment or segment_path(Path(), 1).name, last.line + 1, missing)
        elif at_head.line and at_head.is_known and at_head.hash != head.hash:
            self.report(at_head.segment, at_head.line, "edited: the head carries another hash of it")


def _link(line: Line, parsed: Entry | Damage, expected: int) -> _Link:
    if isinstance(parsed, Entry):
        return _Link(
            line.segment, line.number, parsed.hash, parsed.record.prev, parsed.record.seq, is_known=True
        )
    return _Link(line.segment, line.number, parsed.hash, "", expected, is_known=False)


def _wrong_hashes(receipt: Receipt) -> Iterator[str]:
    as_it_came = receipt.task is not None and not receipt.task_redactions
    if as_it_came and text_hash(receipt.task or "") != receipt.task_hash:
        yield "the task's text does not have the task's hash"
    for item in receipt.items:
        if pattern_hash(item.id, item.content_hash) != item.pattern_hash:
            yield f"the pattern hash of {item.id} does not derive from its id and content hash"
