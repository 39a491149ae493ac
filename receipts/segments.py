"""The files of a ledger: numbered segments of lines, the head, and what was set aside.

::

    receipts/
      000001.ndjson  000002.ndjson …   the lines, in order; only the last segment grows
      head.json                        how many lines there are, and the hash of the last one
      torn/000002-4711.part            the rest of a line that was cut short at byte 4711
      lock                             held while something is appended
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from knowledge.errors import LedgerError
from knowledge.hashing import canonical_json

SUFFIX = ".ndjson"
LOCK_NAME = "lock"
HEAD_NAME = "head.json"
TORN_NAME = "torn"
# How much is read first when looking for the last line; larger than nearly every record.
TAIL_CHUNK = 64 * 1024
_SEGMENT_NAME = re.compile(r"\d{6,}\.ndjson")


@dataclass(frozen=True, slots=True)
class Head:
    """Where the ledger ended at the last append.

    Attributes:
        segments: number of the last segment.
        lines: number of the last line in the whole ledger.
        hash: that line's hash.
    """

    segments: int
    lines: int
    hash: str


@dataclass(frozen=True, slots=True)
class Position:
    """A place between two lines: a segment's number and an offset in bytes."""

    segment: int
    offset: int


START = Position(0, 0)


@dataclass(frozen=True, slots=True)
class Line:
    """One line as stored, without its line end; ``number`` counts from 1 in its segment."""

    segment: str
    number: int
    data: bytes


def refused(error: OSError, where: Path) -> LedgerError:
    """The error for a file or folder that the system refuses."""
    return LedgerError.of_system(
        "the ledger cannot be used", error, where, "Check the folder's permissions and the free space"
    )


def segment_path(folder: Path, number: int) -> Path:
    """The file of a segment; names sort as the numbers do, up to a million segments."""
    return folder / f"{number:06d}{SUFFIX}"


def list_segments(folder: Path) -> list[tuple[int, Path]]:
    """The segments there are, in order. A folder that does not exist has none."""
    try:
        paths = [path for path in folder.iterdir() if _SEGMENT_NAME.fullmatch(path.name)]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise refused(error, folder) from None
    return sorted((int(path.stem), path) for path in paths)


def read_segment(path: Path, offset: int = 0) -> bytes:
    """A segment's bytes from ``offset``. Read, not mapped: a writer may cut a torn line off meanwhile."""
    try:
        with path.open("rb") as file:
            file.seek(offset)
            return file.read()
    except OSError as error:
        raise refused(error, path) from None


def iterate_lines(folder: Path) -> Iterator[Line]:
    """Every complete line of every segment, in order.

    What follows the last line end of a segment is left out: a writer may be at work on it.
    """
    for _, path in list_segments(folder):
        lines = read_segment(path).split(b"\n")
        for number, data in enumerate(lines[:-1], 1):
            yield Line(path.name, number, data)


def scan(folder: Path, needle: bytes, start: Position = START) -> tuple[list[Line], Position]:
    """The complete lines from ``start`` on that contain ``needle``, and where the last complete line ends.

    Nothing is parsed: a ledger of gigabytes takes about as long as reading it. The lines of the
    segment in which ``start`` lies are numbered from there.
    """
    found: list[Line] = []
    end = start
    for number, path in list_segments(folder):
        if number < start.segment:
            continue
        offset = start.offset if number == start.segment else 0
        data = read_segment(path, offset)
        complete = data.rfind(b"\n") + 1
        found.extend(_hits(path.name, data, complete, needle))
        end = Position(number, offset + complete)
    return found, end


def _hits(segment: str, data: bytes, complete: int, needle: bytes) -> Iterator[Line]:
    at = data.find(needle, 0, complete)
    number, counted = 1, 0
    while at >= 0:
        first = data.rfind(b"\n", 0, at) + 1
        last = data.find(b"\n", at)
        number += data.count(b"\n", counted, first)
        counted = first
        yield Line(segment, number, data[first:last])
        at = data.find(needle, last, complete)


def read_tail(handle: int, size: int) -> tuple[bytes | None, int]:
    """The last complete line of an open segment of ``size`` bytes, and the offset at which it ends.

    Reads backwards, in chunks that double. The line comes without its line end; None if there is none.
    What lies between the offset and ``size`` is a torn line.
    """
    data = b""
    start = size
    chunk = TAIL_CHUNK
    while start > 0:
        step = min(chunk, start)
        start -= step
        chunk *= 2
        data = os.pread(handle, step, start) + data
        last = data.rfind(b"\n")
        if last < 0:
            continue
        before = data.rfind(b"\n", 0, last)
        if before >= 0 or start == 0:
            return data[before + 1 : last], start + last + 1
    return None, 0


def read_head(folder: Path) -> Head | None:
    """The head, or None when it is missing or unreadable."""
    try:
        value = json.loads((folder / HEAD_NAME).read_bytes())
        return Head(int(value["segments"]), int(value["lines"]), str(value["hash"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_head(folder: Path, head: Head) -> None:
    """Replace the head atomically. Not synced: a head that lags behind is told from a cut ledger."""
    new = folder / f"{HEAD_NAME}.new"
    value = {"segments": head.segments, "lines": head.lines, "hash": head.hash}
    new.write_bytes(canonical_json(value).encode() + b"\n")
    new.replace(folder / HEAD_NAME)


def set_aside(folder: Path, segment: Path, handle: int, offset: int) -> Path:
    """Move what follows ``offset`` in an open segment to a file of its own, and cut the segment there.

    The copy is synced before the cut: a crash in between leaves both.
    """
    data = os.pread(handle, os.fstat(handle).st_size - offset, offset)
    torn = folder / TORN_NAME
    torn.mkdir(exist_ok=True)
    target = _free_name(torn, f"{segment.stem}-{offset}", data)
    with target.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    sync_folder(torn)
    sync_folder(folder)
    os.ftruncate(handle, offset)
    os.fsync(handle)
    return target


def _free_name(torn: Path, stem: str, data: bytes) -> Path:
    target = torn / f"{stem}.part"
    count = 1
    while target.exists() and target.read_bytes() != data:
        count += 1
        target = torn / f"{stem}-{count}.part"
    return target


def torn_parts(folder: Path) -> list[Path]:
    """What was set aside, in order of name."""
    return sorted((folder / TORN_NAME).glob("*.part"))


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
