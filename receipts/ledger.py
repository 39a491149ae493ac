"""The ledger: append-only, chained, shared by many processes at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from knowledge.clock import Clock
from knowledge.errors import LedgerError
from knowledge.hashing import canonical_json, tagged
from knowledge.jsonable import to_json
from knowledge.locks import file_lock
from receipts.reading import (
    Damage,
    DispatchHistory,
    Entry,
    entries_of,
    history_of,
    iterate_records,
    latest_receipts,
    parse_line,
)
from receipts.records import GENESIS, Receipt, Record
from receipts.segments import (
    LOCK_NAME,
    Head,
    Line,
    iterate_lines,
    list_segments,
    read_head,
    read_tail,
    refused,
    segment_path,
    set_aside,
    sync_folder,
    write_head,
)

# A segment takes no more lines once it has this size: small enough to be read at once and to be backed up
# piece by piece, large enough that a year of busy work (1,000 dispatches a day of 10 kB) is 230 files.
SEGMENT_BYTES = 16 * 1024 * 1024
# An append takes about a millisecond: who waits longer than this waits for something that hangs.
LOCK_TIMEOUT = 5.0


@dataclass(frozen=True, slots=True)
class LedgerEvent:
    """Something an append came upon and dealt with, for the log.

    Attributes:
        kind: ``torn-line`` (set aside), ``lost-lines`` (the ledger was cut or its end edited; the chain
            goes on from the head, so that `verify` keeps showing it), ``head-not-written``.
        where: the file concerned.
    """

    kind: str
    where: str


def ignore_event(event: LedgerEvent) -> None:
    """Do nothing: what a ledger does with its events unless told otherwise."""


class Ledger:
    """A folder of receipts.

    Args:
        folder: where the segments lie; created at the first append.
        clock: gives a record without a time its time.
        on_event: told what an append came upon.
        lock_timeout: seconds to wait for other writers.
        segment_bytes: size at which the next segment begins.
    """

    def __init__(
        self,
        folder: Path,
        clock: Clock,
        *,
        on_event: Callable[[LedgerEvent], None] = ignore_event,
        lock_timeout: float = LOCK_TIMEOUT,
        segment_bytes: int = SEGMENT_BYTES,
    ) -> None:
        self.folder = folder
        self._clock = clock
        self._on_event = on_event
        self._lock_timeout = lock_timeout
        self._segment_bytes = segment_bytes

    def append(self, record: Record) -> str:
        """Add one record; when this returns, it is on the disk.

        Returns:
            The hash of its line.

        Raises:
            LedgerError: the folder cannot be written, or another writer hangs. Nothing was added.
        """
        with self.writing() as writer:
            return writer.append(record)

    @contextmanager
    def writing(self) -> Iterator[Writer]:
        """Keep other writers out for the length of a ``with`` block: to look, then append.

        Raises:
            LedgerError: as `append`.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise refused(error, self.folder) from None
        with file_lock(self.folder / LOCK_NAME, self._lock_timeout):
            writer = Writer(self.folder, self._clock, self._on_event, self._segment_bytes)
            try:
                yield writer
            finally:
                writer.close()

    def records(self) -> Iterator[Entry | Damage]:
        """Every line in order, parsed; a damaged line comes as `Damage`, and the rest after it."""
        return iterate_records(self.folder)

    def find(self, dispatch_id: str) -> DispatchHistory:
        """One dispatch with all that is linked to it.

        Raises:
            UnknownDispatch: the ledger has no (readable) receipt of that id.
            LedgerError: its receipt was written by a newer version.
        """
        entries, _ = entries_of(self.folder, dispatch_id)
        return history_of(dispatch_id, entries)

    def latest(self, count: int) -> list[Receipt]:
        """The last ``count`` receipts, the newest first; damaged ones are passed over."""
        return latest_receipts(self.folder, count)


class Writer:
    """Appends while the ledger's lock is held. Made by `Ledger.writing`."""

    def __init__(
        self, folder: Path, clock: Clock, on_event: Callable[[LedgerEvent], None], segment_bytes: int
    ) -> None:
        self._folder = folder
        self._clock = clock
        self._on_event = on_event
        self._segment_bytes = segment_bytes
        self._ready = False  # whether the last segment is open and its end is known
        self._handle = -1
        self._number = 0
        self._size = 0
        self._head = Head(0, 0, GENESIS)

    def append(self, record: Record) -> str:
        """As `Ledger.append`."""
        try:
            self._prepare()
            return self._write(record)
        except OSError as error:
            raise refused(error, self._folder) from None

    def close(self) -> None:
        """Close the open segment, if any."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def _prepare(self) -> None:
        """Open the segment to append to, and find out how the ledger ends."""
        if not self._ready:
            self.close()
            segments = list_segments(self._folder)
            self._open(segments[-1][0] if segments else 1)
            self._head = self._find_head()
            self._ready = True
        if self._size >= self._segment_bytes:
            self.close()
            self._open(self._number + 1)

    def _open(self, number: int) -> None:
        path = segment_path(self._folder, number)
        is_new = not path.exists()
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        self._number = number
        self._size = os.fstat(self._handle).st_size
        if is_new:
            sync_folder(self._folder)

    def _find_head(self) -> Head:
        tail, end = read_tail(self._handle, self._size)
        if end < self._size:
            part = set_aside(self._folder, segment_path(self._folder, self._number), self._handle, end)
            self._size = end
            self._on_event(LedgerEvent("torn-line", str(part)))
        if tail is None:
            tail = self._earlier_tail()
        return self._reconcile(tail)

    def _earlier_tail(self) -> bytes | None:
        """The last line of the segments before this one: it is new, or nothing but a torn line was in it."""
        for number, path in reversed(list_segments(self._folder)):
            if number < self._number and (lines := path.read_bytes().split(b"\n")[:-1]):
                return lines[-1]
        return None

    def _reconcile(self, tail: bytes | None) -> Head:
        """Where to go on: from the head, or from the last line if the head lags one crash behind.

        When the head knows of a line that is not the last one here, lines were cut off or the last one
        was edited. Going on from the head leaves that visible in the chain for good.
        """
        head = read_head(self._folder)
        digest = GENESIS if tail is None else tagged(tail)
        if head is not None and head.hash == digest:
            return Head(self._number, head.lines, digest)
        lines = 0 if tail is None else self._number_of(tail)
        if head is None or lines > head.lines:
            return Head(self._number, lines, digest)
        self._on_event(LedgerEvent("lost-lines", str(segment_path(self._folder, self._number))))
        return Head(self._number, head.lines, head.hash)

    def _number_of(self, tail: bytes) -> int:
        parsed = parse_line(Line("", 0, tail))
        if isinstance(parsed, Entry) and parsed.record.seq > 0:
            return parsed.record.seq
        return sum(1 for _ in iterate_lines(self._folder))

    def _write(self, record: Record) -> str:
        line = _encode(record, self._clock, self._head)
        try:
            written = os.write(self._handle, line + b"\n")
            if written < len(line) + 1:
                raise LedgerError(
                    "the disk took only part of a record, which was removed again",
                    where=str(segment_path(self._folder, self._number)),
                    remedy="Make space on the disk",
                )
            os.fsync(self._handle)
        except (OSError, LedgerError):
            os.ftruncate(self._handle, self._size)
            raise
        self._size += written
        self._head = Head(self._number, self._head.lines + 1, tagged(line))
        self._note_head()
        return self._head.hash

    def _note_head(self) -> None:
        try:
            write_head(self._folder, self._head)
        except OSError:  # the record itself is safe: the next append finds it as the last line
            self._on_event(LedgerEvent("head-not-written", str(self._folder)))


def _encode(record: Record, clock: Clock, head: Head) -> bytes:
    """The record's line: canonical JSON in UTF-8.

    A lone surrogate (from a file name that is not UTF-8, say) can stand only within a JSON string, where
    ``backslashreplace`` writes it as the JSON escape it needs.
    """
    value = to_json(record)
    value |= {"prev": head.hash, "seq": head.lines + 1, "time": record.time or clock.timestamp()}
    return canonical_json(value).encode("utf-8", "backslashreplace")
